//! The built-in transport: reqwest, with rustls, ring and the platform's certificates. It asks for bodies packed by gzip; their size is bounded as it is
//! when they are unpacked.

use std::future::poll_fn;
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};
use http::header::LOCATION;
use http_body::{Frame, SizeHint};
use reqwest::redirect::Policy;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

#[cfg(feature = "streaming")]
use super::Opened;
#[cfg(feature = "streaming")]
use super::streaming::{
    socket::Socket,
    wire::{Lines, is_event_stream},
};
use super::{
    BadOrigin, Body, BoxFuture, Client, CutShort, Exchange, Origin, Timer, TokioTimer, Transport,
    TransportError,
};

use crate::compatibility::DiscoveryError;

/// The greatest number of redirects that are followed.
const REDIRECTS: usize = 5;

/// A transport over [`reqwest`].
#[derive(Debug, Clone)]
pub struct Reqwest {
    calls: reqwest::Client,
    #[cfg(feature = "streaming")]
    streams: reqwest::Client,
}

impl Reqwest {
    /// Creates a transport with settings that are safe for tokens.
    ///
    /// # Errors
    ///
    /// When the platform's certificates cannot be loaded.
    pub fn new() -> Result<Self, TransportError> {
        Self::connecting_within(Duration::from_secs(15))
    }

    /// The same with a time limit for connections, which is 15 seconds otherwise.
    ///
    /// # Errors
    ///
    /// When the platform's certificates cannot be loaded.
    pub fn connecting_within(timeout: Duration) -> Result<Self, TransportError> {
        let tls = tls()?;
        let builder = |tls| {
            reqwest::Client::builder()
                .tls_backend_preconfigured(tls)
                .redirect(Policy::none())
                .referer(false)
                .connect_timeout(timeout)
        };
        let built = |builder: reqwest::ClientBuilder| {
            let built = builder.build();
            built.map_err(|error| TransportError::Connect(error.into()))
        };
        Ok(Self {
            calls: built(builder(for_calls(tls.clone())))?,
            // A WebSocket is an upgrade of HTTP/1.1, and what packs events may hold them back.
            #[cfg(feature = "streaming")]
            streams: built(unpacked(builder(tls).http1_only()))?,
        })
    }

    /// Wraps a configured client. For answers that are packed it needs reqwest's feature for that. It must not follow redirects to another origin, and need not follow any: the transport does. For streams
    /// it must speak HTTP/1.1, and have no time limit for a whole answer.
    pub fn with(client: reqwest::Client) -> Self {
        Self {
            #[cfg(feature = "streaming")]
            streams: client.clone(),
            calls: client,
        }
    }

    /// Sends a request and follows redirects of `GET` and `HEAD` on the same origin only: a token must not leave it, and a request that changes
    /// something must not reach another address or turn into a `GET`.
    async fn follow(
        &self,
        mut request: reqwest::Request,
        until: Instant,
    ) -> Result<reqwest::Response, TransportError> {
        let mut redirects = 0;
        loop {
            *request.timeout_mut() = Some(until.saturating_duration_since(Instant::now()));
            let again = request.try_clone().filter(|_| redirects < REDIRECTS);
            let response = self.calls.execute(request).await.map_err(failure)?;
            match again.and_then(|again| redirected(again, &response)) {
                Some(next) => request = next,
                None => return Ok(response),
            }
            redirects += 1;
        }
    }
}

/// The request that a redirect asks for, unless it must not be followed.
fn redirected(
    mut request: reqwest::Request,
    response: &reqwest::Response,
) -> Option<reqwest::Request> {
    let leads_on = matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308);
    let location = response.headers().get(LOCATION)?.to_str().ok()?;
    let url = request.url().join(location).ok()?;
    let same = url.origin() == request.url().origin() && url.username().is_empty();
    *request.url_mut() = url;
    (leads_on && same && matches!(request.method().as_str(), "GET" | "HEAD")).then_some(request)
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

/// Offers HTTP/2 where it may be spoken.
#[cfg_attr(not(feature = "http2"), allow(unused_mut, reason = "nothing is offered without it"))]
fn for_calls(mut tls: rustls::ClientConfig) -> rustls::ClientConfig {
    #[cfg(feature = "http2")]
    tls.alpn_protocols.extend([b"h2".to_vec(), b"http/1.1".to_vec()]);
    tls
}

/// Asks for bodies as they are.
#[cfg(feature = "streaming")]
fn unpacked(builder: reqwest::ClientBuilder) -> reqwest::ClientBuilder {
    builder.no_gzip().no_brotli().no_zstd()
}

