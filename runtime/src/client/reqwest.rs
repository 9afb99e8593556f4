//! The transport that ships with the client: reqwest, with rustls, ring and the platform's certificates.

use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use reqwest::redirect::Policy;

use super::{BadOrigin, BoxFuture, Client, Exchange, Origin, Transport, TransportError};

/// The most redirects that are followed, all on one origin.
const REDIRECTS: usize = 5;

/// A transport of reqwest.
#[derive(Debug, Clone)]
pub struct Reqwest(reqwest::Client);

impl Reqwest {
    /// A transport with settings that are safe for tokens.
    ///
    /// # Errors
    ///
    /// When the platform's certificates cannot be used.
    pub fn new() -> Result<Self, TransportError> {
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls()?)
            .redirect(Policy::custom(|attempt| {
                // A token must not travel to another origin.
                let same = attempt
                    .previous()
                    .first()
                    .is_some_and(|first| first.origin() == attempt.url().origin());
                if same && attempt.previous().len() <= REDIRECTS {
                    attempt.follow()
                } else {
                    attempt.stop()
                }
            }))
            .referer(false)
            .connect_timeout(Duration::from_secs(15))
            .build()
            .map_err(|error| TransportError::Connect(error.into()))?;
        Ok(Self(client))
    }

    /// A client of one's own. It must not follow redirects to another origin.
    pub fn with(client: reqwest::Client) -> Self {
        Self(client)
    }
}

fn tls() -> Result<rustls::ClientConfig, TransportError> {
    use rustls_platform_verifier::BuilderVerifierExt as _;

    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(rustls::ConfigBuilder::with_platform_verifier)
        .map_err(|error| TransportError::Connect(error.into()))?;
    Ok(config.with_no_client_auth())
}

impl Transport for Reqwest {
    fn call(
        &self,
        exchange: Exchange,
    ) -> BoxFuture<'_, Result<http::Response<Bytes>, TransportError>> {
        Box::pin(async move {
            let Exchange {
                request,
                timeout,
                max_bytes,
            } = exchange;
            let mut request =
                reqwest::Request::try_from(request.map(reqwest::Body::wrap)).map_err(failure)?;
            *request.timeout_mut() = Some(timeout);
            let mut response = self.0.execute(request).await.map_err(failure)?;
            let too_long = || TransportError::TooLong(max_bytes);
            if response
                .content_length()
                .is_some_and(|length| length > max_bytes)
            {
                return Err(too_long());
            }
            let mut body = BytesMut::new();
            while let Some(piece) = response.chunk().await.map_err(failure)? {
                if (body.len() + piece.len()) as u64 > max_bytes {
                    return Err(too_long());
                }
                body.extend_from_slice(&piece);
            }
            let mut answer = http::Response::new(body.freeze());
            *answer.status_mut() = response.status();
            *answer.headers_mut() = std::mem::take(response.headers_mut());
            Ok(answer)
        })
    }
}

fn failure(error: reqwest::Error) -> TransportError {
    // The URL may hold what a user looks for.
    let error = error.without_url();
    if error.is_timeout() {
        TransportError::Timeout
    } else if error.is_connect() {
        TransportError::Connect(error.into())
    } else {
        TransportError::Broken(error.into())
    }
}

impl Client {
    /// A client of the server at an origin: `https://example.org`, or `example.org` alone.
    ///
    /// # Errors
    ///
    /// When it is no origin, is `http` on another machine, or TLS is not to be had.
    pub fn new<O>(origin: O) -> Result<Self, NewClientError>
    where
        O: TryInto<Origin>,
        NewClientError: From<O::Error>,
    {
        let transport = Reqwest::new().map_err(NewClientError::Transport)?;
        Ok(Self::with_transport(origin.try_into()?, transport))
    }
}

/// Why there is no client.
#[derive(Debug)]
#[non_exhaustive]
pub enum NewClientError {
    /// The text is no origin.
    Origin(BadOrigin),
    /// TLS is not to be had.
    Transport(TransportError),
}

impl From<BadOrigin> for NewClientError {
    fn from(error: BadOrigin) -> Self {
        Self::Origin(error)
    }
}

impl From<std::convert::Infallible> for NewClientError {
    fn from(never: std::convert::Infallible) -> Self {
        match never {}
    }
}

impl std::fmt::Display for NewClientError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Origin(error) => error.fmt(f),
            Self::Transport(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NewClientError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Origin(error) => Some(error),
            Self::Transport(error) => Some(error),
        }
    }
}
