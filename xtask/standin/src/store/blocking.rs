//! The effects of blocking and of signing up.

use fedispec::server::{Error, Result};

use super::accounts::Account;
use super::prelude::*;

impl State {
    /// An account that must be there.
    pub(crate) fn known_account(&self, key: Key) -> Result<&Account> {
        self.accounts.get(&key).ok_or_else(Error::not_found)
    }

    /// Makes one account block another, which ends what else ties them.
    pub(crate) fn block(&mut self, from: Key, to: Key) {
        let key = self.next_key();
        for (one, other) in [(from, to), (to, from)] {
            let tie = self.tie_mut(one, other);
            (tie.follow, tie.requested, tie.endorsed) = (None, None, None);
            self.leave_lists(one, other);
        }
        self.tie_mut(from, to).block.get_or_insert(key);
        self.notifications.retain(|_, one| !(one.to == from && one.from == to));
    }

    /// Tells those who look after users of a new one.
    pub(crate) fn tell_moderators_of_sign_up(&mut self, account: Key) {
        let moderators = self.users().filter(|user| user.role().may("manage_users"));
        for to in moderators.map(|user| user.id).collect::<Vec<_>>() {
            self.notify(to, NotificationType::AdminSignUp, account, None);
        }
    }

    /// Revokes every token of an account.
    pub(crate) fn revoke_all(&mut self, account: Key) {
        let tokens = self.oauth.tokens.values_mut();
        for token in tokens.filter(|token| token.account == Some(account)) {
            token.revoked = true;
        }
    }
}
