//! A `tower` service as a transport.

use std::error::Error as StdError;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Mutex;

use bytes::{Buf, Bytes, BytesMut};
#[cfg(feature = "streaming")]
use http::header::UPGRADE;
use tower_service::Service;

#[cfg(feature = "streaming")]
use super::Opened;
#[cfg(feature = "streaming")]
use super::streaming::wire::{Lines, is_event_stream};
use super::{Body, BoxFuture, CutShort, Exchange, Transport, TransportError};
use crate::lock::Lock as _;

/// A transport over a `tower` service: a stack of layers over a connection, or a server's router, to test a client without a socket.
///
/// The service enforces the time limit, since this type has no clock; the limit on the answer's length is enforced here. The service must
/// not follow a redirect to another origin.
///
/// ```
/// # use fedispec_runtime as rt;
/// use rt::client::{Client, Tower};
/// # fn router() -> axum::Router { axum::Router::new() }
///
/// let client = Client::with_transport("example.org".parse()?, Tower::new(router()));
/// # let _ = client;
/// # Ok::<(), rt::client::BadOrigin>(())
/// ```
#[derive(Debug)]
pub struct Tower<S>(Mutex<S>);

impl<S> Tower<S> {
    /// Creates a transport over a service.
    pub fn new(service: S) -> Self {
        Self(Mutex::new(service))
    }
}

impl<S, B> Tower<S>
where
    S: Service<http::Request<Body>, Response = http::Response<B>> + Clone + Send,
    S::Error: Into<Box<dyn StdError + Send + Sync>>,
    S::Future: Send,
{
    /// Calls the service.
    fn answer(
        &self,
        request: http::Request<Body>,
    ) -> impl Future<Output = Result<S::Response, TransportError>> + Send + use<S, B> {
        let service = self.0.held();
        let mut service = service.clone();
        async move {
            let broken = |error: S::Error| TransportError::Broken(error.into());
            poll_fn(|context| service.poll_ready(context)).await.map_err(broken)?;
            service.call(request).await.map_err(broken)
        }
    }
}

impl<S, B> Transport for Tower<S>
where
    S: Service<http::Request<Body>, Response = http::Response<B>> + Clone + Send,
    S::Error: Into<Box<dyn StdError + Send + Sync>>,
    S::Future: Send,
    B: http_body::Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn StdError + Send + Sync>>,
{
    fn call(
        &self,
        exchange: Exchange,
    ) -> BoxFuture<'_, Result<http::Response<Bytes>, TransportError>> {
        let answered = self.answer(exchange.request);
        Box::pin(async move {
            let (parts, body) = answered.await?.into_parts();
            let mut whole = BytesMut::new();
            let gathered = gather(body, &mut whole, exchange.max_bytes).await;
            let response = http::Response::from_parts(parts, whole.freeze());
            match gathered {
                Ok(()) => Ok(response),
                Err(why) => Err(TransportError::Cut(CutShort::new(response, why).into())),
            }
        })
    }

    /// Opens server-sent events. A WebSocket needs a connection, which a service is not.
    #[cfg(feature = "streaming")]
    fn open(&self, exchange: Exchange) -> BoxFuture<'_, Result<Opened, TransportError>> {
        if exchange.request.headers().contains_key(UPGRADE) {
            let error = TransportError::Unsupported("WebSockets");
            return Box::pin(std::future::ready(Err(error)));
        }
        let answered = self.answer(exchange.request);
        Box::pin(async move {
            let (parts, body) = answered.await?.into_parts();
            if is_event_stream(parts.status, &parts.headers) {
                return Ok(Opened::Line(Box::new(Lines(Box::pin(body)))));
            }
            let mut whole = BytesMut::new();
            // A part of an error's body is better than none.
            let _ = gather(body, &mut whole, exchange.max_bytes).await;
            let response = http::Response::from_parts(parts, whole.freeze());
            Ok(Opened::Answer(response))
        })
    }
}

/// Collects a body up to `max_bytes`. What came before a fault is kept.
async fn gather<B>(body: B, whole: &mut BytesMut, max_bytes: u64) -> Result<(), TransportError>
where
    B: http_body::Body,
    B::Error: Into<Box<dyn StdError + Send + Sync>>,
{
    let mut body = pin!(body);
    while let Some(frame) = poll_fn(|context| body.as_mut().poll_frame(context)).await {
        let frame = frame.map_err(|error| TransportError::Broken(error.into()))?;
        let Ok(mut piece) = frame.into_data() else {
            continue;
        };
        if (whole.len() + piece.remaining()) as u64 > max_bytes {
            return Err(TransportError::TooLong(max_bytes));
        }
        whole.extend_from_slice(&piece.copy_to_bytes(piece.remaining()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::time::Duration;

    use super::*;

    #[derive(Clone)]
    struct Echo;

    impl Service<http::Request<Body>> for Echo {
        type Response = http::Response<Body>;
        type Error = Infallible;
        type Future = std::future::Ready<Result<Self::Response, Infallible>>;

        fn poll_ready(
            &mut self,
            _: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Result<(), Infallible>> {
            std::task::Poll::Ready(Ok(()))
        }

        fn call(&mut self, request: http::Request<Body>) -> Self::Future {
            std::future::ready(Ok(http::Response::new(request.into_body())))
        }
    }

    #[tokio::test]
    async fn an_answer_is_no_longer_than_it_may_be() {
        let transport: &dyn Transport = &Tower::new(Echo);
        let call = |max_bytes| {
            transport.call(Exchange {
                request: http::Request::new(Body::from("12345")),
                timeout: Duration::from_secs(1),
                answer_timeout: None,
                max_bytes,
                is_repeatable: true,
            })
        };
        assert_eq!(call(5).await.expect("an answer").body(), "12345");
        let error = call(4).await.expect_err("too long");
        let TransportError::Cut(cut) = error else {
            unreachable!("{error:?}");
        };
        assert!(matches!(cut.why, TransportError::TooLong(4)));
        assert_eq!(cut.response.status(), 200);
    }
}
