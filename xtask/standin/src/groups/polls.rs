//! Polls, and voting in them.

use fedispec::entities::Poll;
use fedispec::polls;
use fedispec::server::{Call, Error, Id, Polls, Result};

use super::support::invalid;
use crate::app::App;
use crate::store::polls::Refused;
use crate::store::{Key, State};

impl Polls for App {
    async fn get(&self, request: polls::Get, call: Call) -> Result<Poll> {
        self.poll(&request.id, &call)
    }

    async fn vote(&self, request: polls::Vote, call: Call) -> Result<Poll> {
        self.vote_in(&request.id, &request.choices, &call)
    }

    async fn get_v2(&self, request: polls::GetV2, call: Call) -> Result<Poll> {
        self.poll(&request.id, &call)
    }

    async fn vote_v2(&self, request: polls::VoteV2, call: Call) -> Result<Poll> {
        self.vote_in(&request.id, &request.choices, &call)
    }
}

impl App {
    fn poll(&self, id: &Id<Poll>, call: &Call) -> Result<Poll> {
        let (state, viewer) = self.viewer(call);
        let key = visible(&state, viewer, id)?;
        state.view(viewer).poll(key).ok_or_else(Error::not_found)
    }

    fn vote_in(&self, id: &Id<Poll>, choices: &[i64], call: &Call) -> Result<Poll> {
        let (mut state, me) = self.user(call)?;
        let key = visible(&state, Some(me), id)?;
        state.vote(key, me, choices).map_err(|refused| refuse(call, refused))?;
        state.view(me).poll(key).ok_or_else(Error::not_found)
    }
}

/// The poll of a status that the viewer may see.
fn visible(state: &State, viewer: Option<Key>, id: &Id<Poll>) -> Result<Key> {
    let poll = state.key(id).and_then(|key| state.polls.get(&key));
    let poll = poll.filter(|poll| {
        let status = state.statuses.get(&poll.status);
        status.is_some_and(|status| state.can_see(viewer, status))
    });
    poll.map(|poll| poll.id).ok_or_else(Error::not_found)
}

fn refuse(call: &Call, refused: Refused) -> Error {
    let (of_model, of_handler) = match refused {
        Refused::Ended => ("The poll has already ended", "poll already closed"),
        Refused::OwnPoll => ("You can't vote in your own poll", "you can't vote in your own poll"),
        Refused::Again => ("You have already voted on this poll", "you have already voted in poll"),
        Refused::NoSuchOption => (
            "The chosen vote option does not exist",
            "choice index is out of range of poll options",
        ),
        Refused::Several => {
            ("You have already voted on this poll", "poll only accepts single choice")
        }
        Refused::Nothing => ("Choice can't be blank", "no choice given"),
    };
    invalid(call, of_model, of_handler)
}
