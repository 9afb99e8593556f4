//! Answers from what is shared with others, and from what was encoded before.

use std::sync::{Arc, OnceLock};

use axum::http::header::{ETAG, HeaderValue};
use fedispec::entities::{Account, Notification, ScheduledStatus, Status};
use fedispec::runtime::{Either, Page};
use fedispec::server::{self, Call, Encoded, Result, Server, StatusCode, Target};
use fedispec::{accounts, notifications, statuses, timelines};

use crate::traits::answers::ask;
use crate::traits::entities;

/// An account that is encoded once, whatever the release.
#[derive(Clone, Default)]
struct App {
    account: Arc<OnceLock<Encoded<Account>>>,
}

impl server::Accounts for App {
    async fn get(&self, request: accounts::Get, call: Call) -> Result<Account> {
        let encode = || call.encode(&entities::account(request.id.as_str()));
        call.answer(self.account.get_or_init(encode).clone())
    }
}

impl server::Statuses for App {
    async fn get(&self, request: statuses::Get, call: Call) -> Result<Status> {
        call.set_header(ETAG, HeaderValue::from_static("\"v1\""));
        call.answer(Arc::new(entities::status(request.id.as_str())))
    }

    async fn create(
        &self,
        request: statuses::Create,
        call: Call,
    ) -> Result<Either<ScheduledStatus, Status>> {
        let status = Arc::new(entities::status("1"));
        match request.language.as_deref() {
            None => call.answer(Either::<Arc<ScheduledStatus>, _>::Second(status)),
            // Owned entities are answered as ever.
            Some(_) => Ok(Either::Second(entities::status("2"))),
        }
    }
}

impl server::Timelines for App {
    async fn home(&self, request: timelines::Home, call: Call) -> Result<Page<Status>> {
        let statuses: Vec<_> = ["3", "2", "1"].map(entities::status).map(Arc::new).into();
        match request.limit {
            Some(1) => call.answer(statuses.as_slice()),
            Some(2) => {
                let encoded = statuses.iter().map(|status| call.encode(&**status));
                call.answer(Page::new(encoded))
            }
            _ => call.answer(Page::new(statuses).with_next([("max_id", "1")])),
        }
    }
}

impl server::Notifications for App {
    async fn list(&self, _: notifications::List, call: Call) -> Result<Page<Notification>> {
        let all = [entities::notification("mention")];
        call.set_status(StatusCode::OK)?;
        call.answer(&all[..])
    }
}

fn server(app: &App) -> Server {
    Server::new()
        .accounts(app.clone())
        .notifications(app.clone())
        .statuses(app.clone())
        .timelines(app.clone())
        .public_origin("https://a.example")
}

#[tokio::test]
async fn what_is_shared_is_answered_as_what_is_owned() {
    let app = App::default();
    let get = async |line: &str| ask(server(&app).into_router(), line, &[], "").await;
    let status = get("GET /api/v1/statuses/7").await;
    assert_eq!((status.status, status.header("etag")), (200, "\"v1\""));
    assert_eq!(status.header("content-type"), "application/json; charset=utf-8");
    let owned = fedispec::runtime::ser::text(&entities::status("7"));
    assert_eq!(status.body, owned);
    let known = [("if-none-match", "\"v1\"")];
    let again = ask(server(&app).into_router(), "GET /api/v1/statuses/7", &known, "").await;
    assert_eq!((again.status, &*again.body), (304, ""));

    let of = |ids: &[&str]| {
        let all: Vec<_> = ids.iter().map(|id| entities::status(id)).collect();
        fedispec::runtime::ser::text(&all)
    };
    let three = of(&["3", "2", "1"]);
    for line in [
        "GET /api/v1/timelines/home",
        "GET /api/v1/timelines/home?limit=1",
        "GET /api/v1/timelines/home?limit=2",
    ] {
        assert_eq!(get(line).await.body, three, "{line}");
    }
    let linked = get("GET /api/v1/timelines/home").await;
    let next = "<https://a.example/api/v1/timelines/home?max_id=1>; rel=\"next\"";
    assert_eq!(linked.header("link"), next);
    let listed = get("GET /api/v1/notifications").await.json();
    assert_eq!(listed[0]["type"], "mention");
    for (body, id) in [("status=a", "1"), ("status=a&language=de", "2")] {
        let form = [("content-type", "application/x-www-form-urlencoded")];
        let line = "POST /api/v1/statuses";
        let posted = ask(server(&app).into_router(), line, &form, body).await;
        assert_eq!((posted.status, &posted.json()["id"]), (200, &id.into()));
    }
}

#[tokio::test]
async fn what_was_encoded_for_another_release_is_not_answered() {
    let app = App::default();
    let line = "GET /api/v1/accounts/7";
    let target = |version: &str| Target::new("mastodon", version.parse().expect("a version"));
    let at = async |version: &str| {
        let server = server(&app).target(target(version));
        ask(server.into_router(), line, &[], "").await
    };
    assert_eq!(at("4.2.0").await.status, 200);
    let again = at("4.2.0").await;
    assert_eq!((again.status, &again.json()["id"]), (200, &"7".into()));
    let other = at("4.3.0").await;
    assert_eq!(other.status, 500);
    let cause = other.cause.expect("a cause");
    assert!(
        cause.contains("encoded for mastodon@4.2.0, and the server emulates mastodon@4.3.0"),
        "{cause}"
    );
    assert_eq!(ask(server(&app).into_router(), line, &[], "").await.status, 500);
}
