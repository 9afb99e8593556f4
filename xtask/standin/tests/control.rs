//! A stand-in that is driven: faults, the log of calls, the clock, seeds and snapshots, over HTTP and in Rust.

use std::time::{Duration, Instant};

use fedispec::enums::Visibility;
use fedispec::server::Listen;
use fedispec_standin::{ControlError, Fault, NewAccount, Post, RateLimits, Running, StandIn};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

mod asking;

use asking::{Answer, ask};

/// A time limit that only a hanging server exceeds.
const HANGS: Duration = Duration::from_secs(20);

async fn start(release: &str) -> Running {
    let server = StandIn::new().emulate(release).expect("a release");
    server.start().await.expect("it starts")
}

async fn get(server: &Running, path: &str) -> Answer {
    ask(server.url(), "GET", path, Some(server.token()), "").await
}

/// Calls the control API with its token.
async fn control(server: &Running, method: &str, path: &str, body: &Value) -> Answer {
    let path = format!("/_standin/{path}");
    let body = if body.is_null() { String::new() } else { body.to_string() };
    ask(server.url(), method, &path, Some(server.control_token()), &body).await
}

/// Calls the control API, which does what is asked.
async fn done(server: &Running, method: &str, path: &str, body: Value) -> Value {
    let answer = control(server, method, path, &body).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    answer.json()
}

/// The names of an answer's headers.
fn names(answer: &Answer) -> Vec<&str> {
    let lines = answer.head.lines().skip(1);
    lines.filter_map(|line| line.split_once(':')).map(|(name, _)| name).collect()
}

#[tokio::test]
async fn without_its_token_the_control_api_is_not_there() {
    for release in ["mastodon@4.6.4", "gotosocial@0.19.2"] {
        let server = start(release).await;
        let nothing = ask(server.url(), "POST", "/_nothing/reset", None, "").await;
        for token in [None, Some("wrong"), Some(server.token())] {
            let answer = ask(server.url(), "POST", "/_standin/reset", token, "").await;
            assert_eq!((answer.status, &answer.body), (404, &nothing.body), "{token:?}");
            assert_eq!(names(&answer), names(&nothing), "{token:?}");
        }
        let document = done(&server, "GET", "openapi.json", Value::Null).await;
        assert_eq!(document["openapi"], "3.1.0");
        let none = control(&server, "GET", "resets", &Value::Null).await;
        assert!(none.status == 404 && none.body.contains("openapi.json"), "{}", none.body);
        assert_eq!(control(&server, "GET", "reset", &Value::Null).await.status, 405);
        assert_eq!(control(&server, "DELETE", "faults/x", &Value::Null).await.status, 404);
    }
}

/// The description and the API have the same paths and methods.
#[tokio::test]
async fn the_description_is_that_of_the_api() {
    let server = start("mastodon@4.6.4").await;
    let document = done(&server, "GET", "openapi.json", Value::Null).await;
    for (path, item) in document["paths"].as_object().expect("paths") {
        let name = path.trim_start_matches("/_standin/").replace("{id}", "0");
        for method in ["get", "post", "delete"] {
            let told = control(&server, &method.to_uppercase(), &name, &Value::Null).await;
            let is_there = !told.body.contains("no such path and method");
            assert_eq!(is_there, item.get(method).is_some(), "{method} {path}");
            assert_eq!(is_there, told.status != 405, "{method} {path}");
        }
    }
}

