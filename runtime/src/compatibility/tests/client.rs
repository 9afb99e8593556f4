//! A client that knows its server, over a transport in memory.

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, SystemTime};

use bytes::Bytes;

use super::{A_GET, D_NEW, ITEMS, PROGRAMS};
use crate::client::{
    BoxFuture, Client, Encode, Encoder, ErrorKind, Exchange, Timer, Transport, TransportError,
};
use crate::compatibility::{Fallback, Gate, Policy, RemoteServer};
use crate::{Auth, ItemTable, Json, Method, Operation, Request, TokenKind};

/// Answers each path by what it was given, else 404, and remembers what was asked.
#[derive(Clone, Default)]
struct Memory {
    answers: Vec<(&'static str, u16, &'static str)>,
    asked: Arc<Mutex<Vec<String>>>,
    broken: bool,
}

impl Transport for Memory {
    fn call(
        &self,
        exchange: Exchange,
    ) -> BoxFuture<'_, Result<http::Response<Bytes>, TransportError>> {
        let target = exchange.request.uri().path_and_query().map(ToString::to_string);
        let target = target.unwrap_or_default();
        assert!(exchange.request.headers().contains_key("user-agent"));
        assert!(!exchange.request.headers().contains_key("authorization"));
        let answer = self.answers.iter().find(|(known, ..)| *known == target);
        let (_, status, body) = answer.copied().unwrap_or(("", 404, "{}"));
        self.asked.lock().expect("no panic").push(target);
        let broken = self.broken;
        Box::pin(async move {
            if broken {
                return Err(TransportError::Timeout);
            }
            let response = http::Response::builder().status(status);
            Ok(response.body(Bytes::from_static(body.as_bytes())).expect("a response"))
        })
    }
}

impl Memory {
    fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("no panic").clone()
    }

    fn client(&self) -> Client {
        Client::with_transport("example.org".parse().expect("an origin"), self.clone())
    }

    fn knowing(&self, version: &str, policy: Policy) -> Client {
        let gate =
            Gate::new(RemoteServer::of("mastodon", version), &ITEMS).with_fallbacks(FALLBACKS);
        self.client().knowing(gate, policy)
    }
}

/// Polls a future that never waits.
fn ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => unreachable!("nothing waits here"),
    }
}

macro_rules! requests {
    ($($name:ident: $operation:ident { $optional:literal },)+) => {$(
        struct $name(String, Option<i64>);
        impl Request for $name {
            type Answer = Json;
            const OPERATION: &'static Operation = &$operation;
        }
        impl Encode for $name {
            fn encode<'a>(&'a self, to: &mut Encoder<'a>) {
                to.required(0, &self.0);
                to.optional($optional, &self.1);
            }
        }
    )+};
}

requests! {
    Get: A_GET { 1 },
    New: D_NEW { 1 },
}

static FALLBACKS: &[Fallback] = &[Fallback::new("d.new", &A_GET)];

#[test]
fn advice_names_what_is_lacking_when_it_fails() {
    let memory = Memory::default();
    let client = memory.knowing("4.3.0", Policy::Advise);
    let error = ready(client.send(Get("1".into(), Some(2)))).expect_err("a 404");
    assert_eq!(memory.asked(), ["/api/v1/a/1?new=2"]);
    assert_eq!(error.doubts().len(), 1);
    assert!(
        error.to_string().ends_with(
            "the server does not have a.get.new (mastodon: there since 4.4.0; the server is 4.3.0)"
        ),
        "{error}"
    );
}

#[test]
fn strictness_sends_nothing() {
    let memory = Memory::default();
    let client = memory.knowing("4.3.0", Policy::Strict);
    let error = ready(client.send(Get("1".into(), Some(2)))).expect_err("a refusal");
    assert!(matches!(error.kind(), ErrorKind::Unsupported(refusal) if refusal.item == "a.get.new"));
    assert_eq!(memory.asked(), [""; 0]);
    assert_eq!(
        error.to_string(),
        "a.get of https://example.org: mastodon 4.3.0 does not have a.get.new (mastodon: there since 4.4.0; the server is 4.3.0)"
    );
}

#[test]
fn adaptation_tells_what_it_did() {
    let memory = Memory { answers: vec![("/api/v1/a/1", 200, "{}")], ..Memory::default() };
    let answer = ready(memory.knowing("4.3.0", Policy::Adapt).send(Get("1".into(), Some(2))));
    let adapted = answer.expect("an answer").adapted.expect("a plan");
    assert_eq!(adapted.dropped, [1]);
    let client = memory.knowing("3.5.0", Policy::Adapt);
    assert!(client.plan(&New("1".into(), None)).is_some_and(|plan| plan.replacement.is_some()));
    let answer = ready(client.send(New("1".into(), Some(2)))).expect("an answer");
    let adapted = answer.adapted.expect("a plan");
    assert_eq!(adapted.replacement.map(|fallback| fallback.by.id), Some("a.get"));
    assert_eq!(memory.asked(), ["/api/v1/a/1", "/api/v1/a/1"]);
    let plain = ready(memory.knowing("4.4.0", Policy::Adapt).send(Get("1".into(), None)));
    assert!(plain.expect("an answer").adapted.is_none());
}

