//! Rate limits and retries: how a client treats a server that has enough of it.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use http::HeaderMap;

use super::{Rate, Timer, backoff};
use crate::lock::Lock as _;

/// The behaviour of a client once the server's rate limit is used up. Clones of a client with the same token share what they know of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum RateLimits {
    /// Sends, and returns the 429 of the server as an error.
    #[default]
    Return,
    /// Waits until the server takes requests again, and sends then. A 429 is answered by waiting too: the server has done nothing.
    Wait,
    /// As [`Wait`](Self::Wait), and spreads the requests that are left over the time until then, so that none has to wait long.
    Pace,
}

/// Number and delay of the retries of a failed request.
///
/// Only what may be repeated is: requests that read, and those with an `Idempotency-Key` where the server is known to heed it, as Mastodon
/// does and GoToSocial does not. They are repeated after 502, 503 and 504, and where the connection failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub struct Retries {
    most: u32,
    first: Duration,
    longest: Duration,
}

impl Retries {
    /// No request is repeated.
    pub const NONE: Self = Self::of(0);

    /// So many repetitions at most, the first after half a second, each later one after twice the time of the one before, up to 30 seconds.
    pub const fn of(most: u32) -> Self {
        Self { most, first: Duration::from_millis(500), longest: Duration::from_secs(30) }
    }

    /// Sets the time before the first repetition, and the longest one.
    pub const fn after(mut self, first: Duration, longest: Duration) -> Self {
        (self.first, self.longest) = (first, longest);
        self
    }

    /// The time before a repetition, the first of which is 0: between half of what is due and all of it, so that many clients do not come
    /// back at once. `None` where there is none.
    pub(super) fn pause(&self, repetition: u32, jitter: u32) -> Option<Duration> {
        if repetition >= self.most {
            return None;
        }
        let due = backoff::whole(self.first, self.longest, repetition);
        Some(backoff::spread(due, f64::from(jitter % 1000) / 1000.0))
    }
}

/// How long a server that does not say is left alone after a 429.
const UNTOLD: Duration = Duration::from_secs(30);
/// Two times at which a period ends are one where they differ by less: some servers count in seconds.
const SAME: Duration = Duration::from_secs(2);

/// When a request may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    Now,
    /// After this time, which is taken.
    In(Duration),
    /// After this time, if there is something left then.
    NotBefore(Duration),
}

/// The known rate limits of one token at one server.
///
/// A server has several, such as one for all requests and a narrower one for uploads, and an answer tells of the one that is nearest its
/// end. They are told apart by their size.
#[derive(Debug, Default)]
pub(super) struct Limiter(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// By how many requests they allow.
    periods: BTreeMap<u64, Period>,
    /// Which of them the answers to an operation tell of.
    limits: BTreeMap<&'static str, u64>,
    /// Until when an operation is refused.
    refused: BTreeMap<&'static str, SystemTime>,
}

#[derive(Debug, Clone, Copy)]
struct Period {
    remaining: u64,
    ends: SystemTime,
    /// When the next request of a client that paces itself may be sent.
    next: SystemTime,
}

impl Limiter {
    /// When a request may be sent. It counts as sent then, so that the requests of other clones wait for turns of their own.
    pub(super) fn turn(&self, operation: &'static str, pacing: &Pacing, now: SystemTime) -> Turn {
        if pacing.limits == RateLimits::Return {
            return Turn::Now;
        }
        let until = |then: SystemTime| then.duration_since(now).unwrap_or_default();
        let known = &mut *self.0.held();
        let refused = known.refused.get(operation).copied().map(until);
        if let Some(wait) = refused.filter(|wait| !wait.is_zero()) {
            return Turn::NotBefore(wait);
        }
        // The widest counts all requests.
        let limit = known.limits.get(operation).copied();
        let limit = limit.or_else(|| known.periods.keys().next_back().copied());
        let period = limit.and_then(|limit| known.periods.get_mut(&limit));
        let Some(period) = period.filter(|period| period.ends > now) else {
            return Turn::Now;
        };
        if period.remaining == 0 {
            return Turn::NotBefore(until(period.ends));
        }
        let mut turn = Turn::Now;
        if pacing.limits == RateLimits::Pace {
            let from = period.next.max(now);
            if until(from) > pacing.longest_wait {
                return Turn::NotBefore(until(from));
            }
            let left = period.ends.duration_since(from).unwrap_or_default();
            let parts = u32::try_from(period.remaining).unwrap_or(u32::MAX);
            period.next = from + left / parts;
            if from > now {
                turn = Turn::In(until(from));
            }
        }
        period.remaining -= 1;
        turn
    }

