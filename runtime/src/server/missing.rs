//! Methods without an implementation.

use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::{Error, Result};
use crate::Request;

/// The future of a method's default body: a 501 in the API's error format.
///
/// A distinct type, so that a server can tell at start which methods are not implemented.
pub struct NotImplemented<R, A>(PhantomData<fn() -> (R, A)>);

impl<R: Request, A> Future for NotImplemented<R, A> {
    type Output = Result<A>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<A>> {
        Poll::Ready(Err(Error::not_implemented(R::OPERATION)))
    }
}

/// The default body of a generated trait's method.
pub fn not_implemented<R: Request, A>() -> NotImplemented<R, A> {
    NotImplemented(PhantomData)
}
