class Broken
  def (
