//! What nobody implements.

use std::any::TypeId;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::{Call, Error, Result};
use crate::Request;

/// The answer of a method that nobody implements: 501, in the API's own shape.
///
/// It is a type of its own, by which a server knows at start which methods nobody implements.
pub struct NotImplemented<R, A>(PhantomData<fn() -> (R, A)>);

impl<R: Request, A> Future for NotImplemented<R, A> {
    type Output = Result<A>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<A>> {
        Poll::Ready(Err(Error::not_implemented(R::OPERATION)))
    }
}

/// The answer of a method that nobody implements.
pub fn not_implemented<R: Request, A>() -> NotImplemented<R, A> {
    NotImplemented(PhantomData)
}

/// Whether a method is its trait's own, that answers 501. Nothing is called.
pub fn is_missing<T, R, A, F>(_: impl FnOnce(&'static T, R, Call) -> F) -> bool
where
    T: 'static,
    R: 'static,
    A: 'static,
    F: Future<Output = Result<A>> + 'static,
{
    TypeId::of::<F>() == TypeId::of::<NotImplemented<R, A>>()
}
