//! A body that has to arrive in time.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::header::{EXPECT, HeaderMap};
use http_body_util::{BodyExt as _, LengthLimitError};
use tokio::task::yield_now;
use tokio::time::{Instant, Sleep, sleep_until, timeout};

/// The bytes that buy another second.
const A_SECOND: u64 = 16 * 1024;
/// How long the rest of a body that nobody wants is taken.
const LINGER: Duration = Duration::from_secs(10);

/// A body that has to arrive in time. Its clock starts with the first wait; what is left when it is dropped is thrown away as it arrives.
pub(super) struct Timed {
    body: Body,
    patience: Duration,
    received: u64,
    clock: Option<Clock>,
    /// Whether its sender waits until somebody wants it.
    is_held_back: bool,
    /// Whether nothing more is to be had of it.
    ended: bool,
}

struct Clock {
    start: Instant,
    sleep: Pin<Box<Sleep>>,
}

impl Timed {
    pub(super) fn new(body: Body, headers: &HeaderMap, patience: Duration) -> Self {
        Self {
            is_held_back: headers.contains_key(EXPECT),
            body,
            patience,
            received: 0,
            clock: None,
            ended: false,
        }
    }

    /// Whether the time is up.
    fn late(&mut self, context: &mut Context<'_>) -> bool {
        let earned = Duration::from_secs(self.received / A_SECOND);
        let allowed = self.patience.saturating_add(earned);
        let Some(clock) = &mut self.clock else {
            // Outside of tokio nobody wakes a timer.
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

impl HttpBody for Timed {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, Broken>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if polled.is_pending() {
            return if self.late(context) {
                self.ended = true;
                Poll::Ready(Some(Err(Broken::Late)))
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
        Poll::Ready(frame.map(|frame| frame.map_err(|_| Broken::Off)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.body.size_hint()
    }
}

/// Who sends more than is wanted reads the answer only after that; if nobody takes it, the connection breaks and the answer is lost.
impl Drop for Timed {
    fn drop(&mut self) {
        let never_asked = self.is_held_back && self.received == 0;
        if self.ended || never_asked || self.body.is_end_stream() {
            return;
        }
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let body = std::mem::take(&mut self.body);
            // A runtime without a clock must not panic here.
            runtime.spawn(async move { timeout(LINGER, discard(body)).await });
        }
    }
}

async fn discard(mut body: Body) {
    while let Some(Ok(_)) = body.frame().await {
        // One that is always ready must not silence the clock.
        yield_now().await;
    }
}

/// Why a body is not whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Broken {
    /// It broke off.
    Off,
    /// It took too long.
    Late,
    /// What leads to its content does not end.
    Endless,
}

impl Broken {
    /// What is behind an error of what reads the body; `None` where that is its length.
    pub(super) fn behind(error: &(dyn std::error::Error + 'static)) -> Option<Self> {
        match error.downcast_ref::<Self>() {
            Some(broken) => Some(*broken),
            None if error.is::<LengthLimitError>() => None,
            None => Some(Self::Off),
        }
    }
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Off => "the body broke off",
            Self::Late => "the body took too long",
            Self::Endless => "the head of a part is too long",
        })
    }
}

impl std::error::Error for Broken {}