    /// Takes in what an answer tells. Returns how long to wait where it is a refusal.
    pub(super) fn learn(
        &self,
        operation: &'static str,
        status: u16,
        headers: &HeaderMap,
        now: SystemTime,
    ) -> Option<Duration> {
        let rate = Rate::read(headers).unwrap_or_default();
        let left = rate.until_reset(now);
        let ends = left.and_then(|left| now.checked_add(left));
        let known = &mut *self.0.held();
        if let (Some(limit), Some(remaining), Some(ends)) = (rate.limit, rate.remaining, ends) {
            let period =
                known.periods.entry(limit).or_insert(Period { remaining, ends, next: now });
            let shift =
                ends.duration_since(period.ends).or_else(|_| period.ends.duration_since(ends));
            // Answers overtake each other: within a period the lowest number is the latest.
            let is_same = shift.is_ok_and(|shift| shift < SAME);
            let remaining = if is_same { remaining.min(period.remaining) } else { remaining };
            (period.remaining, period.ends) = (remaining, ends);
            known.limits.insert(operation, limit);
        }
        if status != 429 {
            known.refused.remove(operation);
            return None;
        }
        // A server that says 0 has refused all the same.
        let wait = rate.retry_after.or(left).unwrap_or(UNTOLD).max(Duration::from_secs(1));
        if let Some(then) = now.checked_add(wait) {
            known.refused.insert(operation, then);
        }
        Some(wait)
    }
}

/// The work of a client beside sending.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pacing {
    pub(super) limits: RateLimits,
    pub(super) retries: Retries,
    pub(super) longest_wait: Duration,
}

impl Default for Pacing {
    fn default() -> Self {
        Self {
            limits: RateLimits::Return,
            retries: Retries::NONE,
            // Mastodon's periods are 5 minutes, and 30 for uploads.
            longest_wait: Duration::from_secs(5 * 60 + 10),
        }
    }
}

