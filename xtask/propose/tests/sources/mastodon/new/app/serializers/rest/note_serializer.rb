class REST::NoteSerializer < REST::BaseSerializer
  attributes :text, :author, :colour, :mood
  attribute :kept_in, key: :folder, if: :kept?

  def kept_in
    {
      name: object.folder.name,
    }
  end
end
