//! A server of every operation that keeps the last request.

use std::any::Any;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::{Request, StatusCode};
use fedispec::client::{self, Accept, Client, Encode, Origin, Token};
use fedispec::runtime::client::Body;
use fedispec::runtime::codegen::{Decode, Encoder, Routes};
use fedispec::runtime::server::{Error, Router};
use fedispec::runtime::{self as rt, Operation};
use fedispec::server::Server;

/// A received request of any operation.
pub(crate) trait Arrived: Any + Debug + Send + Sync {
    /// Its operation.
    fn operation(&self) -> &'static Operation;
    /// The HTTP request that the client's encoder makes of it.
    fn encode(&self, origin: &Origin, token: &Token) -> Result<Request<Body>, client::Error>;
    /// Sends it with the client; returns the status of the answer, which is an error.
    fn send<'a>(
        &'a self,
        client: &'a Client,
    ) -> client::BoxFuture<'a, Result<StatusCode, client::Error>>;
    /// Sends it with the client; returns the body of the answer.
    fn ask<'a>(
        &'a self,
        client: &'a Client,
    ) -> client::BoxFuture<'a, Result<Vec<u8>, client::Error>>;
    /// The indices of the parameters that are set, sorted; one entry for each element of a list.
    fn set(&self) -> Vec<usize>;
    /// Whether two requests are equal.
    fn is(&self, other: &dyn Arrived) -> bool;
}

/// A request whose answer is taken whole, since those of streams are not.
struct Whole<'a, R>(&'a R);

impl<R: rt::Request> rt::Request for Whole<'_, R> {
    type Answer = rt::Raw;
    const OPERATION: &'static Operation = R::OPERATION;
}

impl<R: Encode> Encode for Whole<'_, R> {
    fn encode<'a>(&'a self, to: &mut Encoder<'a>) {
        self.0.encode(to);
    }
}

impl<R> Arrived for R
where
    R: rt::Request + Encode + PartialEq + Debug + Send + Sync + 'static,
    R::Answer: Accept,
{
    fn operation(&self) -> &'static Operation {
        R::OPERATION
    }

    fn encode(&self, origin: &Origin, token: &Token) -> Result<Request<Body>, client::Error> {
        client::request(self, origin, Some(token))
    }

    fn send<'a>(
        &'a self,
        client: &'a Client,
    ) -> client::BoxFuture<'a, Result<StatusCode, client::Error>> {
        Box::pin(async move {
            match client.send(Whole(self)).await {
                Ok(answer) => Ok(answer.status),
                Err(error) => error.status().ok_or(error),
            }
        })
    }

    fn ask<'a>(
        &'a self,
        client: &'a Client,
    ) -> client::BoxFuture<'a, Result<Vec<u8>, client::Error>> {
        Box::pin(async move {
            let answer = client.send(Whole(self)).await?;
            Ok(answer.body().to_vec())
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

/// The request that arrived last.
#[derive(Clone, Default)]
pub(crate) struct Received(Arc<Mutex<Option<Box<dyn Arrived>>>>);

impl Received {
    /// Takes the request that arrived last.
    pub(crate) fn take(&self) -> Option<Box<dyn Arrived>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn keep(&self, request: Box<dyn Arrived>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(request);
    }
}

/// Mounts an operation's handler.
type Mount = fn(&mut Routes, Received);

/// An operation, and its handler, which keeps the request and answers with a status that nothing else uses.
fn mounted<R: Arrived + rt::Request + Decode>() -> (&'static Operation, Mount) {
    let mount = |routes: &mut Routes, received: Received| {
        routes.handle(received, async |app: Received, request: R, _| {
            app.keep(Box::new(request));
            Err::<rt::Empty, _>(Error::new(StatusCode::IM_A_TEAPOT, "it arrived"))
        });
    };
    (R::OPERATION, mount)
}

/// A router of every operation, and the list of them.
pub(crate) fn router(received: &Received) -> (Router, Vec<&'static Operation>) {
    let every: Vec<(&Operation, Mount)> = include!(concat!(env!("OUT_DIR"), "/requests.rs"));
    let operations: Vec<_> = every.iter().map(|(operation, ..)| *operation).collect();
    let ids: BTreeSet<_> = operations.iter().map(|operation| operation.id).collect();
    let left: Vec<_> = Server::new()
        .unimplemented()
        .filter(|operation| !ids.contains(operation.id))
        .map(|operation| operation.id)
        .collect();
    assert!(left.is_empty(), "{left:?} are on no list");
    let mut routes = Routes::new(fedispec::items(), operations.clone().leak(), &[]);
    // Every value that a client may send arrives whole.
    routes.accept_unlisted("*");
    for (_, mount) in every {
        mount(&mut routes, received.clone());
    }
    (routes.into_router(), operations)
}
