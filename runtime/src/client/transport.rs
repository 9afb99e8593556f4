//! What carries requests.

use std::error::Error as StdError;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;

use super::Body;

/// A future on the heap. In a browser futures are not `Send`, and need not be.
#[cfg(not(target_family = "wasm"))]
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
/// A future on the heap. In a browser futures are not `Send`, and need not be.
#[cfg(target_family = "wasm")]
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// What a transport gets: a request, and the limits of its answer.
#[derive(Debug)]
#[non_exhaustive]
pub struct Exchange {
    /// The request.
    pub request: http::Request<Body>,
    /// The time for all of it.
    pub timeout: Duration,
    /// The longest body of the response.
    pub max_bytes: u64,
}

/// What carries requests. A client's core does no IO of its own.
///
/// A transport must not follow a redirect to another origin, because the request may hold a token.
pub trait Transport: Send + Sync {
    /// Sends a request and gathers the response, within the limits of the exchange.
    fn call(
        &self,
        exchange: Exchange,
    ) -> BoxFuture<'_, Result<http::Response<Bytes>, TransportError>>;
}

/// Why a request was not answered.
#[derive(Debug)]
#[non_exhaustive]
pub enum TransportError {
    /// No connection: a name that does not resolve, a refusal, a certificate.
    Connect(Box<dyn StdError + Send + Sync>),
    /// It took too long.
    Timeout,
    /// The response is longer than the limit, in bytes.
    TooLong(u64),
    /// The connection broke, or what came is no HTTP.
    Broken(Box<dyn StdError + Send + Sync>),
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connect(_) => f.write_str("no connection to the server"),
            Self::Timeout => f.write_str("the server took too long"),
            Self::TooLong(limit) => write!(f, "the response is longer than {limit} bytes"),
            Self::Broken(_) => f.write_str("the exchange with the server broke off"),
        }
    }
}

impl StdError for TransportError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Connect(error) | Self::Broken(error) => Some(&**error),
            Self::Timeout | Self::TooLong(_) => None,
        }
    }
}
