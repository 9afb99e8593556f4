//! The way of a request through rate limits, retries and the transport.

use std::sync::Arc;

use bytes::Bytes;

use super::pacing::{Limiter, Pacing, RateLimits, Turn};
use super::{BoxFuture, Exchange, Retries, Timer, Transport, TransportError};

/// How often a request is sent again that the server refuses for its rate limit: one that refuses it for ever is not asked for ever.
const MOST_REFUSALS: u32 = 5;

pub(super) type Response = Result<http::Response<Bytes>, TransportError>;

/// A response that is on its way.
pub(super) type Flight = BoxFuture<'static, Response>;

/// The way in which the requests of a client are sent.
#[derive(Clone)]
pub(super) struct Delivery {
    pub(super) transport: Arc<dyn Transport>,
    pub(super) timer: Option<Arc<dyn Timer>>,
    pub(super) limiter: Arc<Limiter>,
    pub(super) pacing: Pacing,
}

impl Delivery {
    pub(super) fn new(transport: impl Transport + 'static) -> Self {
        Self {
            timer: transport.timer(),
            transport: Arc::new(transport),
            limiter: Arc::default(),
            pacing: Pacing::default(),
        }
    }

    /// Sends a request of an operation. The future does not borrow the client.
    pub(super) fn send(&self, operation: &'static str, exchange: Exchange) -> Flight {
        #[cfg(feature = "tracing")]
        let origin = exchange.request.uri().authority().map(ToString::to_string);
        let Pacing { limits, retries, .. } = self.pacing;
        let waits = limits != RateLimits::Return || retries != Retries::NONE;
        let delivery = self.clone();
        let sent = async move {
            match &delivery.timer {
                Some(timer) if waits => delivery.patiently(&**timer, operation, exchange).await,
                _ => delivery.transport.call(exchange).await,
            }
        };
        #[cfg(feature = "tracing")]
        let sent = traced(operation, origin.unwrap_or_default(), sent);
        Box::pin(sent)
    }

    /// Waits for the rate limit, sends, and sends again what failed and may be repeated.
    async fn patiently(
        &self,
        timer: &dyn Timer,
        operation: &'static str,
        exchange: Exchange,
    ) -> Response {
        let limits = self.pacing.limits;
        let (mut repetition, mut refusals) = (0, 0);
        loop {
            self.wait_for_turn(timer, operation).await?;
            let answered = self.transport.call(exchange.clone()).await;
            let wait = match &answered {
                Ok(response) => {
                    let (status, headers) = (response.status().as_u16(), response.headers());
                    let refused = self.limiter.learn(operation, status, headers, timer.now());
                    let longest = self.pacing.longest_wait;
                    if limits != RateLimits::Return
                        && refused.is_some_and(|wait| wait <= longest)
                        && refusals < MOST_REFUSALS
                    {
                        refusals += 1;
                        // The time is waited for as the next turn.
                        continue;
                    }
                    self.pacing.after_status(status, headers, repetition, timer)
                }
                Err(error) if error.may_pass() => {
                    self.pacing.retries.pause(repetition, timer.jitter())
                }
                Err(_) => None,
            };
            let Some(wait) = wait.filter(|_| exchange.is_repeatable) else {
                return answered;
            };
            repetition += 1;
            #[cfg(feature = "tracing")]
            tracing::debug!(operation, repetition, ?wait, "the request is sent again");
            drop(answered);
            timer.sleep(wait).await;
        }
    }

    async fn wait_for_turn(
        &self,
        timer: &dyn Timer,
        operation: &'static str,
    ) -> Result<(), TransportError> {
        let longest = self.pacing.longest_wait;
        loop {
            let turn = self.limiter.turn(operation, &self.pacing, timer.now());
            let (wait, is_taken) = match turn {
                Turn::Now => return Ok(()),
                Turn::In(wait) => (wait, true),
                Turn::NotBefore(wait) if wait > longest => {
                    return Err(TransportError::Limited(wait));
                }
                Turn::NotBefore(wait) => (wait, false),
            };
            #[cfg(feature = "tracing")]
            tracing::debug!(operation, ?wait, "the rate limit is waited for");
            timer.sleep(wait).await;
            if is_taken {
                return Ok(());
            }
        }
    }
}

/// Within a span of the operation. What a request holds, from the token to the path, is in no span.
#[cfg(feature = "tracing")]
async fn traced(
    operation: &'static str,
    origin: String,
    sent: impl Future<Output = Response>,
) -> Response {
    use tracing::Instrument as _;

    let span = tracing::debug_span!("request", operation, server = origin);
    let started = async {
        let answered = sent.await;
        match &answered {
            Ok(response) => {
                let (status, bytes) = (response.status().as_u16(), response.body().len());
                tracing::debug!(status, bytes, "the server has answered");
            }
            Err(error) => tracing::debug!(%error, "the server has not answered"),
        }
        answered
    };
    started.instrument(span).await
}
