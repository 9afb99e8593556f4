//! A listener that no slow client holds on to.

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

use super::watched::Watched;
use super::{Error, Limits, Routes};

/// How long the head of a request may take, and a connection may be without one.
const HEAD: Duration = Duration::from_secs(30);
/// The bytes of a head, and of what is read ahead of a body.
const BUFFER: usize = 64 * 1024;
/// How long requests may still take when the server ends.
const FAREWELL: Duration = Duration::from_secs(30);
/// How long nothing is accepted after that failed: there are no more sockets to be had.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves a server at an address, for ever: `serve("127.0.0.1:3000", server)`. [`Listen`] takes a router with more in it, and an end.
///
/// # Errors
///
/// Where there is no listening at that address.
pub async fn serve(address: impl ToSocketAddrs, server: impl Into<Routes>) -> io::Result<()> {
    let routes = server.into();
    let listener = TcpListener::bind(address).await?;
    let listen = Listen::new(listener).patience(routes.site.limits.patience);
    let nothing = async || Error::new(StatusCode::NOT_FOUND, "There is nothing at this path");
    listen.serve(routes.into_router().fallback(nothing)).await
}

/// Serves a router over HTTP/1.1. What `axum::serve` leaves open is bounded: the head of a request has 64 KiB and 30 seconds, a connection
/// may be idle as long, and whoever does not read what is sent to them is let go.
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
    /// Serves who connects there.
    pub fn new(listener: TcpListener) -> Self {
        Self {
            listener,
            patience: Limits::default().patience,
            end: pending(),
        }
    }
}

impl<E: Future<Output = ()>> Listen<E> {
    /// How long a client may take to accept more of what is sent: 30 seconds. An answer or a stream of events that waits longer is dropped
    /// with its connection. On Linux that is also how long what was sent may go without a sign of life from the client's machine.
    pub fn patience(mut self, time: Duration) -> Self {
        self.patience = time;
        self
    }

    /// Serves until that is ready; then no more connections are accepted, and requests that are under way are answered, for 30 seconds.
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
    /// Where the listener has no address any more.
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
                    let socket = Watched::new(socket, patience);
                    tokio::spawn(converse(socket, router.clone(), ended.clone()));
                }
                Err(_) => sleep(PAUSE).await,
            }
        }
        drop(listener);
        drop(ended);
        let _ = ending.send(());
        let _ = timeout(FAREWELL, ending.closed()).await;
        Ok(())
    }
}

/// Speaks with one client, to the end.
async fn converse(socket: Watched<TcpStream>, router: Router, mut ended: watch::Receiver<()>) {
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(BUFFER);
    let service = TowerToHyperService::new(router);
    let connection = builder.serve_connection(TokioIo::new(socket), service);
    let mut connection = pin!(connection.with_upgrades());
    tokio::select! {
        // How a connection ends is the client's affair.
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
