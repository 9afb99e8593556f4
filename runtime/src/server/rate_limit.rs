//! Rate limits.

use std::collections::HashMap;
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use axum::http::StatusCode;

use super::target::{Clock, Counted, Ways};
use super::{Call, Error, Result};
use crate::Timestamp;

/// The greatest number of clients that are counted apart. Those beyond share one count.
const CLIENTS: usize = 1 << 20;

/// A number of calls that each client has in a time, counted in memory: `Server::rate_limit`.
///
/// Each answer has `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`, and beyond the limit it is a 429, in the form that
/// the program has which the server emulates. Mastodon counts by account, and who has none by address; GoToSocial counts by address. IPv6
/// addresses count by their first 64 bits. Addresses are known with the feature `listen`; without it, all who have no account share a count.
///
/// Calls count that reach a handler. For limits of your own, such as one for sign-ups, ask [`check`](Self::check) in a handler.
pub struct RateLimit {
    calls: u32,
    period: Duration,
    window: Mutex<Window>,
}

/// The counts of one period.
#[derive(Default)]
struct Window {
    number: u64,
    counts: HashMap<Client, u32>,
}

#[derive(PartialEq, Eq, Hash)]
enum Client {
    Account(Box<str>),
    Address(IpAddr),
    Others,
}

impl RateLimit {
    /// A number of calls in each period, such as 300 in five minutes.
    pub fn new(calls: u32, period: Duration) -> Self {
        Self { calls, period: period.max(Duration::from_secs(1)), window: Mutex::default() }
    }

    /// Counts a call, and sets the headers of its answer.
    ///
    /// # Errors
    ///
    /// 429 where the client has had all its calls of this period.
    pub fn check(&self, call: &Call) -> Result<()> {
        let ways = Ways::of(call.target.as_deref());
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let now = now.unwrap_or_default().as_secs();
        let period = self.period.as_secs();
        let number = now / period;
        let had = self.count(Client::of(call, ways), number);
        let reset = (number + 1).saturating_mul(period);
        let remaining = self.calls.saturating_sub(had);
        call.set_rate_limit(self.calls, remaining, &written(reset, ways.clock));
        if had <= self.calls {
            return Ok(());
        }
        let wait = Duration::from_secs(reset.saturating_sub(now));
        let error = Error::new(StatusCode::TOO_MANY_REQUESTS, ways.too_many_requests);
        Err(error.with_retry_after(wait))
    }

    /// The number of a client's calls in a period, with this one.
    fn count(&self, client: Client, number: u64) -> u32 {
        let mut window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        if window.number != number {
            window.number = number;
            window.counts.clear();
        }
        let is_full = window.counts.len() >= CLIENTS && !window.counts.contains_key(&client);
        let client = if is_full { Client::Others } else { client };
        let count = window.counts.entry(client).or_default();
        *count = count.saturating_add(1);
        *count
    }
}

impl Client {
    fn of(call: &Call, ways: &Ways) -> Self {
        let caller = call.caller.as_ref();
        let account = caller.and_then(|caller| caller.account.as_ref());
        let account = account.map(|account| Self::Account(account.as_str().into()));
        let address = peer(call).map(|address| Self::Address(network(address)));
        let known = match ways.counted {
            Counted::ByAccount => account.or(address),
            Counted::ByAddress => address.or(account),
        };
        known.unwrap_or(Self::Others)
    }
}

#[cfg(feature = "listen")]
fn peer(call: &Call) -> Option<IpAddr> {
    call.peer()
}

/// Without a listener of ours nobody tells addresses.
#[cfg(not(feature = "listen"))]
fn peer(_: &Call) -> Option<IpAddr> {
    None
}

/// What one client is likely to have: an IPv4 address, or the first half of an IPv6 address.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let first = u128::from(address) & !u128::from(u64::MAX);
            Ipv6Addr::from(first).into()
        }
    }
}

/// A point in time, in seconds since 1970, as a program writes it in the header.
fn written(seconds: u64, clock: Clock) -> Timestamp {
    let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
    let unix = Timestamp::from_unix(seconds);
    let fraction = match clock {
        Clock::Milliseconds => "000",
        Clock::Microseconds => "000000",
    };
    let Some((year, month, day)) = unix.date() else {
        return unix;
    };
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{fraction}Z").into()
}

impl fmt::Debug for RateLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RateLimit")
            .field("calls", &self.calls)
            .field("period", &self.period)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_ends_for_all() {
        let limit = RateLimit::new(2, Duration::from_secs(60));
        let account = |name: &str| Client::Account(name.into());
        assert_eq!(limit.count(account("a"), 7), 1);
        assert_eq!(limit.count(account("a"), 7), 2);
        assert_eq!(limit.count(account("b"), 7), 1);
        assert_eq!(limit.count(account("a"), 8), 1);
    }

    #[test]
    fn each_program_writes_time_in_its_way() {
        let text = |clock| written(1_728_390_605, clock).to_string();
        assert_eq!(text(Clock::Milliseconds), "2024-10-08T12:30:05.000Z");
        assert_eq!(text(Clock::Microseconds), "2024-10-08T12:30:05.000000Z");
    }

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        let address = |text: &str| text.parse::<IpAddr>().expect("an address");
        let (one, other) = (address("2001:db8::1"), address("2001:db8::ffff:2"));
        assert_eq!(network(one), network(other));
        assert_ne!(network(one), network(address("2001:db8:0:1::1")));
        assert_ne!(network(address("192.0.2.1")), network(address("192.0.2.2")));
    }
}
