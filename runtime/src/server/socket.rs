//! Streams of events over a WebSocket: the handlers of the event streams serve it too.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{FromRequestParts as _, Request};
use axum::http::header::{HeaderValue, SEC_WEBSOCKET_PROTOCOL, UPGRADE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use futures_core::Stream as _;
use http_body_util::{BodyExt as _, Collected};
use serde_json::json;
use tokio::time::timeout;

use super::auth::{self, open_to};
use super::events::{Event, Pulse, Source, source};
use super::panic::{Caught, caught};
use super::routes::Route;
use super::serve::assemble;
use super::site::Site;
use super::tree::{self, Tree};
use super::{Caller, Error, Result, body};
use crate::{Given, Json, Operation, Secret};

/// The bytes of a message that a client sends.
const MESSAGE: usize = 16 * 1024;
/// The streams of one socket.
const STREAMS: usize = 64;

/// The socket's operation, and the event streams below its path.
pub(super) struct Hub {
    pub(super) operation: &'static Operation,
    pub(super) streams: Vec<Arc<Route>>,
    pub(super) site: Arc<Site>,
}

/// Opens a socket.
pub(super) async fn connect(hub: Arc<Hub>, request: Request) -> Response {
    match open(hub, request).await {
        Ok(response) => response,
        Err(error) => error.into_response(),
    }
}

async fn open(hub: Arc<Hub>, request: Request) -> Result<Response> {
    let (mut parts, _) = request.into_parts();
    hub.site.limits.head(&parts.uri, &parts.headers)?;
    let protocol = protocol(&parts.headers);
    let token = auth::in_head(&parts.headers, parts.uri.query());
    let token = token.or_else(|| protocol.as_deref().map(Secret::from));
    let caller = match &hub.site.door {
        Some(door) => door.admit(&hub.operation.auth, token.as_ref()).await?,
        None => None,
    };
    let mut first = Tree::new();
    body::pairs(
        parts.uri.query().unwrap_or_default().as_bytes(),
        &hub.site.limits,
        &mut first,
    )?;
    let upgrade = WebSocketUpgrade::from_request_parts(&mut parts, &()).await;
    let upgrade = upgrade.map_err(|_| upgrade_required())?;
    let mut talk = Talk {
        hub,
        parts,
        token,
        caller,
        streams: Vec::new(),
        turn: 0,
    };
    if first.contains_key("stream") {
        talk.subscribe(first).await?;
    }
    let upgrade = upgrade.max_message_size(MESSAGE).max_frame_size(MESSAGE);
    Ok(upgrade
        .protocols(protocol)
        .on_upgrade(move |socket| talk.run(socket)))
}

fn upgrade_required() -> Error {
    let message = "this is a WebSocket, to be opened with an upgrade of HTTP/1.1";
    Error::new(StatusCode::UPGRADE_REQUIRED, message)
        .with_header(UPGRADE, HeaderValue::from_static("websocket"))
}

/// The first sub-protocol, which is where a browser can put a token.
fn protocol(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(SEC_WEBSOCKET_PROTOCOL)?.to_str().ok()?;
    let first = value.split(',').next()?.trim();
    (!first.is_empty()).then(|| first.to_owned())
}

/// What goes on over one socket.
struct Talk {
    hub: Arc<Hub>,
    parts: Parts,
    token: Option<Secret>,
    caller: Option<Caller>,
    /// Each by its name, as messages have it.
    streams: Vec<(Vec<String>, Source)>,
    /// The stream that is asked first, so that a busy one does not silence the others.
    turn: usize,
}

/// What happened.
enum Happened {
    Said(Message),
    Told(usize, Event),
    Ended(usize),
    Silence,
    Gone,
}

impl Talk {
    async fn run(mut self, mut socket: WebSocket) {
        let limits = self.hub.site.limits.clone();
        let mut pulse = Pulse::new(limits.heartbeat);
        let mut heard = true;
        loop {
            let happened = poll_fn(|context| self.next(&mut socket, &mut pulse, context)).await;
            let answer = match happened {
                Happened::Gone | Happened::Said(Message::Close(_)) => return,
                Happened::Said(message) => {
                    heard = true;
                    self.said(message).await
                }
                Happened::Told(place, event) => Some(envelope(&self.streams[place].0, &event)),
                Happened::Ended(place) => {
                    drop(self.streams.remove(place));
                    None
                }
                // Two beats without a word, and not even an answer to the ping of the first.
                Happened::Silence if !heard => return,
                Happened::Silence => {
                    heard = false;
                    Some(Message::Ping(Vec::new().into()))
                }
            };
            if let Some(message) = answer {
                match timeout(limits.patience, socket.send(message)).await {
                    Ok(Ok(())) => {}
                    // Nobody waits for who does not listen.
                    Ok(Err(_)) | Err(_) => return,
                }
            }
        }
    }

    fn next(
        &mut self,
        socket: &mut WebSocket,
        pulse: &mut Pulse,
        context: &mut Context<'_>,
    ) -> Poll<Happened> {
        if let Poll::Ready(received) = Pin::new(socket).poll_next(context) {
            return Poll::Ready(match received {
                Some(Ok(message)) => Happened::Said(message),
                Some(Err(_)) | None => Happened::Gone,
            });
        }
        let count = self.streams.len();
        for place in (0..count).map(|step| (self.turn + step) % count) {
            let stream = &mut self.streams[place].1;
            match caught(|| stream.as_mut().poll_next(context)) {
                Some(Poll::Pending) => {}
                Some(Poll::Ready(Some(event))) => {
                    self.turn = place + 1;
                    return Poll::Ready(Happened::Told(place, event));
                }
                Some(Poll::Ready(None)) | None => return Poll::Ready(Happened::Ended(place)),
            }
        }
        if pulse.beats(context) {
            return Poll::Ready(Happened::Silence);
        }
        Poll::Pending
    }

    /// Does what a client asks for; what it has to be told, where that is something.
    async fn said(&mut self, message: Message) -> Option<Message> {
        let text = match &message {
            Message::Text(text) => text.as_str(),
            Message::Binary(_) => {
                return Some(failure("Messages are text", StatusCode::BAD_REQUEST));
            }
            _ => return None,
        };
        let limits = &self.hub.site.limits;
        let Ok(mut asked) = tree::json(text.as_bytes(), limits.nesting, limits.params) else {
            return Some(failure(
                "A message is an object in JSON",
                StatusCode::BAD_REQUEST,
            ));
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
                "The type of a message is subscribe or unsubscribe",
            )),
        };
        let error = done.err()?;
        Some(failure(error.message(), error.status()))
    }

    /// `{"stream": "hashtag:local", "tag": "foo"}` is what `hashtag/local?tag=foo` is as an event stream.
    async fn subscribe(&mut self, mut asked: Tree) -> Result<()> {
        let key = key(&asked);
        if self.streams.iter().any(|(other, _)| *other == key) {
            return Ok(());
        }
        if self.streams.len() >= STREAMS {
            let message = format!("A socket has {STREAMS} streams at most");
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
        let route = self.hub.stream(plain.unwrap_or(&name));
        let route = Arc::clone(
            route.ok_or_else(|| Error::new(StatusCode::BAD_REQUEST, "Unknown stream type"))?,
        );
        let source = self.listen(&route, asked).await?;
        self.streams.push((key, source));
        Ok(())
    }

    /// Calls the handler of an event stream.
    async fn listen(&mut self, route: &Route, asked: Tree) -> Result<Source> {
        if self.hub.site.door.is_some() {
            match &self.caller {
                Some(caller) => open_to(&route.operation.auth, caller)?,
                None => return Err(Error::token_required()),
            }
        }
        let mut parts = self.parts.clone();
        parts.uri = Uri::from_static(route.operation.path);
        let input = assemble(route, parts, asked, self.token.clone(), self.caller.clone())?;
        let run = route
            .run
            .as_ref()
            .ok_or_else(|| Error::not_implemented(route.operation))?;
        let answered = Caught::new(|| run(input)).await;
        let mut response = answered.ok_or_else(Error::internal)?;
        match source(&mut response) {
            Some(source) => Ok(source),
            None => Err(refusal(response).await),
        }
    }
}

impl Hub {
    /// The event stream of a name: `hashtag:local` is `hashtag/local` below the socket's path.
    fn stream(&self, name: &str) -> Option<&Arc<Route>> {
        let path = format!("{}/{}", self.operation.path, name.replace(':', "/"));
        self.streams
            .iter()
            .find(|route| route.operation.path == path && !name.contains('/'))
    }
}

/// The name of a stream, with the tag or list that it is of.
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

fn envelope(stream: &[String], event: &Event) -> Message {
    let mut message = json!({"stream": stream, "event": event.name()});
    if let Some(payload) = event.payload() {
        message["payload"] = payload.into();
    }
    Message::Text(message.to_string().into())
}

fn failure(message: &str, status: StatusCode) -> Message {
    let told = json!({"error": message, "status": status.as_u16()});
    Message::Text(told.to_string().into())
}

/// The error that a handler answered.
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
