//! The server's clock, which tests can set.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use fedispec::server::Timestamp;
use serde::{Deserialize, Serialize};

/// Milliseconds since 1970.
pub(crate) type Millis = i64;

pub(crate) const DAY: Millis = 86_400_000;
pub(crate) const WEEK: Millis = 7 * DAY;

/// The beginning of the day of a time.
pub(crate) fn day_of(at: Millis) -> Millis {
    at.div_euclid(DAY) * DAY
}

/// The machine's clock, moved forward or back; or one that stands still.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Clock {
    ahead: Millis,
    stopped_at: Option<Millis>,
}

impl Clock {
    pub(crate) fn now(&self) -> Millis {
        self.stopped_at.unwrap_or_else(system).saturating_add(self.ahead)
    }

    /// Whether it stands still.
    pub(crate) fn is_frozen(&self) -> bool {
        self.stopped_at.is_some()
    }

    /// Sets the time, at which the clock stands still from now on.
    pub(crate) fn set(&mut self, time: Millis) {
        *self = Self { ahead: 0, stopped_at: Some(time) };
    }

    /// Lets the clock stand still at its present time, or go on from it.
    pub(crate) fn freeze(&mut self, frozen: bool) {
        let now = self.now();
        *self = if frozen {
            Self { ahead: 0, stopped_at: Some(now) }
        } else {
            Self { ahead: now.saturating_sub(system()), stopped_at: None }
        };
    }

    pub(crate) fn advance(&mut self, by: Duration) {
        self.ahead = self.ahead.saturating_add(millis(by));
    }
}

/// The machine's time.
fn system() -> Millis {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH);
    millis(elapsed.unwrap_or_default())
}

pub(crate) fn millis(duration: Duration) -> Millis {
    Millis::try_from(duration.as_millis()).unwrap_or(Millis::MAX)
}

/// A time as entities have it.
pub(crate) fn time(at: Millis) -> Timestamp {
    Timestamp::from_unix_milliseconds(at)
}

/// A time that a client has sent.
pub(crate) fn from_time(time: &Timestamp) -> Option<Millis> {
    let (seconds, nanoseconds) = time.unix_with_nanoseconds()?;
    let milliseconds = Millis::from(nanoseconds) / 1_000_000;
    seconds.checked_mul(1000)?.checked_add(milliseconds)
}
