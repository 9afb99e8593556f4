const channelNameFromPath = req => {
  const { path, query } = req;
  const onlyNew = isTruthy(query.only_new);

  switch (path) {
  case '/api/v1/streaming/notes':
    return onlyNew ? 'notes:new' : 'notes';
  }
};

const channelNameToIds = (name, params) => {
  switch (name) {
  case 'notes':
    return ['notes'];
  case 'notes:new':
    return [params.since];
  case 'colours':
    return [params.colour];
  }
};

const token = req => req.query.access_token;

const told = type => {
  if (type === 'subscribe') {
    subscribe();
  } else if (type === 'unsubscribe') {
    unsubscribe();
  }
};
