//! A server on its own port, a record of the requests that reach it, and a client of it.

use std::any::Any;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use fedispec::client::{Answer, Client, Encode, Error, FromAnswer};
use fedispec::runtime::server::{Call, Router};
use fedispec::runtime::{self as rt, TokenKind};

/// The token of the user who owns the notifications.
pub(crate) const TOKEN: &str = "users-token";

/// The request that reached the server last.
#[derive(Debug, Default)]
struct Seen {
    /// The request on the wire: `POST /path?query`, followed by the body.
    wire: String,
    /// The request as the handler received it.
    request: Option<Box<dyn Any + Send>>,
}

/// The record of requests.
#[derive(Debug, Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Seen>>);

impl Log {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the handler's request, and refuses a call without the token that the operation needs.
    pub(crate) fn enter<R: Send + 'static>(
        &self,
        request: R,
        call: &Call,
    ) -> rt::server::Result<()> {
        self.seen().request = Some(Box::new(request));
        let let_in = call.bearer().is_some_and(|token| token.expose() == TOKEN);
        if call.operation.auth.token == TokenKind::User && !let_in {
            return Err(rt::server::Error::unauthorized());
        }
        Ok(())
    }
}

async fn record(State(log): State<Log>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1 << 20).await.expect("a body");
    let header = |name| Some(parts.headers.get(name)?.to_str().expect("text").to_owned());
    let mut lines = vec![format!("{} {}", parts.method, parts.uri)];
    lines.extend([header(AUTHORIZATION), header(CONTENT_TYPE)].into_iter().flatten());
    if !body.is_empty() {
        lines.push(String::from_utf8_lossy(&body).into_owned());
    }
    let wire = lines.join("\n");
    *log.seen() = Seen { wire, request: None };
    next.run(Request::from_parts(parts, Body::from(body))).await
}

/// A running server and a client of it.
pub(crate) struct Site {
    pub(crate) client: Client,
    log: Log,
    called: Mutex<BTreeSet<&'static str>>,
}

impl Site {
    /// Serves a router on a port of the loopback.
    pub(crate) async fn serve(router: Router, log: Log) -> Self {
        let router = router.layer(from_fn_with_state(log.clone(), record));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self {
            client: Client::new(format!("http://{address}")).expect("a client").token(TOKEN),
            log,
            called: Mutex::default(),
        }
    }

    /// The same, with a client that has no token.
    pub(crate) fn stranger(mut self) -> Self {
        let origin = self.client.origin().to_string();
        self.client = Client::new(origin).expect("a client");
        self
    }

    /// Sends a request. It must arrive as it was sent; the answer is the client's, with the request as it came over the wire.
    pub(crate) async fn call<R>(&self, request: R) -> (String, Answer<R::Answer>)
    where
        R: rt::Request + Encode + Debug + Clone + PartialEq + 'static,
        R::Answer: FromAnswer,
    {
        let id = R::OPERATION.id;
        let answer = self.client.send(request.clone()).await;
        let answer = answer.expect(id);
        assert!(answer.rejected.is_empty(), "{id}: {:?}", answer.rejected);
        self.arrived(&request);
        self.called.lock().expect("no panic").insert(id);
        (self.log.seen().wire.clone(), answer)
    }

    /// Asserts that the handler of this operation received this request.
    pub(crate) fn arrived<R>(&self, request: &R)
    where
        R: rt::Request + Debug + PartialEq + 'static,
    {
        let id = R::OPERATION.id;
        let received = self.log.seen().request.take();
        let received = received.expect(id).downcast::<R>();
        assert_eq!(received.ok().as_deref(), Some(request), "{id}");
    }

    /// Sends a request that the server refuses.
    pub(crate) async fn refused<R>(&self, request: R) -> Error
    where
        R: rt::Request + Encode,
        R::Answer: FromAnswer + Debug,
    {
        self.client.send(request).await.expect_err(R::OPERATION.id)
    }

    /// The operations that were called with success.
    pub(crate) fn called(&self) -> BTreeSet<&'static str> {
        self.called.lock().expect("no panic").clone()
    }
}
