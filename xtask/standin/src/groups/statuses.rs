//! Posting statuses, and actions on single ones.

use fedispec::server::{Call, Either, Error, Result, Statuses};
use fedispec::{entities, statuses};

use crate::app::App;
use crate::store::statuses::Draft;

impl Statuses for App {
    async fn create(
        &self,
        request: statuses::Create,
        call: Call,
    ) -> Result<Either<entities::ScheduledStatus, entities::Status>> {
        let (mut state, me) = self.user(&call)?;
        let text = request.status.unwrap_or_default();
        if text.is_empty() {
            return Err(Error::unprocessable(
                "Validation failed: Text can't be blank",
            ));
        }
        let draft = Draft {
            visibility: request
                .visibility
                .unwrap_or(fedispec::enums::Visibility::Public),
            app: state.app(&call).map(|app| app.id),
            ..Draft::text(&text)
        };
        let id = state.post(me, draft);
        let status = state.view(me).status(id).ok_or_else(Error::not_found)?;
        Ok(Either::Second(status))
    }

    async fn get(&self, request: statuses::Get, call: Call) -> Result<entities::Status> {
        let (state, viewer) = self.viewer(&call);
        Ok(state
            .view(viewer)
            .status_of(state.status(&request.id, viewer)?))
    }
}
