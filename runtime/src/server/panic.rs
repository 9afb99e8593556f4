//! A handler's panic becomes an answer.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::response::{IntoResponse as _, Response};

use super::{BoxFuture, Error};

/// A future whose panic is a 500.
///
/// What the panicking handler shares with others is its own: a mutex is poisoned as ever.
pub(super) struct Caught(Option<BoxFuture>);

impl Caught {
    pub(super) fn new(start: impl FnOnce() -> BoxFuture) -> Self {
        Self(catch_unwind(AssertUnwindSafe(start)).ok())
    }
}

impl Future for Caught {
    type Output = Response;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Response> {
        let Some(future) = &mut self.0 else {
            return Poll::Ready(Error::internal().into_response());
        };
        let polled = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context)));
        match polled {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(response)) => {
                self.0 = None;
                Poll::Ready(response)
            }
            Err(payload) => {
                discard(payload);
                // What it holds may panic once more.
                let future = self.0.take();
                let _ = catch_unwind(AssertUnwindSafe(|| drop(future))).map_err(discard);
                Poll::Ready(Error::internal().into_response())
            }
        }
    }
}

fn discard(payload: Box<dyn Any + Send>) {
    // A payload with a panicking drop must not end the connection's task.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(payload)));
}
