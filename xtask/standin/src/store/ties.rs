//! Ties between accounts: following, blocking, muting, a note.

use super::prelude::*;

/// The tie of one account to another, in one direction.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Tie {
    pub(crate) follow: Option<Follow>,
    /// Asked to follow; with what is wanted then.
    pub(crate) requested: Option<Follow>,
    /// Since when, as the id by which lists are cut into pages.
    pub(crate) block: Option<Key>,
    pub(crate) mute: Option<Mute>,
    pub(crate) endorsed: Option<Key>,
    pub(crate) note: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Follow {
    /// The id by which lists are cut into pages.
    pub(crate) id: Key,
    pub(crate) reblogs: bool,
    pub(crate) notify: bool,
    pub(crate) languages: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mute {
    pub(crate) id: Key,
    pub(crate) notifications: bool,
    pub(crate) until: Option<Millis>,
}

impl State {
    /// Returns the tie of an account to another.
    pub(crate) fn tie(&self, from: Key, to: Key) -> Option<&Tie> {
        self.ties.get(&from)?.get(&to)
    }

    /// Returns the tie of an account to another, to be changed.
    pub(crate) fn tie_mut(&mut self, from: Key, to: Key) -> &mut Tie {
        self.ties.entry(from).or_default().entry(to).or_default()
    }

    pub(crate) fn follows(&self, from: Key, to: Key) -> bool {
        self.tie(from, to).is_some_and(|tie| tie.follow.is_some())
    }

    pub(crate) fn blocks(&self, from: Key, to: Key) -> bool {
        self.tie(from, to).is_some_and(|tie| tie.block.is_some())
    }

    /// The mute, unless its time is over.
    pub(crate) fn mute(&self, from: Key, to: Key) -> Option<&Mute> {
        let mute = self.tie(from, to)?.mute.as_ref()?;
        let is_over = mute.until.is_some_and(|until| until <= self.now());
        (!is_over).then_some(mute)
    }

    /// Accounts that an account has a certain tie to, with the id by which the list is cut into pages.
    pub(crate) fn tied_from<'s>(
        &'s self,
        from: Key,
        id: impl Fn(&Tie) -> Option<Key> + 's,
    ) -> impl Iterator<Item = (Key, Key)> + 's {
        let ties = self.ties.get(&from).into_iter().flatten();
        ties.filter_map(move |(to, tie)| Some((id(tie)?, *to)))
    }

    /// Accounts that have a certain tie to an account.
    pub(crate) fn tied_to<'s>(
        &'s self,
        to: Key,
        id: impl Fn(&Tie) -> Option<Key> + 's,
    ) -> impl Iterator<Item = (Key, Key)> + 's {
        let ties = self.ties.iter();
        ties.filter_map(move |(from, ties)| Some((id(ties.get(&to)?)?, *from)))
    }

    pub(crate) fn followers(&self, of: Key) -> impl Iterator<Item = (Key, Key)> {
        self.tied_to(of, |tie| Some(tie.follow.as_ref()?.id))
    }

    pub(crate) fn following(&self, of: Key) -> impl Iterator<Item = (Key, Key)> {
        self.tied_from(of, |tie| Some(tie.follow.as_ref()?.id))
    }

    /// Makes one account follow another, or ask to.
    pub(crate) fn follow(&mut self, from: Key, to: Key) {
        let id = self.next_key();
        let locked = self.accounts.get(&to).is_some_and(|to| to.profile.locked);
        let wanted = || Follow { id, reblogs: true, notify: false, languages: Vec::new() };
        let tie = self.tie_mut(from, to);
        if tie.follow.is_some() || tie.requested.is_some() {
            return;
        }
        if locked {
            tie.requested = Some(wanted());
            self.notify(to, NotificationType::FollowRequest, from, None);
        } else {
            tie.follow = Some(wanted());
            self.notify(to, NotificationType::Follow, from, None);
        }
    }
}
