//! Collections of accounts that others may want to follow.

use fedispec::enums::CollectionItemState;

use super::prelude::*;

/// A collection of an account.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Collection {
    pub(crate) id: Key,
    pub(crate) owner: Key,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) tag: Option<String>,
    pub(crate) sensitive: bool,
    pub(crate) discoverable: bool,
    pub(crate) updated_at: Millis,
    pub(crate) items: Vec<Item>,
}

/// An account in a collection.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Item {
    pub(crate) id: Key,
    pub(crate) account: Key,
    pub(crate) state: CollectionItemState,
}

impl Collection {
    /// Whether somebody may see it: its owner, and others if they may find it.
    pub(crate) fn can_be_seen(&self, viewer: Option<Key>) -> bool {
        self.discoverable || viewer == Some(self.owner)
    }

    /// Whether an account is in it.
    pub(crate) fn has(&self, account: Key) -> bool {
        let is_in =
            |item: &Item| item.account == account && item.state == CollectionItemState::Accepted;
        self.items.iter().any(is_in)
    }
}
