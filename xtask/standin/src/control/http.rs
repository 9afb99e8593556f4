//! The control API: [`Control`] over HTTP, below `/_standin/`. `openapi.json` describes it.

use axum::body::{Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use fedispec::enums::AdminDomainBlockSeverity;
use fedispec::server::Id;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::Control;
use super::asked::{self, Announcement, Blocked, Clock};
use super::settings::{Settings, Trend};
use crate::calls::LoggedCall;
use crate::error::ControlError;
use crate::faults::{Fault, InForce};
use crate::operations;
use crate::post::NewAccount;

/// The description of the API.
const OPENAPI: &str = include_str!("openapi.json");
/// The path below which the API is.
const BELOW: &str = "/_standin/";
/// The greatest size of a body, which may be a snapshot.
const BODY: usize = 1 << 30;

/// Answers a request of the control API that has the token for it. Others are passed on to the server, which has no such paths.
pub(crate) async fn gate(State(control): State<Control>, request: Request, next: Next) -> Response {
    let bearer = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let bearer = bearer.and_then(|value| value.split_once(' '));
    let is_meant = request.uri().path().starts_with(BELOW)
        && bearer.is_some_and(|(scheme, token)| {
            scheme.eq_ignore_ascii_case("bearer") && token.trim() == control.control_token()
        });
    if !is_meant {
        return next.run(request).await;
    }
    ([(CACHE_CONTROL, "no-store")], serve(&control, request).await).into_response()
}

async fn serve(control: &Control, request: Request) -> Result<Response, ControlError> {
    let (parts, body) = request.into_parts();
    let unread = |error| ControlError::invalid(format!("the body cannot be read: {error}"));
    let body = to_bytes(body, BODY).await.map_err(unread)?;
    let path = parts.uri.path().strip_prefix(BELOW).unwrap_or_default();
    let (name, id) = path.split_once('/').map_or((path, None), |(name, id)| (name, Some(id)));
    let told = match (parts.method.as_str(), name, id) {
        ("GET", "openapi.json", None) => return Ok(raw(OPENAPI)),
        ("GET", "snapshot", None) => return Ok(raw(control.snapshot()?)),
        ("POST", "snapshot", None) => control.restore(&body).map(nothing)?,
        ("POST", "reset", None) => control.reset().map(nothing)?,
        ("GET", "clock", None) => clock(control),
        ("POST", "clock", None) => set_clock(control, &read(&body)?)?,
        ("POST", "accounts", None) => account(control, read(&body)?)?,
        ("POST", "remote", None) => remote(control, read(&body)?)?,
        ("POST", "statuses", None) => status(control, read(&body)?)?,
        ("POST", "announcements", None) => {
            let text = read::<Announcement>(&body)?.text;
            refuse_if!(text.trim().is_empty(), ControlError::invalid("the text is blank"));
            json!({ "id": control.announce(&text) })
        }
        ("DELETE", "announcements", Some(id)) => {
            return Ok(removed(control.withdraw(&Id::new(id))));
        }
        ("POST", "domain_blocks", None) => {
            let asked: Blocked = read(&body)?;
            let severity = asked.severity.unwrap_or(AdminDomainBlockSeverity::Silence);
            json!({ "id": control.block_domain(&asked.domain, severity)? })
        }
        ("POST", "trends", None) => control.promote(read::<Trend>(&body)?).map(nothing)?,
        ("GET", "settings", None) => json!(control.settings()),
        ("POST", "settings", None) => {
            control.set(read::<Settings>(&body)?)?;
            json!(control.settings())
        }
        ("GET", "calls", None) => calls(control, parts.uri.query().unwrap_or_default()),
        ("DELETE", "calls", None) => {
            control.0.calls.clear();
            json!({})
        }
        ("GET", "faults", None) => {
            control.0.faults.all().iter().map(InForce::shown).collect::<Vec<_>>().into()
        }
        ("POST", "faults", None) => control.put_fault(read::<Fault>(&body)?)?.shown(),
        ("DELETE", "faults", None) => {
            control.clear_faults();
            json!({})
        }
        ("DELETE", "faults", Some(id)) => {
            return Ok(removed(id.parse().is_ok_and(|id| control.remove_fault(id))));
        }
        _ => {
            let told = "the control API has no such path and method; see /_standin/openapi.json";
            let of_one = if id.is_some() { format!("{name}/{{id}}") } else { name.to_owned() };
            let is_described = OPENAPI.contains(&format!("\"{BELOW}{of_one}\""));
            let other = StatusCode::METHOD_NOT_ALLOWED;
            return Ok(refused(if is_described { other } else { StatusCode::NOT_FOUND }, told));
        }
    };
    Ok(raw(told.to_string()))
}

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
    (status, raw(json!({ "error": told }).to_string())).into_response()
}

/// Answers JSON.
fn raw(json: impl IntoResponse) -> Response {
    ([(CONTENT_TYPE, "application/json")], json).into_response()
}

/// The answer to what has none.
fn nothing((): ()) -> Value {
    json!({})
}

/// Answers a removal.
fn removed(was_there: bool) -> Response {
    if was_there { raw("{}") } else { refused(StatusCode::NOT_FOUND, "there is none of this id") }
}

/// Reads a body as a JSON object, whatever it calls itself.
fn read<T: DeserializeOwned>(body: &Bytes) -> Result<T, ControlError> {
    let is_object = body.trim_ascii_start().starts_with(b"{");
    refuse_if!(!is_object, ControlError::invalid("the body is no JSON object"));
    serde_json::from_slice(body).map_err(asked::unusable)
}

fn clock(control: &Control) -> Value {
    let is_frozen = control.0.app.state().clock.is_frozen();
    json!({ "now": control.now(), "frozen": is_frozen })
}

fn set_clock(control: &Control, asked: &Clock) -> Result<Value, ControlError> {
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
    Ok(clock(control))
}

fn account(control: &Control, account: NewAccount) -> Result<Value, ControlError> {
    if account.has_token() {
        let login = control.account(account)?;
        return Ok(json!({ "id": login.id, "token": login.token }));
    }
    let mut state = control.0.app.state();
    let key = account.add(&mut state)?;
    Ok(json!({ "id": state.id::<()>(key), "token": null }))
}

fn remote(control: &Control, body: Value) -> Result<Value, ControlError> {
    let (address, post) = asked::status(body, "account")?;
    asked::address(&address)?;
    let id = control.remote_account(&address);
    let status = post.map(|post| control.try_post(&id, post)).transpose()?;
    Ok(json!({ "id": id, "status_id": status }))
}

fn status(control: &Control, body: Value) -> Result<Value, ControlError> {
    let (account, post) = asked::status(body, "account_id")?;
    let post = post.ok_or_else(|| ControlError::invalid("the body has no \"status\""))?;
    Ok(json!({ "id": control.try_post(&Id::new(account.as_str()), post)? }))
}

fn calls(control: &Control, query: &str) -> Value {
    let sought: Vec<_> = form_urlencoded::parse(query.as_bytes()).collect();
    let is_sought = |call: &&LoggedCall| {
        sought.iter().all(|(name, value)| match &**name {
            "operation" => call.operation == Some(value),
            "path" => operations::fits(value, &call.path),
            _ => true,
        })
    };
    json!(control.calls().iter().filter(is_sought).collect::<Vec<_>>())
}
