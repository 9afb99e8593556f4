//! How long to wait before the next attempt.

use std::time::Duration;

/// The waits between attempts: each twice as long as the one before, up to a limit, and of random length, so that clients that lost a
/// server together do not come back together. It has no clock and no randomness of its own.
///
/// ```
/// use std::time::Duration;
/// use fedispec_runtime::client::Backoff;
///
/// let mut backoff = Backoff::new(Duration::from_secs(1), Duration::from_secs(60));
/// assert_eq!(backoff.wait(None, 1.0), Duration::from_secs(1));
/// assert_eq!(backoff.wait(None, 0.0), Duration::from_secs(1), "half of two seconds at least");
/// // A server that asks for more gets it.
/// assert_eq!(backoff.wait(Some(Duration::from_secs(30)), 0.5), Duration::from_secs(31));
/// ```
#[derive(Debug, Clone)]
pub struct Backoff {
    first: Duration,
    longest: Duration,
    tries: u32,
}

impl Backoff {
    /// The first wait, and the longest.
    pub fn new(first: Duration, longest: Duration) -> Self {
        Self { first: first.min(longest), longest, tries: 0 }
    }

    /// The time to wait before the next attempt, for a random number from 0 to 1. A wait that the server asks for comes on top of a part
    /// of the first wait, however long it is.
    pub fn wait(&mut self, asked: Option<Duration>, random: f64) -> Duration {
        let random = random.clamp(0.0, 1.0);
        let whole = whole(self.first, self.longest, self.tries);
        let own = spread(whole, random);
        self.tries = self.tries.saturating_add(1);
        match asked {
            Some(asked) => own.max(asked.saturating_add(whole.min(self.first).mul_f64(random) * 2)),
            None => own,
        }
    }

    /// The number of attempts since the last success.
    pub fn tries(&self) -> u32 {
        self.tries
    }

    /// An attempt succeeded.
    pub fn reset(&mut self) {
        self.tries = 0;
    }
}

/// The wait before an attempt at its longest: twice that of the attempt before, up to a limit.
pub(super) fn whole(first: Duration, longest: Duration, tries: u32) -> Duration {
    let doubled = 2_u32.checked_pow(tries).unwrap_or(u32::MAX);
    first.saturating_mul(doubled).min(longest)
}

/// A wait between half of what is due and all of it, for a random number from 0 to 1.
pub(super) fn spread(whole: Duration, random: f64) -> Duration {
    (whole / 2) + (whole / 2).mul_f64(random)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn waits_grow_to_the_longest_and_start_again() {
        let mut backoff = Backoff::new(SECOND, 20 * SECOND);
        let waits: Vec<u64> = (0..40).map(|_| backoff.wait(None, 1.0).as_secs()).collect();
        assert_eq!(waits[..7], [1, 2, 4, 8, 16, 20, 20]);
        assert_eq!(waits[39], 20);
        assert_eq!(backoff.tries(), 40);
        backoff.reset();
        assert_eq!(backoff.wait(None, 1.0), SECOND);
    }

    #[test]
    fn waits_are_spread_over_half_of_their_length() {
        for (random, wait) in [(0.0, 500), (0.5, 750), (1.0, 1000), (-3.0, 500), (7.0, 1000)] {
            let waited = Backoff::new(SECOND, 20 * SECOND).wait(None, random);
            assert_eq!(waited, Duration::from_millis(wait), "{random}");
        }
    }

    #[test]
    fn what_the_server_asks_for_is_the_least() {
        let mut backoff = Backoff::new(SECOND, 20 * SECOND);
        assert_eq!(backoff.wait(Some(100 * SECOND), 0.0), 100 * SECOND);
        assert_eq!(backoff.wait(Some(Duration::ZERO), 0.0), SECOND);
        assert_eq!(backoff.wait(Some(Duration::MAX), 1.0), Duration::MAX, "no overflow");
    }
}
