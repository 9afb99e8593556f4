//! The state of a connection, shared by a listener and the routes.
//!
//! hyper does not tell a service whether its connection is idle, and hyper-util's `GracefulShutdown` loses sight of upgraded ones.

#![cfg_attr(not(feature = "listen"), allow(dead_code, reason = "only a listener has connections"))]

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{Notify, watch};
use tokio::time::Instant;

/// The activity of a connection, the least worth keeping first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    /// No request is under way.
    Idle,
    /// The body of an unknown sender is awaited.
    Receives,
    /// The body of a known user is awaited.
    Sends,
    /// A request is served.
    Serves,
    /// The connection is being closed to make room for others.
    Closing,
}

/// A connection of a listener.
#[derive(Debug)]
pub(super) struct Connection {
    /// The client's address, where connections of one are bounded.
    pub(super) address: Option<IpAddr>,
    /// The phase in the three lowest bits, above them the milliseconds from the start to its beginning.
    state: AtomicU64,
    start: Instant,
    closed: Notify,
}

impl Connection {
    /// A new connection of a listener that was started then.
    pub(super) fn new(start: Instant, address: Option<IpAddr>) -> Self {
        let connection = Self { address, state: AtomicU64::new(0), start, closed: Notify::new() };
        connection.enter(Phase::Idle);
        connection
    }

    pub(super) fn enter(&self, phase: Phase) {
        let since = u64::try_from(self.start.elapsed().as_millis()).unwrap_or_default();
        self.state.store(since << 3 | phase as u64, Ordering::Relaxed);
    }

    /// The phase and when it began, in milliseconds.
    pub(super) fn phase(&self) -> (Phase, u64) {
        let state = self.state.load(Ordering::Relaxed);
        let phase = match state & 7 {
            0 => Phase::Idle,
            1 => Phase::Receives,
            2 => Phase::Sends,
            3 => Phase::Serves,
            _ => Phase::Closing,
        };
        (phase, state >> 3)
    }

    /// The body of a request has arrived.
    pub(super) fn arrived(&self) {
        // The rest of a body may also be discarded after the answer.
        if matches!(self.phase().0, Phase::Receives | Phase::Sends) {
            self.enter(Phase::Serves);
        }
    }

    /// Closes the connection to make room for another.
    pub(super) fn close(&self) {
        self.enter(Phase::Closing);
        self.closed.notify_one();
    }

    pub(super) async fn closed(&self) {
        self.closed.notified().await;
    }
}

/// The connection behind a request, which a listener adds to it as an extension.
#[derive(Clone)]
pub(super) struct Behind {
    pub(super) connection: Arc<Connection>,
    pub(super) ending: Ending,
}

impl Behind {
    /// Tells that the request is that of a known user, whose body is awaited to its end as long as there is room.
    pub(super) fn is_known(&self) {
        if self.connection.phase().0 == Phase::Receives {
            self.connection.enter(Phase::Sends);
        }
    }
}

/// Tells that the listener stops. It waits until all clones are dropped.
#[derive(Clone)]
pub(super) struct Ending(watch::Receiver<()>);

impl Ending {
    /// The sender ends the serving.
    pub(super) fn channel() -> (watch::Sender<()>, Self) {
        let (sender, receiver) = watch::channel(());
        (sender, Self(receiver))
    }

    /// Waits for the end.
    pub(super) async fn wait(mut self) {
        // Without a sender the listener has ended.
        let _ = self.0.changed().await;
    }
}

shown!(Behind, _own =>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_and_its_beginning_are_one_number() {
        let ago = std::time::Duration::from_secs(70);
        let start = Instant::now().checked_sub(ago).expect("no new machine");
        let connection = Connection::new(start, None);
        for phase in [Phase::Receives, Phase::Sends, Phase::Serves, Phase::Closing, Phase::Idle] {
            connection.enter(phase);
            let (now, since) = connection.phase();
            assert_eq!((now, since / 10_000), (phase, 7));
        }
    }
}
