//! Containment of panics in handlers.
//!
//! tower-http's `CatchPanic` wraps services; a handler here is a future, and events of a stream are encoded after the answer.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::response::{IntoResponse as _, Response};

use super::{Error, HandlerFuture};

type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A future that resolves to `None` when the inner one panics.
///
/// State shared with other requests is the application's concern; a mutex, for example, is poisoned as usual.
pub(super) struct Caught<T>(Option<Boxed<T>>);

impl<T> Caught<T> {
    pub(super) fn new(start: impl FnOnce() -> Boxed<T>) -> Self {
        Self(caught(start))
    }
}

impl<T> Future for Caught<T> {
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        let Some(future) = &mut self.0 else {
            return Poll::Ready(None);
        };
        match caught(|| future.as_mut().poll(context)) {
            Some(Poll::Pending) => Poll::Pending,
            done => {
                // Dropping the future may panic again.
                let future = self.0.take();
                caught(|| drop(future));
                Poll::Ready(done.and_then(|done| match done {
                    Poll::Ready(value) => Some(value),
                    Poll::Pending => None,
                }))
            }
        }
    }
}

/// The answer of a handler, which is a 500 where it panics.
pub(super) async fn answered(start: impl FnOnce() -> HandlerFuture) -> Response {
    Caught::new(start).await.unwrap_or_else(|| Error::internal().into_response())
}

/// Calls a function; `None` if it panics.
pub(super) fn caught<T>(run: impl FnOnce() -> T) -> Option<T> {
    let discard = |payload: Box<dyn Any + Send>| {
        // The panic's payload may panic too when it is dropped.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(payload)));
    };
    catch_unwind(AssertUnwindSafe(run)).map_err(discard).ok()
}
