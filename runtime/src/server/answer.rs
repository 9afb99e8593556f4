//! Answers of handlers.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HOST, HeaderMap, HeaderValue, LINK};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use form_urlencoded::Serializer;
use serde::Serialize;

use super::Error;
use super::auth::PARAM;
use crate::{Either, Empty, Id, Json, Link, List, Map, Operation, Page, Raw, Secret, Timestamp};

pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=utf-8");
const BYTES: HeaderValue = HeaderValue::from_static("application/octet-stream");
const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// Parameters of which a page has its own, and not its neighbour's.
const POSITIONS: &[&str] = &["max_id", "min_id", "since_id", "offset"];

/// How a value becomes a body.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Writer;

impl Writer {
    /// Writes JSON.
    ///
    /// # Errors
    ///
    /// When the value has something that JSON has not: an infinite number.
    pub fn json<T: Serialize + ?Sized>(self, value: &T) -> serde_json::Result<Vec<u8>> {
        serde_json::to_vec(value)
    }
}

/// A type that is written as a body, alone or as the element of a list. [`writable!`](crate::writable) implements it for entities.
pub trait Writable: Sized {
    /// What one is.
    const CONTENT_TYPE: HeaderValue = JSON;

    /// Writes one.
    ///
    /// # Errors
    ///
    /// As [`Writer::json`].
    fn write(&self, to: Writer) -> serde_json::Result<Vec<u8>>;
    /// Writes a list.
    ///
    /// # Errors
    ///
    /// As [`Writer::json`].
    fn write_list(items: &[Self], to: Writer) -> serde_json::Result<Vec<u8>>;
}

/// Makes entities [`Writable`](crate::server::Writable). The code that encodes them then stands in the crate that says so, and not in each
/// that answers them.
#[macro_export]
macro_rules! writable {
    ($($type:ty),+ $(,)?) => {$(
        impl $crate::server::Writable for $type {
            fn write(&self, to: $crate::server::Writer) -> $crate::__private::serde_json::Result<::std::vec::Vec<u8>> {
                to.json(self)
            }

            fn write_list(
                items: &[Self],
                to: $crate::server::Writer,
            ) -> $crate::__private::serde_json::Result<::std::vec::Vec<u8>> {
                to.json(items)
            }
        }
    )+};
}

writable!(bool, i64, f64, Json, Timestamp, Secret);

impl<T: ?Sized> Writable for Id<T> {
    fn write(&self, to: Writer) -> serde_json::Result<Vec<u8>> {
        to.json(self)
    }

    fn write_list(items: &[Self], to: Writer) -> serde_json::Result<Vec<u8>> {
        to.json(items)
    }
}

impl<A: Serialize, B: Serialize> Writable for Either<A, B> {
    fn write(&self, to: Writer) -> serde_json::Result<Vec<u8>> {
        to.json(self)
    }

    fn write_list(items: &[Self], to: Writer) -> serde_json::Result<Vec<u8>> {
        to.json(items)
    }
}

/// Alone it is text as it is.
impl Writable for String {
    const CONTENT_TYPE: HeaderValue = TEXT;

    fn write(&self, _: Writer) -> serde_json::Result<Vec<u8>> {
        Ok(self.as_bytes().to_vec())
    }

    fn write_list(items: &[Self], to: Writer) -> serde_json::Result<Vec<u8>> {
        to.json(items)
    }
}

impl<T: Serialize> Writable for Map<T> {
    fn write(&self, to: Writer) -> serde_json::Result<Vec<u8>> {
        to.json(self)
    }

    fn write_list(items: &[Self], to: Writer) -> serde_json::Result<Vec<u8>> {
        to.json(items)
    }
}

/// What an answer needs to know of its request.
#[derive(Debug)]
pub struct Outgoing {
    pub(super) operation: &'static Operation,
    pub(super) uri: Uri,
    pub(super) host: Option<HeaderValue>,
    pub(super) forwarded: Option<HeaderValue>,
    pub(super) public: Option<std::sync::Arc<str>>,
}

impl Outgoing {
    pub(super) fn new(
        operation: &'static Operation,
        uri: Uri,
        headers: &HeaderMap,
        public: Option<std::sync::Arc<str>>,
    ) -> Self {
        Self {
            operation,
            uri,
            host: headers.get(HOST).cloned(),
            forwarded: headers.get("x-forwarded-proto").cloned(),
            public,
        }
    }

