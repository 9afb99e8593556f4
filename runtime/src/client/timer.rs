//! Time, for what waits.

use std::time::{Duration, SystemTime};

use super::BoxFuture;

/// The time, which the client's core has none of: it waits for rate limits, between retries, for uploads and for streams, by this.
///
/// The [`Reqwest`](super::Transport) transport brings tokio's. A client over another transport that is to wait is given one by
/// [`Client::timer`](super::Client::timer).
pub trait Timer: Send + Sync {
    /// The time of day.
    fn now(&self) -> SystemTime;

    /// Waits.
    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()>;

    /// A number that differs from program to program, by which their retries spread. It need not be hard to guess.
    fn jitter(&self) -> u32 {
        let since = self.now().duration_since(SystemTime::UNIX_EPOCH);
        since.unwrap_or_default().subsec_nanos()
    }
}

/// The time of the operating system and of tokio's runtime.
#[cfg(any(feature = "reqwest", feature = "streaming"))]
#[derive(Debug, Clone, Copy, Default)]
pub struct TokioTimer;

#[cfg(any(feature = "reqwest", feature = "streaming"))]
impl Timer for TokioTimer {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(duration))
    }
}
