//! Paging without IO: computes the next request from an answer.

use std::collections::HashSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::marker::PhantomData;

use bytes::Bytes;
use http::{HeaderMap, Uri};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::request::{follow, request};
use super::{Answer, Body, Encode, Error, ErrorKind, FromAnswer, Origin, Token, answer, link};
use crate::{Json, Link, Map, Operation, Paging, Request};

/// The direction of a walk through a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// To the next page, usually of older elements.
    #[default]
    Forward,
    /// To the previous page, usually of newer elements.
    Backward,
}

/// A position in a paged list, from which to continue later. It can be saved with serde and holds no token.
///
/// ```
/// # use fedispec_runtime::client::PageCursor;
/// let saved = r#"{"operation":"notifications.list","url":"https://example.org/api/v1/notifications?max_id=7","direction":"forward"}"#;
/// let cursor: PageCursor = serde_json::from_str(saved)?;
/// assert_eq!(cursor.operation(), "notifications.list");
/// assert_eq!(serde_json::to_string(&cursor)?, saved);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PageCursor {
    operation: String,
    url: String,
    #[serde(default)]
    direction: Direction,
}

impl PageCursor {
    /// The id of the operation that the list belongs to.
    pub fn operation(&self) -> &str {
        &self.operation
    }

    /// The URL of the page.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The direction in which the walk continues.
    pub fn direction(&self) -> Direction {
        self.direction
    }
}

/// The URL of the next page, or why it must not be requested; `None` at the end of the list.
type Edge = Option<Result<Uri, &'static str>>;

/// A walk through a paged list, without IO: it returns the next request and takes the response.
///
/// ```
/// # use fedispec_runtime as rt;
/// use rt::client::Walk;
/// # struct Rules;
/// # impl rt::Request for Rules {
/// #     type Answer = rt::Page<rt::Json>;
/// #     const OPERATION: &'static rt::Operation =
/// #         &rt::Operation::new("rules.list", rt::Method::Get, "/api/v1/rules").paging(rt::Paging::Link);
/// # }
/// # impl rt::client::Encode for Rules {
/// #     fn encode<'a>(&'a self, _: &mut rt::codegen::Encoder<'a>) {}
/// # }
/// # fn send(request: http::Request<rt::client::Body>) -> http::Response<bytes::Bytes> {
/// #     let more = request.uri().query().is_none();
/// #     let link = if more { "<?page=2>; rel=next" } else { "" };
/// #     http::Response::builder().header("link", link).body(r#"[{"id": "1"}]"#.into()).unwrap()
/// # }
/// let mut walk = Walk::new(&Rules, &"example.org".parse()?, None)?;
/// let mut rules = Vec::new();
/// while let Some(request) = walk.next()? {
///     rules.extend(walk.take(send(request))?.into_value());
/// }
/// assert_eq!(rules.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A link is followed unchanged, and only on the server's own origin.
pub struct Walk<R> {
    state: WalkState,
    token: Option<Token>,
    request: PhantomData<fn() -> R>,
}

impl<R: Request> Walk<R> {
    /// Starts a walk with the page that the request asks for.
    ///
    /// # Errors
    ///
    /// When the request cannot be built.
    pub fn new(first: &R, origin: &Origin, token: Option<&Token>) -> Result<Self, Error>
    where
        R: Encode,
        R::Answer: FromAnswer,
    {
        let first = request(first, origin, token)?;
        Ok(Self {
            state: WalkState::new(R::OPERATION, origin.clone(), first),
            token: token.cloned(),
            request: PhantomData,
        })
    }

    /// Resumes a walk from a saved position.
    ///
    /// # Errors
    ///
    /// When the cursor belongs to another operation or another server.
    pub fn resume(
        cursor: &PageCursor,
        origin: &Origin,
        token: Option<&Token>,
    ) -> Result<Self, Error> {
        Ok(Self {
            state: WalkState::resume(R::OPERATION, cursor, origin, token)?,
            token: token.cloned(),
            request: PhantomData,
        })
    }

