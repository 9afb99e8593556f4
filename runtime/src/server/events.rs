//! Event streams (server-sent events).

use std::borrow::Cow;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use axum::response::Response;
use futures_core::Stream;
use futures_util::StreamExt as _;
use futures_util::stream::{self, poll_fn};
#[cfg(feature = "websocket")]
use serde::Serialize;
use tokio::sync::mpsc;
use tokio::time::{Instant, Sleep, sleep};
#[cfg(feature = "websocket")]
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::answer::{IntoAnswer, Outgoing};
use super::dialect::{self, Dialect};
use super::panic::caught;
use super::stream_end::OpenStream;
use crate::RawEvent;
use crate::lock::Lock as _;
use crate::ser::{self, ToJson};

/// An event with a name and usually a payload. It is encoded once for all listeners: clones share the text.
#[derive(Debug, Clone)]
pub struct Event {
    name: Cow<'static, str>,
    payload: Payload,
    #[cfg(feature = "websocket")]
    message: Arc<OnceLock<First>>,
}

/// The message of the first WebSocket that sends an event. Most others are subscribed to the same stream and send the same.
#[cfg(feature = "websocket")]
#[derive(Debug)]
struct First {
    stream: Vec<String>,
    dialect: Option<Arc<Dialect>>,
    text: Option<Utf8Bytes>,
}

/// An event as a WebSocket sends it.
#[cfg(feature = "websocket")]
#[derive(Serialize)]
struct Envelope<'e> {
    stream: &'e [String],
    event: &'e str,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<Cow<'e, str>>,
}

#[derive(Debug, Clone)]
enum Payload {
    None,
    Text(Arc<str>),
    Entity(Arc<Entity>),
}

/// An entity that is encoded when it is first sent, as only those who send it know what their server leaves out.
struct Entity {
    value: Box<dyn ToJson + Send + Sync>,
    /// The whole of it.
    plain: OnceLock<Box<str>>,
    /// The payload as the first server that rewrites it sends it. Only a second emulation in the same process sends another.
    rewritten: OnceLock<(Arc<Dialect>, Option<Box<str>>)>,
}

impl Entity {
    fn plain(&self) -> &str {
        self.plain.get_or_init(|| ser::text(&*self.value).into())
    }

    /// Its JSON in the dialect of a release; `None` where the release has nothing of it.
    fn rewritten(&self, dialect: &Arc<Dialect>) -> Option<Cow<'_, str>> {
        let encode = || {
            let json = dialect::encode(&*self.value, Some(dialect), Vec::with_capacity(128))?;
            Some(String::from_utf8(json).unwrap_or_default())
        };
        let first = || (Arc::clone(dialect), encode().map(Into::into));
        let (owner, json) = self.rewritten.get_or_init(first);
        if Arc::ptr_eq(owner, dialect) {
            return json.as_deref().map(Cow::Borrowed);
        }
        encode().map(Cow::Owned)
    }
}

shown!(Entity(..));

/// Events are equal that have the same name and payload.
impl PartialEq for Event {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.payload() == other.payload()
    }
}

impl Eq for Event {}

/// An event is not sent.
#[derive(Debug)]
pub(super) struct LeftOut;

/// The name of the enumeration of events.
const EVENTS: &str = "StreamEvent";

impl Event {
    /// Creates an event without a payload.
    pub fn new(name: &'static str) -> Self {
        Self::of(name, Payload::None)
    }

    /// Creates an event as another server sent it. A line break ends its name, as it would end the line that has it. An emulation leaves its
    /// payload as it is, and cuts that of [`Event::json`](Self::json).
    pub fn raw(event: RawEvent) -> Self {
        let name = event.name.lines().next().unwrap_or_default();
        let payload = event.payload;
        let payload = payload.map_or(Payload::None, |text| Payload::Text(text.into()));
        Self::of(name.to_owned(), payload)
    }

    /// Creates an event whose payload is plain text, such as an id.
    pub fn text(name: &'static str, text: &str) -> Self {
        Self::of(name, Payload::Text(text.into()))
    }

    /// Creates an event whose payload is an entity, which may be shared: an `Arc` of it is one.
    pub fn json(name: &'static str, entity: impl ToJson + Send + Sync + 'static) -> Self {
        let entity =
            Entity { value: Box::new(entity), plain: OnceLock::new(), rewritten: OnceLock::new() };
        Self::of(name, Payload::Entity(Arc::new(entity)))
    }