#[tokio::test]
async fn a_call_fails_as_often_as_the_fault_says_and_is_logged_without_secrets() {
    let server = start("mastodon@4.6.4").await;
    let fault = json!({"operation": "statuses.create", "times": 2, "status": 503,
        "headers": {"Retry-After": 7}, "body": {"error": "later"}});
    let added = done(&server, "POST", "faults", fault).await;
    assert_eq!((&added["id"], &added["met"]), (&json!(1), &json!(0)));
    let form = "status=Hi&media_ids[]=&password=hunter2";
    let mut seen = Vec::new();
    for _ in 0..3 {
        let path = "/api/v1/statuses?access_token=hunter2";
        let answer = ask(server.url(), "POST", path, Some(server.token()), form).await;
        seen.push((answer.status, answer.header("retry-after") == Some("7")));
        if answer.status == 503 {
            assert_eq!(answer.json(), json!({"error": "later"}));
        }
    }
    assert_eq!(seen, [(503, true), (503, true), (200, false)]);
    assert_eq!(done(&server, "GET", "faults", Value::Null).await, json!([]));
    let calls = done(&server, "GET", "calls?operation=statuses.create", Value::Null).await;
    let statuses: Vec<_> = server.calls().iter().map(|call| call.status).collect();
    assert_eq!(statuses, [503, 503, 200]);
    for call in calls.as_array().expect("a list") {
        assert_eq!(call["body"]["status"], "Hi");
        assert_eq!((&call["method"], &call["path"]), (&json!("POST"), &json!("/api/v1/statuses")));
        assert!(call["at"].as_str().is_some_and(|at| at.ends_with('Z')), "{call}");
    }
    assert_eq!(calls.as_array().map(Vec::len), Some(3));
    assert!(!calls.to_string().contains("hunter2"), "{calls}");
    assert_eq!(done(&server, "GET", "calls?path=/oauth/*", Value::Null).await, json!([]));
}

#[tokio::test]
async fn what_a_test_gets_wrong_is_told() {
    let server = start("mastodon@4.6.4").await;
    let own = server.account("own").expect("an account").id;
    for (path, body, told) in [
        ("faults", json!({"operation": "timelines.hom", "status": 500}), "timelines.home"),
        ("faults", json!({"operation": "timelines.home", "statu": 500}), "unknown field"),
        ("faults", json!({"path": "/api", "operation": "x", "status": 500}), "either"),
        ("clock", json!({}), "one of set, advance and freeze"),
        ("clock", json!({"set": "soon"}), "2026-01-01T00:00:00Z"),
        ("clock", json!({"advance": -1}), "number of seconds"),
        ("clock", json!({"advance": 1e300}), "a thousand years"),
        ("accounts", json!({"username": "a b"}), "letters, digits"),
        ("accounts", json!({"username": "a", "token": ""}), "the token is empty"),
        ("accounts", json!({"username": "a", "token": "a b"}), "as a header holds it"),
        ("accounts", json!({"user": "a"}), "unknown field"),
        ("accounts", json!([]), "no JSON object"),
        ("remote", json!({"account": "bob"}), "bob@other.example"),
        ("remote", json!({"account": "bob@b.example", "in_reply_to_id": "1"}), "missing field"),
        ("statuses", json!({"account_id": "7", "status": "Hi"}), "there is no account 7"),
        ("statuses", json!({"account_id": own, "status": " "}), "no text, media or poll"),
        (
            "statuses",
            json!({"account_id": own, "status": "Hi", "visibility": "all"}),
            "there is no visibility all",
        ),
        ("announcements", json!({"text": ""}), "the text is blank"),
        ("domain_blocks", json!({"domain": "https://a.example"}), "is no domain"),
        ("domain_blocks", json!({"domain": "a.example", "severity": "some"}), "no severity some"),
        ("trends", json!({"tag": "a b"}), "is no tag"),
        ("trends", json!({"link": "a.example"}), "is no link"),
        ("settings", json!([]), "no JSON object"),
        ("trends", json!({"status": "7"}), "there is no status 7"),
        ("settings", json!({"rate_limits": {"calls": {"tokens": 1}}}), "there is no limit"),
        ("snapshot", json!({"a": 1}), "not the data of a stand-in"),
        ("snapshot", json!({"fedispec-standin": 99, "state": {}}), "newer"),
    ] {
        let answer = control(&server, "POST", path, &body).await;
        let error = answer.json()["error"].as_str().map(str::to_owned).unwrap_or_default();
        assert!(answer.status == 422 && error.contains(told), "{path} {body}: {}", answer.body);
    }
    let error = server.fault(Fault::operation("timeline.home").status(500));
    assert!(matches!(error, Err(ControlError::Invalid(told)) if told.contains("timelines.home")));
    assert!(server.calls().is_empty(), "{:?}", server.calls());
}

