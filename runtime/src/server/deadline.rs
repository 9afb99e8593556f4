//! The time that a handler may take.
//!
//! tower-http's `TimeoutLayer` needs a tokio runtime for each call, and answers without a body that a client of the API can read.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use axum::http::StatusCode;

use super::Error;

/// Waits for a handler as long as it may take.
pub(super) async fn in_time<T>(
    most: Duration,
    handler: impl Future<Output = T>,
) -> Result<T, Error> {
    let mut handler = pin!(handler);
    // Most answer at once; the others need a timer, which cannot be created without a tokio runtime.
    if let Poll::Ready(answer) =
        poll_fn(|context| Poll::Ready(handler.as_mut().poll(context))).await
    {
        return Ok(answer);
    }
    if tokio::runtime::Handle::try_current().is_err() {
        return Ok(handler.await);
    }
    let answered = tokio::time::timeout(most, handler).await;
    answered.map_err(|_| {
        Error::new(StatusCode::SERVICE_UNAVAILABLE, "The server took too long to answer")
    })
}
