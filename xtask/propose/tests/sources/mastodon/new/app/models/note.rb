class Note < ApplicationRecord
  validates :size, inclusion: { in: %w(small large) }

  def mood
    super || :calm
  end
end
