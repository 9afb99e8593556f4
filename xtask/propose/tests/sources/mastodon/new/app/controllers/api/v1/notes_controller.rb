class Api::V1::NotesController < Api::BaseController
  before_action -> { doorkeeper_authorize! :read }, only: :index
  before_action -> { doorkeeper_authorize! :read, :'read:notes' }, only: :pinned
  before_action -> { doorkeeper_authorize! :write, :'write:notes' }, except: [:index, :pinned]
  before_action :require_user!

  ORDER = %i(newest beyond).freeze

  def index
    order = params.slice(*ORDER)
    render json: Note.all(order), each_serializer: REST::NoteSerializer
  end

  def pinned
    render json: Note.pinned, each_serializer: REST::PinnedNoteSerializer
  end

  def create
    @note = Note.create!(note_params)
    render json: @note, serializer: REST::NoteSerializer
  end

  def pin
    render json: {}
  end

  private

  def note_params
    params.permit(:text, :colour, folder: [:name])
  end
end
