//! Makes a request of arbitrary bytes, for the operations with the most parameters. The fuzz target uses it too.

use std::fmt::Debug;
use std::sync::OnceLock;

use axum::body::Body;
use axum::http::Request;
use fedispec::runtime::{Either, Operation, Page, Request as _};
use fedispec::server::{self, Call, Error, RequestLimits, Result, Router, Server};
use fedispec::{accounts, entities, filters, media, notifications, oauth, push, reports, statuses};
use tower::ServiceExt as _;

#[derive(Clone)]
struct App;

/// A handler that prints its request and answers an error.
fn seen<T>(request: &impl Debug) -> Result<T> {
    std::hint::black_box(format!("{request:?}"));
    Err(Error::gone())
}

impl server::Accounts for App {
    async fn update_credentials(
        &self,
        request: accounts::UpdateCredentials,
        _: Call,
    ) -> Result<entities::CredentialAccount> {
        seen(&request)
    }
}

impl server::Filters for App {
    async fn create(&self, request: filters::Create, _: Call) -> Result<entities::Filter> {
        seen(&request)
    }
}

impl server::Media for App {
    async fn upload(&self, request: media::Upload, _: Call) -> Result<entities::MediaAttachment> {
        seen(&request)
    }
}

impl server::Notifications for App {
    async fn list(
        &self,
        request: notifications::List,
        _: Call,
    ) -> Result<Page<entities::Notification>> {
        seen(&request)
    }
}

impl server::Oauth for App {
    async fn token(&self, request: oauth::Token, _: Call) -> Result<entities::Token> {
        seen(&request)
    }
}

impl server::Push for App {
    async fn create(
        &self,
        request: push::Create,
        _: Call,
    ) -> Result<entities::WebPushSubscription> {
        seen(&request)
    }
}

impl server::Reports for App {
    async fn create(&self, request: reports::Create, _: Call) -> Result<entities::Report> {
        seen(&request)
    }
}

impl server::Statuses for App {
    async fn create(
        &self,
        request: statuses::Create,
        _: Call,
    ) -> Result<Either<entities::ScheduledStatus, entities::Status>> {
        seen(&request)
    }
}

fn router() -> Router {
    static ROUTER: OnceLock<Router> = OnceLock::new();
    let make = || {
        Server::new()
            .accounts(App)
            .filters(App)
            .media(App)
            .notifications(App)
            .oauth(App)
            .push(App)
            .reports(App)
            .statuses(App)
            .limits(RequestLimits::default().body(4096).upload(8192).params(64))
            .into_router()
    };
    ROUTER.get_or_init(make).clone()
}

const OPERATIONS: &[&Operation] = &[
    accounts::UpdateCredentials::OPERATION,
    filters::Create::OPERATION,
    media::Upload::OPERATION,
    notifications::List::OPERATION,
    oauth::Token::OPERATION,
    push::Create::OPERATION,
    reports::Create::OPERATION,
    statuses::Create::OPERATION,
];

const KINDS: &[&str] = &[
    "application/x-www-form-urlencoded",
    "application/json",
    "multipart/form-data; boundary=b",
    "",
    "text/plain",
];

/// The first byte chooses the operation and the second the encoding. The query runs to the first newline, the rest is the body.
pub(super) fn check(bytes: &[u8]) {
    let [operation, kind, rest @ ..] = bytes else {
        return;
    };
    let operation = OPERATIONS[usize::from(*operation) % OPERATIONS.len()];
    let kind = KINDS[usize::from(*kind) % KINDS.len()];
    let (query, body) = match rest.iter().position(|byte| *byte == b'\n') {
        Some(end) => (&rest[..end], &rest[end + 1..]),
        None => (rest, &[][..]),
    };
    let query: String = query.iter().flat_map(|byte| byte.escape_ascii()).map(char::from).collect();
    let request = Request::builder()
        .method(operation.method.as_str())
        .uri(format!("{}?{query}", operation.path))
        .header("content-type", kind)
        .body(Body::from(body.to_vec()));
    // Some bytes make no valid URL.
    let Ok(request) = request else { return };
    let (status, text) = answer(request);
    assert!(matches!(status, 410 | 400 | 413 | 415 | 422), "{status} {text}");
    if status == 422 {
        let message = text.strip_prefix("{\"error\":\"").unwrap_or_default();
        let named = operation.params.iter().any(|param| message.contains(param.wire));
        assert!(named, "no parameter is named: {text}");
    }
}

fn answer(request: Request<Body>) -> (u16, String) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().build();
    runtime.expect("a runtime").block_on(async {
        let Ok(response) = router().oneshot(request).await;
        let status = response.status().as_u16();
        let body = axum::body::to_bytes(response.into_body(), usize::MAX).await;
        let body = body.expect("a body");
        (status, String::from_utf8_lossy(&body).into_owned())
    })
}
