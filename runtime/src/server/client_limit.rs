//! The limits of what each client holds at once: event streams, unfinished bodies, and calls that run apart from their connections.
//!
//! `tower::limit` counts all callers together, and has no place for one key each; `governor` counts calls and not what is held.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::http::{Extensions, StatusCode};

use super::client_key::ClientKey;
use super::{Caller, Error, RequestLimits};
use crate::lock::Lock as _;

/// The number of things that each client holds.
#[derive(Debug)]
pub(super) struct ClientLimit {
    /// Their name in refusals.
    what: &'static str,
    /// The most of an account, and of an address without one.
    most: fn(&RequestLimits) -> (usize, usize),
    taken: Mutex<HashMap<ClientKey, usize>>,
}

/// The right to hold one more. It is given back when this is dropped.
#[derive(Debug)]
pub(super) struct ClientPermit {
    limit: Arc<ClientLimit>,
    owner: ClientKey,
}

impl ClientLimit {
    fn new(what: &'static str, most: fn(&RequestLimits) -> (usize, usize)) -> Arc<Self> {
        Arc::new(Self { what, most, taken: Mutex::default() })
    }

    /// Counts event streams.
    pub(super) fn streams() -> Arc<Self> {
        Self::new("event streams", |limits| (limits.sockets, limits.anonymous_sockets))
    }

    /// Counts bodies that are on their way.
    pub(super) fn bodies() -> Arc<Self> {
        Self::new("unfinished bodies", |limits| (limits.bodies, limits.bodies))
    }

    /// Counts calls that run apart from their connections.
    pub(super) fn detached() -> Arc<Self> {
        let what = "calls that are not answered yet";
        Self::new(what, |limits| (limits.detached, limits.detached))
    }

    /// Takes one for a client; `None` for a caller that has neither an account nor an address.
    ///
    /// # Errors
    ///
    /// Where the caller has all that it may have.
    pub(super) fn take(
        self: &Arc<Self>,
        caller: Option<&Caller>,
        extensions: &Extensions,
        limits: &RequestLimits,
    ) -> Result<Option<ClientPermit>, Error> {
        let (of_account, of_address) = (self.most)(limits);
        let owner = ClientKey::account(caller).or_else(|| ClientKey::address(extensions));
        let Some(owner) = owner else {
            return Ok(None);
        };
        let (whose, most) = match owner {
            ClientKey::Account(_) => ("an account", of_account),
            ClientKey::Address(_) => ("an address without an account", of_address),
        };
        let refused = || {
            let told = format!("{whose} has at most {most} {} at once", self.what);
            Error::new(StatusCode::TOO_MANY_REQUESTS, told)
        };
        self.permit(owner, most).map(Some).ok_or_else(refused)
    }

    fn permit(self: &Arc<Self>, owner: ClientKey, most: usize) -> Option<ClientPermit> {
        let mut taken = self.taken.held();
        let count = taken.get(&owner).copied().unwrap_or_default();
        if count >= most {
            return None;
        }
        taken.insert(owner.clone(), count + 1);
        Some(ClientPermit { limit: Arc::clone(self), owner })
    }
}

impl Drop for ClientPermit {
    fn drop(&mut self) {
        let mut taken = self.limit.taken.held();
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
        let limit = ClientLimit::streams();
        let limits = RequestLimits::default().sockets(2);
        let take = |account: &str| {
            let caller = Caller::user(account, "read");
            limit.take(Some(&caller), &Extensions::new(), &limits)
        };
        let first = take("7").expect("a permit");
        let second = take("7").expect("a permit");
        assert_eq!(take("7").expect_err("two are taken").status(), 429);
        let other = take("8").expect("a permit");
        drop(first);
        let third = take("7").expect("a permit");
        assert!(third.is_some());
        drop((second, third, other));
        assert!(limit.taken.held().is_empty());
    }

    #[cfg(feature = "listen")]
    #[test]
    fn who_has_no_account_is_counted_by_address() {
        use axum::extract::ConnectInfo;
        use std::net::SocketAddr;

        let limit = ClientLimit::streams();
        let limits = RequestLimits::default().sockets(0).anonymous_sockets(1);
        let take = |caller: Option<&Caller>, address: &str| {
            let address = SocketAddr::new(address.parse().expect(address), 80);
            let mut extensions = Extensions::new();
            extensions.insert(ConnectInfo(address));
            limit.take(caller, &extensions, &limits)
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
        assert!(limit.taken.held().is_empty());
        // Without an address, clients cannot be told apart.
        let nobody = limit.take(None, &Extensions::new(), &limits);
        assert!(nobody.expect("no limit").is_none());
    }
}
