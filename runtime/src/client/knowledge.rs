//! A client's knowledge of its server, and the times at which it asks again.

use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use http::StatusCode;

use crate::Operation;
use crate::compatibility::{Gate, RemoteServer, Verdict};
use crate::lock::Lock as _;

/// For how long a server is taken to be what it was.
pub(super) const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// The least time between two questions, whatever the server's answers are like.
const HOUR: Duration = Duration::from_secs(60 * 60);

/// The verdicts on a server, which clones of a client share.
pub(super) struct Knowledge {
    gate: RwLock<Arc<Gate>>,
    learning: Option<Learning>,
}

/// How verdicts are learned anew.
struct Learning {
    gate: Box<dyn Fn(RemoteServer) -> Gate + Send + Sync>,
    asked: Mutex<LastQuestion>,
}

/// When the server was asked last, and for how long that holds.
struct LastQuestion {
    at: Option<SystemTime>,
    holds: Duration,
}

impl Knowledge {
    /// Verdicts that stay.
    pub(super) fn fixed(gate: Gate) -> Self {
        Self { gate: RwLock::new(Arc::new(gate)), learning: None }
    }

    /// Verdicts that are a day old at most.
    pub(super) fn learned(
        server: RemoteServer,
        gate: impl Fn(RemoteServer) -> Gate + Send + Sync + 'static,
    ) -> Self {
        let asked = LastQuestion { at: server.learned_at(), holds: DAY };
        let learning = Learning { asked: Mutex::new(asked), gate: Box::new(gate) };
        let gate = RwLock::new(Arc::new((learning.gate)(server)));
        Self { gate, learning: Some(learning) }
    }

    pub(super) fn gate(&self) -> Arc<Gate> {
        Arc::clone(&self.gate.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether the server is to be asked again now, which one of several callers is told, and none for an hour after.
    pub(super) fn is_due(&self, now: SystemTime) -> bool {
        let Some(learning) = &self.learning else {
            return false;
        };
        let mut asked = learning.asked.held();
        let is_due = asked.at.is_none_or(|at| now >= at + asked.holds);
        if is_due {
            *asked = LastQuestion { at: Some(now), holds: HOUR };
        }
        is_due
    }

    /// Takes in what the server is now.
    pub(super) fn learn(&self, server: RemoteServer) {
        let Some(learning) = &self.learning else {
            return;
        };
        let gate = Arc::new((learning.gate)(server));
        *self.gate.write().unwrap_or_else(PoisonError::into_inner) = gate;
        learning.asked.held().holds = DAY;
    }

    /// Holds the status of an answer against the verdict on the operation. Where that is wrong, the server is another release by now, and is
    /// asked again before the next request, unless that was within the last hour.
    pub(super) fn hold(&self, operation: &Operation, status: StatusCode) {
        let Some(learning) = &self.learning else {
            return;
        };
        let is_wrong = match self.gate().operation(operation) {
            Verdict::Yes => match status.as_u16() {
                405 | 501 => true,
                // Of a path with an id, what it names may be missing.
                404 => !operation.path.contains(':'),
                _ => false,
            },
            Verdict::No => status.is_success(),
            _ => false,
        };
        if is_wrong {
            learning.asked.held().holds = HOUR;
        }
    }
}
