//! Statuses that will be posted later.

use fedispec::entities::ScheduledStatus;
use fedispec::runtime::Version;
use fedispec::scheduled_statuses;
use fedispec::server::Target;

use super::prelude::*;
use super::support::invalid;
use super::table::{Table, one, page};
use crate::store::scheduled::Scheduled;

pub(super) const SCHEDULED: Table<Scheduled, ScheduledStatus> = Table {
    all: |state| &state.scheduled,
    all_mut: |state| &mut state.scheduled,
    is_of: |one, me| one.account == me,
    show: |view, key, one| view.scheduled(key, one),
};

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(page!(SCHEDULED, scheduled_statuses::List))
        .on(one!(SCHEDULED, scheduled_statuses::Get))
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

/// Refuses a time that comes too soon. The words are others since 4.4.0.
pub(super) fn too_soon(call: &Call) -> Error {
    let is_older = |target: &Target| target.version < Version::new(4, 4, 0);
    let told = if call.target.as_deref().is_some_and(is_older) {
        "Scheduled at The scheduled date must be in the future"
    } else {
        "Scheduled at date must be in the future"
    };
    invalid(call, told, "scheduled_at must be at least 5 minutes in the future")
}
