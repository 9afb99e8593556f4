//! A listener that no slow client holds on to.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

/// How long the head of a request may take, and a connection may be without one.
const HEAD: Duration = Duration::from_secs(30);
/// The bytes of a head, and of what is read ahead of a body.
const BUFFER: usize = 64 * 1024;
/// How long requests may still take when the server ends.
const FAREWELL: Duration = Duration::from_secs(30);
/// How long nothing is accepted after that failed: there are no more sockets to be had.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves a router over HTTP/1.1, until `end` is ready; then no more connections are accepted, and requests that are under way are answered.
///
/// What `axum::serve` leaves open is bounded: the head of a request has 64 KiB and 30 seconds, and a connection may be idle as long.
///
/// # Errors
///
/// Where the listener has no address any more.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    end: impl Future<Output = ()>,
) -> io::Result<()> {
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
                // An answer that waits for more bytes helps nobody.
                let _ = socket.set_nodelay(true);
                let connection = converse(socket, router.clone(), ended.clone());
                tokio::spawn(connection);
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

/// Speaks with one client, to the end.
async fn converse(socket: tokio::net::TcpStream, router: Router, mut ended: watch::Receiver<()>) {
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
