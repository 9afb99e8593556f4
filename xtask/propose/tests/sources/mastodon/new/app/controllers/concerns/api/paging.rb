module Api::Paging
  extend ActiveSupport::Concern

  included do
    before_action :check_limit, only: :index
  end

  def check_limit
    raise ArgumentError if params[:limit].to_i > 80
  end
end
