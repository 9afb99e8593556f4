//! Web Push subscriptions. They are kept, and nothing is sent to them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fedispec::entities::{WebPushSubscription, WebPushSubscriptionAlerts};
use fedispec::enums::PushPolicy;
use fedispec::push;

use super::prelude::*;
use crate::views::SERVER_KEY;

/// The alerts that a request switches on; both requests have the same.
macro_rules! alerts {
    ($request:ident) => {{
        let is_on = |given: Option<bool>| given == Some(true);
        WebPushSubscriptionAlerts {
            mention: is_on($request.data_alerts_mention),
            status: is_on($request.data_alerts_status),
            reblog: is_on($request.data_alerts_reblog),
            follow: is_on($request.data_alerts_follow),
            follow_request: is_on($request.data_alerts_follow_request),
            favourite: is_on($request.data_alerts_favourite),
            poll: is_on($request.data_alerts_poll),
            update: is_on($request.data_alerts_update),
            admin_sign_up: is_on($request.data_alerts_admin_sign_up),
            admin_report: is_on($request.data_alerts_admin_report),
            quote: is_on($request.data_alerts_quote),
            quoted_update: is_on($request.data_alerts_quoted_update),
            severed_relationships: is_on($request.data_alerts_severed_relationships),
            moderation_warning: is_on($request.data_alerts_moderation_warning),
            annual_report: is_on($request.data_alerts_annual_report),
            added_to_collection: is_on($request.data_alerts_added_to_collection),
            collection_update: is_on($request.data_alerts_collection_update),
            pending_favourite: is_on($request.data_alerts_pending_favourite),
            pending_reblog: is_on($request.data_alerts_pending_reblog),
            pending_reply: is_on($request.data_alerts_pending_reply),
            ..WebPushSubscriptionAlerts::default()
        }
    }};
}

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|mut state, _, request: push::Create, call| {
            let token = token(&state, &call)?;
            check(&call, &request)?;
            let id = state.next_key();
            let subscription: WebPushSubscription = current::WebPushSubscription {
                id: state.id(id),
                endpoint: request.subscription_endpoint,
                server_key: Some(SERVER_KEY.to_owned()),
                standard: request.subscription_standard.unwrap_or(false),
                policy: request.data_policy.unwrap_or(PushPolicy::All),
                alerts: alerts!(request),
            }
            .into();
            state.push.insert(token, subscription.clone());
            Ok(subscription)
        }))
        .on(by_user(|state, _, _: push::Get, call| {
            state.push.get(&token(&state, &call)?).cloned().ok_or_else(Error::not_found)
        }))
        .on(by_user(|mut state, _, request: push::Update, call| {
            let token = token(&state, &call)?;
            let own = state.push.get_mut(&token).ok_or_else(Error::not_found)?;
            // A parameter that is not sent is reset, as in both programs.
            own.alerts = alerts!(request);
            own.policy = request.data_policy.or(Some(PushPolicy::All));
            Ok(own.clone())
        }))
        .on(by_user(|mut state, _, _: push::Delete, call| {
            let token = token(&state, &call)?;
            state.push.remove(&token);
            Ok(Empty)
        }))
}

/// Refuses a subscription that nothing can be sent to.
fn check(call: &Call, request: &push::Create) -> Result<()> {
    let endpoint = &request.subscription_endpoint;
    let bytes = |text: &str| URL_SAFE_NO_PAD.decode(in_url(text)).ok();
    let is_secure = endpoint.starts_with("https://");
    if !does(call, Habit::TellsWhy) {
        refuse_if!(!is_secure, not_valid("Endpoint is not a valid URL"));
        return Ok(());
    }
    let wrong = |told: &str| refused(StatusCode::UNPROCESSABLE_ENTITY, told);
    refuse_if!(!endpoint.contains("://"), wrong("endpoint must be a valid URL"));
    refuse_if!(!is_secure, wrong("endpoint must be an https:// URL"));
    refuse_if!(endpoint.contains('#'), wrong("endpoint URL must not have a fragment"));
    let auth = bytes(request.subscription_keys_auth.expose());
    let auth = auth.ok_or_else(|| wrong("auth is not valid Base64 data"))?.len();
    refuse_if!(auth != 16, wrong(&format!("auth must be 16 bytes long, got {auth}")));
    let key = bytes(&request.subscription_keys_p256dh);
    refuse_if!(key.is_none(), wrong("p256dh is not valid Base64 data"));
    Ok(())
}

/// Base 64 of either alphabet in that of URLs, without padding.
fn in_url(text: &str) -> String {
    text.trim_end_matches('=').replace('+', "-").replace('/', "_")
}

fn token(state: &State, call: &Call) -> Result<Key> {
    let token = state.token(call).map(|token| token.id);
    token.ok_or_else(Error::unauthorized)
}
