//! More connections than there is room for, and what becomes of what a server leaves behind.

use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use crate::process::{ALONE, HANGS, Process};
use crate::raw;

/// The longest wait of a client while others only keep connections open.
const WAIT: Duration = Duration::from_secs(2);

/// A server with 200 file descriptors, and 300 connections that all have sent the same and no more.
async fn beset(sent: &str) -> (Process, Vec<TcpStream>) {
    let process = Process::with(Duration::from_secs(30), |command| {
        command.env("FEDISPEC_FILES", "200");
    });
    let mut all = Vec::new();
    for _ in 0..300 {
        // Beyond the limit the connection may wait, or be closed at once.
        if let Ok(Ok(mut socket)) = timeout(WAIT, TcpStream::connect(process.address)).await {
            let _ = socket.write_all(sent.as_bytes()).await;
            all.push(socket);
        }
    }
    (process, all)
}

async fn is_served(process: &Process, what: &str) {
    let start = Instant::now();
    let answer = raw::get(process.address, "/api/v1/accounts/7", None).await;
    println!("{what}: answered after {:?}", start.elapsed());
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(start.elapsed() < WAIT, "{what}: {:?}", start.elapsed());
}

#[tokio::test]
async fn who_only_keeps_connections_keeps_nobody_out() {
    let _alone = ALONE.lock().await;
    let body = "POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\na";
    let done = "GET /api/v1/accounts/7 HTTP/1.1\r\nHost: a\r\n\r\n";
    for (what, sent) in [
        ("idle from the start", ""),
        ("a part of a head", "GET / HTTP/1.1\r\nHo"),
        ("idle after a request", done),
        ("a part of a body", body),
    ] {
        let (process, all) = beset(sent).await;
        is_served(&process, what).await;
        assert!(process.descriptors() < 180, "{}", process.descriptors());
        drop(all);
        process.is_clean().await;
    }
}

#[tokio::test]
async fn who_is_known_keeps_the_connection() {
    let _alone = ALONE.lock().await;
    let process = Process::with(Duration::from_secs(30), |command| {
        command.env("FEDISPEC_FILES", "200");
    });
    // An event stream, and a body that is sent slowly.
    let mut stream = process.connect().await;
    let head = "GET /api/v1/streaming/user HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer owners-token\r\n\r\n";
    stream.write_all(head.as_bytes()).await.expect("it listens");
    let mut post = process.connect().await;
    let head = "POST /api/v1/lists HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer owners-token\r\n\
         Connection: close\r\nContent-Length: 7\r\n\r\ntitl";
    post.write_all(head.as_bytes()).await.expect("it listens");
    sleep(Duration::from_millis(200)).await;
    let mut all = Vec::new();
    for _ in 0..300 {
        all.extend(timeout(WAIT, TcpStream::connect(process.address)).await);
    }
    is_served(&process, "beside those who are known").await;
    post.write_all(b"e=a").await.expect("it listens");
    assert!(raw::read(post).await.starts_with("HTTP/1.1 200"));
    stream.writable().await.expect("it is open");
    let mut told = vec![0; 4096];
    let read = timeout(HANGS, tokio::io::AsyncReadExt::read(&mut stream, &mut told)).await;
    let read = read.expect("it hangs").expect("it is open");
    assert!(told[..read].starts_with(b"HTTP/1.1 200"), "the stream was closed");
}

#[tokio::test]
async fn unfinished_bodies_of_one_user_keep_nobody_out() {
    let _alone = ALONE.lock().await;
    let process = Process::start(Duration::from_secs(30));
    let head = "POST /api/v1/lists HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer owners-token\r\n\
         Content-Length: 1000\r\n\r\na";
    let mut all = Vec::new();
    let (mut longest, mut asked) = (Duration::ZERO, 0);
    for number in 0..800 {
        if let Ok(Ok(mut socket)) = timeout(WAIT, TcpStream::connect(process.address)).await {
            let _ = socket.write_all(head.as_bytes()).await;
            all.push(socket);
        }
        if number % 50 == 49 {
            let start = Instant::now();
            let answer = raw::get(process.address, "/api/v1/accounts/7", None).await;
            assert_eq!(answer.status, 200, "{answer:?}");
            longest = longest.max(start.elapsed());
            asked += 1;
        }
    }
    println!("{asked} clients beside 800 unfinished bodies: the longest waited {longest:?}");
    assert!(longest < WAIT, "{longest:?}");
    let mut last = all.pop().expect("the last");
    // The server waits for the rest of a body before it closes.
    last.shutdown().await.expect("it is open");
    let refused = raw::read(last).await;
    assert!(refused.starts_with("HTTP/1.1 429"), "{refused}");
    assert!(refused.contains("an account has at most 32 unfinished bodies at once"), "{refused}");
    drop(all);
    process.is_clean().await;
}

#[tokio::test]
async fn an_inherited_listener_serves() {
    let _alone = ALONE.lock().await;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let process = Process::with(Duration::from_secs(30), |command| {
        let listener = std::os::fd::OwnedFd::from(listener);
        command.stdin(listener).env("FEDISPEC_INHERITS", "yes");
    });
    assert_eq!(process.address, address);
    is_served(&process, "inherited").await;
}

#[tokio::test]
async fn what_a_killed_server_left_is_swept() {
    let _alone = ALONE.lock().await;
    let folder = tempfile::tempdir().expect("a folder");
    let start = || {
        Process::with(Duration::from_secs(30), |command| {
            command.env("FEDISPEC_UPLOADS", folder.path());
        })
    };
    let files = || std::fs::read_dir(folder.path()).expect("a folder").count();
    let upload = async |process: &Process, count: usize| {
        let mut socket = process.connect().await;
        let head = "POST /api/v2/media HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer owners-token\r\n\
             Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 9000000\r\n\r\n\
             --b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n";
        socket.write_all(head.as_bytes()).await.expect("it listens");
        let half = vec![7; 4_000_000];
        socket.write_all(&half).await.expect("it listens");
        let begun = Instant::now();
        while files() < count {
            assert!(begun.elapsed() < HANGS, "nothing is on disk");
            sleep(Duration::from_millis(5)).await;
        }
        socket
    };
    let mut first = start();
    let socket = upload(&first, 1).await;
    first.kill();
    drop(socket);
    assert_eq!(files(), 1, "it was killed");
    std::fs::write(folder.path().join("somebody's"), "own").expect("a file");
    // The next start sweeps it, and not what another server is writing.
    let second = start();
    assert_eq!(files(), 1);
    let socket = upload(&second, 2).await;
    let third = start();
    assert_eq!(files(), 2);
    drop((socket, third));
    let begun = Instant::now();
    while files() > 1 {
        assert!(begun.elapsed() < HANGS, "a file is left");
        sleep(Duration::from_millis(5)).await;
    }
}
