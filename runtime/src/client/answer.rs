//! Answers, decoded from [`http`] responses.

use std::fmt;
use std::ops::{Deref, DerefMut};

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use http::{HeaderMap, StatusCode};

use super::redact::HeaderNames;
use super::{Accepted, CutShort, Error, ErrorKind, Rate, Token, TransportError, Unreadable, link};
use crate::compatibility::Plan;
use crate::de::{self, Decoded, FromJson, UnknownField};
use crate::{EventStream, List, Operation, Page, Raw, Rejected, Request, Upgrade};

/// A decoded answer with its status and headers. It dereferences to the value. `Debug` prints the names of the headers without their values.
#[derive(Clone)]
#[non_exhaustive]
pub struct Answer<T> {
    /// The value.
    pub value: T,
    /// The elements of lists and the fields, anywhere in the value, that could not be decoded and were left out or stayed empty.
    pub rejected: Vec<Rejected>,
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The plan of the request, where it was adapted to the server or where the server may have done something else than was asked for.
    /// It prints as sentences.
    pub adapted: Option<Plan>,
    body: Bytes,
}

impl<T> Answer<T> {
    /// The body from which the value was decoded.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// The rate-limit state that the server reported, if any.
    pub fn rate(&self) -> Option<Rate> {
        Rate::read(&self.headers)
    }

    /// Returns the value without its status and headers.
    pub fn into_value(self) -> T {
        self.value
    }
}

impl<T: fmt::Debug> fmt::Debug for Answer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer")
            .field("value", &self.value)
            .field("rejected", &self.rejected)
            .field("status", &self.status)
            .field("headers", &HeaderNames(&self.headers))
            .field("adapted", &self.adapted)
            .finish_non_exhaustive()
    }
}

impl<T: FromAnswer> Answer<T> {
    /// The fields in the body that the type does not declare, at any depth. Each call decodes the body again, so that ordinary reads pay nothing.
    ///
    /// ```
    /// # use fedispec_runtime as rt;
    /// # #[derive(rt::Entity)]
    /// # struct Rule { id: String }
    /// # struct Rules;
    /// # impl rt::Request for Rules {
    /// #     type Answer = rt::List<Rule>;
    /// #     const OPERATION: &'static rt::Operation = &rt::Operation::new("instance.rules", rt::Method::Get, "/api/v1/instance/rules");
    /// # }
    /// let answer = rt::client::response::<Rules>(http::Response::new(r#"[{"id": "1", "mood": "mild"}]"#.into()))?;
    /// assert_eq!(answer.unknown_fields()[0].path, "$[0].mood");
    /// # Ok::<(), rt::client::Error>(())
    /// ```
    pub fn unknown_fields(&self) -> Vec<UnknownField> {
        de::unknown_fields(|| drop(T::from_answer(&self.headers, self.body())))
    }

    /// The JSON paths of the fields that the body lacks, at any depth: it tells what the server did not send from what it sent and is false, empty
    /// or null. Each call decodes the body again, so that ordinary reads pay nothing.
    ///
    /// ```
    /// # use fedispec_runtime as rt;
    /// # #[derive(rt::Entity)]
    /// # struct Account { id: String, #[entity(absent = "false")] bot: bool }
    /// # struct Get;
    /// # impl rt::Request for Get {
    /// #     type Answer = Account;
    /// #     const OPERATION: &'static rt::Operation = &rt::Operation::new("accounts.get", rt::Method::Get, "/api/v1/accounts/:id");
    /// # }
    /// let answer = rt::client::response::<Get>(http::Response::new(r#"{"id": "1"}"#.into()))?;
    /// assert_eq!((answer.bot, answer.absent_fields()), (false, vec!["$.bot".to_owned()]));
    /// # Ok::<(), rt::client::Error>(())
    /// ```
    pub fn absent_fields(&self) -> Vec<String> {
        de::absent_fields(|| drop(T::from_answer(&self.headers, self.body())))
    }
}

impl<T> Deref for Answer<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Answer<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T: IntoIterator> IntoIterator for Answer<T> {
    type Item = T::Item;
    type IntoIter = T::IntoIter;

