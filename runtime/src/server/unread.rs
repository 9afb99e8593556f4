//! Bodies that are not read to their end.
//!
//! hyper tries once to read on and then closes the connection, and no layer of tower-http discards the rest.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::header::{CONNECTION, EXPECT, HeaderValue};
use axum::http::request::Parts;
use axum::http::{Response, StatusCode, Version};
use http_body::{Frame, SizeHint};
use http_body_util::BodyExt as _;
use tokio::task::yield_now;
use tokio::time::timeout;

use super::connection::{Behind, Connection};

/// The longest unread rest of a body that is awaited, so that the client can use its connection again.
pub(super) const SHORT: u64 = 64 * 1024;
/// The length of a rest that nobody knows.
const UNKNOWN: u64 = u64::MAX;

/// A request's body whose unread rest is discarded once it is dropped: closing the connection before would reset it, and the client would
/// lose the answer ([RFC 9112, 9.6](https://www.rfc-editor.org/rfc/rfc9112#section-9.6)).
pub(super) struct Lingering<B: HttpBody + Send + Unpin + 'static> {
    body: Option<B>,
    unread: Unread,
    /// The time for which the rest is discarded; `None` where what is below does so.
    linger: Option<Duration>,
    /// Whether the client awaits `100 Continue` before it sends the body ([RFC 9110, 10.1.1](https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1)).
    is_held_back: bool,
    /// The connection that is told when the body has arrived.
    connection: Option<Arc<Connection>>,
}

/// The length that is left of a request's body when its answer begins; `None` where there is no body.
#[derive(Clone)]
pub(super) struct Unread(Option<Arc<AtomicU64>>);

impl Unread {
    fn set(&self, length: u64) {
        if let Some(left) = &self.0 {
            left.store(length, Ordering::Relaxed);
        }
    }

    /// Announces the end of the connection where too much of the body is left to await it.
    pub(super) fn announce<B>(&self, response: &mut Response<B>) {
        let left = self.0.as_ref();
        let is_long = left.is_some_and(|left| left.load(Ordering::Relaxed) > SHORT);
        if is_long && response.status() != StatusCode::SWITCHING_PROTOCOLS {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(CONNECTION, close);
        }
    }
}

impl<B: HttpBody + Send + Unpin + 'static> Lingering<B> {
    pub(super) fn new(
        body: B,
        head: &Parts,
        linger: Option<Duration>,
        connection: Option<Arc<Connection>>,
    ) -> (Self, Unread) {
        let unread = Unread(None);
        if body.is_end_stream() {
            let ended =
                Self { body: None, unread, linger: None, is_held_back: false, connection: None };
            return (ended, Unread(None));
        }
        let expected = head.headers.get(EXPECT);
        let is_held_back = head.version == Version::HTTP_11
            && expected.is_some_and(|what| what.as_bytes().eq_ignore_ascii_case(b"100-continue"));
        // HTTP/2 ends streams, and not connections.
        let is_watched = linger.is_some() && head.version < Version::HTTP_2;
        let left = if is_held_back { UNKNOWN } else { left(&body) };
        let unread = is_watched.then(|| Arc::new(AtomicU64::new(left)));
        let unread = Unread(unread);
        let body =
            Self { body: Some(body), unread: unread.clone(), linger, is_held_back, connection };
        (body, unread)
    }
}

impl Lingering<Body> {
    /// The body of a request to a route; a listener discards the rest itself.
    pub(super) fn routed(body: Body, head: &Parts, linger: Duration) -> (Self, Unread) {
        let is_listened_to = head.extensions.get::<Behind>().is_some();
        Self::new(body, head, (!is_listened_to).then_some(linger), None)
    }
}

/// The length of what follows.
fn left(body: &impl HttpBody) -> u64 {
    if body.is_end_stream() {
        return 0;
    }
    body.size_hint().exact().unwrap_or(UNKNOWN)
}

impl<B: HttpBody + Send + Unpin + 'static> HttpBody for Lingering<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        let Some(body) = &mut self.body else {
            return Poll::Ready(None);
        };
        let frame = ready!(Pin::new(&mut *body).poll_frame(context));
        let left = match &frame {
            Some(Ok(_)) => left(body),
            // Nothing can be read after a body that is broken.
            Some(Err(_)) | None => 0,
        };
        self.is_held_back = false;
        self.unread.set(left);
        if left == 0 {
            self.body = None;
            if let Some(connection) = &self.connection {
                connection.arrived();
            }
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let none = || SizeHint::with_exact(0);
        self.body.as_ref().map_or_else(none, HttpBody::size_hint)
    }
}

impl<B: HttpBody + Send + Unpin + 'static> Drop for Lingering<B> {
    fn drop(&mut self) {
        let (Some(body), Some(linger)) = (self.body.take(), self.linger) else {
            return;
        };
        // Reading a body that is held back would ask for it.
        if !self.is_held_back
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            // Inside the task: in a runtime without a timer, creating the timeout here would panic the caller.
            runtime.spawn(async move { timeout(linger, discard(body)).await });
        }
    }
}

async fn discard(mut body: impl HttpBody + Unpin) {
    // Each frame is dropped before the wait, as it may not be sent between threads.
    while matches!(body.frame().await, Some(Ok(_))) {
        // A body that is always ready would otherwise keep the timeout from being polled.
        yield_now().await;
    }
}

/// Answers a request without reading its body.
pub(super) fn unread(
    request: Request,
    linger: Duration,
    answer: impl FnOnce(&Request) -> Response<Body>,
) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let (_body, unread) = Lingering::routed(body, &parts, linger);
    let mut response = answer(&Request::from_parts(parts, Body::empty()));
    unread.announce(&mut response);
    response
}
