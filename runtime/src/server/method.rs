//! Methods of a group's trait.

use std::future::Future;

use super::{Call, Result};

/// A method of a group's trait: an asynchronous function of the application, a request and its call.
///
/// Its future borrows the application. `F: Fn(&T, R, Call) -> A` cannot say so, because `A` would be one type for all lifetimes.
pub trait GroupMethod<'a, T: 'a, R, A>:
    Fn(&'a T, R, Call) -> <Self as GroupMethod<'a, T, R, A>>::Future + Copy + Send + Sync + 'static
{
    /// The future that it returns.
    type Future: Future<Output = Result<A>> + Send + 'a;
}

impl<'a, T, R, A, F, O> GroupMethod<'a, T, R, A> for F
where
    T: 'a,
    F: Fn(&'a T, R, Call) -> O + Copy + Send + Sync + 'static,
    O: Future<Output = Result<A>> + Send + 'a,
{
    type Future = O;
}
