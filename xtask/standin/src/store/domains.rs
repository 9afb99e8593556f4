//! Domains of other servers: those that are known, and those that accounts block.

use super::prelude::*;

impl State {
    /// The domains of those accounts that are another server's, without those that are limited or blocked.
    pub(crate) fn peers(&self) -> Vec<String> {
        let domains = self.accounts.values().filter_map(|one| one.domain.clone());
        let is_limited = |domain: &String| {
            self.moderated.domain_blocks.values().any(|one| one.domain == *domain)
        };
        let domains: BTreeSet<String> = domains.filter(|domain| !is_limited(domain)).collect();
        domains.into_iter().collect()
    }

    /// Whether an account blocks the domain of another.
    pub(crate) fn blocks_domain_of(&self, from: Key, to: Key) -> bool {
        let blocked = self.domain_blocks.get(&from);
        self.domain_of(to)
            .is_some_and(|domain| blocked.is_some_and(|blocked| blocked.contains_key(domain)))
    }
}
