//! Other servers that are known.

use std::collections::BTreeSet;

use super::State;

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
}
