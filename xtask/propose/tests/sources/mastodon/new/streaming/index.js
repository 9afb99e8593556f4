switch (req.path) {
case '/api/v1/streaming/notes':
  return 'notes';
case '/api/v1/streaming/colours':
  return 'colours';
}
