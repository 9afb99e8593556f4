//! The connections of a listener, and which of them to close where there are too many.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::time::Instant;

use super::connection::{Connection, Phase};

/// The connections of a listener.
pub(super) struct Room {
    start: Instant,
    taken: Mutex<Taken>,
    freed: Notify,
}

#[derive(Default)]
struct Taken {
    connections: BTreeMap<u64, Arc<Connection>>,
    next: u64,
}

/// A connection's place, for as long as its socket is open.
pub(super) struct Place {
    room: Arc<Room>,
    number: u64,
    pub(super) connection: Arc<Connection>,
}

impl Room {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self { start: Instant::now(), taken: Mutex::default(), freed: Notify::new() })
    }

    pub(super) fn enter(self: &Arc<Self>) -> Place {
        let connection = Arc::new(Connection::new(self.start));
        let mut taken = self.taken();
        let number = taken.next;
        taken.next += 1;
        taken.connections.insert(number, Arc::clone(&connection));
        drop(taken);
        Place { room: Arc::clone(self), number, connection }
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

impl Drop for Place {
    fn drop(&mut self) {
        self.room.taken().connections.remove(&self.number);
        self.room.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_useful_connections_are_closed() {
        let room = Room::new();
        let places: Vec<_> = [Phase::Serves, Phase::Receives, Phase::Idle, Phase::Idle]
            .map(|phase| {
                let place = room.enter();
                place.connection.enter(phase);
                place
            })
            .into();
        let closing = || -> Vec<bool> {
            let phases = places.iter().map(|place| place.connection.phase().0);
            phases.map(|phase| phase == Phase::Closing).collect()
        };
        room.close_some(2);
        assert_eq!(closing(), [false, false, true, true]);
        room.close_some(5);
        assert_eq!(closing(), [false, true, true, true]);
        assert_eq!(room.len(), 4);
        drop(places);
        assert_eq!(room.len(), 0);
    }
}
