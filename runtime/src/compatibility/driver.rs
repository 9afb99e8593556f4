//! [`Discovery`] over a transport.

use std::fmt;
use std::time::Duration;

use http::header::{ACCEPT, USER_AGENT};
use http::{HeaderValue, StatusCode};

use super::{Discovery, RemoteServer};
use crate::client::{Body, Exchange, Origin, Rate, Transport, TransportError};

/// The documents are small; what is longer is none of them.
const MAX_BYTES: u64 = 2 * 1024 * 1024;
/// The time for each of them, at most.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(20);
const NAME: &str = concat!("fedispec/", env!("CARGO_PKG_VERSION"));

impl RemoteServer {
    /// Learns who answers at an origin, in at most four requests without a token.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// use fedispec_runtime::client::Tower;
    /// use fedispec_runtime::compatibility::RemoteServer;
    ///
    /// let router = axum::Router::new().fallback(|| async { r#"{"version": "4.3.0", "api_versions": {"mastodon": 2}}"# });
    /// let server = RemoteServer::discover(&Tower::new(router), &"social.example".parse()?).await?;
    /// assert_eq!((server.to_string().as_str(), server.api_version()), ("mastodon 4.3.0", Some(2)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is no connection, no request is answered at all, or all that is answered is that there were too many. A server that says
    /// nothing of itself is no error.
    pub async fn discover(
        transport: &(impl Transport + ?Sized),
        origin: &Origin,
    ) -> Result<Self, DiscoveryError> {
        let exchange = |request| Exchange {
            request,
            timeout: TIMEOUT,
            answer_timeout: None,
            max_bytes: MAX_BYTES,
            is_repeatable: true,
        };
        discover(transport, origin, None, exchange).await
    }
}

/// [`RemoteServer::discover`] in the name of an application, with limits of its own.
pub(crate) async fn discover(
    transport: &(impl Transport + ?Sized),
    origin: &Origin,
    name: Option<&HeaderValue>,
    exchange: impl Fn(http::Request<Body>) -> Exchange,
) -> Result<RemoteServer, DiscoveryError> {
    let mut discovery = Discovery::new();
    let (mut answered, mut last) = (false, None);
    let mut limited = None;
    while let Some(path) = discovery.next() {
        let Some(request) = request(origin, path, name) else {
            discovery.no_answer();
            continue;
        };
        match transport.call(exchange(request)).await {
            Ok(response) => {
                answered = true;
                if response.status() == StatusCode::TOO_MANY_REQUESTS {
                    limited = Some(Rate::read(response.headers()));
                }
                discovery.answer(response.status().as_u16(), response.body());
            }
            Err(error @ TransportError::Connect(_)) => {
                return Err(DiscoveryError::Transport(error));
            }
            Err(error) => {
                last = Some(error);
                discovery.no_answer();
            }
        }
    }
    match (last, limited) {
        (Some(error), _) if !answered => Err(DiscoveryError::Transport(error)),
        (_, Some(rate)) if !discovery.has_learned() => Err(DiscoveryError::RateLimited(rate)),
        _ => Ok(discovery.finish()),
    }
}

fn request(origin: &Origin, path: &str, name: Option<&HeaderValue>) -> Option<http::Request<Body>> {
    let own = HeaderValue::from_static(NAME);
    http::Request::get(format!("{origin}{path}"))
        .header(ACCEPT, "application/json")
        .header(USER_AGENT, name.unwrap_or(&own))
        .body(Body::default())
        .ok()
}

/// Why nothing could be learned of a server.
#[derive(Debug)]
#[non_exhaustive]
pub enum DiscoveryError {
    /// No request was answered.
    Transport(TransportError),
    /// The server takes no more requests for a while (429), and what it reported of its limit.
    RateLimited(Option<Rate>),
}

impl fmt::Display for DiscoveryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transport(error) => write!(f, "nobody answers: {error}"),
            Self::RateLimited(rate) => {
                f.write_str("the server takes no more requests for a while (429)")?;
                match rate.and_then(|rate| rate.retry_after) {
                    Some(wait) => write!(f, "; it asks to wait {} s", wait.as_secs()),
                    None => Ok(()),
                }
            }
        }
    }
}

impl std::error::Error for DiscoveryError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Transport(error) => error.source(),
            Self::RateLimited(_) => None,
        }
    }
}
