//! Sends requests as raw bytes, which an HTTP library would refuse to send.

use std::net::SocketAddr;
use std::time::Duration;

use fedispec::runtime::Json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// A time limit that only a hanging server exceeds.
pub(crate) const HANGS: Duration = Duration::from_secs(60);

/// The parts of a response that the tests read.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (head, body) = text.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some(Self { status, head: head.to_ascii_lowercase(), body: body.to_owned() })
    }

    /// A header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    /// The message of an error, whose body is `{"error": ".."}`.
    pub(crate) fn error(&self) -> String {
        let body: Json = serde_json::from_str(&self.body).expect(&self.body);
        body["error"].as_str().expect(&self.body).to_owned()
    }
}

/// Sends these bytes, and reads to the end of the connection.
pub(crate) async fn exchange(address: SocketAddr, bytes: &[u8]) -> String {
    let mut socket = TcpStream::connect(address).await.expect("a connection");
    let _ = socket.write_all(bytes).await;
    let _ = socket.shutdown().await;
    read(socket).await
}

/// The same, but disconnects from an event stream, which has no end, once it has begun.
pub(crate) async fn exchange_unless_stream(address: SocketAddr, bytes: &[u8]) -> String {
    let mut socket = TcpStream::connect(address).await.expect("a connection");
    let _ = socket.write_all(bytes).await;
    let _ = socket.shutdown().await;
    let mut answer = Vec::new();
    while !is_stream(&answer) {
        let read = timeout(HANGS, socket.read_buf(&mut answer)).await;
        match read.unwrap_or_else(|_| panic!("hangs: {}", String::from_utf8_lossy(bytes))) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
    }
    String::from_utf8_lossy(&answer).into_owned()
}

fn is_stream(answer: &[u8]) -> bool {
    let wanted = b"text/event-stream";
    answer.windows(wanted.len()).any(|part| part == wanted)
}

/// Reads to the end.
pub(crate) async fn read(mut socket: TcpStream) -> String {
    let mut answer = Vec::new();
    let read = timeout(HANGS, socket.read_to_end(&mut answer)).await;
    assert!(read.is_ok(), "the server hangs");
    String::from_utf8_lossy(&answer).into_owned()
}

/// Sends a request with these lines of a head, and a body.
pub(crate) async fn send(address: SocketAddr, head: &str, body: &str) -> Answer {
    let head = head.trim_end().replace('\n', "\r\n");
    let length = body.len();
    let request = format!(
        "{head}\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    let mut socket = TcpStream::connect(address).await.expect("a connection");
    // The server may answer and close before everything is sent.
    let _ = socket.write_all(request.as_bytes()).await;
    let answer = read(socket).await;
    Answer::parse(&answer).unwrap_or_else(|| panic!("no answer to {head}: {answer}"))
}

/// Gets a path, with a token.
pub(crate) async fn get(address: SocketAddr, path: &str, token: Option<&str>) -> Answer {
    let token = token.map(|token| format!("\nAuthorization: Bearer {token}"));
    let head = format!("GET {path} HTTP/1.1{}", token.unwrap_or_default());
    send(address, &head, "").await
}
