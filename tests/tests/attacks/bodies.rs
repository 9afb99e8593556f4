//! Bodies that are sent before anybody has said who sends them.

use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::process::{ALONE, Process, STALLS};

const CONNECTIONS: usize = 500;
const MB: usize = 1_000_000;

/// Sends nearly all of a body, as far as the server takes it.
async fn unfinished(mut socket: TcpStream, head: String, piece: &[u8]) -> TcpStream {
    let pieces = std::iter::repeat_n(piece, MB / piece.len() - 1);
    for piece in std::iter::once(head.as_bytes()).chain(pieces) {
        if !matches!(timeout(STALLS, socket.write_all(piece)).await, Ok(Ok(()))) {
            break;
        }
    }
    socket
}

/// Many unfinished bodies at once, and then all connections are gone.
async fn attack(what: &str, lines: &str, first: &str, piece: &'static [u8]) {
    let _alone = ALONE.lock().await;
    let process = Process::start(Duration::from_secs(3));
    let head = format!("{lines}\r\nHost: a\r\n\r\n{first}");
    let mut all = JoinSet::new();
    for _ in 0..CONNECTIONS {
        all.spawn(unfinished(process.connect().await, head.clone(), piece));
    }
    let sockets = all.join_all().await;
    process.stayed_small(what);
    drop(sockets);
    process.is_clean().await;
}

/// 500 bytes of a chunked body.
const CHUNK: &[u8] = &{
    let mut chunk = [b'a'; 507];
    let (head, mut at) = (*b"1f4\r\n", 0);
    while at < head.len() {
        chunk[at] = head[at];
        at += 1;
    }
    (chunk[505], chunk[506]) = (b'\r', b'\n');
    chunk
};

const FORM: &str = "Content-Type: application/x-www-form-urlencoded";

#[tokio::test]
async fn forms_without_a_token_are_not_held() {
    let lines = format!("POST /api/v1/statuses HTTP/1.1\r\n{FORM}\r\nContent-Length: {MB}");
    attack("forms for a user's operation", &lines, "", &[b'a'; 1000]).await;
    let lines = format!("POST /api/v1/statuses HTTP/1.1\r\n{FORM}\r\nTransfer-Encoding: chunked");
    attack("forms of unknown length", &lines, "", CHUNK).await;
    let lines = format!("POST /oauth/token HTTP/1.1\r\n{FORM}\r\nContent-Length: {MB}");
    attack("forms for a public operation", &lines, "", &[b'a'; 1000]).await;
}

#[tokio::test]
async fn forms_of_the_greatest_allowed_length_are_not_held() {
    let lines = format!("POST /oauth/token HTTP/1.1\r\n{FORM}\r\nContent-Length: 65536");
    attack("short forms for a public operation", &lines, "", &[b'a'; 1000]).await;
}

#[tokio::test]
async fn a_multipart_body_for_a_public_operation_is_not_held() {
    let lines = "POST /oauth/token HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=b\r\n\
         Transfer-Encoding: chunked";
    for (what, file) in [("multipart texts", ""), ("multipart files", "; filename=\"a\"")] {
        let part =
            format!("--b\r\nContent-Disposition: form-data; name=\"client_secret\"{file}\r\n\r\n");
        let first = format!("{:x}\r\n{part}\r\n", part.len());
        attack(what, lines, &first, CHUNK).await;
    }
}
