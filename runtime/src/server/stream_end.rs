//! An open event stream, and what ends it before its source does.

use std::future::{Future, pending, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;

use axum::http::Extensions;
use tokio::time::sleep;

use super::admission::admit;
use super::client_limit::ClientPermit;
use super::connection::Ending;
use super::open_streams::{Entry, Held};
use super::site::Site;
use super::{Caller, Error};
use crate::{Operation, Secret};

/// A stream that is open until this is dropped.
pub(super) struct OpenStream {
    /// Completes when the stream must end.
    pub(super) end: Pin<Box<dyn Future<Output = End> + Send>>,
    #[cfg_attr(not(feature = "websocket"), expect(dead_code, reason = "its drop is what counts"))]
    entry: Entry,
    _permit: Option<ClientPermit>,
}

/// Why a stream ends before its source does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The listener stops.
    Shutdown,
    /// Its token was revoked, or its account may no longer sign in.
    Closed,
}

impl OpenStream {
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
    ) -> Result<Self, Error> {
        let permit = site.stream_limit.take(caller, extensions, &site.limits)?;
        let account = caller.and_then(|caller| caller.account.clone());
        let entry = site.streams.enter(account, token.cloned());
        let end = Box::pin(end(Arc::clone(site), operation, entry.held(), ending));
        Ok(Self { end, entry, _permit: permit })
    }

    /// Ends the stream.
    #[cfg(feature = "websocket")]
    pub(super) fn close(&self) {
        self.entry.held().closed.notify_one();
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
        let asked = (operation, site.auth(operation));
        let is_known = match admit(site, asked, held.token.as_ref(), &Extensions::new()).await {
            Ok(caller) => caller.and_then(|caller| caller.account) == held.account,
            Err(error) => error.refusal().is_none(),
        };
        if !is_known {
            return;
        }
    }
}
