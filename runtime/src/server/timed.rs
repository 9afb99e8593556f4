//! Request bodies with a minimum transfer rate.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::header::{EXPECT, HeaderMap};
use http_body_util::{BodyExt as _, LengthLimitError};
use tokio::task::yield_now;
use tokio::time::{Instant, Sleep, sleep_until, timeout};

use super::RequestLimits;

/// A request body with a minimum transfer rate, which guards against slowloris attacks. The clock starts with the first wait. The unread
/// rest is drained when the body is dropped.
pub(super) struct PacedBody {
    body: Body,
    patience: Duration,
    /// The number of bytes received that extend the time limit by a second.
    slowest: u64,
    /// The time for which the unread rest is drained.
    linger: Duration,
    received: u64,
    clock: Option<Clock>,
    /// Whether the client awaits `100 Continue` before it sends the body (RFC 9110, 10.1.1).
    is_held_back: bool,
    /// Whether the body has ended or failed.
    ended: bool,
}

struct Clock {
    start: Instant,
    sleep: Pin<Box<Sleep>>,
}

impl PacedBody {
    pub(super) fn new(body: Body, headers: &HeaderMap, limits: &RequestLimits) -> Self {
        Self {
            is_held_back: headers.contains_key(EXPECT),
            body,
            patience: limits.patience,
            slowest: limits.slowest.max(1),
            linger: limits.linger,
            received: 0,
            clock: None,
            ended: false,
        }
    }

    /// Whether the time limit has passed.
    fn late(&mut self, context: &mut Context<'_>) -> bool {
        let earned = Duration::from_secs(self.received / self.slowest);
        let allowed = self.patience.saturating_add(earned);
        let Some(clock) = &mut self.clock else {
            // Without a tokio runtime no timer can be created.
            if tokio::runtime::Handle::try_current().is_err() {
                return false;
            }
            let start = Instant::now();
            let Some(end) = start.checked_add(allowed) else {
                return false;
            };
            let sleep = Box::pin(sleep_until(end));
            self.clock = Some(Clock { start, sleep });
            return self.late(context);
        };
        if let Some(end) = clock.start.checked_add(allowed)
            && end != clock.sleep.deadline()
        {
            clock.sleep.as_mut().reset(end);
        }
        clock.sleep.as_mut().poll(context).is_ready()
    }
}

impl HttpBody for PacedBody {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, BodyError>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if polled.is_pending() {
            return if self.late(context) {
                self.ended = true;
                Poll::Ready(Some(Err(BodyError::TooSlow)))
            } else {
                Poll::Pending
            };
        }
        let frame = ready!(polled);
        match &frame {
            Some(Ok(frame)) => {
                self.received += frame.data_ref().map_or(0, |data| data.len() as u64);
            }
            Some(Err(_)) | None => self.ended = true,
        }
        Poll::Ready(frame.map(|frame| frame.map_err(|_| BodyError::Truncated)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.body.size_hint()
    }
}

/// Drains the unread rest: closing the connection before would reset it, and the client would lose the response (RFC 9112, 9.6).
impl Drop for PacedBody {
    fn drop(&mut self) {
        let never_asked = self.is_held_back && self.received == 0;
        if self.ended || never_asked || self.body.is_end_stream() {
            return;
        }
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let (body, linger) = (std::mem::take(&mut self.body), self.linger);
            // Inside the task: in a runtime without a timer, creating the timeout here would panic the caller.
            runtime.spawn(async move { timeout(linger, discard(body)).await });
        }
    }
}

async fn discard(mut body: Body) {
    while let Some(Ok(_)) = body.frame().await {
        // A body that is always ready would otherwise keep the timeout from being polled.
        yield_now().await;
    }
}

/// Why a body is incomplete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyError {
    /// The connection broke.
    Truncated,
    /// The client was too slow.
    TooSlow,
    /// The head of a part exceeds its limit.
    EndlessPartHead,
}

impl BodyError {
    /// The reason behind a reader's error; `None` where the body exceeded its length.
    pub(super) fn behind(error: &(dyn std::error::Error + 'static)) -> Option<Self> {
        match error.downcast_ref::<Self>() {
            Some(broken) => Some(*broken),
            None if error.is::<LengthLimitError>() => None,
            None => Some(Self::Truncated),
        }
    }
}

impl std::fmt::Display for BodyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Truncated => "the body ended too early",
            Self::TooSlow => "the body took too long",
            Self::EndlessPartHead => "the head of a part is too long",
        })
    }
}

impl std::error::Error for BodyError {}
