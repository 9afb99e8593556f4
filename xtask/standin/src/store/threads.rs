//! Threads, and who may quote.

use super::prelude::*;
use super::statuses::Status;

impl State {
    /// A status and what it answers, up to the first of the thread.
    pub(crate) fn thread(&self, status: Key) -> Vec<Key> {
        let parent = |key: &Key| self.statuses.get(key)?.draft.in_reply_to;
        let known = |key: &Key| self.statuses.contains_key(key);
        std::iter::successors(Some(status), parent).take_while(known).collect()
    }

    /// Whether an account may quote a status that it sees.
    pub(crate) fn may_quote(&self, account: Key, status: &Status) -> bool {
        let author = status.account;
        if account == author {
            return true;
        }
        let is_open = matches!(status.draft.visibility, Visibility::Public | Visibility::Unlisted);
        is_open
            && match status.draft.quote_policy {
                QuotePolicy::Public => true,
                QuotePolicy::Followers => self.follows(account, author),
                _ => false,
            }
    }
}