#[test]
fn discovers_without_the_token() {
    let memory = Memory {
        answers: vec![(
            "/api/v2/instance",
            200,
            r#"{"version": "4.4.0", "api_versions": {"mastodon": 6}}"#,
        )],
        ..Memory::default()
    };
    let server = ready(memory.client().token("secret").discover()).expect("a server");
    assert_eq!((server.api_version(), server.to_string().as_str()), (Some(6), "mastodon 4.4.0"));
    assert_eq!(memory.asked(), ["/.well-known/nodeinfo", "/api/v2/instance"]);
    let silent = Memory { broken: true, ..Memory::default() };
    let nobody = ready(silent.client().discover()).expect_err("nobody");
    assert_eq!(nobody.to_string(), "nobody answers: the server took too long");
}

#[test]
fn a_server_that_takes_no_more_says_so() {
    let limited = Memory {
        answers: vec![
            ("/.well-known/nodeinfo", 429, "{}"),
            ("/api/v2/instance", 429, r#"{"error": "Too many requests"}"#),
            ("/api/v1/instance", 429, "{}"),
        ],
        ..Memory::default()
    };
    let error = ready(limited.client().discover()).expect_err("too many");
    assert_eq!(error.to_string(), "the server takes no more requests for a while (429)");
    // The documents that were read before the limit count.
    let half = Memory {
        answers: vec![
            (
                "/.well-known/nodeinfo",
                200,
                r#"{"links": [{"rel": "http://nodeinfo.diaspora.software/ns/schema/2.0", "href": "https://example.org/nodeinfo/2.0"}]}"#,
            ),
            ("/nodeinfo/2.0", 200, r#"{"software": {"name": "mastodon", "version": "4.4.0"}}"#),
            ("/api/v2/instance", 429, "{}"),
        ],
        ..Memory::default()
    };
    let server = ready(half.client().discover()).expect("a server");
    assert_eq!(server.to_string(), "mastodon 4.4.0");
}

#[test]
fn what_is_learned_of_nothing_is_no_server() {
    const WELL_KNOWN: &str = "/.well-known/nodeinfo";
    const LINKS: &str = r#"{"links": [{"rel": "http://nodeinfo.diaspora.software/ns/schema/2.0", "href": "/nodeinfo/2.0"}]}"#;
    let [v2, v1] = ["/api/v2/instance", "/api/v1/instance"];
    let all =
        |status, body| vec![(WELL_KNOWN, status, body), (v2, status, body), (v1, status, body)];
    let discover = |answers| ready(Memory { answers, ..Memory::default() }.client().discover());
    let starts = "the server does not say now what it is: it answers";
    for (answers, told) in [
        (all(503, "{}"), "503"),
        (all(502, "<html>"), "502"),
        (all(200, "<!doctype html>"), "200 and HTML"),
        (all(403, "<html>"), "403 and HTML"),
        (all(200, r#"{"version": "4.3"#), "200 and no whole JSON"),
        // The list of documents alone tells nothing, nor do those that a server without them answers.
        (
            vec![
                (WELL_KNOWN, 200, LINKS),
                ("/nodeinfo/2.0", 503, ""),
                (v2, 503, ""),
                (v1, 503, ""),
            ],
            "503",
        ),
        (vec![(v2, 503, "")], "503"),
        (vec![(v1, 500, "")], "500"),
    ] {
        let error = discover(answers.clone()).expect_err(told);
        assert_eq!(error.to_string(), format!("{starts} {told}"), "{answers:?}");
        let status = error.status().map(|status| status.as_u16().to_string());
        assert!(told.starts_with(&status.unwrap_or_default()));
    }
    // Other documents of the same server count.
    let server = discover(vec![(WELL_KNOWN, 503, ""), (v2, 200, r#"{"version": "4.3.0"}"#)]);
    assert_eq!(server.expect("a server").to_string(), "mastodon 4.3.0");
    for (status, body) in [(404, "<html>"), (410, ""), (501, ""), (401, "{}"), (200, "[]")] {
        let server = discover(all(status, body)).expect("an unknown program");
        assert_eq!((server.identity.program, server.closed), (None, status == 401), "{status}");
    }
    let error = discover(all(429, "<html>")).expect_err("too many");
    assert_eq!(error.status().map(|status| status.as_u16()), Some(429));
}

/// Answers 503 so many times, and then what it is.
#[derive(Clone)]
struct Starting(Arc<Mutex<u32>>, &'static str);

impl Starting {
    fn client(times: u32, retry_after: &'static str) -> Client {
        let starting = Self(Arc::new(Mutex::new(times)), retry_after);
        Client::with_transport("example.org".parse().expect("an origin"), starting)
    }
}

impl Transport for Starting {
    fn call(&self, _: Exchange) -> BoxFuture<'_, Result<http::Response<Bytes>, TransportError>> {
        let mut left = self.0.lock().expect("no panic");
        let is_up = *left == 0;
        *left = left.saturating_sub(1);
        let response = if is_up {
            http::Response::builder().body(Bytes::from_static(br#"{"version": "4.3.0"}"#))
        } else {
            let response = http::Response::builder().status(503).header("retry-after", self.1);
            response.body(Bytes::new())
        };
        Box::pin(async move { Ok(response.expect("a response")) })
    }
}

/// Does not wait, and remembers for how long it should have.
#[derive(Clone, Default)]
struct Waits(Arc<Mutex<Vec<u64>>>);

impl Timer for Waits {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        self.0.lock().expect("no panic").push(duration.as_secs());
        Box::pin(std::future::ready(()))
    }
}

#[test]
fn a_server_that_starts_says_when_to_come_back() {
    let error = ready(Starting::client(9, "7").discover()).expect_err("it starts");
    assert_eq!(error.retry_after().map(|wait| wait.as_secs()), Some(7));
    assert!(error.to_string().ends_with("answers 503; it asks to wait 7 s"), "{error}");
}

#[test]
fn a_client_connects_once_the_server_is_up() {
    let gate = |server| Gate::new(server, &ITEMS);
    // Three requests are asked for what it is, each time.
    for (refusals, retry_after, waited) in [
        (0, "7", Ok(vec![])),
        (6, "7", Ok(vec![7, 7])),
        (99, "7", Err(vec![7, 7, 7])),
        (99, "31", Err(vec![])),
    ] {
        let waits = Waits::default();
        let client = Starting::client(refusals, retry_after).timer(waits.clone());
        let connected = ready(client.connected(gate));
        let took = waits.0.lock().expect("no panic").clone();
        let known = connected.map(|client| client.remote().map(|server| server.to_string()));
        match (waited, known) {
            (Ok(waited), Ok(known)) => {
                assert_eq!((waited, known.as_deref()), (took, Some("mastodon 4.3.0")));
            }
            (Err(waited), Err(error)) => {
                assert_eq!((waited, error.status().map(|one| one.as_u16())), (took, Some(503)));
            }
            (waited, known) => unreachable!("{refusals}: {waited:?}, and not {known:?}"),
        }
    }
    // Without a timer it cannot wait.
    assert!(ready(Starting::client(3, "0").connected(gate)).is_err());
}

/// A time of day that a test sets, in hours.
#[derive(Clone, Default)]
struct Clock(Arc<Mutex<u64>>);

impl Timer for Clock {
    fn now(&self) -> SystemTime {
        let hours = *self.0.lock().expect("no panic");
        SystemTime::UNIX_EPOCH + Duration::from_secs(hours * 60 * 60)
    }

    fn sleep(&self, _: Duration) -> BoxFuture<'static, ()> {
        Box::pin(std::future::ready(()))
    }
}

#[test]
fn what_is_known_is_refreshed() {
    const NODE_INFO: &str = "/.well-known/nodeinfo";
    let clock = Clock::default();
    let memory = Memory {
        answers: vec![
            ("/api/v2/instance", 200, r#"{"version": "4.3.0"}"#),
            ("/api/v2/d/1", 405, ""),
        ],
        ..Memory::default()
    };
    let gate = |server| Gate::new(server, &ITEMS);
    let client = ready(memory.client().timer(clock.clone()).connected(gate)).expect("a server");
    let asks = |client: &Client, hour, new: bool| {
        *clock.0.lock().expect("no panic") = hour;
        memory.asked.lock().expect("no panic").clear();
        if new {
            let _ = ready(client.send(New("1".into(), None)));
        } else {
            let _ = ready(client.send(Get("1".into(), None)));
        }
        memory.asked().iter().any(|path| path == NODE_INFO)
    };
    for (hour, new, is_asked, why) in [
        (1, false, false, "it is an hour old"),
        (23, false, false, "it is less than a day old"),
        (24, false, true, "it is a day old"),
        (25, false, false, "it is an hour old again"),
        (25, true, false, "the verdict on the operation is held against the answer after it"),
        (25, false, true, "the server answers 405 to what it should have"),
        (25, true, false, "and again"),
        (25, false, false, "once in an hour is enough"),
        (26, false, true, "that is over"),
    ] {
        assert_eq!(asks(&client, hour, new), is_asked, "{hour}: {why}");
    }

    let cached = client.remote().expect("it is known");
    assert_eq!(cached.learned.as_ref().and_then(crate::Timestamp::unix), Some(26 * 60 * 60));
    let connects = |hour| {
        *clock.0.lock().expect("no panic") = hour;
        memory.asked.lock().expect("no panic").clear();
        let client = memory.client().timer(clock.clone());
        let client = client.knowing(gate(cached.clone()), Policy::Strict).connected(gate);
        assert!(ready(client).is_ok());
        !memory.asked().is_empty()
    };
    assert_eq!((connects(27), connects(50)), (false, true), "a cache holds for a day");
    // A stated version is never replaced.
    let stated = memory.knowing("4.3.0", Policy::Advise).timer(clock.clone());
    assert!(!asks(&stated, 200, false));
}

#[test]
fn errors_tell_what_a_caller_asks() {
    let answered = |status| {
        let memory = Memory { answers: vec![("/api/v1/a/1", status, "{}")], ..Memory::default() };
        let client = memory.knowing("4.3.0", Policy::Advise);
        ready(client.send(Get("1".into(), None))).expect_err("an error")
    };
    for (status, is) in [
        (404, [true, false, false, false]),
        (410, [true, false, false, false]),
        (401, [false, true, false, false]),
        (403, [false, false, false, false]),
        (429, [false, false, true, false]),
        (501, [false, false, false, true]),
    ] {
        let error = answered(status);
        let found = [
            error.is_not_found(),
            error.is_unauthorized(),
            error.is_rate_limited(),
            error.is_unsupported(),
        ];
        assert_eq!(found, is, "{status}");
        assert!(error.is_sent());
    }
    // A 404 of an operation that the server is known to lack.
    let lacking = Memory::default().knowing("3.5.0", Policy::Advise);
    let error = ready(lacking.send(New("1".into(), None))).expect_err("a 404");
    assert!(error.is_not_found() && error.is_unsupported());
    let strict = Memory::default().knowing("3.5.0", Policy::Strict);
    let error = ready(strict.send(New("1".into(), None))).expect_err("a refusal");
    assert!(error.is_unsupported() && !error.is_not_found() && !error.is_sent());
}

/// Open in Mastodon, for users in `GoToSocial`.
static MEMBERS: Operation = Operation::new("members", Method::Get, "/api/v1/members")
    .auth(Auth::new(TokenKind::Optional, "read"));

static MEMBER_ITEMS: ItemTable = ItemTable::new(
    PROGRAMS,
    r#"{"form": 3, "items": {"members": "operation"}}"#,
    &[
        r#"{"otherwise": "unknown", "items": {}}"#,
        r#"{"otherwise": "never", "items": {"members": {"life": "0.1.0", "auth": [
            {"is": {"token": "user"}}, {"since": "0.19.0", "is": {"token": "user", "scopes": "read"}}
        ]}}}"#,
    ],
);

struct Members;

impl Request for Members {
    type Answer = Json;
    const OPERATION: &'static Operation = &MEMBERS;
}

impl Encode for Members {
    fn encode<'a>(&'a self, _: &mut Encoder<'a>) {}
}

#[test]
fn a_refused_token_is_held_against_what_the_release_asks_for() {
    let memory = Memory {
        answers: vec![("/api/v1/members", 401, r#"{"error": "no"}"#)],
        ..Memory::default()
    };
    let told = |software: &str, version: &str, policy: Policy| {
        let gate = Gate::new(RemoteServer::of(software, version), &MEMBER_ITEMS);
        let sent = ready(memory.client().knowing(gate, policy).send(Members));
        sent.expect_err("a 401")
    };
    let error = told("gotosocial", "0.19.2", Policy::Advise);
    let kind = error.auth().map(|auth| auth.token);
    assert_eq!(kind, Some(TokenKind::User));
    assert!(
        error.to_string().ends_with("no; the server asks for a user's token with read"),
        "{error}"
    );
    let error = told("gotosocial", "0.18.3", Policy::Advise).to_string();
    assert!(error.ends_with("the server asks for a user's token"), "{error}");
    // Nothing unknown of a release is told.
    let error = told("pleroma", "2.7.0", Policy::Advise);
    assert_eq!(error.auth(), None);
    assert_eq!(memory.asked().len(), 3);

    // Without a token a strict client does not even ask, where one is certainly needed.
    let error = told("gotosocial", "0.19.2", Policy::Strict);
    assert!(matches!(error.kind(), ErrorKind::TokenRequired { .. }) && !error.is_sent());
    assert_eq!(
        error.to_string(),
        "members of https://example.org: the server asks for a user's token with read, and the client has no token"
    );
    assert_eq!(memory.asked().len(), 3);
    let error = told("mastodon", "4.3.0", Policy::Strict);
    assert!(error.status().is_some());
    assert_eq!(memory.asked().len(), 4);
}
