//! Statuses that will be posted later.

use fedispec::entities::ScheduledStatus;
use fedispec::scheduled_statuses;

use super::prelude::*;
use crate::store::scheduled::Scheduled;

pub(super) const SCHEDULED: Table<Scheduled, ScheduledStatus> =
    table!(scheduled, |one, me| one.account == me, |view, key, one| view.scheduled(key, one));

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(handler!(page SCHEDULED, scheduled_statuses::List))
        .on(handler!(one SCHEDULED, scheduled_statuses::Get))
        .on(by_user(|mut state, me, request: scheduled_statuses::Update, call| {
            let key = SCHEDULED.key(&state, me, &request.id)?;
            if let Some(time) = request.scheduled_at {
                let soonest = state.soonest();
                let at = from_time(&time).filter(|at| *at >= soonest);
                let at = at.ok_or_else(|| too_soon(&call))?;
                SCHEDULED.find_mut(&mut state, me, &request.id)?.at = at;
            }
            SCHEDULED.shown(&state, me, key)
        }))
        .on(by_user(|mut state, me, request: scheduled_statuses::Delete, _| {
            for key in SCHEDULED.take(&mut state, me, &request.id)?.draft.media {
                if let Some(medium) = state.media.get_mut(&key) {
                    medium.status = None;
                }
            }
            Ok(Empty)
        }))
}

/// Refuses a time that comes too soon.
pub(super) fn too_soon(call: &Call) -> Error {
    let told = if does(call, Habit::NamesTheDate) {
        "Scheduled at date must be in the future"
    } else {
        "Scheduled at The scheduled date must be in the future"
    };
    invalid(call, told, "scheduled_at must be at least 5 minutes in the future")
}