impl Transport for Reqwest {
    fn call(
        &self,
        exchange: Exchange,
    ) -> BoxFuture<'_, Result<http::Response<Bytes>, TransportError>> {
        Box::pin(async move {
            let Exchange { request, timeout, answer_timeout, max_bytes, .. } = exchange;
            let sent = Arc::new(Notify::new());
            let request = request.map(|body| streamed(body, &sent));
            let request = reqwest::Request::try_from(request).map_err(failure)?;
            let answered = self.follow(request, Instant::now() + timeout);
            let mut response = match answer_timeout {
                Some(limit) => within(limit, &sent, answered).await?,
                None => answered.await?,
            };
            let mut body = BytesMut::new();
            let gathered = gather(&mut response, &mut body, max_bytes).await;
            let mut answer = http::Response::new(body.freeze());
            *answer.status_mut() = response.status();
            *answer.headers_mut() = std::mem::take(response.headers_mut());
            match gathered {
                Ok(()) => Ok(answer),
                Err(why) => Err(TransportError::Cut(CutShort::new(answer, why).into())),
            }
        })
    }

    fn timer(&self) -> Option<Arc<dyn Timer>> {
        Some(Arc::new(TokioTimer))
    }

    #[cfg(feature = "streaming")]
    fn open(&self, exchange: Exchange) -> BoxFuture<'_, Result<Opened, TransportError>> {
        Box::pin(async move {
            let timeout = exchange.timeout;
            let opened = tokio::time::timeout(timeout, open(&self.streams, exchange)).await;
            opened.map_err(|_| TransportError::Timeout)?
        })
    }
}

/// Opens an event stream or a WebSocket, or collects another answer.
#[cfg(feature = "streaming")]
async fn open(client: &reqwest::Client, exchange: Exchange) -> Result<Opened, TransportError> {
    use http::header::{SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY};
    use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

    let Exchange { request, max_bytes, .. } = exchange;
    let key = request.headers().get(SEC_WEBSOCKET_KEY).cloned();
    let whole = |body: Body| reqwest::Body::from(body.into_bytes().unwrap_or_default());
    let request = reqwest::Request::try_from(request.map(whole)).map_err(failure)?;
    let mut response = client.execute(request).await.map_err(failure)?;
    let status = response.status();
    match key {
        Some(key) if status == http::StatusCode::SWITCHING_PROTOCOLS => {
            let right = derive_accept_key(key.as_bytes());
            let told = response.headers().get(SEC_WEBSOCKET_ACCEPT);
            if told.is_none_or(|told| told != right.as_str()) {
                let what = "the answer to the handshake of the WebSocket is not the right one";
                return Err(TransportError::Broken(what.into()));
            }
            let limit = usize::try_from(max_bytes).unwrap_or(usize::MAX);
            let io = response.upgrade().await.map_err(failure)?;
            Ok(Opened::Line(Box::new(Socket::new(io, limit).await)))
        }
        None if is_event_stream(status, response.headers()) => {
            let body = http::Response::<reqwest::Body>::from(response).into_body();
            Ok(Opened::Line(Box::new(Lines(Box::pin(body)))))
        }
        // An answer that claims to be a stream, and is not the one asked for, has no end to collect.
        _ if is_event_stream(status, response.headers()) => {
            let answer = http::Response::new(Bytes::new());
            Ok(Opened::Answer(answer))
        }
        _ => {
            let mut body = BytesMut::new();
            // A part of an error's body is better than none.
            let _ = gather(&mut response, &mut body, max_bytes).await;
            let mut answer = http::Response::new(body.freeze());
            *answer.status_mut() = status;
            *answer.headers_mut() = std::mem::take(response.headers_mut());
            Ok(Opened::Answer(answer))
        }
    }
}

/// Collects a body up to `max_bytes`. What came before a fault is kept.
async fn gather(
    response: &mut reqwest::Response,
    body: &mut BytesMut,
    max_bytes: u64,
) -> Result<(), TransportError> {
    let length = response.content_length();
    if length.is_some_and(|length| length > max_bytes) {
        return Err(TransportError::TooLong(max_bytes));
    }
    while let Some(piece) = response.chunk().await.map_err(failure)? {
        if (body.len() + piece.len()) as u64 > max_bytes {
            return Err(TransportError::TooLong(max_bytes));
        }
        body.extend_from_slice(&piece);
    }
    Ok(())
}

