//! Happenings, and their listeners.

use std::fmt;

use super::{Key, State};

/// Something that happened. Its keys can be looked up in the state: a listener is told before a record is removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Happening {
    /// A status was posted.
    Posted(Key),
    /// A status was edited.
    Edited(Key),
    /// A status is about to be deleted.
    Deleting(Key),
    /// A notification was made.
    Notified(Key),
    /// The filters of an account have changed.
    FiltersChanged(Key),
    /// Notifications of an account that were held back are in its list now.
    Merged(Key),
    /// A conversation of an account has changed.
    ConversationChanged { account: Key, conversation: Key },
    /// An announcement was published.
    Announced(Key),
    /// The reactions of a name to an announcement have changed.
    Reacted { announcement: Key, name: String },
    /// An announcement is about to be removed.
    AnnouncementDeleting(Key),
}

/// Is told what happens as long as it answers that it wants to be. The state is locked meanwhile: a listener sends and does not wait.
pub(crate) type Listener = Box<dyn FnMut(&State, &Happening) -> bool + Send>;

/// The listeners.
#[derive(Default)]
pub(crate) struct Hub(Vec<Listener>);

impl fmt::Debug for Hub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hub({})", self.0.len())
    }
}

impl State {
    /// Tells a listener of everything from now on.
    pub(crate) fn listen(&mut self, listener: Listener) {
        self.hub.0.push(listener);
    }

    /// Tells what happened to those who listen.
    pub(crate) fn publish(&mut self, happening: &Happening) {
        let mut listeners = std::mem::take(&mut self.hub.0);
        listeners.retain_mut(|listener| listener(self, happening));
        self.hub.0 = listeners;
    }
}
