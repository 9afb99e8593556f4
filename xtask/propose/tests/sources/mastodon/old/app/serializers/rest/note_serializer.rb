class REST::NoteSerializer < REST::BaseSerializer
  attributes :text, :author, :old_name
end
