//! The connections of a listener, and which of them to close where there are too many.
//!
//! `tower::limit` and `tokio::sync::Semaphore` make new connections wait, so that idle ones could keep all others out.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::time::Instant;

use super::connection::{Connection, Phase};

/// The connections of a listener.
pub(super) struct Connections {
    start: Instant,
    taken: Mutex<Taken>,
    freed: Notify,
}

#[derive(Default)]
struct Taken {
    connections: BTreeMap<u64, Arc<Connection>>,
    next: u64,
}

/// A connection's entry, for as long as its socket is open.
pub(super) struct Entry {
    connections: Arc<Connections>,
    number: u64,
    pub(super) connection: Arc<Connection>,
}

impl Connections {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self { start: Instant::now(), taken: Mutex::default(), freed: Notify::new() })
    }

    pub(super) fn enter(self: &Arc<Self>) -> Entry {
        let connection = Arc::new(Connection::new(self.start));
        let mut taken = self.taken();
        let number = taken.next;
        taken.next += 1;
        taken.connections.insert(number, Arc::clone(&connection));
        drop(taken);
        Entry { connections: Arc::clone(self), number, connection }
    }

    pub(super) fn len(&self) -> usize {
        self.taken().connections.len()
    }

    /// Waits until a connection has gone.
    pub(super) async fn freed(&self) {
        self.freed.notified().await;
    }

    /// Closes connections on which nobody known is served: first those that have been idle for longest, then those that have sent a body for
    /// longest.
    pub(super) fn close_some(&self, count: usize) {
        let taken = self.taken();
        let mut spare: Vec<_> = taken
            .connections
            .values()
            .map(|connection| (connection.phase(), connection))
            .filter(|((phase, _), _)| matches!(phase, Phase::Idle | Phase::Receives))
            .collect();
        spare.sort_by_key(|(phase, _)| *phase);
        for (_, connection) in spare.into_iter().take(count) {
            connection.close();
        }
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.connections.taken().connections.remove(&self.number);
        self.connections.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_useful_connections_are_closed() {
        let connections = Connections::new();
        let places: Vec<_> = [Phase::Serves, Phase::Receives, Phase::Idle, Phase::Idle]
            .map(|phase| {
                let entry = connections.enter();
                entry.connection.enter(phase);
                entry
            })
            .into();
        let closing = || -> Vec<bool> {
            let phases = places.iter().map(|entry| entry.connection.phase().0);
            phases.map(|phase| phase == Phase::Closing).collect()
        };
        connections.close_some(2);
        assert_eq!(closing(), [false, false, true, true]);
        connections.close_some(5);
        assert_eq!(closing(), [false, true, true, true]);
        assert_eq!(connections.len(), 4);
        drop(places);
        assert_eq!(connections.len(), 0);
    }
}
