//! Markers of how far timelines were read.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::clock::Millis;
use super::{Key, State};

/// How far a timeline was read.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Marker {
    /// As it was sent.
    pub(crate) last_read: String,
    pub(crate) version: i64,
    pub(crate) updated_at: Millis,
}

/// The markers of each account, by the name of the timeline.
pub(crate) type Markers = BTreeMap<Key, BTreeMap<String, Marker>>;

impl State {
    /// The last notification that an account has read.
    pub(crate) fn last_read_notification(&self, account: Key) -> Option<Key> {
        let marker = self.markers.get(&account)?.get("notifications")?;
        self.key(&fedispec::server::Id::<()>::new(marker.last_read.as_str()))
    }

    /// Sets a marker.
    pub(crate) fn mark_read(&mut self, account: Key, timeline: &str, last_read: String) {
        let updated_at = self.now();
        let markers = self.markers.entry(account).or_default();
        let version = markers.get(timeline).map_or(0, |marker| marker.version) + 1;
        let marker = Marker { last_read, version, updated_at };
        markers.insert(timeline.to_owned(), marker);
    }
}
