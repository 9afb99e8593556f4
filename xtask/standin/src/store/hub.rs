//! Happenings, and their listeners.

use std::collections::VecDeque;
use std::fmt;
use std::time::{Duration, Instant};

use super::{Key, State};

/// How long a new listener is still told of what has happened. Programs tell their streams from the background, so that a client hears of
/// what it did right after subscribing, though the two go over connections of their own.
const LAG: Duration = Duration::from_millis(250);

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

/// A listener, called with each happening until it returns false. The state is locked meanwhile, so that it must not wait.
pub(crate) type Listener = Box<dyn FnMut(&State, &Happening) -> bool + Send>;

/// The listeners, and the last happenings, the oldest first.
#[derive(Default)]
pub(crate) struct Hub {
    listeners: Vec<Listener>,
    last: VecDeque<(Instant, Happening)>,
}

impl fmt::Debug for Hub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hub({})", self.listeners.len())
    }
}

impl State {
    /// Tells a listener of everything from now on, and of what has just happened.
    pub(crate) fn listen(&mut self, mut listener: Listener) {
        let last = std::mem::take(&mut self.hub.last);
        let mut recent = last.iter().filter(|(at, _)| at.elapsed() < LAG);
        if recent.all(|(_, happening)| listener(self, happening)) {
            self.hub.listeners.push(listener);
        }
        self.hub.last = last;
    }

    /// Tells what happened to those who listen.
    pub(crate) fn publish(&mut self, happening: &Happening) {
        let mut listeners = std::mem::take(&mut self.hub.listeners);
        listeners.retain_mut(|listener| listener(self, happening));
        self.hub.listeners = listeners;
        while self.hub.last.front().is_some_and(|(at, _)| at.elapsed() >= LAG) {
            self.hub.last.pop_front();
        }
        self.hub.last.push_back((Instant::now(), happening.clone()));
    }
}
