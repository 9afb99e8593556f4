//! The event streams that are open, and what ends them before their source does.

use std::collections::BTreeMap;
use std::fmt;
use std::future::{Future, pending, poll_fn};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use axum::http::Extensions;
use tokio::sync::Notify;
use tokio::time::sleep;

use super::auth::admit;
use super::client_limit::ClientPermit;
use super::connection::Ending;
use super::site::Site;
use super::{Caller, Error};
use crate::{Id, Operation, Secret};

/// The event streams of a server that are open, over a WebSocket or as server-sent events: `Server::streams` and
/// [`Call::streams`](super::Call::streams).
///
/// A token is asked for when a stream begins, when a WebSocket subscribes, and again every few minutes. Who revokes one, or suspends an
/// account, ends its streams at once:
///
/// ```
/// use fedispec_runtime::Secret;
/// use fedispec_runtime::server::{Call, Result};
///
/// fn revoked(call: &Call, token: &Secret) -> Result<()> {
///     // .. and it is no longer in the store
///     call.streams().close_token(token);
///     Ok(())
/// }
/// # let _ = revoked;
/// ```
#[derive(Clone, Default)]
pub struct OpenStreams(Arc<Mutex<Open>>);

#[derive(Default)]
struct Open {
    streams: BTreeMap<u64, Arc<Held>>,
    next: u64,
}

/// Whose a stream is.
struct Held {
    account: Option<Id>,
    token: Option<Secret>,
    closed: Notify,
}

/// A stream that is open until this is dropped.
pub(super) struct OpenStream {
    /// Completes when the stream must end.
    pub(super) end: Pin<Box<dyn Future<Output = End> + Send>>,
    number: u64,
    streams: OpenStreams,
    _permit: Option<ClientPermit>,
}

/// Why a stream ends before its source does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The listener stops.
    Shutdown,
    /// Its token, or its account, is no longer welcome.
    Closed,
}

impl OpenStreams {
    /// Ends the streams that were opened with a token, and tells how many.
    pub fn close_token(&self, token: &Secret) -> usize {
        self.close(|held| held.token.as_ref() == Some(token))
    }

    /// Ends the streams of an account, and tells how many.
    pub fn close_account(&self, account: &Id) -> usize {
        self.close(|held| held.account.as_ref() == Some(account))
    }

    /// The number of open streams: connections, whatever they are subscribed to.
    pub fn len(&self) -> usize {
        self.open().streams.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn close(&self, is_meant: impl Fn(&Held) -> bool) -> usize {
        let open = self.open();
        let meant = open.streams.values().filter(|held| is_meant(held));
        meant.map(|held| held.closed.notify_one()).count()
    }

    /// A stream begins.
    ///
    /// # Errors
    ///
    /// Where the caller has all the streams that it may have.
    pub(super) fn enter(
        site: &Arc<Site>,
        operation: &'static Operation,
        caller: Option<&Caller>,
        token: Option<&Secret>,
        extensions: &Extensions,
        ending: Option<Ending>,
    ) -> Result<OpenStream, Error> {
        let permit = site.stream_limit.stream(caller, extensions, &site.limits)?;
        let account = caller.and_then(|caller| caller.account.clone());
        let held = Arc::new(Held { account, token: token.cloned(), closed: Notify::new() });
        let streams = site.streams.clone();
        let mut open = streams.open();
        let number = open.next;
        open.next += 1;
        open.streams.insert(number, Arc::clone(&held));
        drop(open);
        let end = Box::pin(end(Arc::clone(site), operation, held, ending));
        Ok(OpenStream { end, number, streams, _permit: permit })
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(feature = "websocket")]
impl OpenStream {
    /// Ends the stream.
    pub(super) fn close(&self) {
        if let Some(held) = self.streams.open().streams.get(&self.number) {
            held.closed.notify_one();
        }
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.streams.open().streams.remove(&self.number);
    }
}

async fn end(
    site: Arc<Site>,
    operation: &'static Operation,
    held: Arc<Held>,
    ending: Option<Ending>,
) -> End {
    let stops = async {
        match ending {
            Some(ending) => ending.wait().await,
            None => pending().await,
        }
    };
    let (mut stops, mut closed) = (pin!(stops), pin!(held.closed.notified()));
    let mut is_refused = pin!(is_refused(&site, operation, &held));
    let end = poll_fn(|context| {
        if stops.as_mut().poll(context).is_ready() {
            return Poll::Ready(End::Shutdown);
        }
        let is_closed = closed.as_mut().poll(context).is_ready();
        if is_closed || is_refused.as_mut().poll(context).is_ready() {
            return Poll::Ready(End::Closed);
        }
        Poll::Pending
    });
    end.await
}

/// Asks the authenticator now and then, and completes when it no longer knows the token as that account's. A store that cannot be asked refuses
/// nobody.
async fn is_refused(site: &Site, operation: &'static Operation, held: &Held) {
    // Without a tokio runtime no timer can be created.
    let is_timed = tokio::runtime::Handle::try_current().is_ok();
    if site.authenticator.is_none() || held.token.is_none() || !is_timed {
        return pending().await;
    }
    loop {
        sleep(site.limits.revalidate).await;
        let is_known = match admit(site, operation, held.token.as_ref(), &Extensions::new()).await {
            Ok(caller) => caller.and_then(|caller| caller.account) == held.account,
            Err(error) => error.refusal().is_none(),
        };
        if !is_known {
            return;
        }
    }
}

impl fmt::Debug for OpenStreams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenStreams").field("len", &self.len()).finish()
    }
}