    fn into_iter(self) -> T::IntoIter {
        self.value.into_iter()
    }
}

/// A type that the answer of an operation can have, and the media type that a request asks for to get it.
pub trait Accept {
    /// The value of the request's `Accept` header.
    fn accept() -> &'static str {
        "application/json"
    }
}

/// A type that is decoded from a whole answer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the answer of an ordinary call",
    note = "a stream of events or a WebSocket has no end that a call could wait for; `Client::stream` follows streams (feature `streaming`)"
)]
pub trait FromAnswer: Accept + Sized {
    /// Decodes the value from the body and the headers.
    fn from_answer(headers: &HeaderMap, body: &[u8]) -> Result<Decoded<Self>, de::Error>;
}

impl<T: FromJson> Accept for T {
    fn accept() -> &'static str {
        T::accept()
    }
}

impl<T: FromJson> FromAnswer for T {
    fn from_answer(_: &HeaderMap, body: &[u8]) -> Result<Decoded<Self>, de::Error> {
        let mut value = T::blank();
        read_into(body, &mut value).map(|(rejected, _)| Decoded { value, rejected })
    }
}

/// Decodes a body; returns the rejected elements twice, for the answer and for its list. It is not generic, so that it is compiled once.
fn read_into(
    body: &[u8],
    value: &mut dyn FromJson,
) -> Result<(Vec<Rejected>, Vec<Rejected>), de::Error> {
    let rejected = de::read_into(&text(body), value)?;
    Ok((rejected.clone(), rejected))
}

impl Accept for Raw {
    fn accept() -> &'static str {
        "*/*"
    }
}

impl<T: FromJson> Accept for List<T> {}

impl<T: FromJson> Accept for Page<T> {}

impl<E> Accept for EventStream<E> {
    fn accept() -> &'static str {
        "text/event-stream"
    }
}

impl Accept for Upgrade {
    fn accept() -> &'static str {
        "*/*"
    }
}

impl FromAnswer for Raw {
    fn from_answer(headers: &HeaderMap, body: &[u8]) -> Result<Decoded<Self>, de::Error> {
        let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        Ok(Decoded {
            value: Self {
                content_type: content_type.map(ToOwned::to_owned),
                content: body.to_vec(),
            },
            rejected: Vec::new(),
        })
    }
}

impl<T: FromJson> FromAnswer for List<T> {
    fn from_answer(_: &HeaderMap, body: &[u8]) -> Result<Decoded<Self>, de::Error> {
        let mut items = Vec::blank();
        let (rejected, own) = read_into(body, &mut items)?;
        let value = Self { items, rejected: own };
        Ok(Decoded { value, rejected })
    }
}

impl<T: FromJson> FromAnswer for Page<T> {
    fn from_answer(headers: &HeaderMap, body: &[u8]) -> Result<Decoded<Self>, de::Error> {
        let mut items = Vec::blank();
        let (rejected, own) = read_into(body, &mut items)?;
        let (next, prev) = link::neighbours(headers);
        let value = Self { items, rejected: own, next, prev };
        Ok(Decoded { value, rejected })
    }
}

/// Decodes the answer to a request of type `R`, for callers that send the request themselves.
///
/// # Errors
///
/// When the status is not a success, or the body cannot be decoded.
pub fn response<R>(response: http::Response<Bytes>) -> Result<Answer<R::Answer>, Error>
where
    R: Request,
    R::Answer: FromAnswer,
{
    read(R::OPERATION, response, None)
}

/// As [`response`], and removes the token from errors.
pub(super) fn read<A: FromAnswer>(
    operation: &'static Operation,
    response: http::Response<Bytes>,
    token: Option<&Token>,
) -> Result<Answer<A>, Error> {
    let undecoded = open(operation, response, token)?;
    match A::from_answer(&undecoded.headers, undecoded.content()) {
        Ok(decoded) => Ok(undecoded.answer(decoded, None)),
        Err(error) => Err(undecoded.unread(error, token)),
    }
}

/// The answer to a call that succeeded, before its body is decoded.
pub(super) struct Undecoded {
    operation: &'static Operation,
    status: StatusCode,
    pub(super) headers: HeaderMap,
    body: Bytes,
}

