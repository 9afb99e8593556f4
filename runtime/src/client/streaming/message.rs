//! The messages of a WebSocket of streams, decoded without IO.

use crate::{Entity, Json, RawEvent, de};

/// The greatest length of an event.
pub(super) const LONGEST_EVENT: u64 = 4 * 1024 * 1024;

/// A message of a server on a WebSocket of streams.
///
/// ```
/// use fedispec_runtime::client::StreamMessage;
///
/// let text = r#"{"stream": ["list", "12"], "event": "delete", "payload": "31"}"#;
/// let StreamMessage::Event { stream, event, .. } = StreamMessage::read(text) else { panic!() };
/// // GoToSocial has one element, "list:12".
/// assert_eq!((&*stream, &*event.name, event.payload.as_deref()), ("list:12", "delete", Some("31")));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum StreamMessage {
    /// An event.
    #[non_exhaustive]
    Event {
        /// The stream that it comes from, with its hashtag or list: `user`, `list:12`, `hashtag:local:cats`. Empty where the server does
        /// not say, as Mastodon does not before 3.3.0.
        stream: String,
        /// The event.
        event: RawEvent,
    },
    /// The server refuses something, such as a subscription.
    #[non_exhaustive]
    Refused {
        /// The reason, for people.
        error: String,
        /// The HTTP status that the error would have had, if the server tells it.
        status: Option<u16>,
    },
    /// It is none of these.
    Other(String),
}

#[derive(Default, Entity)]
#[entity(crate = crate)]
struct Frame {
    #[entity(optional)]
    stream: Option<Json>,
    #[entity(lenient, optional)]
    event: Option<String>,
    #[entity(optional)]
    payload: Option<Json>,
    #[entity(lenient, optional)]
    error: Option<String>,
    #[entity(lenient, optional)]
    status: Option<i64>,
}

impl StreamMessage {
    /// Reads a text message.
    pub fn read(text: &str) -> Self {
        let Ok(frame) = de::bounded(LONGEST_EVENT, || de::read::<Frame>(text)) else {
            return Self::Other(text.to_owned());
        };
        let frame = frame.value;
        match (frame.event, frame.error) {
            (Some(event), _) => Self::Event {
                stream: stream(frame.stream),
                event: RawEvent::new(event, payload(frame.payload)),
            },
            (None, Some(error)) => Self::Refused {
                error,
                status: frame.status.and_then(|status| u16::try_from(status).ok()),
            },
            (None, None) => Self::Other(text.to_owned()),
        }
    }
}

/// The elements of a stream's name, joined: Mastodon sends the hashtag or the list as an element of its own, GoToSocial with the name.
fn stream(name: Option<Json>) -> String {
    match name {
        Some(Json::String(name)) => name,
        Some(Json::Array(parts)) => {
            let text = |part: &Json| match part {
                Json::String(text) => Some(text.clone()),
                Json::Number(number) => Some(number.to_string()),
                _ => None,
            };
            parts.iter().filter_map(text).collect::<Vec<_>>().join(":")
        }
        _ => String::new(),
    }
}

/// A payload is JSON in a string, or plain text; some servers send the JSON itself.
fn payload(payload: Option<Json>) -> Option<String> {
    match payload? {
        Json::Null => None,
        Json::String(text) => Some(text),
        json => Some(json.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(stream: &str, name: &str, payload: Option<&str>) -> StreamMessage {
        StreamMessage::Event {
            stream: stream.to_owned(),
            event: RawEvent::new(name, payload.map(str::to_owned)),
        }
    }

    #[test]
    fn messages_of_all_kinds_are_read() {
        for (text, wanted) in [
            (
                r#"{"stream":["user"],"event":"update","payload":"{\"id\":\"1\"}"}"#,
                event("user", "update", Some(r#"{"id":"1"}"#)),
            ),
            (
                r#"{"stream":["hashtag:local","cats"],"event":"delete","payload":"31"}"#,
                event("hashtag:local:cats", "delete", Some("31")),
            ),
            (
                r#"{"stream":["list",7],"event":"delete","payload":"31"}"#,
                event("list:7", "delete", Some("31")),
            ),
            (
                r#"{"stream":["list:01H"],"event":"filters_changed","payload":""}"#,
                event("list:01H", "filters_changed", None),
            ),
            (r#"{"event":"delete","payload":31}"#, event("", "delete", Some("31"))),
            (
                r#"{"stream":"user","event":"update","payload":{"id":"1"}}"#,
                event("user", "update", Some(r#"{"id":"1"}"#)),
            ),
            (
                r#"{"error":"Unknown stream type","status":400}"#,
                StreamMessage::Refused { error: "Unknown stream type".into(), status: Some(400) },
            ),
            (
                r#"{"error":"no","status":-7}"#,
                StreamMessage::Refused { error: "no".into(), status: None },
            ),
        ] {
            assert_eq!(StreamMessage::read(text), wanted, "{text}");
        }
        for text in ["", "ping", "[]", "{}", r#"{"event":"#, "null", "{\"a\":1}"] {
            assert_eq!(StreamMessage::read(text), StreamMessage::Other(text.to_owned()));
        }
    }
}
