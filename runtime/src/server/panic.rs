//! A panic of the application's code ends with its request.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A future that gives `None` when it panics.
///
/// What the panicking code shares with others is its own: a mutex is poisoned as ever.
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
                // What it holds may panic once more.
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

/// What code gives, unless it panics.
pub(super) fn caught<T>(run: impl FnOnce() -> T) -> Option<T> {
    let discard = |payload: Box<dyn Any + Send>| {
        // A payload with a panicking drop must not end the connection's task.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(payload)));
    };
    catch_unwind(AssertUnwindSafe(run)).map_err(discard).ok()
}
