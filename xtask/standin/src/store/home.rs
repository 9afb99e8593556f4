//! The choice of statuses for a home timeline.

use super::statuses::Status;
use super::{Key, State};

impl State {
    /// Whether a status is in the home timeline of an account: its own, that of whom it follows, or with a tag that it follows.
    pub(crate) fn is_home(&self, me: Key, status: &Status) -> bool {
        let author = status.account;
        if !self.can_see(Some(me), status) {
            return false;
        }
        if author == me {
            return true;
        }
        if self.is_unwanted(me, status) {
            return false;
        }
        let mut lists = self.lists_of(me);
        if lists.any(|list| list.exclusive && list.members.contains_key(&author)) {
            return false;
        }
        if status.reblog_of.is_none() && self.follows_tag_of(me, status) {
            return true;
        }
        let follow = self.tie(me, author).and_then(|tie| tie.follow.as_ref());
        let Some(follow) = follow else {
            return false;
        };
        let language = status.draft.language.as_ref();
        let is_read = follow.languages.is_empty()
            || language.is_none_or(|language| follow.languages.contains(language));
        is_read && (status.reblog_of.is_none() || follow.reblogs) && self.answers_known(me, status)
    }

    /// Whether a status answers nobody, or somebody whom the account follows.
    fn answers_known(&self, me: Key, status: &Status) -> bool {
        let own = [me, status.account];
        self.answered(status).is_none_or(|other| own.contains(&other) || self.follows(me, other))
    }

    /// Whether a status answers another's, or one that is gone. An answer to oneself continues the author's own thread.
    pub(crate) fn answers_others(&self, status: &Status) -> bool {
        status.draft.in_reply_to.is_some() && self.answered(status) != Some(status.account)
    }

    /// The author of the status that a status answers.
    pub(crate) fn answered(&self, status: &Status) -> Option<Key> {
        Some(self.statuses.get(&status.draft.in_reply_to?)?.account)
    }
}