#[tokio::test]
async fn answers_are_late_cut_and_malformed() {
    let server = start("mastodon@4.6.4").await;
    let path = "/api/v2/instance";
    let whole = get(&server, path).await.body;
    let fault = |fault: Fault| server.fault(fault.times(1)).expect("a fault");

    fault(Fault::path(path).cut(100));
    let cut = get(&server, path).await;
    assert_eq!((cut.status, &*cut.body), (200, &whole[..100]));
    assert_eq!(cut.header("content-length"), Some(&*whole.len().to_string()));
    fault(Fault::path(path).cut(0));
    assert_eq!(get(&server, path).await.body, "");
    fault(Fault::path(path).cut(usize::MAX));
    let cut = get(&server, path).await;
    assert!(cut.header("content-length").is_some_and(|length| length != whole.len().to_string()));

    fault(Fault::operation("instance.get").malformed());
    let answer = get(&server, path).await;
    assert_eq!(answer.header("content-length"), Some(&*answer.body.len().to_string()));
    assert!(answer.status == 200 && serde_json::from_str::<Value>(&answer.body).is_err());

    fault(Fault::path(path).delay(Duration::from_millis(300)));
    let began = Instant::now();
    assert_eq!(get(&server, path).await.body, whole);
    assert!(began.elapsed() >= Duration::from_millis(300));

    fault(Fault::path(path).method("POST").status(500));
    fault(Fault::path(path).rate_limit());
    let answer = get(&server, path).await;
    assert_eq!((answer.status, answer.json()), (429, json!({"error": "Too many requests"})));
    assert_eq!(answer.header("x-ratelimit-remaining"), Some("0"));
    assert_eq!(get(&server, path).await.body, whole);
    server.clear_faults();
    assert_eq!(ask(server.url(), "POST", path, None, "").await.status, 404);
}

/// Opens an event stream and reads its head.
async fn stream(server: &Running) -> TcpStream {
    let host = server.url().trim_start_matches("http://");
    let mut socket = TcpStream::connect(host).await.expect("a server");
    let head = format!(
        "GET /api/v1/streaming/user HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\r\n",
        server.token()
    );
    socket.write_all(head.as_bytes()).await.expect("sent");
    let mut read = Vec::new();
    while !read.ends_with(b"\r\n\r\n") {
        read.push(socket.read_u8().await.expect("a head"));
    }
    assert!(read.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&read));
    socket
}

/// Reads a stream to its end.
async fn ends(mut socket: TcpStream) -> String {
    let mut rest = String::new();
    let read = timeout(HANGS, socket.read_to_string(&mut rest)).await;
    read.expect("the stream ends").expect("text");
    rest
}

#[tokio::test]
async fn streams_end_when_a_test_wants() {
    let server = start("mastodon@4.6.4").await;
    let open = stream(&server).await;
    server.fault(Fault::operation("streaming.user").times(1).drop_stream()).expect("a fault");
    ends(open).await;
    ends(stream(&server).await).await;
    // The fault is used up.
    let mut open = stream(&server).await;
    let me = get(&server, "/api/v1/accounts/verify_credentials").await.json();
    let me = fedispec::server::Id::new(me["id"].as_str().expect("an id"));
    server.post(&me, "Hello").expect("posted");
    let mut read = Vec::new();
    while !String::from_utf8_lossy(&read).contains("event: update") {
        let byte = timeout(HANGS, open.read_u8()).await.expect("an event");
        read.push(byte.expect("open"));
    }
}

#[tokio::test]
async fn a_websocket_ends_when_a_test_wants() {
    let server = start("mastodon@4.6.4").await;
    let host = server.url().trim_start_matches("http://");
    let connect = async || {
        let mut socket = TcpStream::connect(host).await.expect("a server");
        let head = format!(
            "GET /api/v1/streaming?stream=user&access_token={} HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            server.token()
        );
        socket.write_all(head.as_bytes()).await.expect("sent");
        let mut read = Vec::new();
        while !read.ends_with(b"\r\n\r\n") {
            read.push(socket.read_u8().await.expect("a head"));
        }
        assert!(read.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&read));
        socket
    };
    let closes = async |mut socket: TcpStream| {
        // The opcode of a close frame, or the end without one.
        let read = timeout(HANGS, socket.read_u8()).await.expect("it ends");
        assert!(read.is_err() || read.is_ok_and(|first| first == 0x88));
    };
    let open = connect().await;
    server.fault(Fault::path("/api/v1/streaming").times(1).drop_stream()).expect("a fault");
    closes(open).await;
    closes(connect().await).await;
    let mut open = connect().await;
    let me = get(&server, "/api/v1/accounts/verify_credentials").await.json();
    let me = fedispec::server::Id::new(me["id"].as_str().expect("an id"));
    server.post(&me, "Hello").expect("posted");
    let first = timeout(HANGS, open.read_u8()).await.expect("an event").expect("open");
    assert_eq!(first, 0x81, "a text");
}

