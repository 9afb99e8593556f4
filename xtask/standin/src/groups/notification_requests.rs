//! Notifications that the policy holds back, by sender.

use fedispec::entities::{NotificationRequest, NotificationRequestsMergedResponse};
use fedispec::runtime::{Empty, Page};
use fedispec::server::{self, Call, Error, Id, Result};
use fedispec::{notification_requests, required};

use crate::app::App;
use crate::store::notifications::Request;
use crate::store::{Key, State};

impl server::NotificationRequests for App {
    async fn list(
        &self,
        _: notification_requests::List,
        call: Call,
    ) -> Result<Page<NotificationRequest>> {
        let (state, me) = self.user(&call)?;
        let requests = state.requests.values().filter(|one| one.to == me);
        let requests = requests.map(|one| (one.id, one));
        Ok(state.page_of(&call, (40, 80), requests).map(|one| Some(state.view(me).request(one))))
    }

    async fn get(
        &self,
        request: notification_requests::Get,
        call: Call,
    ) -> Result<NotificationRequest> {
        let (state, me) = self.user(&call)?;
        let one = own(&state, me, &request.id)?;
        Ok(state.view(me).request(&one))
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
        Ok(required::NotificationRequestsMergedResponse { merged: true }.into())
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
        let requests: Result<Vec<_>> = ids.iter().map(|id| own(&state, me, id)).collect();
        for request in requests? {
            done(&mut state, &request);
        }
        Ok(Empty)
    }
}

/// A request to the caller.
fn own(state: &State, me: Key, id: &Id<NotificationRequest>) -> Result<Request> {
    let one = state.key(id).and_then(|key| state.requests.get(&key));
    let one = one.filter(|one| one.to == me).cloned();
    one.ok_or_else(Error::not_found)
}
