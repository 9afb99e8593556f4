//! Accounts that are removed with all that is theirs.

use super::posted::Label;
use super::{Key, State};

impl State {
    /// Removes an account, its statuses, and what others have of it.
    pub(crate) fn remove_account(&mut self, key: Key) {
        let own: Vec<_> = self.statuses.of(key).map(|status| status.id).collect();
        for status in own {
            self.delete_status(status);
        }
        self.accounts.remove(&key);
        self.ties.remove(&key);
        for ties in self.ties.values_mut() {
            ties.remove(&key);
        }
        let kept = self.statuses.with(Label::KeptBy(key)).map(|status| status.id);
        for status in kept.collect::<Vec<_>>() {
            self.statuses.change(status, |status| {
                status.favourites.remove(&key);
                status.bookmarks.remove(&key);
            });
        }
        for list in self.lists.values_mut() {
            list.members.remove(&key);
        }
        self.lists.retain(|_, list| list.owner != key);
        self.filters.retain(|_, filter| filter.owner != key);
        self.notifications.retain(|_, one| one.to != key && one.from != key);
        self.requests.retain(|_, one| one.to != key && one.from != key);
        self.conversations.retain(|_, one| one.owner != key);
        self.scheduled.retain(|_, one| one.account != key);
        self.markers.remove(&key);
        self.policies.remove(&key);
        for tag in self.tags.values_mut() {
            tag.followers.remove(&key);
            tag.featured_by.remove(&key);
        }
        self.revoke_all(key);
    }
}
