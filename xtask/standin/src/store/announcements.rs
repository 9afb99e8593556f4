//! Announcements to all users.

use super::prelude::*;

/// An announcement, who has read it, and the reactions to it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Announcement {
    pub(crate) id: Key,
    pub(crate) text: String,
    pub(crate) at: Millis,
    pub(crate) starts_at: Option<Millis>,
    pub(crate) ends_at: Option<Millis>,
    pub(crate) all_day: bool,
    pub(crate) read_by: BTreeSet<Key>,
    /// The accounts that have reacted, by emoji or shortcode.
    pub(crate) reactions: BTreeMap<String, BTreeSet<Key>>,
}

impl State {
    /// Publishes an announcement.
    pub(crate) fn announce(&mut self, text: &str) -> Key {
        let (id, at) = (self.next_key(), self.now());
        let announcement =
            Announcement { id, text: text.to_owned(), at, ..Announcement::default() };
        self.announcements.insert(id, announcement);
        self.publish(&Happening::Announced(id));
        id
    }

    /// Removes an announcement. Answers whether there was one.
    pub(crate) fn unannounce(&mut self, id: Key) -> bool {
        if self.announcements.contains_key(&id) {
            self.publish(&Happening::AnnouncementDeleting(id));
        }
        self.announcements.remove(&id).is_some()
    }
}
