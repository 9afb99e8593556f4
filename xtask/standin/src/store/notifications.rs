//! Notifications.

use std::collections::BTreeMap;

use fedispec::enums::NotificationType;
use serde::{Deserialize, Serialize};

use super::clock::Millis;
use super::hub::Happening;
use super::{Key, State};

/// A notification.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Notification {
    pub(crate) id: Key,
    /// Whom it is for.
    pub(crate) to: Key,
    pub(crate) kind: NotificationType,
    /// Who caused it.
    pub(crate) from: Key,
    pub(crate) status: Option<Key>,
    pub(crate) at: Millis,
}

/// The notifications of all accounts.
pub(crate) type Notifications = BTreeMap<Key, Notification>;

impl State {
    /// Notifies an account of what another has done, unless it is the same, not a user's, or does not want to hear of it.
    pub(crate) fn notify(
        &mut self,
        to: Key,
        kind: NotificationType,
        from: Key,
        status: Option<Key>,
    ) {
        let is_user = self.accounts.get(&to).is_some_and(|to| to.user.is_some());
        let is_muted = self.mute(to, from).is_some_and(|mute| mute.notifications);
        let is_own = to == from && kind != NotificationType::Poll;
        if is_own || !is_user || is_muted || self.blocks(to, from) {
            return;
        }
        let (id, at) = (self.next_key(), self.now());
        let notification = Notification {
            id,
            to,
            kind,
            from,
            status,
            at,
        };
        self.notifications.insert(id, notification);
        self.publish(Happening::Notified(id));
    }
}