#[tokio::test]
async fn the_state_is_reset_kept_and_restored() {
    let server = start("gotosocial@0.19.2").await;
    let mona = done(&server, "POST", "accounts", json!({"username": "mona", "locked": true})).await;
    let token = mona["token"].as_str().expect("a token").to_owned();
    let verify = "/api/v1/accounts/verify_credentials";
    let me = ask(server.url(), "GET", verify, Some(&token), "").await.json();
    assert_eq!((&me["id"], &me["locked"]), (&mona["id"], &json!(true)));
    done(&server, "POST", "clock", json!({"set": "2024-10-08T12:00:00Z"})).await;
    let snapshot = done(&server, "GET", "snapshot", Value::Null).await;

    let moved = done(&server, "POST", "clock", json!({"advance": 90, "freeze": false})).await;
    assert_eq!(moved["frozen"], false);
    assert!(moved["now"].as_str().is_some_and(|now| now.starts_with("2024-10-08T12:01:3")));
    server.fault(Fault::path("/api/*").status(500)).expect("a fault");
    done(&server, "POST", "reset", Value::Null).await;
    assert_eq!(ask(server.url(), "GET", verify, Some(&token), "").await.status, 401);
    assert_eq!(get(&server, verify).await.json()["username"], "owner");
    let clock = done(&server, "GET", "clock", Value::Null).await;
    assert!(clock["now"].as_str() > Some("2025"), "{clock}");
    assert_eq!(server.calls().len(), 2);

    done(&server, "POST", "snapshot", snapshot.clone()).await;
    assert_eq!(ask(server.url(), "GET", verify, Some(&token), "").await.json()["id"], me["id"]);
    assert_eq!(server.now(), "2024-10-08T12:00:00.000Z".into());
    // Another server's owner has another token, and keeps it.
    let other = start("mastodon@4.6.4").await;
    done(&other, "POST", "snapshot", snapshot).await;
    assert_eq!(get(&other, verify).await.json()["username"], "owner");
}

#[tokio::test]
async fn people_and_things_are_made_over_http() {
    let server = start("mastodon@4.6.4").await;
    let own = json!({"username": "mona", "token": "monas-token", "display_name": "Mona"});
    assert_eq!(done(&server, "POST", "accounts", own).await["token"], "monas-token");
    let mona =
        ask(server.url(), "GET", "/api/v1/accounts/verify_credentials", Some("monas-token"), "");
    assert_eq!(mona.await.json()["display_name"], "Mona");
    let none =
        done(&server, "POST", "accounts", json!({"username": "nobody", "token": false})).await;
    assert_eq!(none["token"], Value::Null);

    let status = json!({"account": "bob@other.example", "status": "From #afar",
        "created_at": "2026-01-01T00:00:00Z", "spoiler_text": "far"});
    let bob = done(&server, "POST", "remote", status).await;
    let path = format!("/api/v1/statuses/{}", bob["status_id"].as_str().expect("an id"));
    let status = get(&server, &path).await.json();
    assert_eq!(status["account"]["acct"], "bob@other.example");
    assert_eq!(status["created_at"], "2026-01-01T00:00:00.000Z");
    let reply = json!({"account_id": bob["id"], "status": "More", "in_reply_to_id": bob["status_id"],
        "visibility": "unlisted"});
    done(&server, "POST", "statuses", reply).await;
    let context = get(&server, &format!("{path}/context")).await.json();
    assert_eq!(context["descendants"][0]["visibility"], "unlisted");

    let id = done(&server, "POST", "announcements", json!({"text": "Maintenance"})).await;
    let id = id["id"].as_str().expect("an id");
    assert_eq!(get(&server, "/api/v1/announcements").await.json()[0]["id"], id);
    done(&server, "DELETE", &format!("announcements/{id}"), Value::Null).await;
    let gone = control(&server, "DELETE", &format!("announcements/{id}"), &Value::Null).await;
    assert_eq!(gone.status, 404);
    done(&server, "POST", "domain_blocks", json!({"domain": "Bad.example", "severity": "suspend"}))
        .await;
    let blocks = get(&server, "/api/v1/admin/domain_blocks").await.json();
    assert_eq!(
        (&blocks[0]["domain"], &blocks[0]["severity"]),
        (&json!("bad.example"), &json!("suspend"))
    );
    for trend in [
        json!({"tag": "Cats"}),
        json!({"link": "https://a.example/1"}),
        json!({"status": bob["status_id"]}),
    ] {
        done(&server, "POST", "trends", trend).await;
    }
    assert_eq!(get(&server, "/api/v1/trends/tags").await.json()[0]["name"], "Cats");
    assert_eq!(get(&server, "/api/v1/trends/links").await.json()[0]["url"], "https://a.example/1");
    assert_eq!(get(&server, "/api/v1/trends/statuses").await.json()[0]["id"], bob["status_id"]);
    let settings = done(&server, "POST", "settings", json!({"title": "Ours"})).await;
    assert_eq!(settings["title"], "Ours");
    assert_eq!(get(&server, "/api/v2/instance").await.json()["title"], "Ours");
}