impl Undecoded {
    /// The text to decode.
    pub(super) fn content(&self) -> &[u8] {
        // Where having no content is one of the successes, it is null: there is no donation campaign.
        let may_be_nothing = self.operation.success.contains(&204);
        if self.status == StatusCode::NO_CONTENT && may_be_nothing { b"null" } else { &self.body }
    }

    /// The answer, decoded.
    pub(super) fn answer<A>(self, decoded: Decoded<A>, adapted: Option<Plan>) -> Answer<A> {
        Answer {
            value: decoded.value,
            rejected: decoded.rejected,
            status: self.status,
            headers: self.headers,
            adapted,
            body: self.body,
        }
    }

    /// The error of an answer that cannot be decoded.
    pub(super) fn unread(self, error: de::Error, token: Option<&Token>) -> Error {
        let body = text(&self.body);
        let error = explain_body(error, &self.headers, &body);
        let token = token.map(Token::expose);
        let head = (self.status, self.headers);
        Error::decode(self.operation, head, error, &body, token)
    }
}

/// The error of a call without a whole response. A write whose status arrived is told by that status.
pub(super) fn unanswered(
    operation: &'static Operation,
    error: TransportError,
    token: Option<&Token>,
) -> Error {
    let TransportError::Cut(cut) = error else {
        return Error::new(operation, ErrorKind::Transport(error));
    };
    let CutShort { response, why } = *cut;
    if operation.method.is_safe() {
        return Error::new(operation, ErrorKind::Transport(why));
    }
    let (parts, body) = response.into_parts();
    let token = token.map(Token::expose);
    let packed = parts.headers.contains_key(CONTENT_ENCODING);
    let body = if packed { "".into() } else { text(&body) };
    if !parts.status.is_success() {
        return Error::answer(operation, parts.status, parts.headers, &body, token);
    }
    let why = Unreadable::Transport(why);
    let accepted = Accepted::new(parts.status, parts.headers, &body, token, why);
    Error::new(operation, ErrorKind::Accepted(accepted))
}

pub(super) fn open(
    operation: &'static Operation,
    response: http::Response<Bytes>,
    token: Option<&Token>,
) -> Result<Undecoded, Error> {
    let (parts, body) = response.into_parts();
    let token = token.map(Token::expose);
    let coding = parts.headers.get(CONTENT_ENCODING).and_then(|value| value.to_str().ok());
    let packed = coding.filter(|coding| !coding.eq_ignore_ascii_case("identity"));
    match packed {
        None if parts.status.is_success() => {
            Ok(Undecoded { operation, status: parts.status, headers: parts.headers, body })
        }
        Some(coding) if parts.status.is_success() => {
            let error = de::Error {
                path: "$".to_owned(),
                message: format!(
                    "the body is compressed as {coding}, which the request did not accept"
                ),
            };
            let head = (parts.status, parts.headers);
            Err(Error::decode(operation, head, error, "", token))
        }
        packed => {
            let body = if packed.is_some() { "".into() } else { text(&body) };
            Err(Error::answer(operation, parts.status, parts.headers, &body, token))
        }
    }
}

/// Decodes a body as UTF-8 once, which is faster than a check of each string. An invalid byte becomes U+FFFD instead of failing the page.
pub(super) fn text(body: &[u8]) -> std::borrow::Cow<'_, str> {
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    // `from_utf8` checks ASCII a word at a time, `from_utf8_lossy` each byte.
    match std::str::from_utf8(body) {
        Ok(text) => text.into(),
        Err(_) => String::from_utf8_lossy(body),
    }
}

