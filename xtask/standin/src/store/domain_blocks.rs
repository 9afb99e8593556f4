//! Domains that accounts block.

use std::collections::{BTreeMap, BTreeSet};

use super::{Key, State};

/// The domains by account.
pub(crate) type DomainBlocks = BTreeMap<Key, BTreeSet<String>>;

impl State {
    /// Whether an account blocks the domain of another.
    pub(crate) fn blocks_domain_of(&self, from: Key, to: Key) -> bool {
        let domain = self.accounts.get(&to).and_then(|to| to.domain.as_ref());
        let blocked = self.domain_blocks.get(&from);
        domain.is_some_and(|domain| blocked.is_some_and(|blocked| blocked.contains(domain)))
    }
}
