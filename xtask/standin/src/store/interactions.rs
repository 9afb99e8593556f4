//! Interaction policies of a user's statuses.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Key;

/// The groups of accounts that may do something at once, and those that have to ask.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Rules {
    pub(crate) always: Vec<String>,
    pub(crate) with_approval: Vec<String>,
}

/// The policy of statuses of one visibility.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Policy {
    pub(crate) favourite: Rules,
    pub(crate) reply: Rules,
    pub(crate) reblog: Rules,
}

/// The policies of each account that has set some, by visibility.
pub(crate) type InteractionPolicies = BTreeMap<Key, BTreeMap<String, Policy>>;

impl Policy {
    /// The policy of a visibility unless the user sets another, as GoToSocial has them.
    pub(crate) fn of(visibility: &str) -> Self {
        let (interact, reblog): (&[&str], &[&str]) = match visibility {
            "private" => (&["author", "followers", "mentioned", "me"], &["author", "me"]),
            "direct" => (&["author", "mentioned", "me"], &["author", "me"]),
            _ => (&["public", "me"], &["public", "me"]),
        };
        let rules = |always: &[&str]| Rules {
            always: always.iter().map(|one| (*one).to_owned()).collect(),
            with_approval: Vec::new(),
        };
        Self { favourite: rules(interact), reply: rules(interact), reblog: rules(reblog) }
    }
}
