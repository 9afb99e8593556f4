//! Polls, and voting in them.

use fedispec::entities::Poll;
use fedispec::polls;

use super::prelude::*;
use crate::store::polls::Refused;

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_viewer(|state, viewer, request: polls::Get, _| shown(&state, viewer, &request.id)))
        .on(by_user(|state, me, request: polls::Vote, call| {
            vote(state, me, &request.id, &request.choices, &call)
        }))
        .on(by_viewer(|state, viewer, request: polls::GetV2, _| shown(&state, viewer, &request.id)))
        .on(by_user(|state, me, request: polls::VoteV2, call| {
            vote(state, me, &request.id, &request.choices, &call)
        }))
}

fn shown(state: &State, viewer: Option<Key>, id: &Id<Poll>) -> Result<Poll> {
    let key = visible(state, viewer, id)?;
    state.view(viewer).poll(key).ok_or_else(Error::not_found)
}

fn vote(
    mut state: Locked<'_>,
    me: Key,
    id: &Id<Poll>,
    choices: &[i64],
    call: &Call,
) -> Result<Poll> {
    let key = visible(&state, Some(me), id)?;
    state.vote(key, me, choices).map_err(|refused| refuse(call, refused))?;
    state.view(me).poll(key).ok_or_else(Error::not_found)
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
    const AGAIN: &str = "You have already voted on this poll";
    const NUMBER: &str = "invalid number of choices for poll";
    match refused {
        Refused::Ended => invalid(call, "The poll has already ended", "poll already closed"),
        Refused::OwnPoll => {
            let told = "you can't vote in your own poll";
            invalid(call, "You cannot vote in your own polls", told)
        }
        Refused::Again => invalid(call, AGAIN, "you have already voted in poll"),
        Refused::NoSuchOption => {
            let told = "The chosen vote option does not exist";
            malformed(call, told, "invalid option index for poll")
        }
        Refused::Several => malformed(call, AGAIN, NUMBER),
        Refused::Nothing => malformed(call, "Choice can't be blank", NUMBER),
    }
}
