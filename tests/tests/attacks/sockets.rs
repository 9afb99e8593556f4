//! Floods over a WebSocket.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::process::{ALONE, HANGS, Process, STALLS};

const MASK: [u8; 4] = [0; 4];

/// A client's frame with a payload of less than 126 bytes, masked with zeroes.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let length = u8::try_from(payload.len()).expect("a short payload");
    let mut frame = vec![first, 0x80 | length];
    frame.extend(MASK);
    frame.extend(payload);
    frame
}

/// A WebSocket of somebody whose token is for next to nothing.
async fn open(process: &Process) -> TcpStream {
    let mut socket = process.connect().await;
    let head = "GET /api/v1/streaming?access_token=u:read:statuses HTTP/1.1\r\nHost: a\r\n\
         Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    socket.write_all(head.as_bytes()).await.expect("it listens");
    let mut told = Vec::new();
    while !told.ends_with(b"\r\n\r\n") {
        told.push(socket.read_u8().await.expect("an answer"));
    }
    assert!(told.starts_with(b"HTTP/1.1 101"), "no WebSocket");
    socket
}

/// Sends the same frame a million times and reads nothing; gives up when the server does.
async fn flood(process: &Process, frame: &[u8]) {
    let mut socket = open(process).await;
    let many = frame.repeat(1000);
    for _ in 0..1000 {
        match timeout(STALLS, socket.write_all(&many)).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) | Err(_) => break,
        }
    }
    process.is_clean().await;
    drop(socket);
}

#[tokio::test]
async fn a_flood_of_pings_is_not_held() {
    let _alone = ALONE.lock().await;
    let process = Process::start(Duration::from_secs(2));
    flood(&process, &frame(0x89, &[7; 125])).await;
    process.stayed_small("a million pings");
}

#[tokio::test]
async fn a_flood_of_refused_messages_is_not_held() {
    let _alone = ALONE.lock().await;
    let process = Process::start(Duration::from_secs(1));
    for (first, what) in [(0x81, "a million wrong texts"), (0x82, "a million binaries")] {
        flood(&process, &frame(first, &[b'7'; 125])).await;
        process.stayed_small(what);
    }
}

#[tokio::test]
async fn who_reads_may_ping_without_end() {
    let _alone = ALONE.lock().await;
    let process = Process::start(Duration::from_secs(1));
    let (mut answers, mut pings) = open(&process).await.into_split();
    let count: u32 = 200_000;
    let writes = tokio::spawn(async move {
        for number in 0..count {
            let ping = frame(0x89, &number.to_be_bytes());
            pings.write_all(&ping).await.expect("it listens");
        }
        pings
    });
    // A pong may answer several pings, but the last is answered.
    let last = [&[0x8a, 4][..], &(count - 1).to_be_bytes()].concat();
    let mut pong = [0; 6];
    while pong != *last {
        let read = timeout(HANGS, answers.read_exact(&mut pong)).await;
        read.expect("it hangs").expect("it answers");
    }
    drop(writes.await.expect("no panic"));
    drop(answers);
    process.is_clean().await;
    process.stayed_small("pings that are answered");
}
