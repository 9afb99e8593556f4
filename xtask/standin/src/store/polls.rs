//! Polls.

use super::prelude::*;

/// A poll of a status.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Poll {
    pub(crate) id: Key,
    pub(crate) status: Key,
    pub(crate) options: Vec<Choice>,
    pub(crate) multiple: bool,
    pub(crate) hide_totals: bool,
    pub(crate) expires_at: Option<Millis>,
    /// Whether those concerned were told of the end.
    #[serde(default)]
    pub(crate) closed: bool,
    /// The voters and the places of what they chose, in the order of their votes.
    #[serde(default)]
    pub(crate) votes: Vec<(Key, usize)>,
}

/// An option of a poll, and its voters.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Choice {
    pub(crate) title: String,
    pub(crate) voters: BTreeSet<Key>,
}

/// Why a vote is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    Ended,
    OwnPoll,
    Again,
    NoSuchOption,
    Nothing,
    Several,
}

impl Poll {
    pub(crate) fn is_expired(&self, now: Millis) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }

    /// The options that an account has chosen, by their places, in the order of its votes.
    pub(crate) fn choices_of(&self, account: Key) -> Vec<usize> {
        let options = self.options.iter().enumerate();
        let chosen = options.filter(|(_, option)| option.voters.contains(&account));
        let mut chosen: Vec<_> = chosen.map(|(place, _)| place).collect();
        chosen.sort_by_key(|place| self.votes.iter().position(|vote| *vote == (account, *place)));
        chosen
    }

    /// Returns the accounts that have voted.
    pub(crate) fn voters(&self) -> BTreeSet<Key> {
        let options = self.options.iter();
        options.flat_map(|option| option.voters.iter().copied()).collect()
    }

    /// Counts a vote. Where it may `add` to an earlier one, other options of a multiple choice can be chosen later.
    fn vote(&mut self, account: Key, choices: &[i64], add: bool) -> Result<(), Refused> {
        let places = choices.iter().map(|choice| usize::try_from(*choice));
        let places: Result<BTreeSet<_>, _> = places.collect();
        let places = places.map_err(|_| Refused::NoSuchOption)?;
        let adds = add && self.multiple;
        let is_again = |chosen: &usize| !adds || places.contains(chosen);
        refuse_if!(self.choices_of(account).iter().any(is_again), Refused::Again);
        let last = *places.last().ok_or(Refused::Nothing)?;
        refuse_if!(last >= self.options.len(), Refused::NoSuchOption);
        refuse_if!(places.len() > 1 && !self.multiple, Refused::Several);
        for (place, option) in self.options.iter_mut().enumerate() {
            if places.contains(&place) {
                option.voters.insert(account);
                self.votes.push((account, place));
            }
        }
        Ok(())
    }
}

impl State {
    /// Counts the vote of an account in a poll.
    pub(crate) fn vote(&mut self, poll: Key, account: Key, choices: &[i64]) -> Result<(), Refused> {
        let (now, add) = (self.now(), !self.does(Habit::VotesOnce));
        let Some(poll) = self.polls.get_mut(&poll) else {
            return Err(Refused::Ended);
        };
        let author = self.statuses.get(&poll.status).map(|status| status.account);
        refuse_if!(poll.is_expired(now), Refused::Ended);
        refuse_if!(author == Some(account), Refused::OwnPoll);
        poll.vote(account, choices, add)
    }

    /// Whether a poll has ended, of which nobody was told.
    pub(crate) fn has_ended_polls(&self) -> bool {
        let now = self.now();
        self.polls.values().any(|poll| !poll.closed && poll.is_expired(now))
    }

    /// Tells the author and the voters of polls that have ended.
    pub(crate) fn close_polls(&mut self) {
        let now = self.now();
        let mut ended = Vec::new();
        for poll in self.polls.values_mut() {
            if !poll.closed && poll.is_expired(now) {
                poll.closed = true;
                ended.push((poll.status, poll.voters()));
            }
        }
        for (status, voters) in ended {
            let Some(author) = self.statuses.get(&status).map(|status| status.account) else {
                continue;
            };
            self.notify(author, NotificationType::Poll, author, Some(status));
            for voter in voters {
                self.notify(voter, NotificationType::Poll, author, Some(status));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vote_counts_once() {
        let option = |title: &str| Choice { title: title.to_owned(), voters: BTreeSet::new() };
        let mut poll = Poll {
            id: Key(1),
            status: Key(2),
            options: vec![option("yes"), option("no")],
            multiple: false,
            hide_totals: false,
            expires_at: None,
            closed: false,
            votes: Vec::new(),
        };
        let voter = Key(8);
        assert_eq!(poll.vote(voter, &[2], true), Err(Refused::NoSuchOption));
        assert_eq!(poll.vote(voter, &[-1], true), Err(Refused::NoSuchOption));
        assert_eq!(poll.vote(voter, &[0, 1], true), Err(Refused::Several));
        assert_eq!(poll.vote(voter, &[], true), Err(Refused::Nothing));
        assert_eq!(poll.vote(voter, &[1], true), Ok(()));
        assert_eq!(poll.vote(voter, &[0], true), Err(Refused::Again));
        assert_eq!(poll.choices_of(voter), [1]);
        poll.multiple = true;
        assert_eq!(poll.vote(Key(9), &[1, 0, 1], true), Ok(()));
        assert_eq!(poll.voters().len(), 2);
        assert_eq!(poll.vote(Key(10), &[1], true), Ok(()));
        assert_eq!(poll.vote(Key(10), &[0], false), Err(Refused::Again));
        assert_eq!(poll.vote(Key(10), &[0, 1], true), Err(Refused::Again));
        assert_eq!(poll.vote(Key(10), &[0], true), Ok(()));
    }
}
