//! Handlers bound to their application. All of this is compiled once for each operation of a server.

use std::future::{Future, poll_fn, ready};
use std::marker::PhantomData;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::response::Response;
use pin_project_lite::pin_project;

use super::answer::IntoAnswer;
use super::decoder::Decode;
use super::method::GroupMethod;
use super::route::{Arrived, Handler, Incoming};
use super::{Call, HandlerFuture, Result};

/// A function of an application, a request and its call.
pub(super) struct Function<S, R, F> {
    pub(super) app: S,
    pub(super) handler: F,
    pub(super) takes: PhantomData<fn(R)>,
}

impl<S, R, T, F, A> Handler for Function<S, R, F>
where
    S: Clone + Send + Sync + 'static,
    R: Decode + Send + 'static,
    T: IntoAnswer + 'static,
    F: Fn(S, R, Call) -> A + Send + Sync + 'static,
    A: Future<Output = Result<T>> + Send + 'static,
{
    fn run(self: Arc<Self>, mut input: Incoming) -> HandlerFuture {
        let request = match input.decode() {
            Ok(request) => request,
            Err(invalid) => return Box::pin(ready(input.refuse(invalid))),
        };
        let (call, arrived) = input.into_parts();
        let handler = (self.handler)(self.app.clone(), request, call);
        Box::pin(Replying { handler, arrived })
    }
}

pin_project! {
    /// A handler that has begun, whose result becomes the response. An `async` block of it would be several times as much to compile.
    struct Replying<A> {
        #[pin]
        handler: A,
        arrived: Box<Arrived>,
    }
}

impl<T: IntoAnswer, A: Future<Output = Result<T>>> Future for Replying<A> {
    type Output = Response;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Response> {
        let replying = self.project();
        replying.arrived.outgoing.polled(replying.handler.poll(context))
    }
}

/// A method of a group's trait.
pub(super) struct Bound<T, R, A, M> {
    pub(super) app: T,
    pub(super) method: M,
    pub(super) takes: PhantomData<fn(R) -> A>,
}

impl<T, R, A, M> Handler for Bound<T, R, A, M>
where
    T: Send + Sync + 'static,
    R: Decode + Send + 'static,
    A: IntoAnswer + 'static,
    M: for<'a> GroupMethod<'a, T, R, A>,
{
    fn run(self: Arc<Self>, mut input: Incoming) -> HandlerFuture {
        Box::pin(async move {
            let request = match input.decode() {
                Ok(request) => request,
                Err(invalid) => return input.refuse(invalid),
            };
            let (call, arrived) = input.into_parts();
            let mut handler = pin!((self.method)(&self.app, request, call));
            poll_fn(|context| arrived.outgoing.polled(handler.as_mut().poll(context))).await
        })
    }
}
