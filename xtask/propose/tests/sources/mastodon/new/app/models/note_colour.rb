class NoteColour
  COLOURS = %w(red blue green).freeze
end
