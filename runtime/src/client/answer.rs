//! Answers from `http` types.

use std::ops::{Deref, DerefMut};

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};
use serde::de::DeserializeOwned;

use super::{Error, Token, link};
use crate::de::{self, Decoded};
use crate::known::Plan;
use crate::{
    Either, Empty, Id, Json, List, Map, Operation, Page, Raw, Rejected, Request, Secret, Timestamp,
};

/// An answer: a value, and what came with it. It dereferences to the value.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Answer<T> {
    /// The value.
    pub value: T,
    /// Elements of lists anywhere in it that were refused.
    pub rejected: Vec<Rejected>,
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// What was left out of the request or called instead, where the policy is to adapt it.
    pub adapted: Option<Plan>,
}

impl<T> Answer<T> {
    /// The value alone.
    pub fn into_value(self) -> T {
        self.value
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

/// A type that is read from a body, alone or as the element of a list. [`readable!`](crate::readable) implements it for entities.
pub trait Readable: Sized {
    /// Reads one.
    fn read(body: &str) -> Result<Decoded<Self>, de::Error>;
    /// Reads a list.
    fn read_list(body: &str) -> Result<List<Self>, de::Error>;
}

/// Makes entities [`Readable`](crate::client::Readable). The code that decodes them then stands in the crate that says so, and not in each
/// that calls it.
#[macro_export]
macro_rules! readable {
    ($($type:ty),+ $(,)?) => {$(
        impl $crate::client::Readable for $type {
            fn read(body: &str) -> ::core::result::Result<$crate::de::Decoded<Self>, $crate::de::Error> {
                $crate::de::read(body)
            }

            fn read_list(body: &str) -> ::core::result::Result<$crate::List<Self>, $crate::de::Error> {
                $crate::de::read_list(body)
            }
        }
    )+};
}

readable!(bool, i64, f64, Json, Timestamp, Secret);

impl<T: ?Sized> Readable for Id<T> {
    fn read(body: &str) -> Result<Decoded<Self>, de::Error> {
        de::read(body)
    }

    fn read_list(body: &str) -> Result<List<Self>, de::Error> {
        de::read_list(body)
    }
}

impl<T: DeserializeOwned> Readable for Map<T> {
    fn read(body: &str) -> Result<Decoded<Self>, de::Error> {
        de::read(body)
    }

    fn read_list(body: &str) -> Result<List<Self>, de::Error> {
        de::read_list(body)
    }
}

/// No body stands for nothing.
impl<A: DeserializeOwned, B: DeserializeOwned> Readable for Either<A, B> {
    fn read(body: &str) -> Result<Decoded<Self>, de::Error> {
        de::read(if body.trim().is_empty() { "null" } else { body })
    }

    fn read_list(body: &str) -> Result<List<Self>, de::Error> {
        de::read_list(body)
    }
}

/// A JSON string, or else the body as it is: HTML, CSV.
impl Readable for String {
    fn read(body: &str) -> Result<Decoded<Self>, de::Error> {
        Ok(Decoded {
            value: serde_json::from_str(body).unwrap_or_else(|_| body.to_owned()),
            rejected: Vec::new(),
        })
    }

    fn read_list(body: &str) -> Result<List<Self>, de::Error> {
        de::read_list(body)
    }
}

/// What an operation can answer.
pub trait FromAnswer: Sized {
    /// Reads it from a body and the headers.
    fn from_answer(headers: &HeaderMap, body: &[u8]) -> Result<Decoded<Self>, de::Error>;
}

impl<T: Readable> FromAnswer for T {
    fn from_answer(_: &HeaderMap, body: &[u8]) -> Result<Decoded<Self>, de::Error> {
        T::read(&text(body))
    }
}

impl FromAnswer for Empty {
    fn from_answer(_: &HeaderMap, _: &[u8]) -> Result<Decoded<Self>, de::Error> {
        Ok(Decoded {
            value: Self,
            rejected: Vec::new(),
        })
    }
}

impl FromAnswer for Raw {
    fn from_answer(headers: &HeaderMap, body: &[u8]) -> Result<Decoded<Self>, de::Error> {
        let content_type = headers
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok());
        Ok(Decoded {
            value: Self {
                content_type: content_type.map(ToOwned::to_owned),
                content: body.to_vec(),
            },
            rejected: Vec::new(),
        })
    }
}

impl<T: Readable> FromAnswer for List<T> {
    fn from_answer(_: &HeaderMap, body: &[u8]) -> Result<Decoded<Self>, de::Error> {
        let list = T::read_list(&text(body))?;
        Ok(Decoded {
            rejected: list.rejected.clone(),
            value: list,
        })
    }
}

impl<T: Readable> FromAnswer for Page<T> {
    fn from_answer(headers: &HeaderMap, body: &[u8]) -> Result<Decoded<Self>, de::Error> {
        let list = T::read_list(&text(body))?;
        let (next, prev) = link::neighbours(headers);
        Ok(Decoded {
            rejected: list.rejected.clone(),
            value: Self {
                items: list.items,
                rejected: list.rejected,
                next,
                prev,
            },
        })
    }
}

/// Reads the answer of a request of type `R`, for a transport of one's own.
///
/// # Errors
///
/// When the status is no success, or the body does not fit.
pub fn response<R>(response: http::Response<Bytes>) -> Result<Answer<R::Answer>, Error>
where
    R: Request,
    R::Answer: FromAnswer,
{
    read(R::OPERATION, response, None)
}

/// [`response`], with the token to be struck out of errors.
pub(super) fn read<A: FromAnswer>(
    operation: &'static Operation,
    response: http::Response<Bytes>,
    token: Option<&Token>,
) -> Result<Answer<A>, Error> {
    let (status, headers, body) = open(operation, response, token)?;
    match A::from_answer(&headers, &body) {
        Ok(decoded) => Ok(Answer {
            value: decoded.value,
            rejected: decoded.rejected,
            status,
            headers,
            adapted: None,
        }),
        Err(error) => {
            let body = text(&body);
            let error = said_plainly(error, &body);
            Err(Error::decode(
                operation,
                status,
                error,
                &body,
                token.map(Token::expose),
            ))
        }
    }
}

fn open(
    operation: &'static Operation,
    response: http::Response<Bytes>,
    token: Option<&Token>,
) -> Result<(StatusCode, HeaderMap, Bytes), Error> {
    let (parts, body) = response.into_parts();
    if parts.status.is_success() {
        return Ok((parts.status, parts.headers, body));
    }
    let token = token.map(Token::expose);
    Err(Error::answer(
        operation,
        parts.status,
        parts.headers,
        &text(&body),
        token,
    ))
}

/// One check of the whole body is faster than serde's checks of each string. A wrong byte costs its character, not the page.
fn text(body: &[u8]) -> std::borrow::Cow<'_, str> {
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    String::from_utf8_lossy(body)
}

