//! Answers in place of the operation's own.

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use axum::response::{IntoResponse, Response};

use crate::Link;
use crate::ser::{self, ToJson};

pub(super) const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// The operation's own answer, ready to be sent.
#[derive(Debug, Clone)]
pub(super) struct Ready {
    pub(super) content_type: HeaderValue,
    pub(super) body: Bytes,
    /// The links to the next and the previous page.
    pub(super) next: Option<Link>,
    pub(super) prev: Option<Link>,
}

/// An answer in place of the operation's own, such as a redirect, a page, or an entity that is shared with others. A handler returns it as an
/// [`Error`](super::Error), which leaves the handler as it does. For another status or more headers see [`Call::set_status`] and
/// [`Call::set_header`].
///
/// ```
/// use fedispec_runtime::server::{Call, Reply, Result};
///
/// async fn authorize(call: Call) -> Result<String> {
///     if call.caller.is_none() {
///         Err(Reply::html("<form action=\"/login\">..</form>"))?;
///     }
///     Err(Reply::redirect("https://client.example/?code=1"))?
/// }
/// # let _ = authorize;
/// ```
///
/// [`Call::set_status`]: super::Call::set_status
/// [`Call::set_header`]: super::Call::set_header
#[derive(Clone)]
#[must_use]
pub struct Reply {
    pub(super) status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

impl Reply {
    /// An answer without a body.
    pub fn new(status: StatusCode) -> Self {
        Self { status, headers: HeaderMap::new(), body: Bytes::new() }
    }

    /// 302: the client is sent to another URL. What a URL cannot have is escaped.
    pub fn redirect(to: &str) -> Self {
        let escaped = to.bytes().map(|byte| match byte {
            b'!'..=b'~' => char::from(byte).to_string(),
            other => format!("%{other:02X}"),
        });
        let to = HeaderValue::try_from(escaped.collect::<String>());
        let empty = HeaderValue::from_static("");
        Self::new(StatusCode::FOUND).with_header(LOCATION, to.unwrap_or(empty))
    }

    /// 200: a page.
    pub fn html(page: impl Into<Bytes>) -> Self {
        Self::new(StatusCode::OK).with_body("text/html; charset=utf-8", page)
    }

    /// 200: an entity or a list of them as JSON, from a reference. It is written whole, also by a server that emulates a release:
    /// [`Call::answer`](super::Call::answer) and [`Call::encode`](super::Call::encode) have only what the release has.
    pub fn json<T: ToJson>(entity: &T) -> Self {
        Self::new(StatusCode::OK).with_body("application/json; charset=utf-8", ser::bytes(entity))
    }

    /// Sets the status.
    pub fn with_status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// Adds a header.
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.append(name, value);
        self
    }

    /// Sets a header in place of those of its name.
    pub(super) fn with_only(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// Sets the body and its media type.
    pub fn with_body(mut self, content_type: &'static str, body: impl Into<Bytes>) -> Self {
        let content_type = HeaderValue::from_static(content_type);
        self.headers.insert(CONTENT_TYPE, content_type);
        self.body = body.into();
        self
    }
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers;
        response
    }
}

// Hides the body and the headers, which may hold tokens and codes.
shown!(Reply, own => status, bytes = own.body.len());
