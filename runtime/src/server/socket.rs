//! Event streams over a WebSocket ([RFC 6455](https://www.rfc-editor.org/rfc/rfc6455)), served by the handlers of the event streams.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::extract::Request;
use axum::http::header::{
    CONNECTION, HeaderName, HeaderValue, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY,
    SEC_WEBSOCKET_PROTOCOL, SEC_WEBSOCKET_VERSION, UPGRADE,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use http_body_util::{BodyExt as _, Collected};
use hyper::upgrade::OnUpgrade;
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use super::admission::admit;
use super::auth;
use super::connection::Behind;
use super::deadline::in_time;
use super::emulation::Emulation;
use super::events::{Event, Heartbeat, Source, TooSlow, source};
use super::panic::{Caught, caught};
use super::refusal::Refusal;
use super::route::{self, Route};
use super::site::Site;
use super::stream_end::{End, OpenStream};
use super::tree::{self, Tree};
use super::wire::{Broken, Closing, Received, Wire};
use super::{Error, Result, body};
use crate::param::Given;
use crate::{Json, Operation, Secret};

/// The greatest number of streams per socket.
const STREAMS: usize = 64;

/// The socket's operation and the event streams below its path.
pub(super) struct Endpoint {
    pub(super) operation: &'static Operation,
    pub(super) streams: Vec<Arc<Route>>,
    pub(super) site: Arc<Site>,
}

/// Upgrades a request to a WebSocket.
pub(super) async fn connect(endpoint: Arc<Endpoint>, request: Request) -> Response {
    match open(endpoint, request).await {
        Ok(response) => response,
        Err(error) => error.into_response(),
    }
}

async fn open(endpoint: Arc<Endpoint>, request: Request) -> Result<Response> {
    let (mut parts, _) = request.into_parts();
    endpoint.site.limits.head(&parts.uri, &parts.headers)?;
    let ending = parts.extensions.remove::<Behind>();
    let ending = ending.map(|behind| behind.ending);
    let protocol = protocol(&parts.headers);
    let token = auth::from_head(&parts.headers, parts.uri.query());
    let token = token.or_else(|| protocol.as_deref().map(Secret::from));
    let asked = (endpoint.operation, endpoint.site.auth(endpoint.operation));
    let caller = admit(&endpoint.site, asked, token.as_ref(), &parts.extensions).await?;
    let (site, extensions) = (&endpoint.site, &parts.extensions);
    let (caller, sent) = (caller.as_ref(), token.as_ref());
    let open =
        OpenStream::enter(site, endpoint.operation, caller, sent, extensions, ending.clone())?;
    let mut first = Tree::new();
    body::pairs(
        parts.uri.query().unwrap_or_default().as_bytes(),
        &endpoint.site.limits,
        &mut first,
    )?;
    let (accept, upgrade) = handshake(&mut parts)?;
    let mut session =
        Session { endpoint, parts, token, open, streams: Vec::new(), turn: 0, in_a_row: 0 };
    if first.contains_key("stream") {
        session.subscribe(first).await?;
    }
    tokio::spawn(async move {
        if let Ok(upgraded) = upgrade.await {
            let limits = &session.endpoint.site.limits;
            let wire = Wire::new(upgraded, limits.patience, limits.linger).await;
            session.run(wire).await;
        }
        // The listener waits until here.
        drop(ending);
    });
    let mut response = StatusCode::SWITCHING_PROTOCOLS.into_response();
    let headers = response.headers_mut();
    headers.insert(CONNECTION, HeaderValue::from_static("upgrade"));
    headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(SEC_WEBSOCKET_ACCEPT, accept);
    if let Some(protocol) = protocol.and_then(|name| HeaderValue::try_from(name).ok()) {
        headers.insert(SEC_WEBSOCKET_PROTOCOL, protocol);
    }
    Ok(response)
}

/// Checks the client's half of the opening handshake; the value that proves it was understood, and the connection to come.
fn handshake(parts: &mut Parts) -> Result<(HeaderValue, OnUpgrade)> {
    let lists = |name: HeaderName, wanted: &str| {
        let all = parts.headers.get_all(name).into_iter();
        all.filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .any(|one| one.trim().eq_ignore_ascii_case(wanted))
    };
    let is_upgrade = parts.method == Method::GET
        && lists(CONNECTION, "upgrade")
        && lists(UPGRADE, "websocket")
        && lists(SEC_WEBSOCKET_VERSION, "13");
    let key = parts.headers.get(SEC_WEBSOCKET_KEY);
    let accept = key.map(|key| derive_accept_key(key.as_bytes()));
    let accept = accept.and_then(|accept| HeaderValue::try_from(accept).ok());
    let upgrade = parts.extensions.remove::<OnUpgrade>();
    match (accept, upgrade) {
        (Some(accept), Some(upgrade)) if is_upgrade => Ok((accept, upgrade)),
        _ => Err(upgrade_required()),
    }
}

fn upgrade_required() -> Error {
    let message = "this endpoint is a WebSocket: send an HTTP/1.1 upgrade request of version 13";
    Error::new(StatusCode::UPGRADE_REQUIRED, message)
        .with_header(UPGRADE, HeaderValue::from_static("websocket"))
        .with_header(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"))
}

/// The first sub-protocol. Browsers put the token there, as their WebSocket API cannot set headers.
fn protocol(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(SEC_WEBSOCKET_PROTOCOL)?.to_str().ok()?;
    let first = value.split(',').next()?.trim();
    (!first.is_empty()).then(|| first.to_owned())
}

/// The state of one socket.
struct Session {
    endpoint: Arc<Endpoint>,
    parts: Parts,
    token: Option<Secret>,
    open: OpenStream,
    /// The subscribed streams, by the names that messages use.
    streams: Vec<(Vec<String>, Source)>,
    /// The index of the stream to poll first; it rotates, so that a busy stream does not starve the others.
    turn: usize,
    /// The events since the client was last looked at.
    in_a_row: usize,
}

/// The events that are sent before the client is looked at.
const IN_A_ROW: usize = 8;

/// The next thing to react to.
enum Input {
    Received(Received),
    Event(usize, Event),
    Ended(usize),
    TooSlow,
    Silence,
    Over(End),
}

impl Session {
    async fn run(mut self, mut wire: Wire) {
        // A client that does not read is let go without a word.
        if let Ok(Some(why)) = self.serve(&mut wire).await {
            // The streams end first: a client may take its time to close.
            drop(self);
            wire.close(why).await;
        }
    }

    /// Serves the socket to its end, which is to be told if the client is still there.
    async fn serve(&mut self, wire: &mut Wire) -> std::result::Result<Option<Closing>, Broken> {
        let mut heartbeat = Heartbeat::new(self.endpoint.site.limits.heartbeat);
        let mut heard = true;
        loop {
            let happened = poll_fn(|context| self.next(wire, &mut heartbeat, context)).await;
            match happened {
                Input::Received(Received::Gone) => return Ok(None),
                Input::Received(Received::Closing(why)) => return Ok(Some(why)),
                Input::Received(Received::Message(message)) => {
                    heard = true;
                    match self.handle(message).await {
                        Some(reply) => wire.send(reply).await?,
                        None => wire.flush().await?,
                    }
                }
                Input::Event(place, event) => {
                    let dialect =
                        self.endpoint.site.emulation.as_ref().map(Emulation::shared_dialect);
                    if let Some(text) = event.message(&self.streams[place].0, dialect.as_ref()) {
                        wire.send(Message::Text(text)).await?;
                    }
                }
                Input::Ended(place) => drop(self.streams.remove(place)),
                Input::TooSlow => return Ok(Some(Closing::TooSlow)),
                Input::Over(End::Shutdown) => return Ok(Some(Closing::Shutdown)),
                Input::Over(End::Closed) => return Ok(Some(Closing::Refused)),
                // Silent for two heartbeats: the client has not even answered the ping of the first.
                Input::Silence if !heard => return Ok(Some(Closing::Silent)),
                Input::Silence => {
                    heard = false;
                    wire.send(Message::Ping(Vec::new().into())).await?;
                }
            }
        }
    }

    fn next(
        &mut self,
        wire: &mut Wire,
        heartbeat: &mut Heartbeat,
        context: &mut Context<'_>,
    ) -> Poll<Input> {
        // Mostly there is an event and nothing else, but a busy stream does not keep the client from being heard.
        let are_events_first = self.in_a_row < IN_A_ROW;
        if are_events_first && let Poll::Ready(happened) = self.poll_streams(context) {
            return Poll::Ready(happened);
        }
        self.in_a_row = 0;
        if let Poll::Ready(why) = self.open.end.as_mut().poll(context) {
            return Poll::Ready(Input::Over(why));
        }
        if let Poll::Ready(received) = wire.poll_receive(context) {
            return Poll::Ready(Input::Received(received));
        }
        if !are_events_first && let Poll::Ready(happened) = self.poll_streams(context) {
            return Poll::Ready(happened);
        }
        if heartbeat.poll_tick(context) {
            return Poll::Ready(Input::Silence);
        }
        Poll::Pending
    }

    fn poll_streams(&mut self, context: &mut Context<'_>) -> Poll<Input> {
        let count = self.streams.len();
        for place in (0..count).map(|step| (self.turn + step) % count) {
            let stream = &mut self.streams[place].1;
            let happened = match caught(|| stream.as_mut().poll_next(context)) {
                Some(Poll::Pending) => continue,
                Some(Poll::Ready(Some(Ok(event)))) => {
                    (self.turn, self.in_a_row) = (place + 1, self.in_a_row + 1);
                    Input::Event(place, event)
                }
                Some(Poll::Ready(Some(Err(TooSlow)))) => Input::TooSlow,
                Some(Poll::Ready(None)) | None => Input::Ended(place),
            };
            return Poll::Ready(happened);
        }
        Poll::Pending
    }

    /// Handles a client's message and returns the reply, if any.
    async fn handle(&mut self, message: Message) -> Option<Message> {
        let text = match &message {
            Message::Text(text) => text.as_str(),
            Message::Binary(_) => {
                return Some(failure("A message must be text", StatusCode::BAD_REQUEST));
            }
            _ => return None,
        };
        let limits = &self.endpoint.site.limits;
        let Ok(mut asked) = tree::json(text.as_bytes(), limits.nesting, limits.params) else {
            return Some(failure("A message must be a JSON object", StatusCode::BAD_REQUEST));
        };
        let done = match asked.remove("type") {
            Some(Given::Text(word)) if word == "subscribe" => self.subscribe(asked).await,
            Some(Given::Text(word)) if word == "unsubscribe" => {
                let key = key(&asked);
                self.streams.retain(|(other, _)| *other != key);
                Ok(())
            }
            _ => Err(Error::new(
                StatusCode::BAD_REQUEST,
                "The type of a message must be subscribe or unsubscribe",
            )),
        };
        let error = done.err()?;
        Some(failure(error.message(), error.status()))
    }

    /// Subscribes to a stream: `{"stream": "hashtag:local", "tag": "foo"}` is the event stream `hashtag/local?tag=foo`.
    async fn subscribe(&mut self, mut asked: Tree) -> Result<()> {
        let key = key(&asked);
        if self.streams.iter().any(|(other, _)| *other == key) {
            return Ok(());
        }
        if self.streams.len() >= STREAMS {
            let message = format!("A socket can have at most {STREAMS} streams");
            return Err(Error::new(StatusCode::BAD_REQUEST, message));
        }
        let name = match asked.remove("stream") {
            Some(Given::Text(name)) => name,
            _ => String::new(),
        };
        let plain = name.strip_suffix(":media");
        if plain.is_some() {
            asked.insert("only_media".to_owned(), Given::Bool(true));
        }
        let route = self.endpoint.stream(plain.unwrap_or(&name));
        let route = Arc::clone(
            route.ok_or_else(|| Error::new(StatusCode::BAD_REQUEST, "Unknown stream type"))?,
        );
        let source = self.listen(&route, asked).await?;
        self.streams.push((key, source));
        Ok(())
    }

    /// Calls the handler of an event stream.
    async fn listen(&mut self, route: &Route, asked: Tree) -> Result<Source> {
        let site = &self.endpoint.site;
        let extensions = &self.parts.extensions;
        let caller =
            admit(site, (route.operation, route.auth), self.token.as_ref(), extensions).await;
        let caller = caller.inspect_err(|error| {
            if error.refusal().is_some_and(Refusal::is_of_token) {
                self.open.close();
            }
        })?;
        let mut parts = self.parts.clone();
        parts.uri = Uri::from_static(route.operation.path);
        let input = route::Incoming::assemble(route, parts, asked, self.token.clone(), caller)?;
        site.before.iter().try_for_each(|before| before(input.call()))?;
        let run = route.run.clone().ok_or_else(|| Error::not_implemented(route.operation))?;
        let answered = in_time(route.limits.handler, Caught::new(|| run.run(input))).await?;
        let mut response = answered.ok_or_else(Error::internal)?;
        match source(&mut response) {
            Some(source) => Ok(source),
            None => Err(refusal(response).await),
        }
    }
}

impl Endpoint {
    /// The event stream of a name: `hashtag:local` is at `hashtag/local` below the socket's path.
    fn stream(&self, name: &str) -> Option<&Arc<Route>> {
        let path = format!("{}/{}", self.operation.path, name.replace(':', "/"));
        self.streams.iter().find(|route| route.operation.path == path && !name.contains('/'))
    }
}

/// The name of a stream with its tag or list, which identifies a subscription.
fn key(asked: &Tree) -> Vec<String> {
    let text = |name: &str| match asked.get(name) {
        Some(Given::Text(text)) => Some(text.clone()),
        Some(Given::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let name = text("stream").unwrap_or_default();
    let of = match name.split(':').next() {
        Some("hashtag") => text("tag"),
        Some("list") => text("list"),
        _ => None,
    };
    std::iter::once(name).chain(of).collect()
}

fn failure(message: &str, status: StatusCode) -> Message {
    let told = json!({"error": message, "status": status.as_u16()});
    Message::Text(told.to_string().into())
}

/// The error in a handler's response.
async fn refusal(response: Response) -> Error {
    let (parts, body) = response.into_parts();
    let content = body.collect().await.map(Collected::to_bytes);
    let told: Option<Json> = serde_json::from_slice(&content.unwrap_or_default()).ok();
    let message = told.as_ref().and_then(|told| told["error"].as_str());
    if parts.status.is_success() {
        return Error::internal();
    }
    Error::new(parts.status, message.unwrap_or_default())
}
