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

impl Rules {
    /// Adds a group, unless everybody may.
    fn let_always(&mut self, group: &str) {
        if !self.always.iter().any(|one| one == "public" || one == group) {
            self.always.push(group.to_owned());
        }
    }
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
            "private" => (&["author", "followers", "mentioned"], &["author"]),
            "direct" => (&["author", "mentioned"], &["author"]),
            _ => (&["public"], &["public"]),
        };
        let rules = |always: &[&str]| Rules {
            always: always.iter().map(|one| (*one).to_owned()).collect(),
            with_approval: Vec::new(),
        };
        Self { favourite: rules(interact), reply: rules(interact), reblog: rules(reblog) }
    }

    /// The policy as GoToSocial keeps it: the author may always, and those that a status mentions may answer it.
    #[must_use]
    pub(crate) fn completed(mut self) -> Self {
        for rules in [&mut self.favourite, &mut self.reply, &mut self.reblog] {
            rules.let_always("author");
        }
        self.reply.let_always("mentioned");
        self
    }

    /// The policy of a status as its viewer reads it, who is `me` where they may at once.
    #[must_use]
    pub(crate) fn told_to(mut self, is_author: bool) -> Self {
        for rules in [&mut self.favourite, &mut self.reply, &mut self.reblog] {
            let is_open = rules.always.iter().any(|one| one == "public");
            if is_open || is_author {
                rules.always.push("me".to_owned());
            }
        }
        self
    }
}
