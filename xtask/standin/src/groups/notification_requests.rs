//! Notifications that the policy holds back, by sender.

use fedispec::entities::NotificationRequest;
use fedispec::notification_requests;

use super::prelude::*;
use super::table::{Table, one, page};
use crate::store::notifications::Request;

const REQUESTS: Table<Request, NotificationRequest> = Table {
    all: |state| &state.requests,
    all_mut: |state| &mut state.requests,
    is_of: |one, me| one.to == me,
    show: |view, _, one| view.request(one),
};

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(page!(REQUESTS, notification_requests::List))
        .on(one!(REQUESTS, notification_requests::Get))
        .on(async |app: App, request: notification_requests::Accept, call| {
            app.each(&[request.id], &call, State::accept_request)
        })
        .on(async |app: App, request: notification_requests::Dismiss, call| {
            app.each(&[request.id], &call, State::dismiss_request)
        })
        .on(async |app: App, request: notification_requests::AcceptMany, call| {
            app.each(&request.id, &call, State::accept_request)
        })
        .on(async |app: App, request: notification_requests::DismissMany, call| {
            app.each(&request.id, &call, State::dismiss_request)
        })
        .on(async |app: App, _: notification_requests::Merged, call| {
            app.user(&call)?;
            // A request is merged before its acceptance is answered.
            Ok(current::NotificationRequestsMergedResponse { merged: true }.into())
        })
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
