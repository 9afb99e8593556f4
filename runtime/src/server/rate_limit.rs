//! Rate limits.
//!
//! `governor` lets calls through at a steady pace; Mastodon and GoToSocial count by fixed periods, whose end their headers tell.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use axum::http::StatusCode;

use fedispec_since::{Clock, CountedBy};

use super::client_key::ClientKey;
use super::ways::Ways;
use super::{Call, Error, Result, Target};
use crate::Timestamp;
use crate::lock::Lock as _;

/// The greatest number of clients that are counted apart. Those beyond share one count.
const CLIENTS: usize = 1 << 20;

/// A number of calls that each client has in a time, counted in memory: `Server::rate_limit`.
///
/// Each answer has `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`, and beyond the limit it is a 429, in the form that
/// the program has which the server emulates. Mastodon counts by account, and callers without one by address; GoToSocial counts by address. IPv6
/// addresses count by their first 64 bits. Addresses are known with the feature `listen`; without it, all who have no account share a count.
///
/// Calls count that reach a handler. A token that the authenticator refuses counts as three for its address, and beyond the limit that address is
/// answered 429 without asking, whatever its token: guesses cost no more. For limits of your own, such as one for sign-ups, ask [`check`](Self::check) in a handler.
pub struct RateLimit {
    calls: u32,
    period: Duration,
    window: Mutex<Window>,
    /// The tokens that were refused.
    refused: Mutex<Window>,
}

/// The calls that a refused token counts as.
const REFUSED: u32 = 3;

/// The counts of one period.
#[derive(Default)]
struct Window {
    number: u64,
    /// Clients without a key share a count.
    counts: HashMap<Option<ClientKey>, u32>,
}

impl RateLimit {
    /// A number of calls in each period, such as 300 in five minutes.
    pub fn new(calls: u32, period: Duration) -> Self {
        let period = period.max(Duration::from_secs(1));
        Self { calls, period, window: Mutex::default(), refused: Mutex::default() }
    }

    /// Counts a call, and sets the headers of its answer.
    ///
    /// # Errors
    ///
    /// 429 where the client has had all its calls of this period.
    pub fn check(&self, call: &Call) -> Result<()> {
        let ways = Ways(call.target.as_deref());
        let time = self.time();
        let client = client(call, ways.counted_by());
        let had = counted(&self.window, client, time.number, 1);
        let remaining = self.calls.saturating_sub(had);
        call.set_rate_limit(self.calls, remaining, &written(time.reset, ways.clock()));
        if had <= self.calls { Ok(()) } else { Err(time.too_many(ways)) }
    }

    /// Refuses a client whose tokens were refused too often.
    pub(super) fn admit(&self, client: &ClientKey, target: Option<&Target>) -> Result<()> {
        let time = self.time();
        let had = counted(&self.refused, Some(client.clone()), time.number, 0);
        if had < self.calls {
            return Ok(());
        }
        let ways = Ways(target);
        let reset = written(time.reset, ways.clock());
        Err(time.too_many(ways).with_rate_limit(self.calls, 0, &reset))
    }

    /// Counts a token that was refused.
    pub(super) fn refused(&self, client: ClientKey) {
        counted(&self.refused, Some(client), self.time().number, REFUSED);
    }

    fn time(&self) -> Time {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let now = now.unwrap_or_default().as_secs();
        let number = now / self.period.as_secs();
        Time { now, number, reset: (number + 1).saturating_mul(self.period.as_secs()) }
    }
}

/// The present, in seconds since 1970.
struct Time {
    now: u64,
    /// The period.
    number: u64,
    /// The end of the period.
    reset: u64,
}

impl Time {
    fn too_many(&self, ways: Ways<'_>) -> Error {
        let wait = Duration::from_secs(self.reset.saturating_sub(self.now));
        let error = Error::new(StatusCode::TOO_MANY_REQUESTS, ways.too_many_requests());
        error.with_retry_after(wait)
    }
}

/// The number of a client's calls in a period, with so many more.
fn counted(window: &Mutex<Window>, client: Option<ClientKey>, number: u64, more: u32) -> u32 {
    let mut window = window.held();
    if window.number != number {
        window.number = number;
        window.counts.clear();
    }
    if more == 0 {
        return window.counts.get(&client).copied().unwrap_or_default();
    }
    let is_full = window.counts.len() >= CLIENTS && !window.counts.contains_key(&client);
    let client = if is_full { None } else { client };
    let count = window.counts.entry(client).or_default();
    *count = count.saturating_add(more);
    *count
}

/// The client that a program counts a call for.
fn client(call: &Call, counted: CountedBy) -> Option<ClientKey> {
    let account = || ClientKey::account(call.caller.as_ref());
    let address = || ClientKey::address(&call.extensions);
    match counted {
        CountedBy::Account => account().or_else(address),
        CountedBy::Address => address().or_else(account),
    }
}

/// A point in time, in seconds since 1970, as a program writes it in the header.
fn written(seconds: u64, clock: Clock) -> Timestamp {
    let milliseconds = i64::try_from(seconds).unwrap_or(i64::MAX).saturating_mul(1000);
    let time = Timestamp::from_unix_milliseconds(milliseconds);
    match clock {
        Clock::Milliseconds => time,
        Clock::Microseconds => time.to_string().replace("000Z", "000000Z").into(),
    }
}

shown!(RateLimit, own => calls, period);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_ends_for_all() {
        let limit = RateLimit::new(2, Duration::from_secs(60));
        let count = |name: &str, number| {
            counted(&limit.window, Some(ClientKey::Account(name.into())), number, 1)
        };
        assert_eq!(count("a", 7), 1);
        assert_eq!(count("a", 7), 2);
        assert_eq!(count("b", 7), 1);
        assert_eq!(count("a", 8), 1);
    }

    #[test]
    fn each_program_writes_time_in_its_way() {
        let text = |clock| written(1_728_390_605, clock).to_string();
        assert_eq!(text(Clock::Milliseconds), "2024-10-08T12:30:05.000Z");
        assert_eq!(text(Clock::Microseconds), "2024-10-08T12:30:05.000000Z");
    }
}
