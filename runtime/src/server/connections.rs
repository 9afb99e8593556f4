//! The connections of a listener, and which of them to close where there are too many.
//!
//! `tower::limit` and `tokio::sync::Semaphore` make new connections wait, so that idle ones could keep all others out.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use tokio::sync::Notify;
use tokio::time::Instant;

use super::connection::{Connection, Phase};
use crate::lock::Lock as _;

/// The connections of a listener.
pub(super) struct Connections {
    start: Instant,
    taken: Mutex<Taken>,
    freed: Notify,
}

#[derive(Default)]
struct Taken {
    connections: BTreeMap<u64, Arc<Connection>>,
    addresses: HashMap<IpAddr, usize>,
    next: u64,
}

/// A connection's entry, for as long as its socket is open.
pub(super) struct Member {
    connections: Arc<Connections>,
    number: u64,
    pub(super) connection: Arc<Connection>,
}

impl Connections {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self { start: Instant::now(), taken: Mutex::default(), freed: Notify::new() })
    }

    /// A connection of a client, whose address tells it from others where there is one.
    pub(super) fn enter(self: &Arc<Self>, address: Option<IpAddr>) -> Member {
        let connection = Arc::new(Connection::new(self.start, address));
        let mut taken = self.taken.held();
        if let Some(address) = address {
            *taken.addresses.entry(address).or_default() += 1;
        }
        let number = taken.next;
        taken.next += 1;
        taken.connections.insert(number, Arc::clone(&connection));
        drop(taken);
        Member { connections: Arc::clone(self), number, connection }
    }

    pub(super) fn len(&self) -> usize {
        self.taken.held().connections.len()
    }

    /// Waits until a connection has gone.
    pub(super) async fn freed(&self) {
        self.freed.notified().await;
    }

    /// The number of an address's connections.
    pub(super) fn of(&self, address: IpAddr) -> usize {
        self.taken.held().addresses.get(&address).copied().unwrap_or_default()
    }

    /// Closes connections on which nothing is served: first those that have been idle for longest, then those of somebody unknown that have sent
    /// a body for longest, then those of users.
    pub(super) fn close_some(&self, count: usize) {
        self.close(count, |connection| connection.phase().0 < Phase::Serves);
    }

    /// Closes the connection of an address that is the least worth keeping.
    pub(super) fn close_one_of(&self, address: IpAddr) {
        self.close(1, |connection| connection.address == Some(address));
    }

    fn close(&self, count: usize, is_spare: impl Fn(&Connection) -> bool) {
        let taken = self.taken.held();
        let mut spare: Vec<_> = taken
            .connections
            .values()
            .map(|connection| (connection.phase(), connection))
            .filter(|((phase, _), connection)| *phase != Phase::Closing && is_spare(connection))
            .collect();
        spare.sort_by_key(|(phase, _)| *phase);
        for (_, connection) in spare.into_iter().take(count) {
            connection.close();
        }
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        let mut taken = self.connections.taken.held();
        taken.connections.remove(&self.number);
        if let Some(address) = self.connection.address
            && let Entry::Occupied(mut count) = taken.addresses.entry(address)
        {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
        drop(taken);
        self.connections.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_useful_connections_are_closed() {
        let connections = Connections::new();
        let phases = [Phase::Serves, Phase::Sends, Phase::Receives, Phase::Idle, Phase::Idle];
        let near = IpAddr::from([192, 0, 2, 1]);
        let places: Vec<_> = phases
            .map(|phase| {
                let entry = connections.enter(Some(near));
                entry.connection.enter(phase);
                entry
            })
            .into();
        let closing = || -> Vec<bool> {
            let phases = places.iter().map(|entry| entry.connection.phase().0);
            phases.map(|phase| phase == Phase::Closing).collect()
        };
        connections.close_some(2);
        assert_eq!(closing(), [false, false, false, true, true]);
        connections.close_some(1);
        assert_eq!(closing(), [false, false, true, true, true]);
        connections.close_some(5);
        assert_eq!(closing(), [false, true, true, true, true]);
        let far = IpAddr::from([192, 0, 2, 2]);
        connections.close_one_of(far);
        assert_eq!(closing(), [false, true, true, true, true]);
        connections.close_one_of(near);
        assert_eq!(closing(), [true; 5]);
        assert_eq!((connections.len(), connections.of(near), connections.of(far)), (5, 5, 0));
        drop(places);
        assert_eq!((connections.len(), connections.of(near)), (0, 0));
    }
}
