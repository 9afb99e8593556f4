//! Markers of how far timelines were read.

use fedispec::current;
use fedispec::server::Id;

use super::clock::time;
use super::{Key, State};

impl State {
    /// The last notification that an account has read.
    pub(crate) fn last_read_notification(&self, account: Key) -> Option<Key> {
        self.key(&self.markers.get(&account)?.get("notifications")?.last_read_id)
    }

    /// Sets a marker.
    pub(crate) fn mark_read(&mut self, account: Key, timeline: &str, last_read_id: Id) {
        let updated_at = time(self.now());
        let markers = self.markers.entry(account).or_default();
        let version = markers.get(timeline).map_or(0, |marker| marker.version) + 1;
        let marker = current::Marker { last_read_id, version, updated_at };
        markers.insert(timeline.to_owned(), marker.into());
    }
}