/// The answers that a client of a seeded server sees, and its control token.
async fn seen(server: &Running) -> Vec<Value> {
    let url = &format!("http://{}", server.address());
    let app = "client_name=test&redirect_uris=urn:ietf:wg:oauth:2.0:oob&scopes=read";
    let app = ask(url, "POST", "/api/v1/apps", None, app).await;
    let mona = server.account("mona").expect("an account");
    let post = |status| ask(url, "POST", "/api/v1/statuses", Some(&mona.token), status);
    let (first, second) = (post("status=One").await, post("status=Two").await);
    let request = first.header("x-request-id").map(str::to_owned);
    vec![
        app.json(),
        first.json(),
        second.json(),
        json!([mona.token, server.token(), server.control_token(), request]),
    ]
}

#[tokio::test]
async fn a_seed_makes_every_run_the_same() {
    for release in ["mastodon@4.6.4", "gotosocial@0.19.2"] {
        let run = async |seed: u64| {
            let server = StandIn::new().emulate(release).expect("a release").seed(seed);
            let server =
                server.public_url("https://social.example").start().await.expect("started");
            let first = seen(&server).await;
            server.advance(Duration::from_secs(3600));
            server.reset().expect("reset");
            assert_eq!(seen(&server).await, first, "{release}");
            first
        };
        let (one, other) = (run(7).await, run(7).await);
        assert_eq!(one, other, "{release}");
        assert_ne!(one, run(8).await, "{release}");
        assert_eq!(one[1]["created_at"], "2026-01-01T00:00:00.000Z");
        assert_ne!(one[1]["id"], one[2]["id"]);
    }
}

