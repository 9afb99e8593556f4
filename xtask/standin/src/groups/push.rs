//! Web Push subscriptions. They are kept, and nothing is sent to them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fedispec::entities::WebPushSubscription;
use fedispec::enums::PushPolicy;
use fedispec::push;

use super::prelude::*;
use crate::store::push::{SERVER_KEY, Subscription};

/// The alerts that a request switches on; both requests have the same.
macro_rules! alerts {
    ($request:ident) => {{
        let given = [
            ("mention", $request.data_alerts_mention),
            ("status", $request.data_alerts_status),
            ("reblog", $request.data_alerts_reblog),
            ("follow", $request.data_alerts_follow),
            ("follow_request", $request.data_alerts_follow_request),
            ("favourite", $request.data_alerts_favourite),
            ("poll", $request.data_alerts_poll),
            ("update", $request.data_alerts_update),
            ("admin_sign_up", $request.data_alerts_admin_sign_up),
            ("admin_report", $request.data_alerts_admin_report),
            ("quote", $request.data_alerts_quote),
            ("quoted_update", $request.data_alerts_quoted_update),
            ("severed_relationships", $request.data_alerts_severed_relationships),
            ("moderation_warning", $request.data_alerts_moderation_warning),
            ("annual_report", $request.data_alerts_annual_report),
            ("added_to_collection", $request.data_alerts_added_to_collection),
            ("collection_update", $request.data_alerts_collection_update),
            ("pending_favourite", $request.data_alerts_pending_favourite),
            ("pending_reblog", $request.data_alerts_pending_reblog),
            ("pending_reply", $request.data_alerts_pending_reply),
        ];
        let on = given.into_iter().filter(|(_, given)| *given == Some(true));
        on.map(|(name, _)| name.to_owned()).collect()
    }};
}

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|mut state, _, request: push::Create, call| {
            let token = token(&state, &call)?;
            check(&call, &request)?;
            let subscription = Subscription {
                id: state.next_key(),
                endpoint: request.subscription_endpoint,
                p256dh: request.subscription_keys_p256dh,
                auth: request.subscription_keys_auth.expose().to_owned(),
                standard: request.subscription_standard.unwrap_or(false),
                policy: request.data_policy.unwrap_or(PushPolicy::All),
                alerts: alerts!(request),
            };
            let view = view(&state, &subscription);
            state.push.insert(token, subscription);
            Ok(view)
        }))
        .on(by_user(|state, _, _: push::Get, call| {
            let own = state.push.get(&token(&state, &call)?);
            own.map(|own| view(&state, own)).ok_or_else(Error::not_found)
        }))
        .on(by_user(|mut state, _, request: push::Update, call| {
            let token = token(&state, &call)?;
            let mut own = state.push.get(&token).cloned().ok_or_else(Error::not_found)?;
            // A parameter that is not sent is reset, as in both programs.
            own.alerts = alerts!(request);
            own.policy = request.data_policy.unwrap_or(PushPolicy::All);
            let view = view(&state, &own);
            state.push.insert(token, own);
            Ok(view)
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
    let auth = bytes(request.subscription_keys_auth.expose());
    let told = if !does(call, Habit::TellsWhy) {
        if endpoint.starts_with("https://") {
            return Ok(());
        }
        return Err(Error::unprocessable("Validation failed: Endpoint is not a valid URL"));
    } else if !endpoint.contains("://") {
        "endpoint must be a valid URL".to_owned()
    } else if !endpoint.starts_with("https://") {
        "endpoint must be an https:// URL".to_owned()
    } else if endpoint.contains('#') {
        "endpoint URL must not have a fragment".to_owned()
    } else {
        match auth {
            None => "auth is not valid Base64 data".to_owned(),
            Some(auth) if auth.len() != 16 => {
                format!("auth must be 16 bytes long, got {}", auth.len())
            }
            Some(_) if bytes(&request.subscription_keys_p256dh).is_none() => {
                "p256dh is not valid Base64 data".to_owned()
            }
            Some(_) => return Ok(()),
        }
    };
    Err(refused(StatusCode::UNPROCESSABLE_ENTITY, &told))
}

/// Base 64 of either alphabet in that of URLs, without padding.
fn in_url(text: &str) -> String {
    text.trim_end_matches('=').replace('+', "-").replace('/', "_")
}

fn token(state: &State, call: &Call) -> Result<Key> {
    let token = state.token(call).map(|token| token.id);
    token.ok_or_else(Error::unauthorized)
}

fn view(state: &State, own: &Subscription) -> WebPushSubscription {
    let kinds = fedispec::items().below("WebPushSubscription.alerts");
    let alerts: serde_json::Map<_, _> = kinds
        .map(|kind| {
            // One in the answer is `admin.sign_up`.
            let is_on = own.alerts.contains(&kind.name().replace('.', "_"));
            (kind.name().to_owned(), is_on.into())
        })
        .collect();
    current::WebPushSubscription {
        id: state.id(own.id),
        endpoint: own.endpoint.clone(),
        server_key: Some(SERVER_KEY.to_owned()),
        standard: own.standard,
        policy: own.policy.clone(),
        alerts: serde_json::from_value(alerts.into()).unwrap_or_default(),
    }
    .into()
}
