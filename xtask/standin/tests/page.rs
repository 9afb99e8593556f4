//! The page at `/` and its JSON: what they show, and what they keep to themselves.
#![allow(clippy::panic, reason = "a failing test panics")]

use fedispec_standin::{PASSWORD, Running, StandIn};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

async fn start(release: &str) -> Running {
    let server = StandIn::new().emulate(release).expect(release);
    server.start().await.expect("a server")
}

/// Asks, and answers the status line with headers, and the body.
async fn ask(server: &Running, line: &str, token: Option<&str>, form: &str) -> (String, String) {
    let address = server.url().trim_start_matches("http://");
    let mut socket = TcpStream::connect(address).await.expect("a server");
    let token = token.map(|token| format!("authorization: Bearer {token}\r\n"));
    let request = format!(
        "{line} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{}content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{form}",
        token.unwrap_or_default(),
        form.len()
    );
    socket.write_all(request.as_bytes()).await.expect("sent");
    let mut text = String::new();
    socket.read_to_string(&mut text).await.expect("an answer");
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    (head.to_owned(), body.to_owned())
}

async fn data(server: &Running) -> Value {
    let (head, body) = ask(server, "GET /index.json", None, "").await;
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    serde_json::from_str(&body).expect("JSON")
}

#[tokio::test]
async fn the_last_requests_are_shown_with_what_was_ignored_and_without_secrets() {
    let server = start("mastodon@4.4.0").await;
    let mona = server.account("mona").expect("an account");
    let form = "status=a&quoted_status_id=7&made_up=1&%3Cscript%3E=hunter2";
    ask(&server, "POST /api/v1/statuses", Some(&mona.token), form).await;
    ask(&server, "GET /oauth/userinfo?access_token=hunter2", None, "").await;
    let form = "grant_type=password&username=mona&password=hunter2&code=hunter2";
    ask(&server, "POST /oauth/token", None, form).await;

    let (head, page) = ask(&server, "GET /", None, "").await;
    assert!(head.contains("text/html; charset=utf-8"), "{head}");
    for told in [
        "A stand-in for Mastodon 4.4.0",
        "quoted_status_id",
        "made_up",
        "&lt;script&gt;",
        "mona@example.org",
        server.url(),
    ] {
        assert!(page.contains(told), "{told}");
    }
    let data = data(&server).await;
    let asked: Vec<&Value> = data["requests"].as_array().into_iter().flatten().collect();
    let status = asked.iter().find(|one| one["operation"] == "statuses.create");
    let status = status.expect("the status");
    assert_eq!(status["caller"], "mona");
    assert_eq!(status["ignored_params"][0], "quoted_status_id");
    assert_eq!(status["unknown_params"][1], "made_up");
    assert_eq!(data["as"], "mastodon@4.4.0");
    let cut = data["cut"]["parameters"].as_array().expect("a list");
    assert!(cut.iter().any(|id| *id == "statuses.create.quoted_status_id"));
    for text in [page, data.to_string()] {
        for secret in ["hunter2", mona.token.as_str(), server.token()] {
            assert!(!text.contains(secret), "{secret}");
        }
    }
    server.reset().expect("reset");
    let data = self::data(&server).await;
    assert_eq!(data["requests"], Value::Array(Vec::new()));
    assert_eq!(data["accounts"][0]["password"], PASSWORD);
    server.stop().await.expect("stopped");
}

#[tokio::test]
async fn only_the_last_hundred_requests_are_kept() {
    let server = start("gotosocial@0.17.0").await;
    let long = "x".repeat(5000);
    let names: Vec<String> = (0..50).map(|i| format!("{long}{i}=1")).collect();
    for _ in 0..105 {
        ask(&server, "GET /api/v2/instance", None, "").await;
    }
    ask(&server, &format!("GET /api/v1/instance?{}", names[0]), None, "").await;
    let data = data(&server).await;
    let asked = data["requests"].as_array().expect("a list");
    assert_eq!(asked.len(), 100);
    assert_eq!(asked[0]["operation"], "instance.get_v1");
    assert!(data.to_string().len() < 200_000, "{}", data.to_string().len());
    server.stop().await.expect("stopped");
}