    fn of(name: impl Into<Cow<'static, str>>, payload: Payload) -> Self {
        Self {
            name: name.into(),
            payload,
            #[cfg(feature = "websocket")]
            message: Arc::default(),
        }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The payload: JSON or plain text.
    pub fn payload(&self) -> Option<&str> {
        match &self.payload {
            Payload::None => None,
            Payload::Text(text) => Some(text),
            Payload::Entity(entity) => Some(entity.plain()),
        }
    }

    /// The payload as a server sends it.
    ///
    /// # Errors
    ///
    /// Where the release that the server emulates has no such event.
    pub(super) fn sent(
        &self,
        dialect: Option<&Arc<Dialect>>,
    ) -> Result<Option<Cow<'_, str>>, LeftOut> {
        match (dialect, &self.payload) {
            (Some(dialect), _) if dialect.replacement(EVENTS, &self.name).is_some() => Err(LeftOut),
            (Some(dialect), Payload::Entity(entity)) => {
                entity.rewritten(dialect).map(Some).ok_or(LeftOut)
            }
            _ => Ok(self.payload().map(Cow::Borrowed)),
        }
    }

    /// The text that a WebSocket sends to who is subscribed to a stream; `None` where the emulated release has no such event.
    #[cfg(feature = "websocket")]
    pub(super) fn message(
        &self,
        stream: &[String],
        dialect: Option<&Arc<Dialect>>,
    ) -> Option<Utf8Bytes> {
        let write = || {
            let payload = self.sent(dialect).ok()?;
            let envelope = Envelope { stream, event: &self.name, payload };
            serde_json::to_string(&envelope).ok().map(Utf8Bytes::from)
        };
        let first = self.message.get_or_init(|| First {
            stream: stream.to_owned(),
            dialect: dialect.cloned(),
            text: write(),
        });
        let is_same = match (&first.dialect, dialect) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            (own, other) => own.is_none() && other.is_none(),
        };
        if is_same && first.stream == stream { first.text.clone() } else { write() }
    }

    /// The event in the [event-stream format](https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream).
    fn lines(&self, dialect: Option<&Arc<Dialect>>) -> Result<Bytes, LeftOut> {
        let payload = self.sent(dialect)?;
        let mut lines = format!("event: {}\n", self.name);
        // A browser drops an event without data. Mastodon's streaming server sends the word `undefined`.
        for line in payload.as_deref().unwrap_or("undefined").lines() {
            lines.push_str("data: ");
            lines.push_str(line);
            lines.push('\n');
        }
        lines.push('\n');
        Ok(lines.into())
    }
}

/// The answer of a streaming operation. It is sent as server-sent events, or over a WebSocket to clients that subscribe there.
///
/// The stream is dropped when the client disconnects. Events for a slow client wait in the stream: bound it, and end it when it is full. A
/// [`Hub`](super::Hub) does both.
pub struct Events(pub(super) Source);

pub(super) type Source = Pin<Box<dyn Stream<Item = Result<Event, TooSlow>> + Send>>;

/// The client was too slow, and has missed events: it must connect anew, over a WebSocket too.
pub(super) struct TooSlow;

impl Events {
    /// Wraps a stream of events.
    pub fn new<E: Into<Event>>(stream: impl Stream<Item = E> + Send + 'static) -> Self {
        Self(Box::pin(stream.map(|event| Ok(event.into()))))
    }

    /// A channel of events, bounded to `room` waiting events. Sending fails when it is full or the client has disconnected.
    pub fn channel(room: usize) -> (mpsc::Sender<Event>, Self) {
        let (sender, mut receiver) = mpsc::channel(room.max(1));
        let events = poll_fn(move |context| receiver.poll_recv(context).map(|one| one.map(Ok)));
        (sender, Self(Box::pin(events)))
    }
}

shown!(Events(..));

/// Carries the stream, as a response extension, from a handler to the transport.
#[derive(Clone)]
struct Handover(Arc<Mutex<Option<Source>>>);

impl IntoAnswer for Events {
    fn respond(&mut self, _: &Outgoing) -> Response {
        let mut response = Response::new(Body::empty());
        let source = std::mem::replace(&mut self.0, Box::pin(stream::empty()));
        let handover = Handover(Arc::new(Mutex::new(Some(source))));
        response.extensions_mut().insert(handover);
        response
    }
}

/// Takes the stream from a handler's response.
pub(super) fn source(response: &mut Response) -> Option<Source> {
    let Handover(source) = response.extensions_mut().remove()?;
    let mut source = source.held();
    source.take()
}

