//! Relationships of the viewer.

use super::prelude::*;

impl View<'_> {
    /// Returns the relationship of the viewer to an account.
    pub(crate) fn relationship(&self, to: Key) -> entities::Relationship {
        let state = self.state;
        let (own, theirs) = match self.me {
            Some(me) => (state.tie(me, to).cloned(), state.tie(to, me).cloned()),
            None => (None, None),
        };
        let (own, theirs) = (own.unwrap_or_default(), theirs.unwrap_or_default());
        let mute = self.me.and_then(|me| state.mute(me, to));
        let wanted = own.follow.as_ref().or(own.requested.as_ref());
        entities::Relationship {
            requested: own.requested.is_some(),
            muting: mute.is_some(),
            domain_blocking: self.me.is_some_and(|me| state.blocks_domain_of(me, to)),
            ..current::Relationship {
                blocking: own.block.is_some(),
                followed_by: theirs.follow.is_some(),
                following: own.follow.is_some(),
                id: self.id(to),
                requested: false,
                muting: false,
                domain_blocking: false,
                muting_notifications: mute.is_some_and(|mute| mute.notifications),
                muting_expires_at: mute.and_then(|mute| mute.until).map(time),
                showing_reblogs: wanted.is_some_and(|follow| follow.reblogs),
                notifying: wanted.is_some_and(|follow| follow.notify),
                languages: wanted
                    .map(|follow| follow.languages.clone())
                    .filter(|languages| !languages.is_empty()),
                endorsed: own.endorsed.is_some(),
                blocked_by: theirs.block.is_some(),
                requested_by: theirs.requested.is_some(),
                note: own.note,
            }
            .into()
        }
    }
}
