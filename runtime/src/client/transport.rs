//! Transports.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;

use super::{Body, BoxFuture, Timer};

/// A request for a transport, and the limits of its answer.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Exchange {
    /// The request.
    pub request: http::Request<Body>,
    /// The time limit of the whole exchange.
    pub timeout: Duration,
    /// The time limit for the head of the response, from when the request has been sent whole.
    pub answer_timeout: Option<Duration>,
    /// The greatest length of the response's body.
    pub max_bytes: u64,
    /// Whether the request does nothing more when it is sent twice: it only reads, or the server knows it again by its key.
    pub is_repeatable: bool,
}

impl Exchange {
    /// A request with the time limit of the whole exchange and the greatest length of its answer, for those who call a transport
    /// themselves.
    pub fn new(request: http::Request<Body>, timeout: Duration, max_bytes: u64) -> Self {
        Self {
            is_repeatable: request.method().is_safe(),
            request,
            timeout,
            answer_timeout: None,
            max_bytes,
        }
    }
}

/// Sends requests: the IO that the client's core does not do.
///
/// A transport must not follow a redirect to another origin, because the request may hold a token.
pub trait Transport: Send + Sync {
    /// Sends a request and collects the response, within the limits of the exchange.
    fn call(
        &self,
        exchange: Exchange,
    ) -> BoxFuture<'_, Result<http::Response<Bytes>, TransportError>>;

    /// The time by which a client over this transport waits, where it has one.
    fn timer(&self) -> Option<Arc<dyn Timer>> {
        None
    }

    /// Opens a connection that stays open: server-sent events, or a WebSocket where the request asks for that upgrade. It follows no
    /// redirect. The time limit is that of the head of the answer, and the greatest length that of a message or of another answer.
    ///
    /// A transport that does not implement this has no streams.
    fn open(&self, exchange: Exchange) -> BoxFuture<'_, Result<Opened, TransportError>> {
        drop(exchange);
        let error = TransportError::Unsupported("a connection that stays open");
        Box::pin(std::future::ready(Err(error)))
    }
}

/// A connection that stays open. In a browser it is not `Send`, and need not be.
#[cfg(not(target_family = "wasm"))]
pub type BoxLine = Box<dyn Line + Send>;
/// A connection that stays open. In a browser it is not `Send`, and need not be.
#[cfg(target_family = "wasm")]
pub type BoxLine = Box<dyn Line>;

/// The answer to a request for a connection that stays open.
#[non_exhaustive]
pub enum Opened {
    /// It is open: the server answered 200 and an event stream, or 101 and the right key of a WebSocket.
    Line(BoxLine),
    /// The server answered something else.
    Answer(http::Response<Bytes>),
}

impl fmt::Debug for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(_) => f.write_str("Line(..)"),
            Self::Answer(answer) => f.debug_tuple("Answer").field(&answer.status()).finish(),
        }
    }
}

/// A connection that stays open.
pub trait Line {
    /// The next thing that comes over it; `None` at its end. What is to be sent is sent meanwhile.
    fn poll_next(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame, TransportError>>>;

    /// Sends something, which nobody waits for.
    ///
    /// # Errors
    ///
    /// When the connection is broken, or the server does not read.
    fn send(&mut self, message: Message) -> Result<(), TransportError>;
}

/// A frame received over a [`Line`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Frame {
    /// A piece of a stream of server-sent events.
    Piece(Bytes),
    /// A message of a WebSocket.
    Text(String),
    /// A sign of life that says nothing else, such as a ping, which the transport answers.
    Alive,
    /// The server closes the WebSocket, with the code and the reason that it gives.
    #[non_exhaustive]
    Closed {
        /// The code, if there is one.
        code: Option<u16>,
        /// The reason, for people; usually empty.
        reason: String,
    },
}

impl Frame {
    /// The server closes the WebSocket.
    pub fn closed(code: Option<u16>, reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self::Closed { code, reason }
    }
}

/// A message sent over a [`Line`]. A stream of server-sent events takes none.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Message {
    /// A text.
    Text(String),
    /// A ping.
    Ping,
}

/// Why there is no response.
#[derive(Debug)]
#[non_exhaustive]
pub enum TransportError {
    /// No connection was made: the name does not resolve, the host refuses, or the certificate is not valid.
    Connect(Box<dyn StdError + Send + Sync>),
    /// The time limit ran out.
    Timeout,
    /// The server's rate limit is used up for so long, which is longer than the client waits. Nothing was sent.
    Limited(Duration),
    /// The response is longer than this limit in bytes.
    TooLong(u64),
    /// The connection broke, or the response is not HTTP.
    Broken(Box<dyn StdError + Send + Sync>),
    /// The head of the response arrived, and its body not whole.
    Cut(Box<CutShort>),
    /// The transport cannot do this.
    Unsupported(&'static str),
}

impl TransportError {
    /// Whether the same request could succeed another time.
    pub(crate) fn may_pass(&self) -> bool {
        match self {
            Self::Connect(_) | Self::Timeout | Self::Broken(_) => true,
            Self::Cut(cut) => cut.why.may_pass(),
            Self::TooLong(_) | Self::Limited(_) | Self::Unsupported(_) => false,
        }
    }
}

/// A response whose body did not arrive whole. `Debug` prints its status alone, because the rest may be secret.
#[non_exhaustive]
pub struct CutShort {
    /// The response, with the body as far as it arrived.
    pub response: http::Response<Bytes>,
    /// Why the rest did not arrive.
    pub why: TransportError,
}

impl CutShort {
    /// A response that was cut short.
    pub fn new(response: http::Response<Bytes>, why: TransportError) -> Self {
        Self { response, why }
    }
}

shown!(CutShort, own => status = own.response.status(), why);

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connect(_) => f.write_str("no connection to the server"),
            Self::Timeout => f.write_str("the server took too long"),
            Self::Limited(wait) => write!(
                f,
                "the server takes no more requests for {} seconds, which is longer than this client waits",
                wait.as_secs()
            ),
            Self::TooLong(limit) => write!(f, "the response is longer than {limit} bytes"),
            Self::Broken(_) => f.write_str("the connection broke before the response was complete"),
            Self::Cut(cut) => cut.why.fmt(f),
            Self::Unsupported(what) => write!(f, "the transport does not have {what}"),
        }
    }
}

impl StdError for TransportError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Connect(error) | Self::Broken(error) => Some(&**error),
            Self::Cut(cut) => cut.why.source(),
            Self::Timeout | Self::Limited(_) | Self::TooLong(_) | Self::Unsupported(_) => None,
        }
    }
}
