//! Collections of accounts that others may want to follow.

use std::collections::BTreeMap;

use fedispec::enums::CollectionItemState;
use serde::{Deserialize, Serialize};

use super::Key;
use super::clock::Millis;

/// A collection of an account.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Collection {
    pub(crate) id: Key,
    pub(crate) owner: Key,
    pub(crate) name: String,
    pub(crate) description: String,
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

/// The collections by id.
pub(crate) type Collections = BTreeMap<Key, Collection>;
