//! Lists of accounts.

use fedispec::enums::ListRepliesPolicy;

use super::prelude::*;

/// A list of an account.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct List {
    pub(crate) id: Key,
    pub(crate) owner: Key,
    pub(crate) title: String,
    pub(crate) replies_policy: ListRepliesPolicy,
    /// Whether its members are left out of the home timeline.
    pub(crate) exclusive: bool,
    /// Its accounts, with the ids by which they are cut into pages.
    pub(crate) members: BTreeMap<Key, Key>,
}

impl State {
    pub(crate) fn lists_of(&self, owner: Key) -> impl Iterator<Item = &List> {
        self.lists.values().filter(move |list| list.owner == owner)
    }

    /// Takes an account off another's lists, which only have accounts that it follows.
    pub(crate) fn leave_lists(&mut self, owner: Key, member: Key) {
        for list in self.lists.values_mut().filter(|list| list.owner == owner) {
            list.members.remove(&member);
        }
    }

    /// Whether a list shows the status of an account: a member's, unless it answers somebody whom the list's policy leaves out.
    pub(crate) fn is_on_list(&self, list: &List, status: &super::statuses::Status) -> bool {
        if !list.members.contains_key(&status.account) {
            return false;
        }
        let Some(answered) = self.answered(status) else {
            return true;
        };
        let is_own = answered == status.account || answered == list.owner;
        is_own
            || match list.replies_policy {
                ListRepliesPolicy::None => false,
                ListRepliesPolicy::Followed => self.follows(list.owner, answered),
                _ => list.members.contains_key(&answered),
            }
    }
}
