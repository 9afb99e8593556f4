//! A server of every operation, which keeps what arrives.

use std::any::Any;
use std::fmt::Debug;
use std::future::{Ready, ready};
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::{Request, StatusCode};
use fedispec::client::{BoxFuture, Client, Encode, Error, FromAnswer, Origin, Token};
use fedispec::runtime::client::{Body, Encoder};
use fedispec::runtime::server::{self, Call, Router, Routes};
use fedispec::runtime::{self as rt, Operation, mount};
use fedispec::server::Server;

/// A request that arrived, of whatever operation.
pub(crate) trait Arrived: Any + Debug + Send + Sync {
    /// What was called.
    fn operation(&self) -> &'static Operation;
    /// As the client sends it.
    fn encode(&self, origin: &Origin, token: &Token) -> Result<Request<Body>, Error>;
    /// Sends it; the status of the answer, which is an error.
    fn send<'a>(&'a self, client: &'a Client) -> BoxFuture<'a, Result<StatusCode, Error>>;
    /// The places of the parameters that are set, sorted; a list's for each of its elements.
    fn set(&self) -> Vec<usize>;
    /// Whether it is the same request.
    fn is(&self, other: &dyn Arrived) -> bool;
}

impl<R> Arrived for R
where
    R: rt::Request + Encode + PartialEq + Debug + Send + Sync + 'static,
    R::Answer: FromAnswer,
{
    fn operation(&self) -> &'static Operation {
        R::OPERATION
    }

    fn encode(&self, origin: &Origin, token: &Token) -> Result<Request<Body>, Error> {
        fedispec::client::request(self, origin, Some(token))
    }

    fn send<'a>(&'a self, client: &'a Client) -> BoxFuture<'a, Result<StatusCode, Error>> {
        Box::pin(async move {
            match client.send(self).await {
                Ok(answer) => Ok(answer.status),
                Err(error) => error.status().ok_or(error),
            }
        })
    }

    fn set(&self) -> Vec<usize> {
        let mut set: Vec<_> = Encoder::collect(R::OPERATION, self).set().collect();
        set.sort_unstable();
        set
    }

    fn is(&self, other: &dyn Arrived) -> bool {
        (other as &dyn Any).downcast_ref::<R>() == Some(self)
    }
}

/// What arrived last.
#[derive(Clone, Default)]
pub(crate) struct Received(Arc<Mutex<Option<Box<dyn Arrived>>>>);

impl Received {
    /// What arrived last; it is forgotten here.
    pub(crate) fn take(&self) -> Option<Box<dyn Arrived>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The handler of every operation. Its answer is one that nothing else gives.
    fn received<R: Arrived + rt::Request>(
        &self,
        request: R,
        _: Call,
    ) -> Ready<server::Result<R::Answer>> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(request));
        ready(Err(server::Error::new(
            StatusCode::IM_A_TEAPOT,
            "it arrived",
        )))
    }
}

include!(concat!(env!("OUT_DIR"), "/requests.rs"));

/// Serves every operation, and tells which those are.
pub(crate) fn router(received: &Received) -> (Router, Vec<&'static Operation>) {
    let operations: Vec<_> = Server::new().unmounted().collect();
    let all: &'static [&'static Operation] = operations.clone().leak();
    let mut routes = Routes::new(all);
    mount(&mut routes, received.clone());
    let left: Vec<_> = routes.unmounted().map(|operation| operation.id).collect();
    assert!(left.is_empty(), "{left:?} are on no list");
    (routes.into_router(), operations)
}
