class Api::V1::NotesController < Api::BaseController
  before_action -> { doorkeeper_authorize! :read, :'read:notes' }, only: :index
  before_action -> { doorkeeper_authorize! :read, :'read:notes' }, only: :pinned
  before_action -> { doorkeeper_authorize! :write, :'write:notes' }, except: [:index, :pinned]
  before_action :require_user!

  ORDER = %i(newest).freeze

  def index
    order = nil
    render json: Note.all(order), each_serializer: REST::NoteSerializer
  end

  def pinned
    render json: Note.pinned, each_serializer: REST::PinnedNoteSerializer
  end
end
