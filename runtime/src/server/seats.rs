//! The connections that a caller's event streams hold.

use std::collections::HashMap;
#[cfg(feature = "listen")]
use std::net::SocketAddr;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[cfg(feature = "listen")]
use axum::extract::ConnectInfo;
use axum::http::{Extensions, StatusCode};

use super::{Caller, Error, RequestLimits};
use crate::Id;

/// How many connections each caller holds.
#[derive(Debug, Default)]
pub(super) struct Seats(Mutex<HashMap<Owner, usize>>);

/// One of them. It is given back when this is dropped.
#[derive(Debug)]
pub(super) struct Seat {
    seats: Arc<Seats>,
    owner: Owner,
}

/// Who holds connections.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Owner {
    Account(Id),
    /// Somebody without an account.
    Address(IpAddr),
}

impl Seats {
    /// One more for a caller; `None` where nobody knows who it is.
    ///
    /// # Errors
    ///
    /// Where the caller has all that it may have.
    pub(super) fn take(
        self: &Arc<Self>,
        caller: Option<&Caller>,
        extensions: &Extensions,
        limits: &RequestLimits,
    ) -> Result<Option<Seat>, Error> {
        let account = caller.and_then(|caller| caller.account.clone());
        let address = || Some(Owner::Address(network(peer(extensions)?)));
        let Some(owner) = account.map(Owner::Account).or_else(address) else {
            return Ok(None);
        };
        let (whose, most) = match owner {
            Owner::Account(_) => ("an account", limits.sockets),
            Owner::Address(_) => ("an address without an account", limits.anonymous_sockets),
        };
        let refused = || {
            let told = format!("{whose} has at most {most} event streams at once");
            Error::new(StatusCode::TOO_MANY_REQUESTS, told)
        };
        self.sit(owner, most).map(Some).ok_or_else(refused)
    }

    fn sit(self: &Arc<Self>, owner: Owner, most: usize) -> Option<Seat> {
        let mut taken = self.taken();
        let count = taken.get(&owner).copied().unwrap_or_default();
        if count >= most {
            return None;
        }
        taken.insert(owner.clone(), count + 1);
        Some(Seat { seats: Arc::clone(self), owner })
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<Owner, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The address of the client, as a listener or a proxy that it trusts tells it.
#[cfg(feature = "listen")]
pub(super) fn peer(extensions: &Extensions) -> Option<IpAddr> {
    let told = extensions.get::<ConnectInfo<SocketAddr>>();
    told.map(|ConnectInfo(client)| client.ip().to_canonical())
}

/// Only a listener tells addresses.
#[cfg(not(feature = "listen"))]
fn peer(_: &Extensions) -> Option<IpAddr> {
    None
}

/// What one client is given: an address, or in IPv6 a network of 64 bits ([RFC 6177](https://www.rfc-editor.org/rfc/rfc6177)).
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let bits = address.to_bits() >> 64 << 64;
            Ipv6Addr::from_bits(bits).into()
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.seats.taken();
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
    fn a_seat_is_given_back() {
        let seats = Arc::new(Seats::default());
        let limits = RequestLimits::default().sockets(2);
        let take = |account: &str| {
            let caller = Caller::user(account, "read");
            seats.take(Some(&caller), &Extensions::new(), &limits)
        };
        let first = take("7").expect("a seat");
        let second = take("7").expect("a seat");
        assert_eq!(take("7").expect_err("two are taken").status(), 429);
        let other = take("8").expect("a seat");
        drop(first);
        let third = take("7").expect("a seat");
        assert!(third.is_some());
        drop((second, third, other));
        assert!(seats.taken().is_empty());
    }

    #[cfg(feature = "listen")]
    #[test]
    fn who_has_no_account_is_counted_by_address() {
        let seats = Arc::new(Seats::default());
        let limits = RequestLimits::default().sockets(0).anonymous_sockets(1);
        let take = |caller: Option<&Caller>, address: &str| {
            let address = SocketAddr::new(address.parse().expect(address), 80);
            let mut extensions = Extensions::new();
            extensions.insert(ConnectInfo(address));
            seats.take(caller, &extensions, &limits)
        };
        let app = Caller::app("read");
        let held = [
            take(None, "192.0.2.1"),
            take(Some(&app), "192.0.2.2"),
            take(None, "2001:db8::1"),
            take(None, "2001:db8:0:1::1"),
        ];
        for seat in &held {
            assert!(seat.as_ref().expect("a seat").is_some());
        }
        for again in ["192.0.2.1", "::ffff:192.0.2.2", "2001:db8::ffff:1"] {
            let refused = take(Some(&app), again).expect_err(again);
            assert_eq!(refused.status(), 429, "{again}");
        }
        drop(held);
        assert!(seats.taken().is_empty());
        // Without an address nobody is told from anybody.
        let nobody = seats.take(None, &Extensions::new(), &limits);
        assert!(nobody.expect("no limit").is_none());
    }
}
