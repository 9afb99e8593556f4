class NotesWorker
  def perform(note)
    redis.publish('notes', { event: note.new? ? :'note.new' : 'note', payload: note.id }.to_json)
    redis.publish('notes', Oj.dump(event: :cleared))
    log(event: 'unseen', level: 1)
  end
end
