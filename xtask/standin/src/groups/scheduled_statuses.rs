//! Statuses that will be posted later.

use fedispec::entities::ScheduledStatus;
use fedispec::scheduled_statuses;
use fedispec::server::{Call, Empty, Error, Id, Page, Result, ScheduledStatuses};

use super::support::invalid;
use crate::app::App;
use crate::store::clock::from_time;
use crate::store::{Key, State};

impl ScheduledStatuses for App {
    async fn list(&self, _: scheduled_statuses::List, call: Call) -> Result<Page<ScheduledStatus>> {
        let (state, me) = self.user(&call)?;
        let own = state.scheduled.values().filter(|one| one.account == me);
        let page = state.page(&call, (20, 40), own.map(|one| one.id));
        Ok(page.map(|key| state.view(me).scheduled(key)))
    }

    async fn get(&self, request: scheduled_statuses::Get, call: Call) -> Result<ScheduledStatus> {
        let (state, me) = self.user(&call)?;
        let key = own(&state, me, &request.id)?;
        state.view(me).scheduled(key).ok_or_else(Error::not_found)
    }

    async fn update(
        &self,
        request: scheduled_statuses::Update,
        call: Call,
    ) -> Result<ScheduledStatus> {
        let (mut state, me) = self.user(&call)?;
        let key = own(&state, me, &request.id)?;
        if let Some(time) = request.scheduled_at {
            let soonest = state.soonest();
            let at = from_time(&time).filter(|at| *at >= soonest).ok_or_else(|| {
                let told = "Scheduled at The scheduled date must be in the future";
                invalid(&call, told, "scheduled_at must be at least 5 minutes in the future")
            })?;
            if let Some(one) = state.scheduled.get_mut(&key) {
                one.at = at;
            }
        }
        state.view(me).scheduled(key).ok_or_else(Error::not_found)
    }

    async fn delete(&self, request: scheduled_statuses::Delete, call: Call) -> Result<Empty> {
        let (mut state, me) = self.user(&call)?;
        let key = own(&state, me, &request.id)?;
        let removed = state.scheduled.remove(&key);
        for key in removed.into_iter().flat_map(|one| one.draft.media) {
            if let Some(medium) = state.media.get_mut(&key) {
                medium.status = None;
            }
        }
        Ok(Empty)
    }
}

/// A status that the caller has scheduled.
fn own(state: &State, me: Key, id: &Id<ScheduledStatus>) -> Result<Key> {
    let one = state.key(id).and_then(|key| state.scheduled.get(&key));
    let one = one.filter(|one| one.account == me);
    one.map(|one| one.id).ok_or_else(Error::not_found)
}
