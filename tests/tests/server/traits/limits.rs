//! Limits on the size of a request and on the time that it takes.

use std::time::Duration;

use fedispec::server::{Listen, RequestLimits};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

use crate::traits::app::{Running, TOKEN};
use crate::traits::raw::{HANGS, exchange, get, read, send};

#[tokio::test]
async fn a_url_and_headers_have_a_length() {
    let site = Running::start(RequestLimits::default().url(100).headers(400)).await;
    let path = |length| format!("/api/v1/accounts/1?a={}", "b".repeat(length));
    assert_eq!(get(site.address, &path(10), None).await.status, 200);
    let answer = get(site.address, &path(100), None).await;
    assert_eq!((answer.status, answer.error().as_str()), (414, "the URL is longer than 100 bytes"));
    let head = format!("GET /api/v1/accounts/1 HTTP/1.1\nX-Long: {}", "a".repeat(400));
    let answer = send(site.address, &head, "").await;
    assert_eq!(
        (answer.status, answer.error().as_str()),
        (431, "the headers are longer than 400 bytes")
    );
}

#[tokio::test]
async fn what_the_listener_bounds_needs_no_router() {
    let site = Running::start(RequestLimits::default()).await;
    let line = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(200_000));
    assert!(exchange(site.address, line.as_bytes()).await.starts_with("HTTP/1.1 4"));
    let many = "X-A: 1\r\n".repeat(500);
    let head = format!("GET / HTTP/1.1\r\n{many}\r\n");
    assert!(exchange(site.address, head.as_bytes()).await.starts_with("HTTP/1.1 431"));
}