#[tokio::test]
async fn answers_have_the_headers_of_the_release() {
    let server = start("mastodon@4.6.4").await;
    let path = "/api/v1/timelines/home";
    let answer = get(&server, path).await;
    assert_eq!(answer.header("x-ratelimit-limit"), Some("300"));
    assert_eq!(answer.header("x-ratelimit-remaining"), Some("299"));
    assert!(
        answer.header("x-ratelimit-reset").is_some_and(|reset| reset.len() == 27),
        "{}",
        answer.head
    );
    assert!(answer.header("x-request-id").is_some_and(|id| id.len() == 36));
    let tag = answer.header("etag").expect("a tag");
    assert!(tag.starts_with("W/\""), "{tag}");
    let host = server.url().trim_start_matches("http://");
    let mut socket = TcpStream::connect(host).await.expect("a server");
    let again = format!(
        "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nAuthorization: Bearer {}\r\nIf-None-Match: {tag}\r\n\r\n",
        server.token()
    );
    socket.write_all(again.as_bytes()).await.expect("sent");
    let again = ends(socket).await;
    assert!(again.starts_with("HTTP/1.1 304") && again.ends_with("\r\n\r\n"), "{again}");
    let refused = ask(server.url(), "GET", path, None, "").await;
    assert_eq!((refused.status, refused.header("x-ratelimit-limit")), (401, Some("300")));

    server.set_rate_limits(RateLimits::enforced().calls("token", 2)).expect("limits");
    let mut seen = Vec::new();
    for _ in 0..3 {
        let answer = get(&server, path).await;
        seen.push((answer.status, answer.header("x-ratelimit-remaining").map(str::to_owned)));
    }
    let told = |remaining: &str| Some(remaining.to_owned());
    assert_eq!(seen, [(200, told("1")), (200, told("0")), (429, told("0"))]);

    let server = start("gotosocial@0.19.2").await;
    let answer = get(&server, path).await;
    assert_eq!(answer.header("x-ratelimit-limit"), Some("300"));
    assert!(
        answer.header("x-ratelimit-reset").is_some_and(|reset| reset.len() == 24),
        "{}",
        answer.head
    );
    assert_eq!(answer.header("etag"), None);
}

#[tokio::test]
async fn a_post_in_rust_has_media_a_poll_and_a_visibility() {
    let server = start("mastodon@4.6.4").await;
    let mona = NewAccount::new("mona").token("monas-token").locked(true);
    let mona = server.account(mona).expect("an account");
    assert_eq!(mona.token, "monas-token");
    let picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x58\0\0\x01\x2c\x08\x02";
    let post = Post::new("Look").visibility(Visibility::Private).media(*picture, "A dot");
    let look = server.post(&mona.id, post).expect("posted");
    let poll = Post::new("Which?").poll(["this", "that"], Duration::from_secs(600)).multiple();
    let poll = server.post(&mona.id, poll).expect("posted");
    let status = async |id: &fedispec::server::Id| {
        let path = format!("/api/v1/statuses/{id}");
        ask(server.url(), "GET", &path, Some("monas-token"), "").await.json()
    };
    let (look, poll) = (status(&look).await, status(&poll).await);
    assert_eq!(look["visibility"], "private");
    assert_eq!(look["media_attachments"][0]["description"], "A dot");
    assert_eq!(look["media_attachments"][0]["meta"]["original"]["width"], 600);
    assert_eq!(
        (&poll["poll"]["multiple"], &poll["poll"]["options"][1]["title"]),
        (&json!(true), &json!("that"))
    );
    assert_eq!(server.post(&mona.id, Post::new("?").poll(["one"], Duration::ZERO)), None);
    assert!(server.try_post(&mona.id, Post::new("").media(*b"text", "")).is_err());
}

#[tokio::test]
async fn its_routes_are_mounted_on_a_server_of_ones_own() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let server = StandIn::new().token("own-token").control_token("own-control");
    let (router, control) = server.mount("https://social.example").await.expect("routes");
    let task = tokio::spawn(Listen::new(listener).serve(router));
    assert_eq!((control.token(), control.url()), ("own-token", "https://social.example"));
    let instance = ask(&url, "GET", "/api/v2/instance", None, "").await.json();
    assert_eq!(instance["domain"], "social.example");
    assert_eq!(instance["configuration"]["urls"]["streaming"], "wss://social.example");
    let meta = ask(&url, "GET", "/.well-known/host-meta", None, "").await.body;
    assert!(meta.contains("https://social.example/.well-known/webfinger"), "{meta}");
    let oauth = ask(&url, "GET", "/.well-known/oauth-authorization-server", None, "").await.json();
    assert_eq!(oauth["token_endpoint"], "https://social.example/oauth/token");
    let reset = ask(&url, "POST", "/_standin/reset", Some("own-control"), "").await;
    assert_eq!(reset.status, 200);
    let me = ask(&url, "GET", "/api/v1/accounts/verify_credentials", Some("own-token"), "").await;
    assert_eq!(me.json()["username"], "owner");
    task.abort();
    for wrong in ["social.example", "https://social.example/path"] {
        let error = StandIn::new().public_url(wrong).start().await.expect_err("an error");
        assert!(error.to_string().contains("is no origin"), "{error}");
    }
}
