//! Polls.

use super::prelude::*;

impl View<'_> {
    /// The poll of a key.
    pub(crate) fn poll(&self, key: Key) -> Option<entities::Poll> {
        let poll = self.state.polls.get(&key)?;
        let expired = poll.is_expired(self.state.now());
        let hides = poll.hide_totals && !expired;
        let options = poll.options.iter().map(|option| {
            current::PollOption {
                title: option.title.clone(),
                votes_count: (!hides).then_some(count(option.voters.len())),
            }
            .into()
        });
        let votes = poll.options.iter().map(|option| option.voters.len()).sum();
        let author = self.state.statuses.get(&poll.status).map(|status| status.account);
        let is_author = author == self.me;
        let own = self.me.map(|me| poll.choices_of(me).into_iter().map(count).collect::<Vec<_>>());
        Some(entities::Poll {
            voted: own.as_ref().is_some_and(|own| is_author || !own.is_empty()),
            own_votes: own.unwrap_or_default(),
            ..current::Poll {
                id: self.id(key),
                expired,
                multiple: poll.multiple,
                votes_count: count(votes),
                options: options.collect(),
                emojis: Vec::new(),
                expires_at: poll.expires_at.map(time),
                voters_count: Some(count(poll.voters().len())),
            }
            .into()
        })
    }
}
