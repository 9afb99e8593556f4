//! Statuses that will be posted later.

use std::time::Duration;

use super::clock::millis;
use super::prelude::*;
use super::statuses::Draft;

/// A draft and the time at which it will be posted.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Scheduled {
    pub(crate) id: Key,
    pub(crate) account: Key,
    pub(crate) at: Millis,
    pub(crate) draft: Draft,
}

impl State {
    /// The least time that a status can be scheduled ahead.
    pub(crate) fn soonest(&self) -> Millis {
        self.now() + millis(Duration::from_secs(300))
    }

    /// Posts what is due.
    pub(crate) fn post_what_is_due(&mut self) {
        let now = self.now();
        let due = self.scheduled.values().filter(|one| one.at <= now);
        for key in due.map(|one| one.id).collect::<Vec<_>>() {
            if let Some(one) = self.scheduled.remove(&key) {
                self.post(one.account, one.draft);
            }
        }
    }

    /// Whether something is due.
    pub(crate) fn is_something_due(&self) -> bool {
        let now = self.now();
        self.scheduled.values().any(|one| one.at <= now)
    }
}
