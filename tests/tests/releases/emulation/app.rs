//! A small server, asked without a socket.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use fedispec::entities::{Account, Instance, ScheduledStatus, Status};
use fedispec::events::StreamEvent;
use fedispec::runtime::{Either, Json};
use fedispec::server::{self, Call, Events, Result, Served, Server};
use fedispec::{accounts, instance, statuses, streaming};

use crate::emulation::entities;

/// Answers newer fields than most releases have, and keeps what it was asked.
#[derive(Clone, Default)]
pub(crate) struct App {
    pub(crate) asked: Arc<Mutex<Vec<String>>>,
    pub(crate) served: Arc<Mutex<Vec<Served>>>,
}

impl App {
    fn hear(&self, what: &impl std::fmt::Debug) {
        self.asked.lock().expect("no panic").push(format!("{what:?}"));
    }

    pub(crate) fn emulating(&self, release: &str) -> Router {
        let served = Arc::clone(&self.served);
        Server::new()
            .accounts(self.clone())
            .instance(self.clone())
            .statuses(self.clone())
            .streaming(self.clone())
            .after(move |one| served.lock().expect("no panic").push(one.clone()))
            .emulate(release)
            .expect(release)
            .into_router()
    }
}

impl server::Accounts for App {
    async fn get(&self, request: accounts::Get, _: Call) -> Result<Account> {
        Ok(entities::account(request.id.as_str()))
    }

    async fn lookup(&self, _: accounts::Lookup, _: Call) -> Result<Account> {
        Ok(entities::account("looked up"))
    }
}

impl server::Instance for App {
    async fn get(&self, _: instance::Get, _: Call) -> Result<Instance> {
        Ok(entities::instance())
    }
}

impl server::Statuses for App {
    async fn create(
        &self,
        request: statuses::Create,
        _: Call,
    ) -> Result<Either<ScheduledStatus, Status>> {
        self.hear(&request.quoted_status_id);
        Ok(Either::Second(status()))
    }
}

impl server::Streaming for App {
    async fn public(&self, _: streaming::Public, _: Call) -> Result<Events> {
        let events = [
            StreamEvent::StatusUpdate(Box::new(status())),
            StreamEvent::Update(Box::new(status())),
        ];
        let (sender, events_of) = Events::channel(2);
        for event in events {
            sender.try_send(event.into()).expect("room");
        }
        Ok(events_of)
    }
}

/// A status with a count that Mastodon has since 4.5.0.
fn status() -> Status {
    Status { quotes_count: Some(3), ..entities::status("1") }
}

/// The answer of a router: the status, the media type and the text.
pub(crate) async fn ask(router: &Router, line: &str, body: &str) -> (u16, String, String) {
    let (method, path) = line.split_once(' ').expect("a method and a path");
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("accept", "application/json")
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from(body.to_owned()))
        .expect("a request");
    let answer = tower::ServiceExt::oneshot(router.clone(), request).await;
    let answer = answer.expect("an answer");
    let status = answer.status().as_u16();
    let kind = answer.headers().get("content-type");
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.to_owned();
    let body = to_bytes(answer.into_body(), 1 << 20).await.expect("a body");
    let text = String::from_utf8(body.to_vec()).expect("text");
    (status, kind, text)
}

/// The JSON of a successful answer.
pub(crate) async fn json(router: &Router, line: &str, body: &str) -> Json {
    let (status, _, text) = ask(router, line, body).await;
    assert_eq!(status, 200, "{line}: {text}");
    serde_json::from_str(&text).expect(line)
}
