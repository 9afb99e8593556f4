//! The layer around all routes: it logs calls, lets them fail, counts them, and sets the headers that the release sets.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{
    AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH,
};
use axum::http::{HeaderName, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http_body_util::{BodyExt as _, Full};
use sha2::{Digest as _, Sha256};

use crate::calls::{self, BODY, LoggedCall};
use crate::control::{Control, Parts};
use crate::family::Habit;
use crate::faults::Effect;
use crate::limits::{LimitedCall, Standing};
use crate::lock::lock;
use crate::operations;
use crate::store::clock::time;

/// The time in which the beginning of an answer is sent before its connection breaks.
const SENT: Duration = Duration::from_millis(20);
/// The greatest size of an answer whose `ETag` is made, or which a fault cuts.
const ANSWER: usize = 64 * 1024 * 1024;

/// Answers a request.
pub(crate) async fn watch(
    State(Control(watch)): State<Control>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    let operation = operations::find(&parts.method, parts.uri.path()).map(|found| found.id);
    let mut call = LoggedCall {
        operation,
        method: parts.method.to_string(),
        path: parts.uri.path().to_owned(),
        query: parts.uri.query().map(calls::query),
        status: 0,
        body: None,
        at: time(watch.app.state().now()),
        served: None,
    };
    let fault = watch.faults.meet(operation, &call.method, &call.path);
    let kept = Arc::<Mutex<Vec<u8>>>::default();
    let body = tee(body, Arc::clone(&kept));
    let (headers, method) = (parts.headers.clone(), parts.method.clone());
    let standing = watch.count(&parts, operation);
    let request = Request::from_parts(parts, body);
    let answer = watch.answer(request, next, fault.as_ref(), standing);
    let (mut response, served) = calls::listening(answer).await;
    (call.status, call.served) = (response.status().as_u16(), served);
    call.body = calls::body(&headers, &lock(&kept));
    watch.calls.note(call);
    if !response.headers().contains_key("x-ratelimit-limit")
        && let Some(standing) = standing
    {
        standing.tell(response.headers_mut());
    }
    watch.identify(&mut response);
    if let Some(fault) = fault {
        return watch.spoil(response, &fault).await;
    }
    watch.tag(&method, &headers, response).await
}

impl Parts {
    /// Answers as the fault wants, or as the limit does, or as the operation does.
    async fn answer(
        &self,
        request: Request,
        next: Next,
        fault: Option<&Effect>,
        standing: Option<Standing>,
    ) -> Response {
        if let Some(delay) = fault.and_then(Effect::delay) {
            tokio::time::sleep(delay).await;
        }
        let replaced = fault.and_then(|fault| self.replaced(fault));
        let replaced = replaced.or_else(|| standing.and_then(|standing| standing.refusal()));
        let Some(response) = replaced else {
            return next.run(request).await;
        };
        // The log shows what was sent.
        let _ = to_bytes(request.into_body(), BODY).await;
        response
    }

    /// The answer of a fault that does not let the operation answer.
    fn replaced(&self, fault: &Effect) -> Option<Response> {
        if fault.rate_limit {
            let now = self.app.state().now();
            let refusal = self.limits.used_up(now).and_then(|standing| standing.refusal());
            return Some(refusal.unwrap_or_else(|| StatusCode::TOO_MANY_REQUESTS.into_response()));
        }
        let (status, body) = fault.replaced()?;
        let is_json = serde_json::from_slice::<serde::de::IgnoredAny>(&body).is_ok();
        let kind =
            if is_json { "application/json; charset=utf-8" } else { "text/plain; charset=utf-8" };
        Some((status, [(CONTENT_TYPE, kind)], body).into_response())
    }

    /// Does to an answer what is wrong with it.
    async fn spoil(&self, mut response: Response, fault: &Effect) -> Response {
        for (name, value) in fault.headers() {
            response.headers_mut().insert(name, value);
        }
        if fault.drop_stream {
            let is_socket = response.status() == StatusCode::SWITCHING_PROTOCOLS;
            if is_socket {
                self.streams.close_all();
            } else if is_stream(&response) {
                *response.body_mut() = Body::empty();
            }
            return response;
        }
        if (fault.cut.is_none() && !fault.malformed) || is_stream(&response) {
            return response;
        }
        let (mut parts, body) = response.into_parts();
        let Ok(mut bytes) = to_bytes(body, ANSWER).await else {
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        };
        if fault.malformed {
            bytes.truncate(bytes.len() / 2);
        }
        let length = bytes.len();
        let (length, body) = match fault.cut {
            None => (length, Body::from(bytes)),
            Some(cut) => {
                bytes.truncate(cut);
                // There is always something that does not arrive.
                (length.max(cut.saturating_add(1)), cut_after(bytes))
            }
        };
        parts.headers.insert(CONTENT_LENGTH, length.into());
        Response::from_parts(parts, body)
    }

    /// Counts a call where the release limits it.
    fn count(
        &self,
        parts: &axum::http::request::Parts,
        operation: Option<&'static str>,
    ) -> Option<Standing> {
        let state = self.app.state();
        let token = token(&parts.headers);
        let known = token.and_then(|token| state.oauth.tokens.get(token));
        let peer = parts.extensions.get::<ConnectInfo<std::net::SocketAddr>>();
        let asked = LimitedCall {
            method: &parts.method,
            path: parts.uri.path(),
            query: parts.uri.query().unwrap_or_default(),
            operation,
            token: token.filter(|_| known.is_some()),
            account: known.and_then(|token| token.account).map(|key| key.0),
            address: peer.map(|peer| peer.0.ip().to_string()).unwrap_or_default(),
        };
        self.limits.count(&asked, state.now())
    }

    /// Gives an answer the id of its request, which each program writes in its way.
    fn identify(&self, response: &mut Response) {
        const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
        let id = self.app.release().request_id(self.request_ids.draw());
        if let Some(id) = id.and_then(|id| HeaderValue::try_from(id).ok()) {
            response.headers_mut().insert(REQUEST_ID, id);
        }
    }

    /// Gives an answer its `ETag` where the release does, and answers 304 to those who have it.
    async fn tag(&self, method: &Method, asked: &HeaderMap, response: Response) -> Response {
        let is_read = method == Method::GET;
        let is_json = response.headers().get(CONTENT_TYPE);
        let is_json = is_json.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
        let is_tagged = is_read
            && is_json
            && response.status() == StatusCode::OK
            && !response.headers().contains_key(ETAG)
            && !self.app.release().does(Habit::HasNoEtags);
        if !is_tagged {
            return response;
        }
        let (mut parts, body) = response.into_parts();
        let Ok(bytes) = to_bytes(body, ANSWER).await else {
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        };
        let digest = Sha256::digest(&bytes);
        let tag = digest.first_chunk().copied().unwrap_or_default();
        let tag = format!("W/\"{:032x}\"", u128::from_be_bytes(tag));
        let known = asked.get(IF_NONE_MATCH).and_then(|known| known.to_str().ok());
        let is_known = known.is_some_and(|known| known.split(',').any(|one| one.trim() == tag));
        if let Ok(tag) = HeaderValue::try_from(tag) {
            parts.headers.insert(ETAG, tag);
        }
        if !is_known {
            return Response::from_parts(parts, Body::from(bytes));
        }
        parts.status = StatusCode::NOT_MODIFIED;
        parts.headers.remove(CONTENT_LENGTH);
        parts.headers.remove(CONTENT_TYPE);
        Response::from_parts(parts, Body::empty())
    }
}

/// The token that came with a request.
fn token(headers: &HeaderMap) -> Option<&str> {
    let bearer = headers.get(AUTHORIZATION)?.to_str().ok()?;
    Some(bearer.split_once(' ')?.1.trim())
}

/// Whether an answer is an event stream, or becomes a WebSocket.
fn is_stream(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE);
    response.status() == StatusCode::SWITCHING_PROTOCOLS
        || kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"))
}

/// A body whose first bytes are kept for the log.
fn tee(body: Body, kept: Arc<Mutex<Vec<u8>>>) -> Body {
    Body::new(body.map_frame(move |frame| {
        if let Some(data) = frame.data_ref() {
            let mut kept = lock(&kept);
            // One byte more than the log takes tells that the body is too long for it.
            let room = (BODY + 1).saturating_sub(kept.len());
            kept.extend_from_slice(&data[..data.len().min(room)]);
        }
        frame
    }))
}

/// A body that fails after its first bytes, once these are sent.
fn cut_after(bytes: Bytes) -> Body {
    // A frame that is mapped has no length that is known, and told.
    let body = Full::new(bytes).map_err(|never| match never {}).map_frame(|frame| frame);
    Body::new(body.with_trailers(async {
        tokio::time::sleep(SENT).await;
        Some(Err(io::Error::other("a fault has cut the answer")))
    }))
}
