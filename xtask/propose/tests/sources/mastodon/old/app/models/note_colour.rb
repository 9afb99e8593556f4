class NoteColour
  COLOURS = %w(red green).freeze
end