/// Waits for an answer, no longer than this after the request has been sent.
async fn within(
    limit: Duration,
    sent: &Notify,
    answered: impl Future<Output = Result<reqwest::Response, TransportError>>,
) -> Result<reqwest::Response, TransportError> {
    let mut answered = pin!(answered);
    let mut late = pin!(async {
        sent.notified().await;
        tokio::time::sleep(limit).await;
    });
    poll_fn(|context| match answered.as_mut().poll(context) {
        Poll::Pending => late.as_mut().poll(context).map(|()| Err(TransportError::Timeout)),
        ready @ Poll::Ready(_) => ready,
    })
    .await
}

/// A body in one piece stays one, so that the connection pool can send it again when a stale connection has not taken it. `sent` is told
/// when all of it has been taken.
fn streamed(body: Body, sent: &Arc<Notify>) -> reqwest::Body {
    if body.is_whole() {
        sent.notify_one();
        return body.into_bytes().unwrap_or_default().into();
    }
    reqwest::Body::wrap(Streamed { state: Reading::Here(body), sent: Arc::clone(sent) })
}

/// A body whose files are read on a thread for blocking work.
struct Streamed {
    state: Reading,
    sent: Arc<Notify>,
}

enum Reading {
    Here(Body),
    Away(JoinHandle<(Body, Option<io::Result<Bytes>>)>, u64),
}

impl http_body::Body for Streamed {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let this = self.get_mut();
        let frame = ready!(this.state.poll_frame(context));
        if matches!(&this.state, Reading::Here(body) if body.is_empty()) {
            this.sent.notify_one();
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        matches!(&self.state, Reading::Here(body) if body.is_empty())
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(match &self.state {
            Reading::Here(body) => body.len(),
            Reading::Away(_, left) => *left,
        })
    }
}

impl Reading {
    fn poll_frame(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if let Self::Here(body) = self {
            if !body.is_on_disk() {
                return http_body::Body::poll_frame(Pin::new(body), context);
            }
            let (mut body, left) = (std::mem::take(body), body.len());
            let read = move || {
                let piece = body.read_piece();
                (body, piece)
            };
            *self = Self::Away(tokio::task::spawn_blocking(read), left);
        }
        let Self::Away(away, _) = self else {
            return Poll::Ready(None);
        };
        let (body, piece) = match ready!(Pin::new(away).poll(context)) {
            Ok(read) => read,
            Err(error) => (Body::default(), Some(Err(io::Error::other(error)))),
        };
        *self = Self::Here(body);
        Poll::Ready(piece.map(|piece| piece.map(Frame::data)))
    }
}

fn failure(error: reqwest::Error) -> TransportError {
    // The URL may hold search terms.
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
    /// Creates a client of the server at an origin, without asking it anything: `https://example.org`, or `example.org` alone.
    ///
    /// It knows nothing of its server, and sends what that may lack: a domain block with the severity `silence` suspends the domain on a
    /// server that has no severities, and a quote is posted without what it quotes. The generated crate's `client::connect`, or
    /// [`connected`](Self::connected), makes one that refuses such calls.
    ///
    /// ```no_run
    /// use fedispec_runtime::client::Client;
    ///
    /// let client = Client::new("https://social.example")?.token("..").user_agent("elephant/1.2");
    /// # Ok::<(), fedispec_runtime::client::NewClientError>(())
    /// ```
    ///
    /// Each client has its own connections. For many servers, create one [`Reqwest`] and pass clones of it to
    /// [`with_transport`](Self::with_transport).
    ///
    /// # Errors
    ///
    /// When the text is not an origin or is `http` on another machine, or TLS cannot be set up.
    pub fn new<O>(origin: O) -> Result<Self, NewClientError>
    where
        O: TryInto<Origin>,
        NewClientError: From<O::Error>,
    {
        let transport = Reqwest::new().map_err(NewClientError::Transport)?;
        Ok(Self::with_transport(origin.try_into()?, transport))
    }
}

/// Why a client could not be created.
#[derive(Debug)]
#[non_exhaustive]
pub enum NewClientError {
    /// The text is not an origin.
    Origin(BadOrigin),
    /// TLS could not be set up.
    Transport(TransportError),
    /// Nothing could be learned of the server.
    Server(DiscoveryError),
}

impl From<DiscoveryError> for NewClientError {
    fn from(error: DiscoveryError) -> Self {
        Self::Server(error)
    }
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
            Self::Server(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NewClientError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            // The message is the error's own, so that only what lies behind it is left to tell.
            Self::Origin(_) => None,
            Self::Transport(error) => error.source(),
            Self::Server(error) => error.source(),
        }
    }
}
