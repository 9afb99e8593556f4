class REST::PinnedNoteSerializer < REST::NoteSerializer
  attributes :pinned_at
end
