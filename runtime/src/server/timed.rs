//! Request bodies with a minimum transfer rate.
//!
//! tower-http's `TimeoutBody` begins its time anew with each frame, so that a byte a second is never too slow.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use http_body_util::{BodyExt as _, LengthLimitError};
use tokio::time::{Instant, Sleep, sleep_until};

use super::RequestLimits;
use super::unread::{Lingering, SHORT};

/// A request body with a minimum transfer rate, which guards against slowloris attacks. The clock starts with the first wait.
pub(super) struct PacedBody {
    body: Lingering<Body>,
    patience: Duration,
    /// The number of bytes received that extend the time limit by a second.
    slowest: u64,
    received: u64,
    clock: Option<Clock>,
}

struct Clock {
    start: Instant,
    sleep: Pin<Box<Sleep>>,
}

impl PacedBody {
    pub(super) fn new(body: Lingering<Body>, limits: &RequestLimits) -> Self {
        Self {
            body,
            patience: limits.patience,
            slowest: limits.slowest.max(1),
            received: 0,
            clock: None,
        }
    }

    /// Takes what follows the content, such as the end of a chunked body: the connection could not be used again before.
    pub(super) async fn end(&mut self) {
        let mut left = SHORT;
        while let Some(Ok(frame)) = self.frame().await {
            let length = frame.data_ref().map_or(0, |data| data.len() as u64);
            left = left.saturating_sub(length);
            if left == 0 {
                return;
            }
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
                Poll::Ready(Some(Err(BodyError::TooSlow)))
            } else {
                Poll::Pending
            };
        }
        let frame = ready!(polled);
        if let Some(Ok(frame)) = &frame {
            self.received += frame.data_ref().map_or(0, |data| data.len() as u64);
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
