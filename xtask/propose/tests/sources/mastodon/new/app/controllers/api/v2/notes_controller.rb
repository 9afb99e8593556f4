class Api::V2::NotesController < Api::BaseController
  before_action -> { authorize_if_got_token! }
  before_action :require_user!

  def show
    render json: Note.find(params[:id]), serializer: REST::NoteSerializer
  end
end