    /// The next request; `None` at the end, and after a response that failed.
    ///
    /// # Errors
    ///
    /// When the server's link leads to another origin, or back to a page that was read.
    #[allow(
        clippy::should_implement_trait,
        reason = "it borrows and may fail, which Iterator::next cannot"
    )]
    pub fn next(&mut self) -> Result<Option<http::Request<Body>>, Error> {
        self.state.next().transpose()
    }

    /// Decodes the response to the last request.
    ///
    /// # Errors
    ///
    /// When the status is not a success, or the body cannot be decoded. The walk then stops, and [`cursor`](Self::cursor) is the page that failed.
    pub fn take(&mut self, response: http::Response<Bytes>) -> Result<Answer<R::Answer>, Error>
    where
        R::Answer: FromAnswer,
    {
        let read = answer::read::<R::Answer>(R::OPERATION, response, self.token.as_ref());
        match &read {
            Ok(answer) => self.state.record(&answer.headers, answer.body()),
            Err(_) => self.state.stop(),
        }
        read
    }

    /// The position at which the walk continues; `None` at the end.
    pub fn cursor(&self) -> Option<PageCursor> {
        self.state.cursor(self.state.direction)
    }
}

impl<R> fmt::Debug for Walk<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.state.fmt(f)
    }
}

/// The state of a walk, independent of the type of its elements.
pub(super) struct WalkState {
    operation: &'static Operation,
    origin: Origin,
    /// Every request is a copy of this one with another URL.
    template: http::Request<Body>,
    direction: Direction,
    next: Edge,
    prev: Edge,
    has_begun: bool,
    is_over: bool,
    /// Hashes of the URLs read since the last change of direction.
    seen: HashSet<u64>,
    /// The hash of the previous page's content.
    before: Option<u64>,
    counts: bool,
}

impl WalkState {
    pub(super) fn new(
        operation: &'static Operation,
        origin: Origin,
        first: http::Request<Body>,
    ) -> Self {
        Self {
            operation,
            origin,
            direction: Direction::Forward,
            next: Some(Ok(first.uri().clone())),
            prev: None,
            template: first,
            has_begun: false,
            is_over: false,
            seen: HashSet::new(),
            before: None,
            counts: operation.paging == Paging::Offset,
        }
    }

    pub(super) fn resume(
        operation: &'static Operation,
        cursor: &PageCursor,
        origin: &Origin,
        token: Option<&Token>,
    ) -> Result<Self, Error> {
        let fault = |message: String| Error::new(operation, ErrorKind::Paging { message });
        if cursor.operation != operation.id {
            return Err(fault(format!("the cursor belongs to the operation {}", cursor.operation)));
        }
        let url = same_origin(origin, &Uri::default(), &cursor.url)
            .map_err(|_| fault("the cursor belongs to another server".to_owned()))?;
        let mut state = Self::new(operation, origin.clone(), follow(operation, url, token)?);
        state.turn(cursor.direction);
        Ok(state)
    }

    /// Turns counting off for a server that ignores offsets: its first answer is the whole list.
    pub(super) fn without_offsets(mut self) -> Self {
        self.counts = false;
        self
    }

    pub(super) fn turn(&mut self, direction: Direction) {
        if self.direction != direction {
            // Before the first response, the starting page is next in both directions.
            if !self.has_begun {
                std::mem::swap(&mut self.next, &mut self.prev);
            }
            self.direction = direction;
            self.is_over = false;
            self.seen.clear();
            self.before = None;
        }
    }

    pub(super) fn direction(&self) -> Direction {
        self.direction
    }

