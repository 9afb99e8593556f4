//! Answers that differ by release for the same handler: nothing in place of an entity, refused parameters, words of errors, and who calls.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use fedispec::runtime::{Json, Page, Secret};
use fedispec::server::{
    self, Call, Caller, Either, Empty, Error, Result, Server, StatusCode, emulation,
};
use fedispec::{entities as answered, filters_v1, follow_requests, statuses, timelines};
use serde_json::json;
use tower::ServiceExt as _;

use crate::emulation::entities;

#[derive(Clone)]
struct App;

impl server::FollowRequests for App {
    async fn authorize(
        &self,
        request: follow_requests::Authorize,
        _: Call,
    ) -> Result<Either<answered::Relationship, Empty>> {
        let tie = answered::Relationship {
            followed_by: true,
            ..entities::relationship(request.account_id.cast())
        };
        Ok(Either::First(tie))
    }
}

impl server::Statuses for App {
    async fn get(&self, request: statuses::Get, _: Call) -> Result<answered::Status> {
        Err(match request.id.as_str() {
            "forbidden" => Error::forbidden(),
            "own words" => Error::new(StatusCode::NOT_FOUND, "nothing here"),
            _ => Error::not_found(),
        })
    }

    async fn update(&self, request: statuses::Update, _: Call) -> Result<answered::Status> {
        let told = request.media_attributes.len().to_string();
        Err(Error::new(StatusCode::CONFLICT, told))
    }
}

impl server::FiltersV1 for App {
    async fn create(&self, request: filters_v1::Create, _: Call) -> Result<answered::V1Filter> {
        let told = format!("{:?}", request.irreversible);
        Err(Error::new(StatusCode::CONFLICT, told))
    }
}

impl server::Timelines for App {
    async fn public(&self, _: timelines::Public, call: Call) -> Result<Page<answered::Status>> {
        let told = call.caller.is_some().to_string();
        Err(Error::new(StatusCode::CONFLICT, told))
    }
}

fn emulating(release: &str) -> Router {
    let authenticate = async |token: Secret| match token.expose() {
        "user" => Ok(Caller::user("1", "read write follow")),
        _ => Err(Error::unauthorized()),
    };
    let server = Server::new().authenticator(authenticate);
    let server = server.filters_v1(App).follow_requests(App).statuses(App).timelines(App);
    server.emulate(release).expect(release).into_router()
}

/// The status and the body of the answer to a call of a user, or of one with a token that is worth nothing.
async fn ask(release: &str, line: &str, token: &str, body: Json) -> (u16, Json) {
    let (method, path) = line.split_once(' ').expect("a method and a path");
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "application/json")
        .body(Body::from(body.to_string()));
    let answer = emulating(release).oneshot(request.expect("a request"));
    let answer = answer.await.expect("an answer");
    let status = answer.status().as_u16();
    let body = to_bytes(answer.into_body(), 1 << 20).await.expect("a body");
    let body = serde_json::from_slice(&body);
    (status, body.expect("JSON"))
}

#[tokio::test]
async fn a_release_that_answered_nothing_answers_nothing() {
    let line = "POST /api/v1/follow_requests/7/authorize";
    for (release, id) in
        [("mastodon@2.9.1", None), ("mastodon@3.0.0", Some("7")), ("gotosocial@0.17.0", Some("7"))]
    {
        let (status, body) = ask(release, line, "user", json!({})).await;
        assert_eq!(status, 200, "{release}: {body}");
        let shown = body.get("id").and_then(Json::as_str);
        assert_eq!(shown, id, "{release}: {body}");
        assert_eq!(body == json!({}), id.is_none(), "{release}: {body}");
    }
}

#[tokio::test]
async fn a_parameter_that_a_release_refuses_is_refused() {
    let filter =
        |hides: Json| json!({"phrase": "rain", "context": ["home"], "irreversible": hides});
    let refused = json!({"error": "Unprocessable Entity: irreversible is not supported"});
    for (release, hides, told) in [
        ("mastodon@4.3.0", json!(true), (409, json!({"error": "Some(true)"}))),
        ("gotosocial@0.17.0", json!(true), (422, refused.clone())),
        ("gotosocial@0.17.0", json!("1"), (422, refused)),
        // A value that means the same as none is taken for none.
        ("gotosocial@0.17.0", json!(false), (409, json!({"error": "None"}))),
        ("gotosocial@0.17.0", json!("0"), (409, json!({"error": "None"}))),
    ] {
        let sent = filter(hides.clone());
        let answer = ask(release, "POST /api/v1/filters", "user", sent).await;
        assert_eq!(answer, told, "{release}: {hides}");
    }
}

#[tokio::test]
async fn a_list_of_objects_that_a_release_lacks_is_ignored_whole() {
    for (release, told) in [("mastodon@4.0.2", "0"), ("mastodon@4.1.0", "1")] {
        let media = json!({"status": "a", "media_attributes": [{"id": "1", "description": "b"}]});
        let (_, body) = ask(release, "PUT /api/v1/statuses/1", "user", media).await;
        assert_eq!(body["error"], told, "{release}");
    }
}

#[tokio::test]
async fn errors_that_say_no_more_than_their_status_are_in_the_releases_words() {
    for (release, id, told) in [
        ("mastodon@4.3.0", "1", "Record not found"),
        ("gotosocial@0.17.0", "1", "Not Found: target status not found"),
        ("mastodon@4.3.0", "forbidden", "This action is not allowed"),
        ("gotosocial@0.17.0", "forbidden", "Forbidden"),
        ("gotosocial@0.17.0", "own%20words", "nothing here"),
    ] {
        let line = format!("GET /api/v1/statuses/{id}");
        let (_, body) = ask(release, &line, "user", json!({})).await;
        assert_eq!(body["error"], told, "{release}: {id}");
    }
}

/// Mastodon before 4.3.0 asked for no token on public timelines, and still showed users their own view of them.
#[tokio::test]
async fn a_token_that_is_not_asked_for_tells_who_calls() {
    for (token, told) in [("user", "true"), ("worthless", "false")] {
        let line = "GET /api/v1/timelines/public";
        let (_, body) = ask("mastodon@4.2.0", line, token, json!({})).await;
        assert_eq!(body["error"], told, "{token}");
    }
}

#[test]
fn what_a_program_leaves_out_where_it_is_empty_is_left_out() {
    let empty = entities::account("7");
    let mut described = empty.clone();
    described.avatar_description = "a cat".to_owned();
    let key = |release: &str, account: &answered::Account| {
        let json = emulation(release).expect(release).encode(account);
        let json: Json = serde_json::from_slice(&json.expect("an account")).expect("JSON");
        json.get("avatar_description").cloned()
    };
    assert_eq!(key("mastodon@4.6.0", &empty), Some(json!("")));
    assert_eq!(key("gotosocial@0.19.2", &empty), None);
    assert_eq!(key("gotosocial@0.19.2", &described), Some(json!("a cat")));
}
