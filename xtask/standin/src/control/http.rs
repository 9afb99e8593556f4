//! The control API: [`Control`] over HTTP, below `/_standin/`. `openapi.json` describes it.

use axum::Router;
use axum::body::{Bytes, to_bytes};
use axum::extract::{Path, RawQuery, Request, State};
use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, delete, get, post};
use fedispec::enums::AdminDomainBlockSeverity;
use fedispec::server::Id;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tower_service::Service as _;

use super::Control;
use super::asked::{self, Announcement, Blocked, Clock};
use super::settings::{Settings, Trend};
use crate::calls::LoggedCall;
use crate::error::ControlError;
use crate::faults::Fault;
use crate::operations;
use crate::post::NewAccount;

/// The description of the API.
const OPENAPI: &str = include_str!("openapi.json");
/// The path below which the API is.
const BELOW: &str = "/_standin/";
/// The greatest size of a body, which may be a snapshot.
const BODY: usize = 1 << 30;

/// The door to the control API. Whoever comes without its token is passed on to the server, which has no such paths.
#[derive(Clone)]
pub(crate) struct Gate {
    control: Control,
    router: Router,
}

impl Gate {
    pub(crate) fn new(control: Control) -> Self {
        let router = routes().into_iter().fold(Router::new(), |router, (path, route)| {
            router.route(&format!("{BELOW}{path}"), route)
        });
        let other = async |status: StatusCode| {
            refused(
                status,
                "the control API has no such path and method; see /_standin/openapi.json",
            )
        };
        let router = router
            .fallback(move || other(StatusCode::NOT_FOUND))
            .method_not_allowed_fallback(move || other(StatusCode::METHOD_NOT_ALLOWED));
        Self { router: router.with_state(control.clone()), control }
    }
}

/// Passes a request to the control API where it has the token for that.
pub(crate) async fn gate(State(mut gate): State<Gate>, request: Request, next: Next) -> Response {
    let bearer = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let bearer = bearer.and_then(|value| value.split_once(' '));
    let is_meant = request.uri().path().starts_with(BELOW)
        && bearer.is_some_and(|(scheme, token)| {
            scheme.eq_ignore_ascii_case("bearer") && token.trim() == gate.control.control_token()
        });
    if !is_meant {
        return next.run(request).await;
    }
    match gate.router.call(request).await {
        Ok(response) => ([(CACHE_CONTROL, "no-store")], response).into_response(),
        Err(never) => match never {},
    }
}

