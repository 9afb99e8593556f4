//! Writes that succeeded and whose answers cannot be read.

use std::fmt;

use http::{HeaderMap, StatusCode};

use super::TransportError;
use super::redact::{HeaderNames, redacted_text, shortened};
use crate::de::Input;
use crate::{Id, Json};

/// A success of a request that changes something, with an answer that cannot be read. What was asked for is done, or under way: sending
/// the request again would do it twice. `Debug` prints the names of the headers without their values.
#[non_exhaustive]
pub struct Accepted {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as far as it arrived, with secrets removed.
    pub body: String,
    /// The members of the body's object that are complete, with secrets removed. Empty where the body is no object.
    pub members: serde_json::Map<String, Json>,
    /// Why the answer cannot be read.
    pub why: Unreadable,
}

/// Why an answer cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum Unreadable {
    /// The body does not fit the type of the answer.
    #[non_exhaustive]
    Decode {
        /// The place in the body: `$.account.id`.
        path: String,
        /// The fault at that place.
        message: String,
    },
    /// The body did not arrive whole.
    Transport(TransportError),
}

impl Accepted {
    pub(super) fn new(
        status: StatusCode,
        headers: HeaderMap,
        body: &str,
        token: Option<&str>,
        why: Unreadable,
    ) -> Self {
        let shown = redacted_text(body, token);
        Self { status, headers, members: members(&shown), body: shortened(shown), why }
    }

    /// The id of what the request made or changed, if it can be read.
    pub fn id(&self) -> Option<Id> {
        id_of(self.members.get("id")?)
    }
}

/// The id that an object of an answer has, whether it is sent as a text or as a number.
pub(super) fn id_of(id: &Json) -> Option<Id> {
    match id {
        Json::String(id) if !id.is_empty() => Some(Id::new(id.as_str())),
        Json::Number(id) => Some(Id::new(id.to_string())),
        _ => None,
    }
}

/// The complete members of an object that may be cut short. A number at the cut is left out, because its end is not known.
fn members(body: &str) -> serde_json::Map<String, Json> {
    let mut members = serde_json::Map::new();
    let mut input = Input::new(body);
    if input.open_object().is_err() {
        return members;
    }
    while let Ok(Some(key)) = input.next_key(members.is_empty()) {
        match input.tree() {
            Ok(value) if !(value.is_number() && input.is_over()) => {
                members.insert(key.into_owned(), value);
            }
            _ => break,
        }
    }
    members
}

impl fmt::Display for Accepted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "accepted ({}), answer unreadable", self.status)?;
        match &self.why {
            Unreadable::Decode { path, message } => write!(f, " at {path}: {message}")?,
            Unreadable::Transport(error) => write!(f, ": {error}")?,
        }
        if let Some(id) = self.id() {
            write!(f, "; the id is {id}")?;
        }
        f.write_str("; sending the request again would do it twice")
    }
}

shown!(Accepted, own => status, headers = HeaderNames(&own.headers), body, why);

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(body: &str) -> Accepted {
        let why = Unreadable::Transport(TransportError::Timeout);
        Accepted::new(StatusCode::ACCEPTED, HeaderMap::new(), body, None, why)
    }

    #[test]
    fn the_id_is_read_of_what_arrived() {
        for (body, id) in [
            (r#"{"id":"1","url":"x"}"#, Some("1")),
            (r#"{"id":"1","url":"x"#, Some("1")),
            (r#"{"id":"1","meta":{"a":[1,2],"id":"9"#, Some("1")),
            (r#"{"id":"1""#, Some("1")),
            // A comma in a text ends no member.
            (r#"{"id":"1","text":"a, b"#, Some("1")),
            (r#"{"type":"image","id":23,"ur"#, Some("23")),
            // An id that may go on is not one.
            (r#"{"type":"image","id":23"#, None),
            (r#"{"type":"image","id":"2"#, None),
            (r#"{"account":{"id":"9"},"te"#, None),
            (r#"{"text":"a\",\"id\":\"7\",","id":"8","#, Some("8")),
            (r#"{"id":"","a":1}"#, None),
            (r#"{"id":{},"a":1}"#, None),
            (r#"[{"id":"1"}]"#, None),
            // The text before a fault is read.
            (r#"{"id":"1","text":oops}"#, Some("1")),
            (r#"{"id":"1"} and more"#, Some("1")),
            ("", None),
            ("<html>,", None),
            ("\u{e9},{", None),
        ] {
            assert_eq!(accepted(body).id().as_ref().map(Id::as_str), id, "{body}");
        }
    }

    #[test]
    fn it_says_what_happened() {
        assert_eq!(
            accepted(r#"{"id":"1","url"#).to_string(),
            "accepted (202 Accepted), answer unreadable: the server took too long; the id is 1; sending the request again would do it twice"
        );
    }

    #[test]
    fn secrets_are_removed_from_a_body_that_is_cut() {
        let accepted = accepted(r#"{"id":"1","access_token": "hu5h","client_secret":"al5o-hu5h"#);
        let shown = format!("{accepted:?} {accepted} {:?}", accepted.members);
        assert!(!shown.contains("hu5h"), "{shown}");
        assert_eq!(accepted.id().as_ref().map(Id::as_str), Some("1"));
    }
}
