//! The sockets of a listener: with a write timeout, and read in small pieces.
//!
//! `tokio-io-timeout` limits each write too; it would be a dependency for one function, and does not set the read size.

use std::future::Future;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
#[cfg(unix)]
use tokio::net::UnixStream;
use tokio::time::{Sleep, sleep};

use super::connections::Member;

/// The greatest number of bytes read at a time. hyper sizes its buffer, one for each connection, by what a read yields.
const READ: usize = 8 * 1024;

/// An accepted connection.
pub(super) enum Socket {
    Tcp(TcpStream),
    #[cfg(unix)]
    Unix(UnixStream),
}

/// A socket whose writes fail when the client has accepted nothing for the time limit.
pub(super) struct Watched {
    socket: Socket,
    patience: Duration,
    /// Runs while a write is pending.
    waiting: Option<Pin<Box<Sleep>>>,
    /// Held as long as the socket is open, also by what a connection was upgraded to.
    _entry: Member,
}

impl Watched {
    pub(super) fn new(socket: Socket, patience: Duration, entry: Member) -> Self {
        if let Socket::Tcp(socket) = &socket {
            // Responses are complete when written; waiting to fill packets only adds latency.
            let _ = socket.set_nodelay(true);
            // A peer that vanished acknowledges nothing; without this the kernel retransmits for about 15 minutes.
            #[cfg(any(target_os = "android", target_os = "linux"))]
            let _ = socket2::SockRef::from(socket).set_tcp_user_timeout(Some(patience));
        }
        Self { socket, patience, waiting: None, _entry: entry }
    }

    fn limit<T>(
        &mut self,
        written: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waiting = None;
            return written;
        }
        let patience = self.patience;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(patience)));
        match waiting.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

/// Calls a method of whichever socket it is.
macro_rules! either {
    ($own:expr, $method:ident($($argument:expr),*)) => {
        match &mut $own.socket {
            Socket::Tcp(socket) => Pin::new(socket).$method($($argument),*),
            #[cfg(unix)]
            Socket::Unix(socket) => Pin::new(socket).$method($($argument),*),
        }
    };
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        to: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let most = to.remaining().min(READ);
        let mut part = ReadBuf::new(to.initialize_unfilled_to(most));
        ready!(either!(self, poll_read(context, &mut part)))?;
        let read = part.filled().len();
        to.advance(read);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = either!(self, poll_write(context, bytes));
        self.limit(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = either!(self, poll_write_vectored(context, pieces));
        self.limit(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = either!(self, poll_flush(context));
        self.limit(flushed, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        either!(self, poll_shutdown(context))
    }
}
