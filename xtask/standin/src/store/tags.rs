//! Tags: their ids, who follows them, who features them, and what moderators say of them.

use super::prelude::*;
use super::statuses::Status;

/// A tag that somebody has used, followed or featured.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Tag {
    pub(crate) id: Key,
    /// As it was first written.
    pub(crate) display_name: String,
    pub(crate) usable: bool,
    pub(crate) listable: bool,
    pub(crate) trendable: Option<bool>,
    pub(crate) followers: BTreeMap<Key, Key>,
    /// The accounts that feature it, each with the id of its featured tag.
    pub(crate) featured_by: BTreeMap<Key, Key>,
}

/// How often a tag was used, and by how many accounts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Uses {
    pub(crate) uses: usize,
    pub(crate) accounts: usize,
}

impl State {
    /// The tag of a name, which is there from now on.
    pub(crate) fn tag_mut(&mut self, name: &str) -> &mut Tag {
        let key = self.next_key();
        let name = name.trim_start_matches('#');
        self.tags.entry(name.to_lowercase()).or_insert_with(|| Tag {
            id: key,
            display_name: name.to_owned(),
            usable: true,
            listable: true,
            ..Tag::default()
        })
    }

    /// Gives the tags of a status their ids.
    pub(crate) fn note_tags(&mut self, status: Key) {
        let tags = self.statuses.get(&status).map(|status| status.tags.clone());
        for name in tags.unwrap_or_default() {
            self.tag_mut(&name);
        }
    }

    /// The name of the tag of an id.
    pub(crate) fn tag_name(&self, key: Key) -> Option<&str> {
        let mut tags = self.tags.iter();
        tags.find(|(_, tag)| tag.id == key).map(|(name, _)| name.as_str())
    }

    /// How a tag was used on the days that begin between two times.
    pub(crate) fn uses(&self, name: &str, from: Millis, to: Millis) -> Uses {
        let (mut uses, mut accounts) = (0, BTreeSet::new());
        for posted in self.statuses.posted(Some(name), from..to) {
            uses += posted.count;
            accounts.insert(posted.author);
        }
        Uses { uses, accounts: accounts.len() }
    }

    /// Whether a viewer follows a tag of a status.
    pub(crate) fn follows_tag_of(&self, viewer: Key, status: &Status) -> bool {
        let mut tags = status.tags.iter().filter_map(|name| self.tags.get(name));
        tags.any(|tag| tag.followers.contains_key(&viewer))
    }
}
