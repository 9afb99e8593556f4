//! Event streams over HTTP and over a WebSocket.

use std::net::SocketAddr;
use std::time::Duration;

use fedispec::events::StreamEvent;
use fedispec::runtime::Json;
use fedispec::server::{Listen, RequestLimits, Server};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use crate::traits::app::{Running, TOKEN};
use crate::traits::raw::{get, send};

mod hub;
mod revoked;

const HANGS: Duration = Duration::from_secs(60);

/// A connection that stays open.
struct Line {
    socket: TcpStream,
    heard: Vec<u8>,
}

impl Line {
    async fn open(address: SocketAddr, head: &str) -> Self {
        let mut socket = TcpStream::connect(address).await.expect("a connection");
        let head = format!("{}\r\nHost: {address}\r\n\r\n", head.replace('\n', "\r\n"));
        socket.write_all(head.as_bytes()).await.expect("it listens");
        Self { socket, heard: Vec::new() }
    }

    /// Reads until this text arrives, and returns everything up to it.
    async fn until(&mut self, wanted: &[u8]) -> String {
        loop {
            if let Some(at) = self.heard.windows(wanted.len()).position(|part| part == wanted) {
                let rest = self.heard.split_off(at + wanted.len());
                let heard = std::mem::replace(&mut self.heard, rest);
                return String::from_utf8_lossy(&heard).into_owned();
            }
            let read = self.socket.read_buf(&mut self.heard);
            let count = timeout(HANGS, read).await.expect("it hangs").expect("it reads");
            assert!(count > 0, "it ended: {}", String::from_utf8_lossy(&self.heard));
        }
    }

    /// Sends a text as a client's WebSocket frame.
    async fn say(&mut self, text: &str) {
        let length = u8::try_from(text.len()).expect("a short text");
        assert!(length < 126);
        let mask = [1, 2, 3, 4];
        let mut frame = vec![0x81, 0x80 | length];
        frame.extend(mask);
        frame.extend(text.bytes().zip(mask.into_iter().cycle()).map(|(byte, mask)| byte ^ mask));
        self.socket.write_all(&frame).await.expect("it listens");
    }

    /// The next text of a WebSocket.
    async fn frame(&mut self) -> Json {
        loop {
            let (kind, text) = self.any_frame().await;
            if kind == 0x81 {
                return serde_json::from_slice(&text).expect("JSON");
            }
        }
    }

    async fn any_frame(&mut self) -> (u8, Vec<u8>) {
        let head = self.take(2).await;
        let length = match head[1] {
            126 => {
                let long = self.take(2).await;
                usize::from(u16::from_be_bytes([long[0], long[1]]))
            }
            short => usize::from(short),
        };
        (head[0], self.take(length).await)
    }

    async fn take(&mut self, count: usize) -> Vec<u8> {
        while self.heard.len() < count {
            let read = self.socket.read_buf(&mut self.heard);
            let read = timeout(HANGS, read).await.expect("it hangs").expect("it reads");
            assert!(read > 0, "it ended");
        }
        let rest = self.heard.split_off(count);
        std::mem::replace(&mut self.heard, rest)
    }

    /// Waits for the end.
    async fn ended(mut self) {
        let mut rest = Vec::new();
        let end = timeout(HANGS, self.socket.read_to_end(&mut rest)).await;
        assert!(end.is_ok(), "it does not end");
    }
}

fn stream(path: &str) -> String {
    format!("GET /api/v1/streaming/{path} HTTP/1.1\nAuthorization: Bearer {TOKEN}")
}

