class Api::BaseController < ApplicationController
  include Api::Paging

  protected

  def require_user!
    render json: {}, status: 422 unless current_user
  end
end
