//! A WebSocket over async IO.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream as _;
use futures_sink::Sink as _;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{self, Error};

use crate::client::{Frame, Line, Message, TransportError};

/// The buffer of a socket for what is read.
const READ_BUFFER: usize = 16 * 1024;
/// The greatest length of what waits for a server that does not read.
const WRITE_BUFFER: usize = 64 * 1024;

/// A WebSocket whose handshake is over.
pub(crate) struct Socket<S> {
    socket: WebSocketStream<S>,
    limit: usize,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Socket<S> {
    /// Messages are at most as long as the limit.
    pub(crate) async fn new(io: S, limit: usize) -> Self {
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .write_buffer_size(0)
            .max_write_buffer_size(WRITE_BUFFER)
            .max_message_size(Some(limit))
            .max_frame_size(Some(limit));
        Self {
            socket: WebSocketStream::from_raw_socket(io, Role::Client, Some(config)).await,
            limit,
        }
    }

    fn fault(&self, error: Error) -> TransportError {
        match error {
            Error::Capacity(_) => TransportError::TooLong(self.limit as u64),
            error => TransportError::Broken(error.into()),
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Line for Socket<S> {
    fn poll_next(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame, TransportError>>> {
        // A message that cannot be written now is written later; reading goes on, or two sides could wait for each other.
        if let Poll::Ready(Err(error)) = Pin::new(&mut self.socket).poll_flush(context)
            && !matches!(error, Error::WriteBufferFull(_))
        {
            return Poll::Ready(Some(Err(self.fault(error))));
        }
        let message = match ready!(Pin::new(&mut self.socket).poll_next(context)) {
            Some(Ok(message)) => message,
            Some(Err(error)) => return Poll::Ready(Some(Err(self.fault(error)))),
            None => return Poll::Ready(None),
        };
        Poll::Ready(Some(Ok(match message {
            tungstenite::Message::Text(text) => Frame::Text(text.as_str().to_owned()),
            tungstenite::Message::Close(frame) => {
                // The answer to it, if the server still takes it.
                let _ = Pin::new(&mut self.socket).poll_flush(context);
                let code = frame.as_ref().map(|frame| frame.code.into());
                Frame::closed(code, frame.map_or(String::new(), |frame| frame.reason.to_string()))
            }
            _ => Frame::Alive,
        })))
    }

    fn send(&mut self, message: Message) -> Result<(), TransportError> {
        let message = match message {
            Message::Text(text) => tungstenite::Message::Text(text.into()),
            Message::Ping => tungstenite::Message::Ping(Bytes::new()),
        };
        let sent = Pin::new(&mut self.socket).start_send(message);
        sent.map_err(|error| self.fault(error))
    }
}
