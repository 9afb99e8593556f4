//! Timelines.

use fedispec::server::{Call, Page, Result, Timelines};
use fedispec::{entities, timelines};

use crate::app::App;
use crate::store::statuses::Status;

impl Timelines for App {
    async fn home(&self, _: timelines::Home, call: Call) -> Result<Page<entities::Status>> {
        let (state, me) = self.user(&call)?;
        let is_home = |status: &Status| {
            let author = status.account;
            author == me || (state.follows(me, author) && !state.is_unwanted(me, status))
        };
        let seen = state
            .statuses
            .values()
            .filter(|status| state.can_see(Some(me), status));
        let keys = seen
            .filter(|status| is_home(status))
            .map(|status| status.id);
        let page = state.page(&call, (20, 40), keys);
        Ok(page.map(|key| state.view(me).status(key)))
    }
}
