//! Domains that accounts block.

use std::collections::BTreeMap;

use super::{Key, State};

/// The domains that each account blocks, with the keys by which they are cut into pages.
pub(crate) type DomainBlocks = BTreeMap<Key, BTreeMap<String, Key>>;

impl State {
    /// Whether an account blocks the domain of another.
    pub(crate) fn blocks_domain_of(&self, from: Key, to: Key) -> bool {
        let domain = self.accounts.get(&to).and_then(|to| to.domain.as_ref());
        let blocked = self.domain_blocks.get(&from);
        domain.is_some_and(|domain| blocked.is_some_and(|blocked| blocked.contains_key(domain)))
    }
}