impl Pacing {
    /// How long to wait before a repetition after an answer; `None` where it is the answer.
    pub(super) fn after_status(
        &self,
        status: u16,
        headers: &HeaderMap,
        repetition: u32,
        timer: &dyn Timer,
    ) -> Option<Duration> {
        if !matches!(status, 502..=504) {
            return None;
        }
        let pause = self.retries.pause(repetition, timer.jitter())?;
        let told = Rate::read(headers).and_then(|rate| rate.retry_after);
        let wait = told.map_or(pause, |told| told.max(pause));
        (wait <= self.longest_wait).then_some(wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T0: SystemTime = SystemTime::UNIX_EPOCH;

    fn at(seconds: u64) -> SystemTime {
        T0 + Duration::from_secs(1_728_390_000 + seconds)
    }

    fn headers(pairs: &[(&'static str, String)]) -> HeaderMap {
        let pairs = pairs.iter().map(|(name, value)| {
            let name = http::HeaderName::from_static(name);
            (name, value.parse().expect("a value"))
        });
        pairs.collect()
    }

    fn rate(limit: u64, remaining: u64, reset: u64) -> HeaderMap {
        headers(&[
            ("x-ratelimit-limit", limit.to_string()),
            ("x-ratelimit-remaining", remaining.to_string()),
            ("x-ratelimit-reset", (1_728_390_000 + reset).to_string()),
        ])
    }

    fn turn(limiter: &Limiter, operation: &'static str, limits: RateLimits, now: u64) -> Turn {
        let pacing = Pacing { limits, ..Pacing::default() };
        limiter.turn(operation, &pacing, at(now))
    }

    fn seconds(wait: u64) -> Duration {
        Duration::from_secs(wait)
    }

    #[test]
    fn what_is_used_up_is_waited_for() {
        use RateLimits::{Return, Wait};
        let limiter = Limiter::default();
        assert_eq!(turn(&limiter, "a", Wait, 0), Turn::Now);
        limiter.learn("a", 200, &rate(300, 2, 100), at(0));
        for _ in 0..2 {
            assert_eq!(turn(&limiter, "b", Wait, 1), Turn::Now);
        }
        assert_eq!(turn(&limiter, "b", Wait, 1), Turn::NotBefore(seconds(99)));
        assert_eq!(turn(&limiter, "b", Return, 1), Turn::Now);
        // An answer that was overtaken does not give back what is used.
        limiter.learn("a", 200, &rate(300, 5, 101), at(2));
        assert_eq!(turn(&limiter, "a", Wait, 2), Turn::NotBefore(seconds(99)));
        // The next period.
        assert_eq!(turn(&limiter, "a", Wait, 102), Turn::Now);
        limiter.learn("a", 200, &rate(300, 299, 400), at(102));
        assert_eq!(turn(&limiter, "a", Wait, 103), Turn::Now);
    }

    #[test]
    fn a_narrow_limit_does_not_hold_up_other_operations() {
        use RateLimits::Wait;
        let limiter = Limiter::default();
        limiter.learn("timelines.home", 200, &rate(300, 200, 300), at(0));
        limiter.learn("media.upload", 200, &rate(30, 0, 1800), at(0));
        assert_eq!(turn(&limiter, "timelines.home", Wait, 0), Turn::Now);
        assert_eq!(turn(&limiter, "never.seen", Wait, 0), Turn::Now);
        let uploads = Turn::NotBefore(seconds(1800));
        assert_eq!(turn(&limiter, "media.upload", Wait, 0), uploads);
    }

    #[test]
    fn a_refusal_says_for_how_long() {
        use RateLimits::Wait;
        let limiter = Limiter::default();
        let told = headers(&[("retry-after", "7".to_owned())]);
        assert_eq!(limiter.learn("a", 429, &told, at(0)), Some(seconds(7)));
        assert_eq!(turn(&limiter, "a", Wait, 3), Turn::NotBefore(seconds(4)));
        assert_eq!(turn(&limiter, "b", Wait, 3), Turn::Now);
        assert_eq!(turn(&limiter, "a", Wait, 7), Turn::Now);
        assert_eq!(limiter.learn("a", 429, &HeaderMap::new(), at(7)), Some(UNTOLD));
        assert_eq!(limiter.learn("a", 200, &HeaderMap::new(), at(8)), None);
        assert_eq!(turn(&limiter, "a", Wait, 8), Turn::Now);
        let epoch = rate(300, 0, 60);
        assert_eq!(limiter.learn("a", 429, &epoch, at(20)), Some(seconds(40)));
        let at_once = headers(&[("retry-after", "0".to_owned())]);
        assert_eq!(limiter.learn("b", 429, &at_once, at(0)), Some(seconds(1)));
        // Nothing that a server says overflows.
        let endless = headers(&[("retry-after", u64::MAX.to_string())]);
        assert_eq!(limiter.learn("b", 429, &endless, at(0)), Some(seconds(u64::MAX)));
        let endless = headers(&[
            ("x-ratelimit-limit", "1".to_owned()),
            ("x-ratelimit-remaining", "0".to_owned()),
            ("x-ratelimit-reset", u64::MAX.to_string()),
        ]);
        limiter.learn("b", 200, &endless, at(0));
    }

    #[test]
    fn paced_requests_are_spread_evenly() {
        use RateLimits::Pace;
        let limiter = Limiter::default();
        limiter.learn("a", 200, &rate(300, 10, 100), at(0));
        assert_eq!(turn(&limiter, "a", Pace, 0), Turn::Now);
        for wait in [10, 20, 30, 40, 50, 60, 70, 80, 90] {
            assert_eq!(turn(&limiter, "a", Pace, 0), Turn::In(seconds(wait)));
        }
        assert_eq!(turn(&limiter, "a", Pace, 0), Turn::NotBefore(seconds(100)));
    }

    #[test]
    fn pauses_grow_and_end() {
        let retries = Retries::of(4).after(seconds(1), seconds(3));
        for (repetition, due) in [(0, 1.0), (1, 2.0), (2, 3.0), (3, 3.0)] {
            for jitter in [0, 1, 500, 999, u32::MAX] {
                let pause = retries.pause(repetition, jitter).expect("a pause");
                assert!((due / 2.0..=due).contains(&pause.as_secs_f64()), "{repetition}");
            }
        }
        assert_eq!(retries.pause(4, 0), None);
        assert_eq!(Retries::NONE.pause(0, 0), None);
    }
}
