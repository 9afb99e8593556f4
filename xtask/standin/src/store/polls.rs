//! Polls.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::Key;
use super::clock::Millis;

/// A poll of a status.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Poll {
    pub(crate) id: Key,
    pub(crate) status: Key,
    pub(crate) options: Vec<Choice>,
    pub(crate) multiple: bool,
    pub(crate) hide_totals: bool,
    pub(crate) expires_at: Option<Millis>,
    /// Whether those concerned were told of the end.
    #[serde(default)]
    pub(crate) closed: bool,
}

/// What can be voted for, and who did.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Choice {
    pub(crate) title: String,
    pub(crate) voters: BTreeSet<Key>,
}

/// The polls by id.
pub(crate) type Polls = BTreeMap<Key, Poll>;