/// GoToSocial answers 200 without a body where a handler of it has failed.
fn said_plainly(mut error: de::Error, body: &str) -> de::Error {
    if body.trim().is_empty() {
        "the body is empty".clone_into(&mut error.message);
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{ErrorKind, Reader};
    use crate::{Method, Secret};
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Token {
        access_token: Secret,
        scope: String,
    }
    readable!(Token);

    struct Call<A>(std::marker::PhantomData<A>);

    impl<A> Request for Call<A> {
        type Answer = A;
        const OPERATION: &'static Operation =
            &Operation::new("oauth.token", 0, Method::Post, "/oauth/token");
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
    fn what_does_not_fit_is_told_without_secrets() {
        let error =
            answer::<Token>(200, &[], br#"{"access_token":"abc","scope":7}"#).expect_err("no text");
        assert_eq!(
            error.to_string(),
            "oauth.token: the answer (200 OK) does not fit at $.scope: invalid type: integer `7`, expected a string"
        );
        let ErrorKind::Decode { body, .. } = error.kind() else {
            panic!("{error:?}");
        };
        assert_eq!(body, r#"{"access_token":"[secret]","scope":7}"#);
        let empty = answer::<Token>(200, &[], b"").expect_err("nothing");
        assert!(
            empty.to_string().ends_with("$: the body is empty"),
            "{empty}"
        );
    }

    #[test]
    fn errors_need_not_be_json() {
        let error = answer::<Token>(405, &[], b"405 method not allowed").expect_err("an error");
        let api = error.api().expect("an error of the API");
        assert_eq!(
            (api.message.as_deref(), api.body.as_str()),
            (None, "405 method not allowed")
        );
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
        assert_eq!(
            answer::<Empty>(202, &[], b"<html>").expect("nothing").value,
            Empty
        );
        assert_eq!(
            answer::<String>(200, &[], b"a,b").expect("text").value,
            "a,b"
        );
        assert_eq!(
            answer::<String>(200, &[], br#""a\"b""#)
                .expect("text")
                .value,
            "a\"b"
        );
        let raw = answer::<Raw>(200, &[("content-type", "text/csv")], b"\xff")
            .expect("a file")
            .value;
        assert_eq!(raw, Raw::new("text/csv", [0xff]));
        let link = [("link", r#"<https://e.org/x?max_id=1>; rel="next""#)];
        let page = answer::<Page<Id>>(206, &link, b"\xef\xbb\xbf[1,\"2\",null]").expect("a page");
        assert_eq!(
            (page.len(), page.rejected.len(), page.status.as_u16()),
            (2, 1, 206)
        );
        assert_eq!(page.value.rejected, page.rejected);
        assert_eq!(
            page.next.as_ref().and_then(crate::Link::as_url),
            Some("https://e.org/x?max_id=1")
        );
        let either = answer::<Either<Token, Empty>>(200, &[], b"").expect("nothing");
        assert_eq!(either.value, Either::Second(Empty));
        // Half a character costs the character and not the page.
        assert_eq!(
            answer::<List<String>>(200, &[], b"[\"a\xff\"]")
                .expect("a list")
                .items,
            ["a\u{fffd}"]
        );
    }

    #[test]
    fn a_reader_reads_by_name() {
        static READERS: &[Reader] = &[Reader::of::<Call<List<Token>>>()];
        let read = |body: &[u8]| READERS[0].read(&HeaderMap::new(), body);
        assert_eq!(READERS[0].operation().id, "oauth.token");
        assert_eq!(read(b"[]").map(|rejected| rejected.len()), Ok(0));
        assert_eq!(read(b"[3]").map(|rejected| rejected.len()), Ok(1));
        assert_eq!(read(b"3").map_err(|error| error.path), Err("$".to_owned()));
    }
}
