//! Other servers that are known.

use std::collections::BTreeSet;

use super::State;

impl State {
    /// The domains of those accounts that are another server's.
    pub(crate) fn peers(&self) -> Vec<String> {
        let domains = self.accounts.values().filter_map(|one| one.domain.clone());
        let domains: BTreeSet<String> = domains.collect();
        domains.into_iter().collect()
    }
}