    fn status(&self) -> StatusCode {
        let first = self.operation.success.first();
        first
            .and_then(|&status| StatusCode::from_u16(status).ok())
            .unwrap_or(StatusCode::OK)
    }

    fn json(&self, body: serde_json::Result<Vec<u8>>) -> Response {
        self.written(JSON, body)
    }

    fn written(&self, content_type: HeaderValue, body: serde_json::Result<Vec<u8>>) -> Response {
        match body {
            Ok(body) => self.response(content_type, body),
            Err(_) => Error::internal().into_response(),
        }
    }

    fn response(&self, content_type: HeaderValue, body: Vec<u8>) -> Response {
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = self.status();
        response.headers_mut().insert(CONTENT_TYPE, content_type);
        response
    }

    /// The header Link.
    fn links(&self, next: Option<&Link>, prev: Option<&Link>) -> Option<HeaderValue> {
        let links: Vec<_> = [(next, "next"), (prev, "prev")]
            .into_iter()
            .filter_map(|(link, relation)| {
                Some(format!("<{}>; rel=\"{relation}\"", self.url(link?)))
            })
            .collect();
        HeaderValue::try_from(links.join(", "))
            .ok()
            .filter(|value| !value.is_empty())
    }

    fn url(&self, link: &Link) -> String {
        let Some(params) = link.as_params() else {
            return link.as_url().unwrap_or_default().to_owned();
        };
        let mut url = format!("{}{}?", self.origin(), self.uri.path());
        let start = url.len();
        let own = |key: &str| {
            // A token is not spread any further than its owner does.
            key == PARAM || POSITIONS.contains(&key) || params.iter().any(|(name, _)| name == key)
        };
        let query = self.uri.query().unwrap_or_default();
        let kept = form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| !own(key));
        let mut query = Serializer::for_suffix(&mut url, start);
        query.extend_pairs(kept).extend_pairs(params).finish();
        url
    }

    /// As it was told, or else as the request has it.
    fn origin(&self) -> String {
        if let Some(origin) = &self.public {
            return origin.to_string();
        }
        let text = |value: &Option<HeaderValue>| {
            let text = value.as_ref()?.to_str().ok()?;
            Some(text.split(',').next().unwrap_or_default().trim().to_owned())
        };
        let authority = self.uri.authority().map(ToString::to_string);
        let Some(host) = text(&self.host).or(authority) else {
            // A relative link still leads there.
            return String::new();
        };
        let name = host.split(':').next().unwrap_or_default();
        let loopback = name == "localhost" || name.starts_with("127.") || host.starts_with("[::1]");
        let scheme = match text(&self.forwarded).as_deref() {
            Some("http") => "http",
            Some("https") => "https",
            _ if loopback => "http",
            _ => "https",
        };
        format!("{scheme}://{host}")
    }
}

/// What an operation can answer.
pub trait IntoAnswer {
    /// Becomes a response.
    fn into_answer(self, outgoing: &Outgoing) -> Response;
}

impl<T: Writable> IntoAnswer for T {
    fn into_answer(self, outgoing: &Outgoing) -> Response {
        outgoing.written(T::CONTENT_TYPE, self.write(Writer))
    }
}

impl<T: Writable> IntoAnswer for List<T> {
    fn into_answer(self, outgoing: &Outgoing) -> Response {
        outgoing.json(T::write_list(&self.items, Writer))
    }
}

impl<T: Writable> IntoAnswer for Page<T> {
    fn into_answer(self, outgoing: &Outgoing) -> Response {
        let mut response = outgoing.json(T::write_list(&self.items, Writer));
        if let Some(links) = outgoing.links(self.next.as_ref(), self.prev.as_ref()) {
            response.headers_mut().insert(LINK, links);
        }
        response
    }
}

impl IntoAnswer for Empty {
    fn into_answer(self, outgoing: &Outgoing) -> Response {
        outgoing.json(Ok(b"{}".to_vec()))
    }
}

impl IntoAnswer for Raw {
    fn into_answer(self, outgoing: &Outgoing) -> Response {
        let named = self
            .content_type
            .and_then(|name| HeaderValue::try_from(name).ok());
        outgoing.response(named.unwrap_or(BYTES), self.content)
    }
}

/// What a handler returned, as a response.
pub fn reply<T: IntoAnswer>(result: super::Result<T>, outgoing: &Outgoing) -> Response {
    match result {
        Ok(value) => value.into_answer(outgoing),
        Err(error) => error.into_response(),
    }
}
