//! Requests over a plain socket.

#![allow(
    dead_code,
    clippy::expect_fun_call,
    reason = "shared by several tests; one that fails says what it has read"
)]

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// An answer: status, head and body.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect(&self.body)
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        let mut found = lines.filter(|(own, _)| own.eq_ignore_ascii_case(name));
        found.next().map(|(_, value)| value)
    }
}

/// Asks for a path with a token, if there is one, and a form or JSON as the body.
pub(crate) async fn ask(
    url: &str,
    method: &str,
    path: &str,
    token: Option<&str>,
    body: &str,
) -> Answer {
    let host = url.strip_prefix("http://").expect("http");
    let mut socket = TcpStream::connect(host).await.expect("a server");
    let token = token.map(|token| format!("Authorization: Bearer {token}\r\n"));
    let kind = if body.starts_with('{') {
        "application/json"
    } else {
        "application/x-www-form-urlencoded"
    };
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{}Content-Type: {kind}\r\nContent-Length: {}\r\n\r\n{body}",
        token.unwrap_or_default(),
        body.len()
    );
    socket.write_all(head.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await.expect("answered");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    Answer { status: status.expect("a status"), head: head.to_owned(), body: body.to_owned() }
}
