//! Answers that do not end: streams of events, and connections that switch to another protocol.

use std::marker::PhantomData;

use crate::de::{self, FromJson};

/// The answer of an operation that streams events: an `E` for each.
///
/// It has no values. An ordinary call waits for the end of its answer, and a stream has none, so `Client::send` does not take requests
/// with this answer: `Client::stream` does.
#[derive(Debug)]
pub struct EventStream<E>(PhantomData<fn() -> E>);

/// The answer of an operation that switches the connection to another protocol, as a WebSocket does.
///
/// It has no values, for the same reason as [`EventStream`].
#[derive(Debug)]
pub enum Upgrade {}

/// An event of a stream as it came: its name and its payload. Events that the API does not list, and events whose payload does not fit,
/// are kept like this.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RawEvent {
    /// The name: `update`.
    pub name: String,
    /// The payload: JSON or plain text; `None` where there is none.
    pub payload: Option<String>,
    /// Why the payload could not be decoded; `None` where the API does not list the event.
    pub fault: Option<de::Error>,
}

impl RawEvent {
    /// An event with its payload. An empty payload is none, and so is the word `undefined`, which Mastodon's server-sent events have then.
    pub fn new(name: impl Into<String>, payload: Option<String>) -> Self {
        let is_payload = |text: &String| !text.is_empty() && text != "undefined";
        Self { name: name.into(), payload: payload.filter(is_payload), fault: None }
    }

    /// Decodes the payload as JSON.
    ///
    /// # Errors
    ///
    /// The event itself with the fault, when the payload is missing or does not fit.
    pub fn json<T: FromJson>(mut self) -> Result<T, Self> {
        match de::read(self.payload.as_deref().unwrap_or_default()) {
            Ok(decoded) => Ok(decoded.value),
            Err(fault) => {
                self.fault = Some(fault);
                Err(self)
            }
        }
    }

    /// Takes the payload as plain text, such as an id.
    ///
    /// # Errors
    ///
    /// The event itself with the fault, when there is no payload.
    pub fn text(mut self) -> Result<String, Self> {
        self.payload.take().ok_or_else(|| {
            self.fault = Some(de::Error {
                path: "$".to_owned(),
                message: "the event has no payload".to_owned(),
            });
            self
        })
    }
}

/// The events of a stream, each decoded by its name. Implemented by generated code.
pub trait FromEvent: Sized {
    /// Decodes an event. One that is unknown or does not fit is kept as it came.
    fn from_event(event: RawEvent) -> Self;
}
