//! The limits of what each client holds at once: event streams, unfinished bodies, and calls that run apart from their connections.
//!
//! `tower::limit` counts all callers together, and has no place for one key each; `governor` counts calls and not what is held.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::{Extensions, StatusCode};

use super::client_key::ClientKey;
use super::{Caller, Error, RequestLimits};

/// The number of things that each client holds.
#[derive(Debug, Default)]
pub(super) struct ClientLimit(Mutex<HashMap<ClientKey, usize>>);

/// The right to hold one more. It is given back when this is dropped.
#[derive(Debug)]
pub(super) struct ClientPermit {
    limit: Arc<ClientLimit>,
    owner: ClientKey,
}

impl ClientLimit {
    /// Takes an event stream for a client; `None` for a caller that has neither an account nor an address.
    ///
    /// # Errors
    ///
    /// Where the caller has all that it may have.
    pub(super) fn stream(
        self: &Arc<Self>,
        caller: Option<&Caller>,
        extensions: &Extensions,
        limits: &RequestLimits,
    ) -> Result<Option<ClientPermit>, Error> {
        let most = (limits.sockets, limits.anonymous_sockets);
        self.take(caller, extensions, most, "event streams")
    }

    /// Takes a body that is on its way.
    ///
    /// # Errors
    ///
    /// Where the caller has all that it may have.
    pub(super) fn body(
        self: &Arc<Self>,
        caller: Option<&Caller>,
        extensions: &Extensions,
        limits: &RequestLimits,
    ) -> Result<Option<ClientPermit>, Error> {
        self.take(caller, extensions, (limits.bodies, limits.bodies), "unfinished bodies")
    }

    /// Takes a call that runs apart from its connection.
    ///
    /// # Errors
    ///
    /// Where the caller has all that it may have.
    pub(super) fn detached(
        self: &Arc<Self>,
        caller: Option<&Caller>,
        extensions: &Extensions,
        limits: &RequestLimits,
    ) -> Result<Option<ClientPermit>, Error> {
        let most = (limits.detached, limits.detached);
        self.take(caller, extensions, most, "calls that are not answered yet")
    }

    fn take(
        self: &Arc<Self>,
        caller: Option<&Caller>,
        extensions: &Extensions,
        (of_account, of_address): (usize, usize),
        what: &str,
    ) -> Result<Option<ClientPermit>, Error> {
        let owner = ClientKey::account(caller).or_else(|| ClientKey::address(extensions));
        let Some(owner) = owner else {
            return Ok(None);
        };
        let (whose, most) = match owner {
            ClientKey::Account(_) => ("an account", of_account),
            ClientKey::Address(_) => ("an address without an account", of_address),
        };
        let refused = || {
            let told = format!("{whose} has at most {most} {what} at once");
            Error::new(StatusCode::TOO_MANY_REQUESTS, told)
        };
        self.permit(owner, most).map(Some).ok_or_else(refused)
    }

    fn permit(self: &Arc<Self>, owner: ClientKey, most: usize) -> Option<ClientPermit> {
        let mut taken = self.taken();
        let count = taken.get(&owner).copied().unwrap_or_default();
        if count >= most {
            return None;
        }
        taken.insert(owner.clone(), count + 1);
        Some(ClientPermit { limit: Arc::clone(self), owner })
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<ClientKey, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ClientPermit {
    fn drop(&mut self) {
        let mut taken = self.limit.taken();
        match taken.get_mut(&self.owner) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(taken.remove(&self.owner)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permit_is_given_back() {
        let limit = Arc::new(ClientLimit::default());
        let limits = RequestLimits::default().sockets(2);
        let take = |account: &str| {
            let caller = Caller::user(account, "read");
            limit.stream(Some(&caller), &Extensions::new(), &limits)
        };
        let first = take("7").expect("a permit");
        let second = take("7").expect("a permit");
        assert_eq!(take("7").expect_err("two are taken").status(), 429);
        let other = take("8").expect("a permit");
        drop(first);
        let third = take("7").expect("a permit");
        assert!(third.is_some());
        drop((second, third, other));
        assert!(limit.taken().is_empty());
    }

    #[cfg(feature = "listen")]
    #[test]
    fn who_has_no_account_is_counted_by_address() {
        use axum::extract::ConnectInfo;
        use std::net::SocketAddr;

        let limit = Arc::new(ClientLimit::default());
        let limits = RequestLimits::default().sockets(0).anonymous_sockets(1);
        let take = |caller: Option<&Caller>, address: &str| {
            let address = SocketAddr::new(address.parse().expect(address), 80);
            let mut extensions = Extensions::new();
            extensions.insert(ConnectInfo(address));
            limit.stream(caller, &extensions, &limits)
        };
        let app = Caller::app("read");
        let held = [
            take(None, "192.0.2.1"),
            take(Some(&app), "192.0.2.2"),
            take(None, "2001:db8::1"),
            take(None, "2001:db8:0:1::1"),
        ];
        for seat in &held {
            assert!(seat.as_ref().expect("a permit").is_some());
        }
        for again in ["192.0.2.1", "::ffff:192.0.2.2", "2001:db8::ffff:1"] {
            let refused = take(Some(&app), again).expect_err(again);
            assert_eq!(refused.status(), 429, "{again}");
        }
        drop(held);
        assert!(limit.taken().is_empty());
        // Without an address nobody is told from anybody.
        let nobody = limit.stream(None, &Extensions::new(), &limits);
        assert!(nobody.expect("no limit").is_none());
    }
}
