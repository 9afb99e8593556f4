//! Which notifications are held back, and the requests that those become, by sender.

use fedispec::entities::{NotificationRequest, V1NotificationPolicy};
use fedispec::enums::NotificationPolicyValue;
use fedispec::{notification_policy, notification_requests};

use super::prelude::*;
use crate::store::notifications::Request;

const REQUESTS: Table<Request, NotificationRequest> =
    table!(requests, |one, me| one.to == me, |view, _, one| view.request(one));

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(handler!(page REQUESTS, notification_requests::List))
        .on(handler!(one REQUESTS, notification_requests::Get))
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
        .on(by_user(|_, _, _: notification_requests::Merged, _| {
            // A request is merged before its acceptance is answered.
            Ok(current::NotificationRequestsMergedResponse { merged: true }.into())
        }))
        .on(by_user(|state, me, _: notification_policy::Get, _| Ok(state.view(me).policy(me))))
        .on(by_user(|mut state, me, request: notification_policy::Update, _| {
            let policy = state.policies.entry(me).or_default();
            set(&mut policy.limited_accounts, request.for_limited_accounts);
            set(&mut policy.not_followers, request.for_not_followers);
            set(&mut policy.not_following, request.for_not_following);
            set(&mut policy.private_mentions, request.for_private_mentions);
            set(&mut policy.new_accounts, request.for_new_accounts);
            set(&mut policy.bots, request.for_bots);
            Ok(state.view(me).policy(me))
        }))
        .on(by_user(|state, me, _: notification_policy::GetV1, _| Ok(v1(&state, me))))
        .on(by_user(|mut state, me, args: notification_policy::UpdateV1, _| {
            let policy = state.policies.entry(me).or_default();
            let values = [NotificationPolicyValue::Accept, NotificationPolicyValue::Filter];
            let value = |is_on: bool| values[usize::from(is_on)].clone();
            set(&mut policy.not_following, args.filter_not_following.map(value));
            set(&mut policy.not_followers, args.filter_not_followers.map(value));
            set(&mut policy.new_accounts, args.filter_new_accounts.map(value));
            set(&mut policy.private_mentions, args.filter_private_mentions.map(value));
            set(&mut policy.bots, args.filter_bots.map(value));
            Ok(v1(&state, me))
        }))
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

/// The policy as switches: everything but accepting is on.
fn v1(state: &State, me: Key) -> V1NotificationPolicy {
    let policy = state.view(me).policy(me);
    let is_on = |value: &NotificationPolicyValue| *value != NotificationPolicyValue::Accept;
    current::V1NotificationPolicy {
        filter_not_following: is_on(&policy.for_not_following),
        filter_not_followers: is_on(&policy.for_not_followers),
        filter_new_accounts: is_on(&policy.for_new_accounts),
        filter_private_mentions: is_on(&policy.for_private_mentions),
        summary: current::V1NotificationPolicySummary {
            pending_requests_count: policy.summary.pending_requests_count,
            pending_notifications_count: policy.summary.pending_notifications_count,
        }
        .into(),
        filter_bots: is_on(&policy.for_bots),
    }
    .into()
}
