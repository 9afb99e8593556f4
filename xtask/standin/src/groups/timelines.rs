//! Timelines.

use fedispec::server::{Call, Page, Result, Timelines};
use fedispec::{entities, timelines};

use crate::app::App;

impl Timelines for App {
    async fn home(&self, _: timelines::Home, call: Call) -> Result<Page<entities::Status>> {
        let (state, me) = self.user(&call)?;
        let home = state.statuses.values();
        let home = home.filter(|status| state.is_home(me, status));
        let keys = home.map(|status| status.id);
        let page = state.page(&call, (20, 40), keys);
        Ok(page.map(|key| state.view(me).status(key)))
    }
}
