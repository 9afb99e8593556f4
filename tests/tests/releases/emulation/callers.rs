//! Fields that only users are sent.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use fedispec::entities::Status;
use fedispec::runtime::{Json, Secret};
use fedispec::server::{self, Call, Caller, Error, Result, Server};
use fedispec::{accounts, lists, statuses};
use tower::ServiceExt as _;

use crate::emulation::entities;

#[derive(Clone)]
struct App;

impl server::Statuses for App {
    async fn get(&self, _: statuses::Get, _: Call) -> Result<Status> {
        Ok(Status { favourited: true, ..entities::status("1") })
    }
}

async fn authenticate(token: Secret) -> Result<Caller> {
    match token.expose() {
        "user" => Ok(Caller::user("1", "read")),
        "app" => Ok(Caller::app("read")),
        _ => Err(Error::unauthorized()),
    }
}

async fn favourited(router: Router, token: &str) -> Option<Json> {
    let mut request = Request::builder().uri("/api/v1/statuses/1");
    if !token.is_empty() {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let request = request.body(Body::empty()).expect("a request");
    let answer = router.oneshot(request).await.expect("an answer");
    let body = to_bytes(answer.into_body(), 1 << 20).await.expect("a body");
    let status: Json = serde_json::from_slice(&body).expect("JSON");
    status.get("favourited").cloned()
}

#[tokio::test]
async fn keys_for_users_are_not_sent_to_others() {
    let server = || Server::new().statuses(App).authenticator(authenticate);
    let emulating = |release: &str| server().emulate(release).expect(release);
    for (server, tokens, to_others) in
        [(server(), ["", "app"], None), (emulating("mastodon@4.3.0"), ["", "app"], None)]
    {
        let router = server.into_router();
        assert_eq!(favourited(router.clone(), "user").await, Some(Json::Bool(true)));
        for token in tokens {
            assert_eq!(favourited(router.clone(), token).await, to_others, "{token:?}");
        }
    }
    // Where nobody knows who calls, the handler decides alone.
    let open = Server::new().statuses(App).into_router();
    assert_eq!(favourited(open, "").await, Some(Json::Bool(true)));
}

/// A program that no types are made for asks for tokens in its own way too.
#[tokio::test]
async fn each_program_asks_for_its_own_tokens() {
    let status = async |release: &str, token: Option<&str>| {
        let gone = async |(): (), _: lists::List, _: Call| Err(Error::gone());
        let server = Server::new().on(gone).authenticator(authenticate);
        let router = server.emulate(release).expect(release).into_router();
        let mut request = Request::builder().uri("/api/v1/lists");
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let request = request.body(Body::empty()).expect("a request");
        router.oneshot(request).await.expect("an answer").status().as_u16()
    };
    for (release, expected) in [
        ("mastodon@4.3.0", [401, 422, 410]),
        ("pleroma@2.9.1", [403, 403, 410]),
        ("gotosocial@0.19.0", [401, 401, 410]),
    ] {
        let [without, app, user] = [None, Some("app"), Some("user")];
        let found = [
            status(release, without).await,
            status(release, app).await,
            status(release, user).await,
        ];
        assert_eq!(found, expected, "{release}");
    }
}

/// Mastodon before 3.5.0 lists the scopes that suffice, and `write` is not among them.
#[tokio::test]
async fn a_wider_scope_is_not_always_enough() {
    for (release, scope, allowed) in [
        ("mastodon@3.4.0", "write", false),
        ("mastodon@3.4.0", "follow", true),
        ("mastodon@3.4.0", "write:follows", true),
        ("mastodon@3.5.0", "write", true),
        ("mastodon@2.4.0", "write", false),
    ] {
        let gone = async |(): (), _: accounts::Follow, _: Call| Err(Error::gone());
        let user =
            async |token: Secret| -> Result<Caller> { Ok(Caller::user("1", token.expose())) };
        let server = Server::new().on(gone).authenticator(user);
        let router = server.emulate(release).expect(release).into_router();
        let request = Request::post("/api/v1/accounts/7/follow");
        let request = request.header("authorization", format!("Bearer {scope}"));
        let answer = router.oneshot(request.body(Body::empty()).expect("a request")).await;
        let status = answer.expect("an answer").status().as_u16();
        assert_eq!(status, if allowed { 410 } else { 403 }, "{release} with {scope}");
    }
}