fn upgrade(rest: &str) -> String {
    format!(
        "GET /api/v1/streaming{rest}\nConnection: Upgrade\nUpgrade: websocket\n\
         Sec-WebSocket-Version: 13\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    )
}

/// Waits until there are no listeners.
pub(crate) async fn no_listeners(site: &Running) {
    let gone = async {
        while site.app.listeners() > 0 {
            sleep(Duration::from_millis(5)).await;
        }
    };
    assert!(timeout(HANGS, gone).await.is_ok(), "a listener is left");
}

#[tokio::test]
async fn events_are_an_event_stream() {
    let limits = RequestLimits::default().heartbeat(Duration::from_millis(20));
    let site = Running::start(limits).await;
    let mut line = Line::open(site.address, &stream("user")).await;
    let head = line.until(b"\r\n\r\n").await.to_ascii_lowercase();
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert!(head.contains("content-type: text/event-stream"), "{head}");
    line.until(b":)\n").await;
    // Without events, the server sends a heartbeat.
    line.until(b":thump\n").await;
    line.until(b":thump\n").await;
    site.app.tell(StreamEvent::Update(crate::traits::entities::status("31").into()));
    line.until(b"event: update\ndata: {").await;
    let status = line.until(b"}\n\n").await;
    assert!(status.contains(r#""id":"31""#), "{status}");
    site.app.tell(StreamEvent::Delete("31".into()));
    line.until(b"event: delete\ndata: 31\n\n").await;
    site.app.tell(StreamEvent::FiltersChanged);
    line.until(b"event: filters_changed\ndata: undefined\n\n").await;
    // The stream is dropped when its client disconnects.
    assert_eq!(site.app.listeners(), 1);
    drop(line);
    no_listeners(&site).await;
}

#[tokio::test]
async fn a_stream_is_authenticated_and_ends() {
    let site = Running::start(RequestLimits::default()).await;
    let status = async |path: &str, token| {
        let path = format!("/api/v1/streaming/{path}");
        get(site.address, &path, token).await.status
    };
    assert_eq!(status("user", None).await, 401);
    assert_eq!(status("user", Some("u:write")).await, 403);
    assert_eq!(status("list", Some(TOKEN)).await, 422);
    assert_eq!(status("list?list=4", Some(TOKEN)).await, 404);
    assert_eq!(status("direct", Some(TOKEN)).await, 501);
    assert_eq!(status("health", None).await, 200);
    // A stream that ends, and one that panics: both end the answer.
    let path = "/api/v1/streaming/hashtag?tag=cats&access_token=";
    let answer = get(site.address, &format!("{path}{TOKEN}"), None).await;
    assert!(answer.body.contains("event: delete\ndata: cats\n\n"), "{answer:?}");
    let mut line = Line::open(site.address, &stream("public")).await;
    line.until(b":)\n").await;
    line.until(b"\r\n0\r\n\r\n").await;
}

#[tokio::test]
async fn a_socket_has_many_streams() {
    let site = Running::start(RequestLimits::default()).await;
    let mut line =
        Line::open(site.address, &upgrade(&format!("?access_token={TOKEN} HTTP/1.1"))).await;
    let head = line.until(b"\r\n\r\n").await.to_ascii_lowercase();
    assert!(head.starts_with("http/1.1 101"), "{head}");
    line.say(r#"{"type":"subscribe","stream":"user"}"#).await;
    line.say(r#"{"type":"subscribe","stream":"user"}"#).await;
    line.say(r#"{"type":"subscribe","stream":"hashtag","tag":"cats"}"#).await;
    let told = line.frame().await;
    assert_eq!(
        told,
        serde_json::json!({"stream": ["hashtag", "cats"], "event": "delete", "payload": "cats"})
    );
    line.say(r#"{"type":"subscribe","stream":"public:media"}"#).await;
    let told = line.frame().await;
    assert_eq!(told["stream"], serde_json::json!(["public:media"]));
    assert_eq!(site.app.listeners(), 1);
    site.app.tell(StreamEvent::Update(crate::traits::entities::status("31").into()));
    let told = line.frame().await;
    assert_eq!((&told["event"], &told["stream"]), (&"update".into(), &serde_json::json!(["user"])));
    let status: Json = serde_json::from_str(told["payload"].as_str().expect("text")).expect("JSON");
    assert_eq!(status["id"], "31");
    site.app.tell(StreamEvent::FiltersChanged);
    let told = line.frame().await;
    assert_eq!(told, serde_json::json!({"stream": ["user"], "event": "filters_changed"}));
    line.say(r#"{"type":"unsubscribe","stream":"user"}"#).await;
    no_listeners(&site).await;
    drop(line);
}

#[tokio::test]
async fn a_socket_reports_errors() {
    let site = Running::start(RequestLimits::default()).await;
    let protocol = format!(" HTTP/1.1\nSec-WebSocket-Protocol: {}", "u:read:statuses");
    let mut line = Line::open(site.address, &upgrade(&protocol)).await;
    let head = line.until(b"\r\n\r\n").await.to_ascii_lowercase();
    assert!(head.contains("sec-websocket-protocol: u:read:statuses"), "{head}");
    for (said, error, status) in [
        (r#"{"type":"subscribe","stream":"nothing"}"#, "Unknown stream type", 400),
        (r#"{"type":"subscribe","stream":"user/../user"}"#, "Unknown stream type", 400),
        (r#"{"type":"subscribe"}"#, "Unknown stream type", 400),
        (r#"{"type":"subscribe","stream":"list"}"#, "list is required", 422),
        (r#"{"type":"subscribe","stream":"list","list":4}"#, "Record not found", 404),
        (r#"{"type":"subscribe","stream":"user:notification"}"#, "Unknown stream type", 400),
        (r#"{"type":"dance"}"#, "The type of a message must be subscribe or unsubscribe", 400),
        ("nonsense", "A message must be a JSON object", 400),
    ] {
        line.say(said).await;
        let told = line.frame().await;
        assert_eq!(told, serde_json::json!({"error": error, "status": status}), "{said}");
    }
    // A stream that panics ends; the socket does not.
    line.say(r#"{"type":"subscribe","stream":"public"}"#).await;
    line.say(r#"{"type":"subscribe","stream":"hashtag","tag":"still"}"#).await;
    assert_eq!(line.frame().await["payload"], "still");
}

#[tokio::test]
async fn a_socket_is_authenticated() {
    let site = Running::start(RequestLimits::default()).await;
    let status = async |rest: &str| {
        let mut line = Line::open(site.address, &upgrade(rest)).await;
        let head = line.until(b"\r\n").await;
        head.split(' ').nth(1).expect("a status").to_owned()
    };
    assert_eq!(status(" HTTP/1.1").await, "401");
    assert_eq!(status("?access_token=wrong HTTP/1.1").await, "401");
    assert_eq!(status("?access_token=u:write HTTP/1.1").await, "403");
    assert_eq!(status(&format!("?access_token={TOKEN}&stream=nothing HTTP/1.1")).await, "400");
    assert_eq!(status(&format!("?access_token={TOKEN}&stream=user HTTP/1.1")).await, "101");
    let plain = format!("GET /api/v1/streaming?access_token={TOKEN} HTTP/1.1");
    assert_eq!(send(site.address, &plain, "").await.status, 426);
}

#[tokio::test]
async fn a_silent_socket_is_closed() {
    let limits = RequestLimits::default().heartbeat(Duration::from_millis(20));
    let site = Running::start(limits).await;
    let head = upgrade(&format!("?stream=user&access_token={TOKEN} HTTP/1.1"));
    let mut line = Line::open(site.address, &head).await;
    line.until(b"\r\n\r\n").await;
    // A ping; it is not answered, so the connection is closed.
    assert_eq!(line.any_frame().await.0, 0x89);
    line.ended().await;
    no_listeners(&site).await;
}

/// Waits until that many flood streams run.
async fn floods(site: &Running, count: usize) {
    let there = async {
        while site.app.floods() != count {
            sleep(Duration::from_millis(5)).await;
        }
    };
    let told = timeout(HANGS, there).await;
    assert!(told.is_ok(), "{} floods, not {count}", site.app.floods());
}

#[tokio::test]
async fn a_client_that_does_not_read_is_dropped() {
    let limits = RequestLimits::default().patience(Duration::from_millis(100));
    let site = Running::start(limits).await;
    // Each client connects and reads nothing.
    let line = Line::open(site.address, &stream("hashtag?tag=flood")).await;
    floods(&site, 1).await;
    floods(&site, 0).await;
    drop(line);
    let head = upgrade(&format!("?access_token={TOKEN} HTTP/1.1"));
    let mut line = Line::open(site.address, &head).await;
    line.until(b"\r\n\r\n").await;
    line.say(r#"{"type":"subscribe","stream":"hashtag","tag":"flood"}"#).await;
    floods(&site, 1).await;
    floods(&site, 0).await;
    drop(line);
}

#[tokio::test]
async fn a_client_that_reads_is_kept_whatever_the_amount() {
    let site = Running::start(RequestLimits::default()).await;
    let mut line = Line::open(site.address, &stream("hashtag?tag=flood")).await;
    for _ in 0..2000 {
        line.until(b"event: delete\n").await;
    }
    floods(&site, 1).await;
    drop(line);
    floods(&site, 0).await;
}

/// A close frame, by its code.
async fn closes(line: &mut Line) -> u16 {
    loop {
        let (kind, payload) = line.any_frame().await;
        if kind == 0x88 {
            return u16::from_be_bytes([payload[0], payload[1]]);
        }
    }
}

impl Line {
    /// Sends the bytes of frames as they are.
    async fn raw(&mut self, bytes: &[u8]) {
        self.socket.write_all(bytes).await.expect("it listens");
    }
}

async fn socket(site: &Running) -> Line {
    let head = upgrade(&format!("?access_token={TOKEN} HTTP/1.1"));
    let mut line = Line::open(site.address, &head).await;
    line.until(b"\r\n\r\n").await;
    line
}

#[tokio::test]
async fn a_socket_that_is_closed_is_told_so() {
    let site = Running::start(RequestLimits::default()).await;
    // A mask of zeroes; the code that the client gives is given back.
    let close = [&[0x88, 0x82, 0, 0, 0, 0][..], &1001_u16.to_be_bytes()].concat();
    let mut line = socket(&site).await;
    line.say(r#"{"type":"subscribe","stream":"user"}"#).await;
    line.raw(&close).await;
    assert_eq!(closes(&mut line).await, 1001);
    line.ended().await;
    no_listeners(&site).await;
    let long = [&[0x81, 0xfe, 0xff, 0xff, 0, 0, 0, 0][..], &b"a".repeat(0xffff)].concat();
    for (sent, code) in [
        // Of a reserved kind, without a mask, a fragment of nothing, a long ping.
        (&[0x83, 0x80, 0, 0, 0, 0][..], 1002),
        (&[0x81, 0x01, b'a'], 1002),
        (&[0x80, 0x81, 0, 0, 0, 0, b'a'], 1002),
        (&[0x89, 0xfe, 0, 200, 0, 0, 0, 0], 1002),
        (&[0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28], 1007),
        (&long, 1009),
    ] {
        let mut line = socket(&site).await;
        line.raw(sent).await;
        line.raw(&[0; 300]).await;
        assert_eq!(closes(&mut line).await, code, "{sent:?}");
        line.ended().await;
    }
}

/// Opens a stream or a socket; the status of the answer.
async fn opened(address: SocketAddr, head: &str) -> (u16, Line) {
    let mut line = Line::open(address, head).await;
    let head = line.until(b"\r\n\r\n").await;
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.expect("a status"), line)
}

/// Opens a stream again and again, until there is room for it.
async fn soon_opened(address: SocketAddr, head: &str) -> Line {
    let open = async {
        loop {
            match opened(address, head).await {
                (429, _) => sleep(Duration::from_millis(5)).await,
                (_, line) => return line,
            }
        }
    };
    timeout(HANGS, open).await.expect("there is no room")
}

#[tokio::test]
async fn an_account_has_so_many_streams_at_once() {
    let limits = RequestLimits::default().sockets(2).anonymous_sockets(0);
    let site = Running::start(limits).await;
    let events = stream("user");
    let socket = upgrade(&format!("?access_token={TOKEN} HTTP/1.1"));
    let (status, first) = opened(site.address, &events).await;
    assert_eq!(status, 200);
    let (status, second) = opened(site.address, &socket).await;
    assert_eq!(status, 101);
    for head in [&events, &socket] {
        assert_eq!(opened(site.address, head).await.0, 429, "{head}");
    }
    // Requests that are no streams are served.
    assert_eq!(get(site.address, "/api/v2/instance", Some(TOKEN)).await.status, 200);
    drop(first);
    let first = soon_opened(site.address, &socket).await;
    drop(second);
    soon_opened(site.address, &events).await;
    drop(first);
}

#[tokio::test]
async fn who_has_no_account_has_so_many_streams_at_an_address() {
    let app = Running::start(RequestLimits::default()).await.app.clone();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
    let listener = listener.expect("a port");
    let address = listener.local_addr().expect("an address");
    let listen = Listen::new(listener).trusted_proxies(["127.0.0.1"]);
    let limits = RequestLimits::default().sockets(0).anonymous_sockets(2);
    // Without an authenticator.
    let open = Server::new().streaming(app).limits(limits.clone());
    let _site = Running::on(listen.expect("an address"), address, limits, |_| open);
    let socket = |client: &str| upgrade(&format!(" HTTP/1.1\nX-Forwarded-For: {client}"));
    let events =
        |client: &str| format!("GET /api/v1/streaming/user HTTP/1.1\nX-Forwarded-For: {client}");
    let (status, _first) = opened(address, &socket("192.0.2.1")).await;
    assert_eq!(status, 101);
    let (status, second) = opened(address, &events("192.0.2.1")).await;
    assert_eq!(status, 200);
    for head in [socket("192.0.2.1"), events("192.0.2.1")] {
        assert_eq!(opened(address, &head).await.0, 429, "{head}");
    }
    // The address that a client claims stands before the one that the proxy saw.
    let claimed = socket("203.0.113.7, 192.0.2.1");
    assert_eq!(opened(address, &claimed).await.0, 429);
    let (status, _other) = opened(address, &socket("192.0.2.2")).await;
    assert_eq!(status, 101);
    drop(second);
    soon_opened(address, &socket("192.0.2.1")).await;
}
