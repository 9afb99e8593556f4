//! [`Discovery`] over a transport.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, USER_AGENT};
use http::{HeaderValue, StatusCode};
use serde::de::IgnoredAny;

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
    /// When nothing is learned and asking again may help: there is no connection, the server answers 5xx (it is starting) or 429, or in place
    /// of a document HTML or a part of one. A server that answers 404, or that it is closed, is no error, and may be of an unknown program.
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
    let mut failure = None;
    while let Some(path) = discovery.next() {
        let Some(request) = request(origin, path, name) else {
            discovery.no_answer();
            continue;
        };
        let failed = match transport.call(exchange(request)).await {
            Ok(response) => {
                discovery.answer(response.status().as_u16(), response.body());
                failed(&response)
            }
            Err(error @ TransportError::Connect(_)) => {
                return Err(DiscoveryError::Transport(error));
            }
            Err(error) => {
                discovery.no_answer();
                Some(DiscoveryError::Transport(error))
            }
        };
        // A failure that states the server's rate limit tells most.
        if !matches!(failure, Some(DiscoveryError::RateLimited(_))) {
            failure = failed.or(failure);
        }
    }
    match failure {
        Some(error) if !discovery.has_learned() => Err(error),
        _ => Ok(discovery.finish()),
    }
}

/// Why an answer is none, where another may come later.
fn failed(response: &http::Response<Bytes>) -> Option<DiscoveryError> {
    let (status, body) = (response.status(), response.body());
    let rate = Rate::read(response.headers());
    let is_html = body.trim_ascii_start().starts_with(b"<");
    let answered = match status.as_u16() {
        429 => return Some(DiscoveryError::RateLimited(rate)),
        501 => return None,
        408 | 425 | 500.. => Unusable::Status,
        // A closed server says so as JSON: that page is of something in front of it.
        200..=299 | 403 if is_html => Unusable::Html,
        200..=299 if serde_json::from_slice::<IgnoredAny>(body).is_err() => Unusable::NotJson,
        _ => return None,
    };
    Some(DiscoveryError::Unusable { status, answered, rate })
}

fn request(origin: &Origin, path: &str, name: Option<&HeaderValue>) -> Option<http::Request<Body>> {
    let own = HeaderValue::from_static(NAME);
    http::Request::get(format!("{origin}{path}"))
        .header(ACCEPT, "application/json")
        .header(USER_AGENT, name.unwrap_or(&own))
        .body(Body::default())
        .ok()
}

/// Why nothing could be learned of a server. Asking again may help.
#[derive(Debug)]
#[non_exhaustive]
pub enum DiscoveryError {
    /// A request was not answered.
    Transport(TransportError),
    /// The server takes no more requests for a while (429), and what it reported of its limit.
    RateLimited(Option<Rate>),
    /// The answer is no document.
    #[non_exhaustive]
    Unusable {
        /// The status.
        status: StatusCode,
        /// The fault of the answer.
        answered: Unusable,
        /// The server's rate limit; a server that starts may say here when to come back.
        rate: Option<Rate>,
    },
}

/// The fault of an answer that should be a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unusable {
    /// Its status, such as the 503 of a server that is starting.
    Status,
    /// It is a page for people, such as that of a proxy.
    Html,
    /// It is not JSON, or not whole.
    NotJson,
}

impl DiscoveryError {
    /// The status of the answer, where there was one.
    pub fn status(&self) -> Option<StatusCode> {
        match self {
            Self::Transport(TransportError::Cut(cut)) => Some(cut.response.status()),
            Self::Transport(_) => None,
            Self::RateLimited(_) => Some(StatusCode::TOO_MANY_REQUESTS),
            Self::Unusable { status, .. } => Some(*status),
        }
    }

    /// The time to wait before asking again, where the server tells it.
    pub fn retry_after(&self) -> Option<Duration> {
        self.rate()?.retry_after
    }

    /// Whether asking again could help.
    pub(crate) fn may_pass(&self) -> bool {
        match self {
            Self::Transport(error) => error.may_pass(),
            Self::RateLimited(_) | Self::Unusable { .. } => true,
        }
    }

    pub(crate) fn rate(&self) -> Option<Rate> {
        match self {
            Self::Transport(_) => None,
            Self::RateLimited(rate) | Self::Unusable { rate, .. } => *rate,
        }
    }
}

impl fmt::Display for DiscoveryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transport(error) => write!(f, "nobody answers: {error}"),
            Self::RateLimited(_) => {
                f.write_str("the server takes no more requests for a while (429)")
            }
            Self::Unusable { status, answered, .. } => {
                write!(
                    f,
                    "the server does not say now what it is: it answers {}",
                    status.as_u16()
                )?;
                match answered {
                    Unusable::Status => Ok(()),
                    Unusable::Html => f.write_str(" and HTML"),
                    Unusable::NotJson => f.write_str(" and no whole JSON"),
                }
            }
        }?;
        match self.retry_after() {
            Some(wait) => write!(f, "; it asks to wait {} s", wait.as_secs()),
            None => Ok(()),
        }
    }
}

impl std::error::Error for DiscoveryError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Transport(error) => error.source(),
            Self::RateLimited(_) | Self::Unusable { .. } => None,
        }
    }
}
