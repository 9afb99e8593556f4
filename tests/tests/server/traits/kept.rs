//! Connections after an answer that came before the body was read: they stay usable, or the answer says that they do not.

use std::net::SocketAddr;
use std::time::Duration;

use fedispec::server::RequestLimits;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::traits::app::{Running, TOKEN, server};
use crate::traits::raw::{Answer, HANGS, read};

/// A connection that is kept open.
struct Kept(TcpStream);

impl Kept {
    async fn to(address: SocketAddr) -> Self {
        Self(TcpStream::connect(address).await.expect("a connection"))
    }

    async fn send(&mut self, bytes: &str) {
        let sent = self.0.write_all(bytes.as_bytes()).await;
        sent.expect("the server reads");
    }

    async fn send_head(&mut self, lines: &str) {
        let lines = lines.replace('\n', "\r\n");
        self.send(&format!("{lines}\r\nHost: a\r\n\r\n")).await;
    }

    /// Reads one answer, and not beyond it.
    async fn answer(&mut self) -> Answer {
        let read = timeout(HANGS, async {
            let mut text = Vec::new();
            while !text.ends_with(b"\r\n\r\n") {
                text.push(self.0.read_u8().await.expect("an answer"));
            }
            let answer = Answer::parse(&String::from_utf8_lossy(&text)).expect("a head");
            let length = answer.header("content-length").unwrap_or("0");
            let mut body = vec![0; length.parse().expect("a number")];
            self.0.read_exact(&mut body).await.expect("a body");
            let body = String::from_utf8_lossy(&body).into_owned();
            Answer { body, ..answer }
        });
        read.await.expect("the server answers")
    }

    /// Another request is answered over the same connection.
    async fn is_usable(&mut self, what: &str) {
        self.send_head("GET /api/v2/instance HTTP/1.1").await;
        assert_eq!(self.answer().await.status, 200, "{what}");
    }
}

/// The same server behind its own listener and behind axum's.
async fn both() -> [(&'static str, SocketAddr, Running); 2] {
    let start = || Running::start(RequestLimits::default());
    let (own, other) = (start().await, start().await);
    let router = server(other.app.clone()).into_router();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
    let listener = listener.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async { axum::serve(listener, router).await });
    [("Listen", own.address, own), ("axum", address, other)]
}

#[tokio::test]
async fn a_short_body_that_nobody_reads_leaves_the_connection_usable() {
    for (listener, address, _running) in both().await {
        for (line, status) in [
            ("POST /api/v1/nothing_here", 404),
            ("DELETE /api/v2/instance", 405),
            ("POST /api/v1/bookmarks", 405),
            ("PUT /api/v1/markers", 405),
            // Not implemented, and refused before the body is read.
            ("POST /api/v1/markers", 501),
            ("POST /api/v1/statuses\nAuthorization: Bearer wrong", 401),
        ] {
            let what = format!("{listener}: {line}");
            let (line, rest) = line.split_once('\n').unwrap_or((line, "X-More: no"));
            let mut kept = Kept::to(address).await;
            let head = format!(
                "{line} HTTP/1.1\n{rest}\nContent-Type: application/x-www-form-urlencoded\nContent-Length: 7"
            );
            kept.send_head(&head).await;
            // Many clients send the body in a packet of its own.
            let answer = kept.answer().await;
            assert_eq!(answer.status, status, "{what}: {answer:?}");
            assert_eq!(answer.header("connection"), None, "{what}: {answer:?}");
            kept.send("a=1&b=2").await;
            kept.is_usable(&what).await;
            // And in one.
            kept.send(&format!("{}\r\nHost: a\r\n\r\na=1&b=2", head.replace('\n', "\r\n"))).await;
            assert_eq!(kept.answer().await.status, status, "{what}");
            kept.is_usable(&what).await;
        }
    }
}

#[tokio::test]
async fn a_listener_keeps_the_connections_of_other_routers_too() {
    let site = Running::start(RequestLimits::default()).await;
    let mut kept = Kept::to(site.address).await;
    // Nothing of the API is there.
    kept.send_head("POST /elsewhere HTTP/1.1\nContent-Length: 3").await;
    assert_eq!(kept.answer().await.status, 404);
    kept.send("abc").await;
    kept.is_usable("a fallback").await;
    kept.send_head("POST /elsewhere HTTP/1.1\nHost: b\nContent-Length: 3").await;
    assert_eq!(kept.answer().await.status, 400);
    kept.send("abc").await;
    kept.is_usable("two hosts").await;
}

#[tokio::test]
async fn an_answer_tells_that_its_connection_is_closed() {
    for (listener, address, _running) in both().await {
        for (line, length) in [
            ("POST /api/v1/nothing_here", "Content-Length: 3000000"),
            ("DELETE /api/v2/instance", "Content-Length: 3000000"),
            ("POST /api/v1/markers", "Content-Length: 3000000"),
            ("POST /api/v2/media", "Content-Length: 3000000"),
            ("POST /api/v1/nothing_here", "Transfer-Encoding: chunked"),
            (
                "POST /api/v2/media",
                "Content-Type: multipart/form-data; boundary=b\nContent-Length: 3\nExpect: 100-continue",
            ),
        ] {
            let what = format!("{listener}: {line} {length}");
            let mut kept = Kept::to(address).await;
            kept.send_head(&format!("{line} HTTP/1.1\n{length}")).await;
            let answer = kept.answer().await;
            assert!(answer.status >= 400, "{what}: {answer:?}");
            assert_eq!(answer.header("connection"), Some("close"), "{what}: {answer:?}");
            if length.contains("3000000") {
                // The server reads the body that the client still sends; otherwise the connection would be reset, and the answer lost.
                kept.send(&"a".repeat(3_000_000)).await;
            } else if length.contains("chunked") {
                kept.send("3\r\nabc\r\n0\r\n\r\n").await;
            }
            assert_eq!(read(kept.0).await, "", "{what}");
        }
    }
}

#[tokio::test]
async fn a_body_that_was_read_leaves_the_connection_usable() {
    let part = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\nabc\r\n--b--\r\n";
    let chunked = format!("{:x}\r\n{part}\r\n", part.len());
    for (listener, address, _running) in both().await {
        let head = format!(
            "POST /api/v2/media HTTP/1.1\nAuthorization: Bearer {TOKEN}\nContent-Type: multipart/form-data; boundary=b"
        );
        let mut kept = Kept::to(address).await;
        // The end of the body comes after that of the content.
        kept.send_head(&format!("{head}\nTransfer-Encoding: chunked")).await;
        kept.send(&chunked).await;
        let _ = timeout(Duration::from_millis(50), kept.0.readable()).await;
        kept.send("0\r\n\r\n").await;
        let answer = kept.answer().await;
        assert_eq!((answer.status, answer.header("connection")), (200, None), "{listener}");
        kept.is_usable(listener).await;
        // A client that waits to be asked for the body.
        let length = part.len();
        kept.send_head(&format!("{head}\nContent-Length: {length}\nExpect: 100-continue")).await;
        assert_eq!(kept.answer().await.status, 100, "{listener}");
        kept.send(part).await;
        let answer = kept.answer().await;
        assert_eq!((answer.status, answer.header("connection")), (200, None), "{listener}");
        kept.is_usable(listener).await;
        // There is nothing to wait for.
        kept.send_head("GET /api/v2/instance HTTP/1.1\nExpect: 100-continue").await;
        let answer = kept.answer().await;
        assert_eq!((answer.status, answer.header("connection")), (200, None), "{listener}");
        kept.is_usable(listener).await;
    }
}
