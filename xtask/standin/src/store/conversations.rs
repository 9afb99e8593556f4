//! Conversations: threads of direct statuses between the same accounts.

use super::prelude::*;

/// A conversation as one of those in it has it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Conversation {
    pub(crate) id: Key,
    pub(crate) owner: Key,
    /// All who are in it but the owner.
    pub(crate) others: BTreeSet<Key>,
    /// Its statuses, the last of which is shown.
    pub(crate) statuses: BTreeSet<Key>,
    pub(crate) unread: bool,
}

impl State {
    /// Adds a direct status to the conversation of each user who is in it.
    pub(crate) fn converse(&mut self, status: Key) {
        let Some(own) = self.statuses.get(&status) else {
            return;
        };
        if own.draft.visibility != Visibility::Direct || own.reblog_of.is_some() {
            return;
        }
        let author = own.account;
        let all: BTreeSet<Key> = own.mentions.iter().copied().chain([author]).collect();
        for owner in &all {
            let is_user = self.accounts.get(owner).is_some_and(|one| one.user.is_some());
            if !is_user {
                continue;
            }
            let others: BTreeSet<Key> = all.iter().copied().filter(|one| one != owner).collect();
            let mut known = self.conversations.values();
            let known = known.find(|one| one.owner == *owner && one.others == others);
            let id = match known {
                Some(known) => known.id,
                None => self.next_key(),
            };
            let conversation = self.conversations.entry(id).or_insert(Conversation {
                id,
                owner: *owner,
                others,
                statuses: BTreeSet::new(),
                unread: false,
            });
            conversation.statuses.insert(status);
            conversation.unread = *owner != author;
            let account = *owner;
            self.publish(&Happening::ConversationChanged { account, conversation: id });
        }
    }

    /// Takes a status that is deleted out of its conversations. One that has no other is gone.
    pub(crate) fn forget_in_conversations(&mut self, status: Key) {
        self.conversations
            .retain(|_, one| !one.statuses.remove(&status) || !one.statuses.is_empty());
    }
}