/// The routes, by their paths below `/_standin/`.
fn routes() -> [(&'static str, MethodRouter<Control>); 15] {
    [
        ("openapi.json", get(openapi)),
        ("reset", post(reset)),
        ("snapshot", get(snapshot).post(restore)),
        ("clock", get(clock).post(set_clock)),
        ("accounts", post(account)),
        ("remote", post(remote)),
        ("statuses", post(status)),
        ("announcements", post(announce)),
        ("announcements/{id}", delete(withdraw)),
        ("domain_blocks", post(block_domain)),
        ("trends", post(promote)),
        ("settings", get(settings).post(set_settings)),
        ("calls", get(calls).delete(forget_calls)),
        ("faults", get(faults).post(fault).delete(clear_faults)),
        ("faults/{id}", delete(remove_fault)),
    ]
}

/// An answer, or what is wrong with the question.
type Answer = Result<Response, ControlError>;

impl IntoResponse for ControlError {
    fn into_response(self) -> Response {
        let status = match self {
            Self::Random(_) => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
        };
        refused(status, &self.to_string())
    }
}

fn refused(status: StatusCode, told: &str) -> Response {
    (status, answer(&json!({ "error": told }))).into_response()
}

fn answer(value: &Value) -> Response {
    ([(CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

/// Answers a removal.
fn removed(was_there: bool) -> Response {
    if was_there {
        answer(&json!({}))
    } else {
        refused(StatusCode::NOT_FOUND, "there is none of this id")
    }
}

/// Reads a body as JSON, whatever it calls itself.
async fn body<T: DeserializeOwned>(request: Request) -> Result<T, ControlError> {
    serde_json::from_slice(&bytes(request).await?).map_err(asked::unusable)
}

async fn bytes(request: Request) -> Result<Bytes, ControlError> {
    let bytes = to_bytes(request.into_body(), BODY).await;
    bytes.map_err(|error| ControlError::invalid(format!("the body cannot be read: {error}")))
}

async fn openapi() -> Response {
    ([(CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

async fn reset(State(control): State<Control>) -> Answer {
    control.reset()?;
    Ok(answer(&json!({})))
}

async fn snapshot(State(control): State<Control>) -> Answer {
    Ok(([(CONTENT_TYPE, "application/json")], control.snapshot()?).into_response())
}

async fn restore(State(control): State<Control>, request: Request) -> Answer {
    control.restore(&bytes(request).await?)?;
    Ok(answer(&json!({})))
}

async fn clock(State(control): State<Control>) -> Response {
    let is_frozen = control.0.app.state().clock.is_frozen();
    answer(&json!({ "now": control.now(), "frozen": is_frozen }))
}

async fn set_clock(State(control): State<Control>, request: Request) -> Answer {
    let asked: Clock = body(request).await?;
    let (time, by) = asked.read()?;
    if let Some(time) = time {
        control.set_time(&time);
    }
    if let Some(by) = by {
        control.advance(by);
    }
    if let Some(freeze) = asked.freeze {
        control.freeze(freeze);
    }
    Ok(clock(State(control)).await)
}

async fn account(State(control): State<Control>, request: Request) -> Answer {
    let account: NewAccount = body(request).await?;
    if account.has_token() {
        let login = control.account(account)?;
        return Ok(answer(&json!({ "id": login.id, "token": login.token })));
    }
    let mut state = control.0.app.state();
    let key = account.add(&mut state)?;
    Ok(answer(&json!({ "id": state.id::<()>(key), "token": null })))
}

async fn remote(State(control): State<Control>, request: Request) -> Answer {
    let (address, post) = asked::status(body(request).await?, "account")?;
    asked::address(&address)?;
    let id = control.remote_account(&address);
    let status = post.map(|post| control.try_post(&id, post)).transpose()?;
    Ok(answer(&json!({ "id": id, "status_id": status })))
}

async fn status(State(control): State<Control>, request: Request) -> Answer {
    let (account, post) = asked::status(body(request).await?, "account_id")?;
    let post = post.ok_or_else(|| ControlError::invalid("the body has no \"status\""))?;
    let id = control.try_post(&Id::new(account.as_str()), post)?;
    Ok(answer(&json!({ "id": id })))
}

async fn announce(State(control): State<Control>, request: Request) -> Answer {
    let asked: Announcement = body(request).await?;
    Ok(answer(&json!({ "id": control.announce(&asked.text) })))
}

async fn withdraw(State(control): State<Control>, Path(id): Path<String>) -> Response {
    removed(control.withdraw(&Id::new(id.as_str())))
}

async fn block_domain(State(control): State<Control>, request: Request) -> Answer {
    let asked: Blocked = body(request).await?;
    let severity = asked.severity.unwrap_or(AdminDomainBlockSeverity::Silence);
    Ok(answer(&json!({ "id": control.block_domain(&asked.domain, severity)? })))
}

async fn promote(State(control): State<Control>, request: Request) -> Answer {
    control.promote(body::<Trend>(request).await?)?;
    Ok(answer(&json!({})))
}

async fn settings(State(control): State<Control>) -> Response {
    answer(&json!(control.settings()))
}

async fn set_settings(State(control): State<Control>, request: Request) -> Answer {
    control.set(body::<Settings>(request).await?)?;
    Ok(settings(State(control)).await)
}

async fn calls(State(control): State<Control>, RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    let sought: Vec<_> = form_urlencoded::parse(query.as_bytes()).collect();
    let is_sought = |call: &&LoggedCall| {
        sought.iter().all(|(name, value)| match &**name {
            "operation" => call.operation == Some(value),
            "path" => operations::fits(value, &call.path),
            _ => true,
        })
    };
    let calls = control.calls();
    answer(&json!(calls.iter().filter(is_sought).collect::<Vec<_>>()))
}

async fn forget_calls(State(control): State<Control>) -> Response {
    control.0.calls.clear();
    answer(&json!({}))
}

async fn faults(State(control): State<Control>) -> Response {
    answer(&json!(control.0.faults.all()))
}

async fn fault(State(control): State<Control>, request: Request) -> Answer {
    let fault: Fault = body(request).await?;
    Ok(answer(&json!(control.put_fault(fault)?)))
}

async fn clear_faults(State(control): State<Control>) -> Response {
    control.clear_faults();
    answer(&json!({}))
}

async fn remove_fault(State(control): State<Control>, Path(id): Path<u64>) -> Response {
    removed(control.remove_fault(id))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The description and the routes have the same paths and methods.
    #[test]
    fn the_description_is_that_of_the_routes() {
        let document: Value = serde_json::from_str(OPENAPI).expect("JSON");
        let paths = document["paths"].as_object().expect("paths");
        let described: BTreeSet<String> = paths
            .iter()
            .flat_map(|(path, item)| {
                let methods = item.as_object().expect("an item").keys();
                let methods =
                    methods.filter(|key| ["get", "post", "delete"].contains(&key.as_str()));
                methods.map(move |method| format!("{method} {path}"))
            })
            .collect();
        let served = routes().into_iter().flat_map(|(path, route)| {
            // A method router names its methods in its debug output alone.
            let told = format!("{route:?}");
            ["get", "post", "delete"].into_iter().filter_map(move |method| {
                let is_there = !told.contains(&format!("{method}: None"));
                is_there.then(|| format!("{method} {BELOW}{path}"))
            })
        });
        assert_eq!(described, served.collect());
    }
}
