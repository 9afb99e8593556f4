//! A WebSocket that writes its pending replies, such as pongs, before it reads more.

use std::borrow::Cow;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_core::Stream as _;
use futures_util::SinkExt as _;
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncWriteExt as _, copy, sink};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Message, Role, WebSocketConfig};

/// The greatest length of a client's message.
const MESSAGE: usize = 16 * 1024;
/// The buffer that each socket has from the beginning.
const READ_BUFFER: usize = 4 * 1024;

/// Why a socket is closed, as [close codes](https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Closing {
    /// The client has closed it; the answer to its frame is on its way.
    ByClient,
    /// The server stops.
    Shutdown,
    /// The token was revoked, or the account may no longer sign in.
    Refused,
    /// The client broke the protocol.
    Protocol,
    /// A text is not UTF-8.
    NotText,
    /// A message is too long.
    TooLong,
    /// The client no longer answers pings.
    Silent,
    /// The client read too slowly, and has missed events.
    TooSlow,
}

impl Closing {
    fn frame(self) -> Option<CloseFrame> {
        let (code, reason) = match self {
            Self::ByClient => return None,
            Self::Shutdown => (CloseCode::Away, Cow::Borrowed("the server stops")),
            Self::Refused => (CloseCode::Policy, Cow::Borrowed("the token is no longer valid")),
            Self::Protocol => (CloseCode::Protocol, Cow::Borrowed("not a WebSocket frame")),
            Self::NotText => (CloseCode::Invalid, Cow::Borrowed("a text must be UTF-8")),
            Self::TooLong => {
                let reason = format!("a message has at most {MESSAGE} bytes");
                (CloseCode::Size, Cow::Owned(reason))
            }
            Self::TooSlow => (CloseCode::Again, Cow::Borrowed("too slow for the events")),
            Self::Silent => (CloseCode::Error, Cow::Borrowed("a ping was not answered")),
        };
        let reason = reason.into_owned().into();
        Some(CloseFrame { code, reason })
    }
}

/// The outcome of reading from a client's socket.
pub(super) enum Received {
    Message(Message),
    /// The socket must be closed.
    Closing(Closing),
    /// The connection broke.
    Gone,
}

/// The connection broke, or the client does not read.
pub(super) struct Broken;

/// The server's end of a WebSocket.
pub(super) struct Wire {
    socket: WebSocketStream<TokioIo<Upgraded>>,
    /// The time that the client may take to accept what is written.
    patience: Duration,
    /// The time for which the client's bytes are awaited after the close frame.
    linger: Duration,
}

impl Wire {
    pub(super) async fn new(upgraded: Upgraded, patience: Duration, linger: Duration) -> Self {
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .write_buffer_size(0)
            .max_message_size(Some(MESSAGE))
            .max_frame_size(Some(MESSAGE));
        let io = TokioIo::new(upgraded);
        Self {
            socket: WebSocketStream::from_raw_socket(io, Role::Server, Some(config)).await,
            patience,
            linger,
        }
    }

    /// Reads a message. Afterwards [`flush`](Self::flush) must be called: the answer to a ping waits to be written, and reading on would
    /// collect such answers.
    pub(super) fn poll_receive(&mut self, context: &mut Context<'_>) -> Poll<Received> {
        Pin::new(&mut self.socket).poll_next(context).map(|received| match received {
            Some(Ok(Message::Close(_))) => Received::Closing(Closing::ByClient),
            Some(Ok(message)) => Received::Message(message),
            Some(Err(Error::Protocol(
                ProtocolError::ResetWithoutClosingHandshake
                | ProtocolError::ReceivedAfterClosing
                | ProtocolError::SendAfterClosing,
            )))
            | None => Received::Gone,
            Some(Err(Error::Protocol(_))) => Received::Closing(Closing::Protocol),
            Some(Err(Error::Utf8(_))) => Received::Closing(Closing::NotText),
            Some(Err(Error::Capacity(_))) => Received::Closing(Closing::TooLong),
            Some(Err(_)) => Received::Gone,
        })
    }

    /// Writes a message.
    pub(super) async fn send(&mut self, message: Message) -> Result<(), Broken> {
        within(self.patience, self.socket.send(message)).await
    }

    /// Writes what is owed to the client, such as the answer to its ping.
    pub(super) async fn flush(&mut self) -> Result<(), Broken> {
        within(self.patience, self.socket.flush()).await
    }

    /// Sends the close frame and waits until the client has closed the connection too: with bytes that nobody read, the end would be a reset,
    /// which may overtake the frame.
    pub(super) async fn close(mut self, why: Closing) {
        let told = match why.frame() {
            Some(frame) => self.send(Message::Close(Some(frame))).await,
            None => self.flush().await,
        };
        if told.is_ok() {
            let _ = timeout(self.linger, drain(self.socket.get_mut())).await;
        }
    }
}

async fn within(
    patience: Duration,
    written: impl Future<Output = Result<(), Error>>,
) -> Result<(), Broken> {
    let mut written = pin!(written);
    // Mostly the socket takes it at once, and no timer is needed.
    let done = match poll_fn(|context| Poll::Ready(written.as_mut().poll(context))).await {
        Poll::Ready(done) => Ok(done),
        Poll::Pending => timeout(patience, written).await,
    };
    match done {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(Broken),
    }
}

/// Closes the writing half and discards what still comes, to the end.
async fn drain(socket: &mut TokioIo<Upgraded>) {
    if socket.shutdown().await.is_ok() {
        let _ = copy(socket, &mut sink()).await;
    }
}
