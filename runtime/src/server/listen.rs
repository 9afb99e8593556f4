//! A listener with time limits for slow clients.

use std::fmt;
use std::future::{Future, Pending, pending};
use std::io;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream, ToSocketAddrs};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::routes::Routes;
use super::watched::TimedWrites;
use super::{Error, RequestLimits};

/// The time limit for the head of a request, and for an idle connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// The read buffer: the greatest length of a head, and of the part of a body that is read ahead.
const BUFFER: usize = 64 * 1024;
/// The time that running requests get at shutdown.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(30);
/// The pause after a failed `accept`, which usually means that the process is out of sockets.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves a server at an address until the process ends: `serve("127.0.0.1:3000", server)`. [`Listen`] takes any router, and can be stopped.
///
/// # Errors
///
/// When the address cannot be bound.
pub async fn serve(address: impl ToSocketAddrs, server: impl Into<Routes>) -> io::Result<()> {
    let routes = server.into();
    let listener = TcpListener::bind(address).await?;
    let listen = Listen::new(listener).patience(routes.site.limits.patience);
    let nothing = async || Error::new(StatusCode::NOT_FOUND, "There is nothing at this path");
    listen.serve(routes.into_router().fallback(nothing)).await
}

/// Serves a router over HTTP/1.1 with limits that `axum::serve` lacks: the head of a request has 64 KiB and 30 seconds, an idle connection is
/// closed after as long, and so is one whose client does not read the response.
///
/// ```no_run
/// # async fn run(router: fedispec_runtime::server::Router, end: impl Future<Output = ()>) -> std::io::Result<()> {
/// use fedispec_runtime::server::Listen;
///
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await?;
/// Listen::new(listener).until(end).serve(router).await
/// # }
/// ```
#[must_use]
pub struct Listen<E = Pending<()>> {
    listener: TcpListener,
    patience: Duration,
    end: E,
}

impl Listen {
    /// Creates a server for a listener's connections.
    pub fn new(listener: TcpListener) -> Self {
        Self {
            listener,
            patience: RequestLimits::default().patience,
            end: pending(),
        }
    }
}

impl<E: Future<Output = ()>> Listen<E> {
    /// Sets the time that a client may take to accept more of a response; 30 seconds. A response or event stream that waits longer is dropped
    /// with its connection. On Linux this is also the TCP user timeout, after which unacknowledged data closes the connection.
    pub fn patience(mut self, time: Duration) -> Self {
        self.patience = time;
        self
    }

    /// Serves until a future completes. Then no more connections are accepted, and running requests get 30 seconds.
    pub fn until<F: Future<Output = ()>>(self, end: F) -> Listen<F> {
        Listen {
            listener: self.listener,
            patience: self.patience,
            end,
        }
    }

    /// Serves the router.
    ///
    /// # Errors
    ///
    /// When the listener's socket has no local address.
    pub async fn serve(self, router: Router) -> io::Result<()> {
        let Self {
            listener,
            patience,
            end,
        } = self;
        listener.local_addr()?;
        let (ending, ended) = watch::channel(());
        let mut end = pin!(end);
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = &mut end => break,
            };
            match accepted {
                Ok((socket, _)) => {
                    let socket = TimedWrites::new(socket, patience);
                    tokio::spawn(serve_connection(socket, router.clone(), ended.clone()));
                }
                Err(_) => sleep(ACCEPT_PAUSE).await,
            }
        }
        drop(listener);
        drop(ended);
        let _ = ending.send(());
        let _ = timeout(SHUTDOWN_GRACE, ending.closed()).await;
        Ok(())
    }
}

/// Serves one connection to its end.
async fn serve_connection(
    socket: TimedWrites<TcpStream>,
    router: Router,
    mut ended: watch::Receiver<()>,
) {
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(BUFFER);
    let service = TowerToHyperService::new(router);
    let connection = builder.serve_connection(TokioIo::new(socket), service);
    let mut connection = pin!(connection.with_upgrades());
    tokio::select! {
        // The error of a closing connection is of no use to the server.
        _ = connection.as_mut() => return,
        _ = ended.changed() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

impl<E> fmt::Debug for Listen<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listen")
            .field("listener", &self.listener)
            .field("patience", &self.patience)
            .finish_non_exhaustive()
    }
}