/// Turns a handler's event stream into the body of the response.
pub(super) fn send(
    mut response: Response,
    heartbeat: Duration,
    dialect: Option<&Arc<Dialect>>,
    open: Option<OpenStream>,
) -> Response {
    let Some(source) = source(&mut response) else {
        return response;
    };
    let headers = response.headers_mut();
    let mut set = |name, value| headers.insert(name, HeaderValue::from_static(value));
    set(CONTENT_TYPE, "text/event-stream");
    set(CACHE_CONTROL, "private, no-store");
    // Keeps nginx from buffering (https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering).
    set(HeaderName::from_static("x-accel-buffering"), "no");
    *response.body_mut() = Body::from_stream(Lines {
        source,
        dialect: dialect.cloned(),
        heartbeat: Heartbeat::new(heartbeat),
        begun: false,
        open,
    });
    response
}

/// The body of an event stream.
struct Lines {
    source: Source,
    /// How the emulated release writes events.
    dialect: Option<Arc<Dialect>>,
    heartbeat: Heartbeat,
    begun: bool,
    open: Option<OpenStream>,
}

impl Stream for Lines {
    type Item = Result<Bytes, std::convert::Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if !self.begun {
            // A first comment makes proxies send the headers, so that the client knows it is connected.
            self.begun = true;
            return Poll::Ready(Some(Ok(Bytes::from_static(b":)\n"))));
        }
        if let Some(open) = &mut self.open
            && open.end.as_mut().poll(context).is_ready()
        {
            return Poll::Ready(None);
        }
        let this = &mut *self;
        // An event that is left out leads to the next one.
        let next = caught(|| {
            loop {
                match this.source.as_mut().poll_next(context) {
                    Poll::Ready(Some(Ok(event))) => {
                        if let Ok(lines) = event.lines(this.dialect.as_ref()) {
                            break Poll::Ready(Some(lines));
                        }
                    }
                    Poll::Ready(None | Some(Err(TooSlow))) => break Poll::Ready(None),
                    Poll::Pending => break Poll::Pending,
                }
            }
        });
        match next {
            Some(Poll::Ready(Some(lines))) => {
                self.heartbeat.restart();
                Poll::Ready(Some(Ok(lines)))
            }
            Some(Poll::Pending) if self.heartbeat.poll_tick(context) => {
                Poll::Ready(Some(Ok(Bytes::from_static(b":thump\n"))))
            }
            Some(Poll::Pending) => Poll::Pending,
            Some(Poll::Ready(None)) | None => Poll::Ready(None),
        }
    }
}

/// A timer that ticks when nothing else has happened for a while.
pub(super) struct Heartbeat {
    every: Duration,
    sleep: Option<Pin<Box<Sleep>>>,
}

impl Heartbeat {
    pub(super) fn new(every: Duration) -> Self {
        Self { every, sleep: None }
    }

    pub(super) fn restart(&mut self) {
        if let Some(sleep) = &mut self.sleep {
            sleep.as_mut().reset(Instant::now() + self.every);
        }
    }

    pub(super) fn poll_tick(&mut self, context: &mut Context<'_>) -> bool {
        // Without a tokio runtime no timer can be created.
        if self.sleep.is_none() && tokio::runtime::Handle::try_current().is_err() {
            return false;
        }
        let every = self.every;
        let sleep = self.sleep.get_or_insert_with(|| Box::pin(sleep(every)));
        let beats = sleep.as_mut().poll(context).is_ready();
        if beats {
            self.restart();
            // The new deadline must be polled once to be registered.
            context.waker().wake_by_ref();
        }
        beats
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_lines() {
        let lines = |event: Event| {
            String::from_utf8(event.lines(None).expect("an event").to_vec()).expect("text")
        };
        assert_eq!(lines(Event::text("delete", "12")), "event: delete\ndata: 12\n\n");
        assert_eq!(
            lines(Event::json("update", serde_json::json!({"a": "b\nc"}))),
            "event: update\ndata: {\"a\":\"b\\nc\"}\n\n"
        );
        assert_eq!(
            lines(Event::new("filters_changed")),
            "event: filters_changed\ndata: undefined\n\n"
        );
        assert_eq!(
            lines(Event::text("delete", "1\n\nevent: x\r\n2")),
            "event: delete\ndata: 1\ndata: \ndata: event: x\ndata: 2\n\n"
        );
        let raw = RawEvent::new("new\ndata: 1", Some("{}".to_owned()));
        assert_eq!(lines(Event::raw(raw)), "event: new\ndata: {}\n\n");
    }
}