/// Rewords the decoder's error for bodies that are empty or not JSON: GoToSocial answers 200 without a body when a handler of it fails, and
/// reverse proxies answer HTML pages.
fn explain_body(mut error: de::Error, headers: &HeaderMap, body: &str) -> de::Error {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = content_type.unwrap_or_default().split(';').next().unwrap_or_default();
    if body.trim().is_empty() {
        "the body is empty".clone_into(&mut error.message);
    } else if error.path == "$" && !essence.is_empty() && !essence.contains("json") {
        error.message = format!("the body is {essence}, not JSON: {}", error.message);
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Reader;
    use crate::{Either, Empty, Entity, Id, Method, Secret};

    #[derive(Debug, PartialEq, Entity)]
    #[entity(crate = crate)]
    struct Token {
        access_token: Secret,
        scope: String,
    }

    struct Call<A>(std::marker::PhantomData<A>);

    impl<A> Request for Call<A> {
        type Answer = A;
        const OPERATION: &'static Operation =
            &Operation::new("oauth.token", Method::Post, "/oauth/token");
    }

    fn answer<A: FromAnswer>(
        status: u16,
        headers: &[(&str, &str)],
        body: &'static [u8],
    ) -> Result<Answer<A>, Error> {
        let mut builder = http::Response::builder().status(status);
        for (name, value) in headers {
            builder = builder.header(*name, *value);
        }
        response::<Call<A>>(builder.body(Bytes::from_static(body)).expect("a response"))
    }

    #[test]
    fn decode_errors_hide_secrets() {
        let error =
            answer::<Token>(200, &[], br#"{"access_token":"abc","scope":7}"#).expect_err("no text");
        assert_eq!(
            error.to_string(),
            "oauth.token: accepted (200 OK), answer unreadable at $.scope: invalid type: integer `7`, expected a string; sending the \
             request again would do it twice"
        );
        let accepted = error.accepted().expect("a write");
        assert_eq!(accepted.body, r#"{"access_token":"[secret]","scope":7}"#);
        let empty = answer::<Token>(200, &[], b"").expect_err("nothing");
        assert!(empty.to_string().contains("$: the body is empty"), "{empty}");
    }

    #[test]
    fn errors_need_not_be_json() {
        let error = answer::<Token>(405, &[], b"405 method not allowed").expect_err("an error");
        let api = error.api().expect("an error of the API");
        assert_eq!((api.message.as_deref(), api.body.as_str()), (None, "405 method not allowed"));
        let body = br#"{"error":"invalid_grant","error_description":"too old","details":{"x":1}}"#;
        let error = answer::<Token>(400, &[], body).expect_err("an error");
        assert_eq!(
            error.to_string(),
            "oauth.token: the server answered 400 Bad Request: invalid_grant: too old"
        );
        assert_eq!(
            error.api().and_then(|api| api.details.clone()),
            Some(serde_json::json!({"x": 1}))
        );
    }

    #[test]
    fn all_kinds_of_answers_are_read() {
        assert_eq!(answer::<Empty>(202, &[], b"<html>").expect("nothing").value, Empty);
        assert_eq!(answer::<String>(200, &[], b"a,b").expect("text").value, "a,b");
        assert_eq!(answer::<String>(200, &[], br#""a\"b""#).expect("text").value, "a\"b");
        let raw =
            answer::<Raw>(200, &[("content-type", "text/csv")], b"\xff").expect("a file").value;
        assert_eq!(raw, Raw::new("text/csv", [0xff]));
        let link = [("link", r#"<https://e.org/x?max_id=1>; rel="next""#)];
        let page = answer::<Page<Id>>(206, &link, b"\xef\xbb\xbf[1,\"2\",null]").expect("a page");
        assert_eq!((page.len(), page.rejected.len(), page.status.as_u16()), (2, 1, 206));
        assert_eq!(page.value.rejected, page.rejected);
        assert_eq!(
            page.next.as_ref().and_then(crate::Link::as_url),
            Some("https://e.org/x?max_id=1")
        );
        let either = answer::<Either<Token, Empty>>(200, &[], b"").expect("nothing");
        assert_eq!(either.value, Either::Second(Empty));
        // A truncated character costs that character and not the page.
        assert_eq!(
            answer::<List<String>>(200, &[], b"[\"a\xff\"]").expect("a list").items,
            ["a\u{fffd}"]
        );
    }

    #[test]
    fn unknown_fields_are_found_on_demand() {
        let body = br#"{"access_token":"abc","scope":"read","cat":{"name":"Tom"}}"#;
        let token = answer::<Token>(200, &[], body).expect("a token");
        let unknown = token.unknown_fields();
        assert_eq!(unknown.len(), 1);
        assert_eq!(unknown[0].path, "$.cat");
        assert_eq!(unknown[0].value["name"], "Tom");
        assert!(!format!("{token:?}").contains("abc"));
        let list =
            br#"[{"access_token":"a","scope":"","x":1},7,{"access_token":"b","scope":"","y":[2]}]"#;
        let list = answer::<List<Token>>(200, &[], list).expect("a list");
        let unknown = list.unknown_fields();
        let paths: Vec<_> = unknown.iter().map(|field| field.path.as_str()).collect();
        assert_eq!((paths, list.rejected.len()), (vec!["$[0].x", "$[2].y"], 1));
        // Decoding a second time gives the same value.
        assert!(answer::<Empty>(200, &[], b"").expect("nothing").unknown_fields().is_empty());
    }

    #[test]
    fn debug_hides_header_values() {
        let headers = [("set-cookie", "abc=1"), ("location", "/?access_token=abc")];
        let told = answer::<Empty>(200, &headers, b"").expect("nothing");
        let error = answer::<Empty>(302, &headers, b"").expect_err("a redirect");
        assert!(
            error.to_string().ends_with("302 Found; the redirect to / was not followed"),
            "{error}"
        );
        for text in [format!("{told:?}"), format!("{error:?} {error}")] {
            assert!(text.contains("set-cookie") && !text.contains("abc"), "{text}");
        }
    }

    #[test]
    fn a_compressed_body_is_an_error() {
        let error =
            answer::<Token>(200, &[("content-encoding", "gzip")], b"\x1f\x8b").expect_err("packed");
        assert!(
            error
                .to_string()
                .contains("$: the body is compressed as gzip, which the request did not accept"),
            "{error}"
        );
        let error =
            answer::<Token>(502, &[("content-encoding", "br")], b"\x1f\x8b").expect_err("packed");
        assert_eq!(error.api().map(|api| api.body.as_str()), Some(""));
    }

    #[test]
    fn a_body_that_is_not_json_is_named_by_its_type() {
        let error =
            answer::<Token>(200, &[("content-type", "text/html; charset=utf-8")], b"<p>Wait</p>");
        let text = error.expect_err("a page").to_string();
        assert!(text.contains("$: the body is text/html, not JSON: expected value"), "{text}");
    }

    #[derive(Entity)]
    #[entity(crate = crate)]
    struct Fault {
        error: String,
    }

    #[test]
    fn refused_parameters_are_listed() {
        let body = br#"{"error":"Validation failed","details":{"password":[{"error":"ERR_TOO_SHORT","description":"is too short"}],"date":3,
            "username":[{"error":"ERR_TAKEN"},{"error":"ERR_INVALID","description":"no"}]}}"#;
        let error =
            answer::<Token>(422, &[("x-ratelimit-remaining", "4")], body).expect_err("an error");
        let api = error.api().expect("an error of the API");
        let refused = api.refused();
        let refused: Vec<_> =
            refused.iter().map(|one| (one.param.as_str(), one.error.as_str())).collect();
        assert_eq!(
            refused,
            [("password", "ERR_TOO_SHORT"), ("username", "ERR_TAKEN"), ("username", "ERR_INVALID")]
        );
        assert_eq!(api.rate().and_then(|rate| rate.remaining), Some(4));
        assert_eq!(api.read::<Fault>().expect("it fits").error, "Validation failed");
        // Secrets are removed from `details` too.
        let body = br#"{"details":{"password":"hunter2"}}"#;
        let error = answer::<Token>(422, &[], body).expect_err("an error");
        assert!(!format!("{error:?}").contains("hunter2"));
    }

    #[test]
    fn a_reader_decodes_by_operation() {
        static READERS: &[Reader] = &[Reader::of::<Call<List<Token>>>()];
        let read = |body: &[u8]| READERS[0].read(&HeaderMap::new(), body);
        assert_eq!(READERS[0].operation().id, "oauth.token");
        assert_eq!(read(b"[]").map(|rejected| rejected.len()), Ok(0));
        assert_eq!(read(b"[3]").map(|rejected| rejected.len()), Ok(1));
        assert_eq!(read(b"3").map_err(|error| error.path), Err("$".to_owned()));
    }
}
