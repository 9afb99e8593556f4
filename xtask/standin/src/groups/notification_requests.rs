//! Notifications that the policy holds back, by sender.

use fedispec::entities::{NotificationRequest, NotificationRequestsMergedResponse};
use fedispec::runtime::{Empty, Page};
use fedispec::server::{self, Call, Id, Result};
use fedispec::{current, notification_requests};

use super::table::Table;
use crate::app::App;
use crate::store::State;
use crate::store::notifications::Request;

const REQUESTS: Table<Request, NotificationRequest> = Table {
    all: |state| &state.requests,
    all_mut: |state| &mut state.requests,
    is_of: |one, me| one.to == me,
    show: |view, _, one| view.request(one),
};

impl server::NotificationRequests for App {
    async fn list(
        &self,
        _: notification_requests::List,
        call: Call,
    ) -> Result<Page<NotificationRequest>> {
        self.page_of(&REQUESTS, &call, |_, _| true)
    }

    async fn get(
        &self,
        request: notification_requests::Get,
        call: Call,
    ) -> Result<NotificationRequest> {
        self.one_of(&REQUESTS, &request.id, &call)
    }

    async fn accept(&self, request: notification_requests::Accept, call: Call) -> Result<Empty> {
        self.each(&[request.id], &call, State::accept_request)
    }

    async fn dismiss(&self, request: notification_requests::Dismiss, call: Call) -> Result<Empty> {
        self.each(&[request.id], &call, State::dismiss_request)
    }

    async fn accept_many(
        &self,
        request: notification_requests::AcceptMany,
        call: Call,
    ) -> Result<Empty> {
        self.each(&request.id, &call, State::accept_request)
    }

    async fn dismiss_many(
        &self,
        request: notification_requests::DismissMany,
        call: Call,
    ) -> Result<Empty> {
        self.each(&request.id, &call, State::dismiss_request)
    }

    async fn merged(
        &self,
        _: notification_requests::Merged,
        call: Call,
    ) -> Result<NotificationRequestsMergedResponse> {
        self.user(&call)?;
        // A request is merged before its acceptance is answered.
        Ok(current::NotificationRequestsMergedResponse { merged: true }.into())
    }
}

impl App {
    fn each(
        &self,
        ids: &[Id<NotificationRequest>],
        call: &Call,
        done: impl Fn(&mut State, &Request),
    ) -> Result<Empty> {
        let (mut state, me) = self.user(call)?;
        let requests = ids.iter().map(|id| REQUESTS.find(&state, me, id).cloned());
        for request in requests.collect::<Result<Vec<_>>>()? {
            done(&mut state, &request);
        }
        Ok(Empty)
    }
}
