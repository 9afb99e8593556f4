//! The event streams that are open, by token and account.
//!
//! tokio-util's `CancellationToken` ends what is told of it one by one; here a token or an account names the streams.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use tokio::sync::Notify;

use crate::lock::Lock as _;
use crate::{Id, Secret};

/// The event streams of a server that are open, over a WebSocket or as server-sent events: `Server::streams` and
/// [`Call::streams`](super::Call::streams).
///
/// A token is asked for when a stream begins, when a WebSocket subscribes, and again every few minutes. To revoke one, or to suspend
/// an account, end its streams at once:
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

/// The account and the token of a stream.
pub(super) struct Held {
    pub(super) account: Option<Id>,
    pub(super) token: Option<Secret>,
    /// Ends the stream from outside.
    pub(super) closed: Notify,
}

/// A stream's entry, until this is dropped.
pub(super) struct Entry {
    held: Arc<Held>,
    number: u64,
    streams: OpenStreams,
}

impl OpenStreams {
    /// Ends the streams that were opened with a token, and tells how many.
    pub fn close_token(&self, token: &Secret) -> usize {
        self.close(|held| held.token.as_ref() == Some(token))
    }

    /// Ends the streams whose tokens a condition selects.
    pub(super) fn close_tokens(&self, is_meant: impl Fn(&Secret) -> bool) -> usize {
        self.close(|held| held.token.as_ref().is_some_and(&is_meant))
    }

    /// Ends the streams of an account, and tells how many.
    pub fn close_account(&self, account: &Id) -> usize {
        self.close(|held| held.account.as_ref() == Some(account))
    }

    /// Ends all streams, and tells how many.
    pub fn close_all(&self) -> usize {
        self.close(|_| true)
    }

    /// The number of open streams: connections, whatever they are subscribed to.
    pub fn len(&self) -> usize {
        self.0.held().streams.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn close(&self, is_meant: impl Fn(&Held) -> bool) -> usize {
        let open = self.0.held();
        let meant = open.streams.values().filter(|held| is_meant(held));
        meant.map(|held| held.closed.notify_one()).count()
    }

    /// Enters a stream.
    pub(super) fn enter(&self, account: Option<Id>, token: Option<Secret>) -> Entry {
        let held = Arc::new(Held { account, token, closed: Notify::new() });
        let mut open = self.0.held();
        let number = open.next;
        open.next += 1;
        open.streams.insert(number, Arc::clone(&held));
        drop(open);
        Entry { held, number, streams: self.clone() }
    }
}

impl Entry {
    /// The owner of the stream.
    pub(super) fn held(&self) -> Arc<Held> {
        Arc::clone(&self.held)
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.streams.0.held().streams.remove(&self.number);
    }
}

shown!(OpenStreams, own => len = own.len());
