//! Filling the gap that a lost connection has left, from a paged list.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::Value as Json;

use crate::client::accepted::id_of;
use crate::client::{BoxFuture, Client, Encode, Encoder, Error, FromAnswer};
use crate::{Operation, RawEvent, Request};

/// The greatest number of pages that are read for one gap.
const PAGES: usize = 10;
/// The number of elements that are remembered, so that none is told twice.
const REMEMBERED: usize = 1024;

/// The elements that are newer than an id, the oldest first; without an id the first page.
type Newer = dyn Fn(Option<String>) -> BoxFuture<'static, Result<Vec<Json>, Error>> + Send + Sync;

/// The list behind an event, and what of it has been told.
pub(super) struct Fill {
    event: String,
    newer: Box<Newer>,
    last: Option<String>,
    told: VecDeque<String>,
}

impl Fill {
    pub(super) fn new<R>(client: Client, event: String, request: R) -> Self
    where
        R: Request + Encode + Send + Sync + 'static,
        R::Answer: FromAnswer,
    {
        let request = Arc::new(request);
        Self {
            event,
            newer: Box::new(move |id| Box::pin(newer(client.clone(), Arc::clone(&request), id))),
            last: None,
            told: VecDeque::new(),
        }
    }

    /// Reads what has come since the last event; without one, the place to start from.
    pub(super) fn read(&self) -> BoxFuture<'static, Result<Vec<Json>, Error>> {
        (self.newer)(self.last.clone())
    }

    /// Makes events of what was read.
    pub(super) fn events(&mut self, read: Vec<Json>) -> Vec<RawEvent> {
        let is_start = self.last.is_none();
        let mut events = Vec::new();
        for element in read {
            let Some(id) = element.get("id").and_then(id_of) else { continue };
            if is_start {
                // Not told, and so not remembered: it may have come over the connection too.
                self.pass(id.as_str());
            } else if self.remember(id.as_str().to_owned()) {
                events.push(RawEvent::new(self.event.clone(), Some(element.to_string())));
            }
        }
        events
    }

    /// Whether an event is to be told: it is not when the list already had it.
    pub(super) fn is_new(&mut self, event: &RawEvent) -> bool {
        #[derive(Deserialize)]
        struct Element<'a> {
            #[serde(borrow)]
            id: std::borrow::Cow<'a, str>,
        }
        if event.name != self.event {
            return true;
        }
        let payload = event.payload.as_deref().unwrap_or_default();
        match serde_json::from_str::<Element<'_>>(payload) {
            Ok(element) => self.remember(element.id.into_owned()),
            Err(_) => true,
        }
    }

    fn remember(&mut self, id: String) -> bool {
        if self.told.contains(&id) {
            return false;
        }
        self.pass(id.as_str());
        if self.told.len() >= REMEMBERED {
            self.told.pop_front();
        }
        self.told.push_back(id);
        true
    }

    /// Moves the place to read from behind an id.
    fn pass(&mut self, id: &str) {
        // Ids of both programs grow, and a later one is never shorter. A post that arrives late has the id of its date.
        let is_before = |last: &String| (last.len(), last.as_str()) < (id.len(), id);
        if self.last.as_ref().is_none_or(is_before) {
            self.last = Some(id.to_owned());
        }
    }
}

async fn newer<R>(client: Client, request: Arc<R>, id: Option<String>) -> Result<Vec<Json>, Error>
where
    R: Request + Encode,
    R::Answer: FromAnswer,
{
    let is_start = id.is_none();
    let mut pages = client.pages(Since { request, id }).backward();
    let mut all = Vec::new();
    for _ in 0..PAGES {
        let Some(page) = pages.next().await.transpose()? else {
            break;
        };
        let mut elements: Vec<Json> = serde_json::from_slice(page.body()).unwrap_or_default();
        let is_last = is_start || elements.is_empty();
        // A page has the newest first.
        elements.reverse();
        all.append(&mut elements);
        if is_last {
            break;
        }
    }
    Ok(all)
}

/// A request for the elements right after an id.
struct Since<R> {
    request: Arc<R>,
    id: Option<String>,
}

impl<R: Request> Request for Since<R> {
    type Answer = R::Answer;
    const OPERATION: &'static Operation = R::OPERATION;
}

impl<R: Encode> Encode for Since<R> {
    fn encode<'a>(&'a self, to: &mut Encoder<'a>) {
        self.request.encode(to);
        if let Some(id) = &self.id {
            to.replace("min_id", id);
        }
    }
}