#[tokio::test]
async fn nesting_has_a_depth() {
    let site = Running::start(RequestLimits::default().nesting(3)).await;
    let post = async |kind: &str, body: &str| {
        let head = format!(
            "POST /api/v1/lists HTTP/1.1\nAuthorization: Bearer {TOKEN}\nContent-Type: {kind}"
        );
        send(site.address, &head, body).await.status
    };
    let form = "application/x-www-form-urlencoded";
    assert_eq!(post(form, "title=a&b[c][d][e]=1").await, 200);
    assert_eq!(post(form, "title=a&b[c][d][e][f]=1").await, 400);
    let json = "application/json";
    assert_eq!(post(json, r#"{"title":"a","b":{"c":{"d":1}}}"#).await, 200);
    assert_eq!(post(json, r#"{"title":"a","b":{"c":{"d":{"e":{}}}}}"#).await, 400);
}

#[tokio::test]
async fn a_body_that_does_not_come_is_not_waited_for() {
    let limits = RequestLimits::default().linger(Duration::from_millis(50));
    let site = Running::start(limits.patience(Duration::from_millis(50))).await;
    for kind in ["application/x-www-form-urlencoded", "multipart/form-data; boundary=b"] {
        let mut socket = TcpStream::connect(site.address).await.expect("a connection");
        let head = format!(
            "POST /api/v1/lists HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {TOKEN}\r\n\
             Content-Type: {kind}\r\nContent-Length: 1000\r\n\r\n--b"
        );
        socket.write_all(head.as_bytes()).await.expect("it listens");
        let answer = read(socket).await;
        assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
        assert!(answer.contains("took too long"), "{answer}");
    }
}

#[tokio::test]
async fn a_body_that_trickles_is_not_waited_for_either() {
    let limits = RequestLimits::default().linger(Duration::from_millis(100));
    let site = Running::start(limits.patience(Duration::from_millis(100))).await;
    let lists = format!("POST /api/v1/lists HTTP/1.1\r\nAuthorization: Bearer {TOKEN}");
    let chunked = format!("{lists}\r\nTransfer-Encoding: chunked");
    let part = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\na\r\n--b--\r\n";
    let upload = format!(
        "POST /api/v2/media HTTP/1.1\r\nAuthorization: Bearer {TOKEN}\r\n\
         Content-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked"
    );
    let (token, nothing) = ("POST /oauth/token HTTP/1.1", "POST /api/v1/nothing HTTP/1.1");
    for (head, first, drip, status) in [
        (format!("{lists}\r\nContent-Length: 100000"), "", "a", 408),
        (chunked.clone(), "", "1\r\na\r\n", 408),
        (format!("{token}\r\nTransfer-Encoding: chunked"), "", "1\r\na\r\n", 408),
        // The size of a chunk, its extension, and what follows the last one.
        (chunked.clone(), "", "0", 408),
        (chunked.clone(), "1;", "a", 408),
        (chunked, "7\r\ntitle=a\r\n0\r\n", "X-A: a\r\n", 408),
        // The server does not wait without end for a body that is not read.
        (format!("{nothing}\r\nTransfer-Encoding: chunked"), "", "1\r\na\r\n", 404),
        (upload, &*format!("{:x}\r\n{part}\r\n", part.len()), "1\r\na\r\n", 200),
    ] {
        let socket = TcpStream::connect(site.address).await;
        let (mut reader, mut writer) = socket.expect("a connection").into_split();
        let head = format!("{head}\r\nHost: a\r\n\r\n{first}");
        let trickle = tokio::spawn(async move {
            let _ = writer.write_all(head.as_bytes()).await;
            while writer.write_all(drip.as_bytes()).await.is_ok() {
                sleep(Duration::from_millis(10)).await;
            }
        });
        let mut answer = Vec::new();
        let read = tokio::io::AsyncReadExt::read_to_end(&mut reader, &mut answer);
        // The last bytes that are sent may reset the connection once it is closed.
        let _ = timeout(HANGS, read).await.expect("it hangs");
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{drip}: {answer}");
        assert!(answer.contains("connection: close"), "{drip}: {answer}");
        trickle.abort();
    }
}

#[tokio::test]
async fn a_body_is_taken_as_it_is_only() {
    let site = Running::start(RequestLimits::default()).await;
    for (coding, status) in [
        ("Content-Encoding: identity", 200),
        ("Content-Encoding: gzip", 415),
        ("Content-Encoding: identity, br", 415),
        ("Transfer-Encoding: chunked", 200),
        ("Transfer-Encoding: gzip, chunked", 501),
    ] {
        let body = if coding.starts_with('T') {
            "Connection: close\r\n\r\n7\r\ntitle=a\r\n0\r\n\r\n"
        } else {
            "Connection: close\r\nContent-Length: 7\r\n\r\ntitle=a"
        };
        let request = format!(
            "POST /api/v1/lists HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {TOKEN}\r\n{coding}\r\n{body}"
        );
        let answer = exchange(site.address, request.as_bytes()).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{coding}: {answer}");
    }
}

#[tokio::test]
async fn a_body_that_breaks_off_is_told_so() {
    let site = Running::start(RequestLimits::default()).await;
    let head = format!(
        "POST /api/v1/lists HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {TOKEN}\r\n\
         Content-Length: 1000\r\n\r\ntitle=a"
    );
    // An incomplete request never reaches the handler.
    let _ = exchange(site.address, head.as_bytes()).await;
    let answer = get(site.address, "/api/v1/lists", Some(TOKEN)).await;
    assert_eq!(answer.body, "[]");
}

#[tokio::test]
async fn a_listener_has_an_end() {
    let site = Running::start(RequestLimits::default()).await;
    let router = crate::traits::app::server(site.app.clone()).into_router();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    let listen = Listen::new(listener).until(async { drop(ended.await) });
    let served = tokio::spawn(listen.serve(router));
    // One connection is idle, and on one a request is under way.
    let _idle = TcpStream::connect(address).await.expect("a connection");
    let mut socket = TcpStream::connect(address).await.expect("a connection");
    let head = format!(
        "POST /api/v1/lists HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {TOKEN}\r\n\
         Content-Length: 7\r\nExpect: 100-continue\r\n\r\n"
    );
    socket.write_all(head.as_bytes()).await.expect("it listens");
    let mut told = [0; 25];
    let asked = tokio::io::AsyncReadExt::read_exact(&mut socket, &mut told).await;
    asked.expect("the server asks for the body");
    end.send(()).expect("it runs");
    while TcpStream::connect(address).await.is_ok() {
        sleep(Duration::from_millis(5)).await;
    }
    socket.write_all(b"title=a").await.expect("it listens");
    let answer = read(socket).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    served.await.expect("no panic").expect("it served");
}
