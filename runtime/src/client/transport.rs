//! Transports.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
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

impl fmt::Debug for CutShort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CutShort")
            .field("status", &self.response.status())
            .field("why", &self.why)
            .finish_non_exhaustive()
    }
}

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
        }
    }
}

impl StdError for TransportError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Connect(error) | Self::Broken(error) => Some(&**error),
            Self::Cut(cut) => cut.why.source(),
            Self::Timeout | Self::Limited(_) | Self::TooLong(_) => None,
        }
    }
}
