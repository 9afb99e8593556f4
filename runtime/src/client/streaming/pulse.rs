//! Noticing that a connection has gone silent.

use std::time::{Duration, Instant};

/// Watches over a connection that stays open: tells when to ask the other side for a sign of life, and when it has been silent for too
/// long. It has no clock of its own.
///
/// ```
/// use std::time::{Duration, Instant};
/// use fedispec_runtime::client::{Pulse, Sign};
///
/// let start = Instant::now();
/// let after = |seconds| start + Duration::from_secs(seconds);
/// let mut pulse = Pulse::new(Duration::from_secs(90), start);
/// assert_eq!(pulse.check(after(10)), Sign::Wait(after(45)));
/// assert_eq!(pulse.check(after(50)), Sign::Ask, "half of the time is over: send a ping");
/// assert_eq!(pulse.check(after(51)), Sign::Wait(after(90)));
/// pulse.heard(after(60));
/// assert_eq!(pulse.check(after(60)), Sign::Wait(after(105)));
/// assert_eq!(pulse.check(after(150)), Sign::Dead);
/// ```
#[derive(Debug, Clone)]
pub struct Pulse {
    limit: Duration,
    heard: Instant,
    asked: bool,
}

/// The step to take for a connection, as [`Pulse::check`] returns it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// Nothing is to be done before then.
    Wait(Instant),
    /// It is time for a ping.
    Ask,
    /// The connection is dead.
    Dead,
}

impl Pulse {
    /// A connection that is given up when nothing has come over it for so long.
    pub fn new(limit: Duration, now: Instant) -> Self {
        Self { limit, heard: now, asked: false }
    }

    /// Something came: an event, a comment, a ping or the answer to one.
    pub fn heard(&mut self, now: Instant) {
        self.heard = now;
        self.asked = false;
    }

    /// Tells whether to ping the server, to give the connection up, or to wait.
    pub fn check(&mut self, now: Instant) -> Sign {
        let silent = now.saturating_duration_since(self.heard);
        if silent >= self.limit {
            return Sign::Dead;
        }
        if self.asked {
            return Sign::Wait(self.heard + self.limit);
        }
        if silent >= self.limit / 2 {
            self.asked = true;
            return Sign::Ask;
        }
        Sign::Wait(self.heard + self.limit / 2)
    }
}
