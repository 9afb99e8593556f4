class SearchService
  def call(type)
    return notes if type == 'notes'
    return colours if type == 'colours'

    case type
    when 'day', 'week'
      recent
    when :month
      older
    end
  end
end