    pub(super) fn operation(&self) -> &'static Operation {
        self.operation
    }

    pub(super) fn stop(&mut self) {
        self.is_over = true;
    }

    pub(super) fn retry(&mut self) {
        self.is_over = false;
    }

    pub(super) fn next(&mut self) -> Option<Result<http::Request<Body>, Error>> {
        if self.is_over {
            return None;
        }
        match self.edge(self.direction).clone()? {
            Ok(url) => {
                let mut request = self.template.clone();
                *request.uri_mut() = url;
                Some(Ok(request))
            }
            Err(what) => {
                self.stop();
                let message = what.to_owned();
                Some(Err(Error::new(self.operation, ErrorKind::Paging { message })))
            }
        }
    }

    pub(super) fn cursor(&self, direction: Direction) -> Option<PageCursor> {
        let url = self.edge(direction).as_ref()?.as_ref().ok()?;
        Some(PageCursor {
            operation: self.operation.id.to_owned(),
            url: url.to_string(),
            direction,
        })
    }

    fn edge(&self, direction: Direction) -> &Edge {
        match direction {
            Direction::Forward => &self.next,
            Direction::Backward => &self.prev,
        }
    }

    /// Takes the response to the last request.
    pub(super) fn record(&mut self, headers: &HeaderMap, body: &[u8]) {
        let Some(Ok(asked)) = self.edge(self.direction).clone() else {
            return;
        };
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        self.seen.insert(hash(&asked));
        let count = elements(&answer::text(body));
        let content = hash(&body);
        // A server that ignores `offset` answers the same page again and again.
        let is_repeated = self.counts && self.before.replace(content) == Some(content);
        let is_empty = count == Some(0) || is_repeated;
        let (next, prev) = self.neighbours(&asked, headers, count.filter(|_| !is_repeated));
        match self.direction {
            Direction::Forward => {
                self.next = next.filter(|_| !is_empty);
                if is_first {
                    self.prev = prev;
                }
            }
            // Newer elements may follow later, so the position is kept.
            Direction::Backward if is_empty => {}
            Direction::Backward => {
                self.prev = prev;
                if is_first {
                    self.next = next;
                }
            }
        }
        self.is_over = is_empty;
        self.refuse_loops();
    }

    fn refuse_loops(&mut self) {
        if let Some(Ok(url)) = self.edge(self.direction)
            && !self.is_over
            && self.seen.contains(&hash(url))
        {
            let fault = Some(Err("the server's link leads back to a page that was read"));
            match self.direction {
                Direction::Forward => self.next = fault,
                Direction::Backward => self.prev = fault,
            }
        }
    }

    /// The next and previous pages by the `Link` header, or without one by counting.
    fn neighbours(&self, asked: &Uri, headers: &HeaderMap, count: Option<usize>) -> (Edge, Edge) {
        if self.template.method() != http::Method::GET {
            return (None, None);
        }
        match (link::neighbours(headers), count) {
            ((None, None), Some(count)) if self.counts && count > 0 => {
                let (next, prev) = offsets(asked, count as u64);
                let place = |target: String| self.origin.url(&target).ok().map(Ok);
                (place(next), prev.and_then(place))
            }
            ((next, prev), _) => {
                let edge =
                    |link: Option<Link>| Some(same_origin(&self.origin, asked, link?.as_url()?));
                (edge(next), edge(prev))
            }
        }
    }
}

shown!(WalkState, own => operation = own.operation.id, direction, next, prev);

/// The URL of a link, if it stays on the server's origin.
pub(super) fn same_origin(origin: &Origin, asked: &Uri, link: &str) -> Result<Uri, &'static str> {
    const NO_URL: &str = "the server's link is not a URL";
    let target = match link.as_bytes() {
        [b'/', b'/', ..] => return Err("the server's link leads to another host"),
        [b'/', ..] => link.to_owned(),
        [b'?', ..] => format!("{}{link}", asked.path()),
        _ => {
            let url: Uri = link.parse().map_err(|_| NO_URL)?;
            return match origin.path_of(&url) {
                Some(target) => origin.url(target).map_err(|_| NO_URL),
                None => Err("the server's link leads to another origin and is not followed"),
            };
        }
    };
    origin.url(&target).map_err(|_| NO_URL)
}

/// The next and previous pages of a list that is paged by offset.
fn offsets(asked: &Uri, count: u64) -> (String, Option<String>) {
    let query = asked.query().unwrap_or_default();
    let number = |name: &str| {
        let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.find(|(key, _)| *key == name)?.1.parse::<u64>().ok()
    };
    let here = number("offset").unwrap_or(0);
    let at = |offset: u64| {
        let others =
            query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with("offset="));
        let mut target = format!("{}?", asked.path());
        others.for_each(|pair| target.extend([pair, "&"]));
        format!("{target}offset={offset}")
    };
    let before = here.saturating_sub(number("limit").unwrap_or(count));
    (at(here.saturating_add(count)), (here > 0).then(|| at(before)))
}

/// The number of elements of a page: a list's, or those of the longest list in an object.
fn elements(body: &str) -> Option<usize> {
    if let Ok(items) = serde_json::from_str::<Vec<IgnoredAny>>(body) {
        return Some(items.len());
    }
    let fields: Map<Json> = serde_json::from_str(body).ok()?;
    fields.values().filter_map(|field| field.as_array().map(Vec::len)).max()
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
