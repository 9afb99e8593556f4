switch (req.path) {
case '/api/v1/streaming/notes':
  return 'notes';
}
