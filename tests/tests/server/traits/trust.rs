//! The trusted parts of a request, early refusals, and the end of serving.

use std::time::{Duration, Instant};

use fedispec::server::{Listen, RequestLimits};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::time::timeout;

use crate::traits::app::{Running, TOKEN};
use crate::traits::raw::{exchange, get, read, send};

const HANGS: Duration = Duration::from_secs(60);

/// A server whose limits are changed for one operation or more.
async fn with(
    limits: RequestLimits,
    build: impl FnOnce(fedispec::server::Server) -> fedispec::server::Server,
) -> Running {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    Running::on(Listen::new(listener), address, limits, build)
}

const FORM: &str = "Content-Type: application/x-www-form-urlencoded";

#[tokio::test]
async fn a_body_of_somebody_unknown_is_short() {
    let limits = RequestLimits::default().anonymous_body(100);
    let site =
        with(limits.clone(), |server| server.limits_for("apps.create", limits.anonymous_body(200)))
            .await;
    let post = async |path: &str, token: &str, body: &str| {
        let head = format!("POST {path} HTTP/1.1\n{FORM}{token}");
        let answer = send(site.address, &head, body).await;
        (answer.status, answer.body)
    };
    let long = |name: &str, length: usize| format!("{name}={}", "a".repeat(length));
    let too_long = (413, r#"{"error":"the body is longer than 100 bytes"}"#.to_owned());
    // A user's operation without a token in the head, with one in the body, and public ones.
    assert_eq!(post("/api/v1/lists", "", &long("title", 100)).await, too_long);
    let body = format!("access_token={TOKEN}&title=a");
    assert_eq!(post("/api/v1/lists", "", &body).await.0, 200);
    let body = format!("{body}{}", "a".repeat(100));
    assert_eq!(post("/api/v1/lists", "", &body).await, too_long);
    let (status, told) = post("/oauth/token", "", &long("scope", 100)).await;
    assert_eq!(status, 413);
    assert!(told.contains("the body is longer than 100 bytes"), "{told}");
    let app = "client_name=a&redirect_uris=";
    assert_eq!(post("/api/v1/apps", "", &long(app, 100)).await.0, 200);
    assert_eq!(post("/api/v1/apps", "", &long(app, 200)).await.0, 413);
    // A user may send more, an application may not.
    let user = format!("\nAuthorization: Bearer {TOKEN}");
    assert_eq!(post("/api/v1/lists", &user, &long("title", 9000)).await.0, 200);
    let app = "\nAuthorization: Bearer a:read";
    let (status, _) = post("/oauth/token", app, &long("scope", 100)).await;
    assert_eq!(status, 413);
}

#[tokio::test]
async fn the_memory_for_bodies_has_an_end() {
    let limits = RequestLimits::default().anonymous_memory(1000);
    let site = with(limits, |server| server).await;
    let head = |length: usize| {
        format!("POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\n")
    };
    // One holds all there is.
    let mut first = TcpStream::connect(site.address).await.expect("it listens");
    let sent = format!("{}scope={}", head(9000), "a".repeat(5000 - 6));
    first.write_all(sent.as_bytes()).await.expect("it listens");
    let mut second = TcpStream::connect(site.address).await.expect("it listens");
    let sent = format!("{}scope={}", head(9000), "a".repeat(5000 - 6));
    second.write_all(sent.as_bytes()).await.expect("it listens");
    let (mut told, mut other) = (vec![0; 1000], vec![0; 1000]);
    let answered = tokio::select! {
        read = first.read(&mut told) => read,
        read = second.read(&mut other) => {
            told = other;
            read
        }
    };
    let told = String::from_utf8_lossy(&told[..answered.expect("an answer")]).to_ascii_lowercase();
    assert!(told.starts_with("http/1.1 503") && told.contains("retry-after: 1"), "{told}");
    // Small ones still come in.
    let head = format!("POST /api/v1/apps HTTP/1.1\n{FORM}");
    let body = "client_name=a&redirect_uris=a";
    assert_eq!(send(site.address, &head, body).await.status, 200);
    drop((first, second));
    let body = format!("{body}&scopes={}", "a".repeat(4900));
    let start = Instant::now();
    while send(site.address, &head, &body).await.status != 200 {
        assert!(start.elapsed() < HANGS, "it is not given back");
    }
}

#[tokio::test]
async fn tokens_in_bodies_can_be_left_out() {
    let limits = RequestLimits::default().token_in_body(false);
    let site = with(limits, |server| server).await;
    // It is refused before the body has come.
    let head = format!(
        "POST /api/v1/lists HTTP/1.1\r\nHost: a\r\n{FORM}\r\nContent-Length: 1000\r\n\r\naccess_token={TOKEN}"
    );
    let mut socket = TcpStream::connect(site.address).await.expect("it listens");
    socket.write_all(head.as_bytes()).await.expect("it listens");
    let mut told = [0; 12];
    let read = timeout(HANGS, socket.read_exact(&mut told)).await;
    read.expect("it hangs").expect("an answer");
    assert_eq!(&told, b"HTTP/1.1 401");
}

#[tokio::test]
async fn an_operation_may_have_its_own_limits() {
    let limits = RequestLimits::default();
    let site = with(limits.clone(), |server| {
        server.limits_for("accounts.update_credentials", limits.file(1000))
    })
    .await;
    let post = async |line: &str, name: &str, length: usize| {
        let head = format!(
            "{line} HTTP/1.1\nAuthorization: Bearer {TOKEN}\nContent-Type: multipart/form-data; boundary=b"
        );
        let body = format!(
            "--b\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"a\"\r\n\r\n{}\r\n--b--\r\n",
            "a".repeat(length)
        );
        send(site.address, &head, &body).await.status
    };
    let avatar = "PATCH /api/v1/accounts/update_credentials";
    assert_eq!(post(avatar, "avatar", 1000).await, 200);
    assert_eq!(post(avatar, "avatar", 1001).await, 413);
    assert_eq!(post("POST /api/v2/media", "file", 9000).await, 200);
}

#[test]
#[should_panic(expected = "no operation has the id `media.uplaod`")]
fn limits_are_for_an_operation_that_exists() {
    let limits = RequestLimits::default();
    let _ = fedispec::server::Server::new().limits_for("media.uplaod", limits);
}

#[tokio::test]
async fn a_text_that_comes_as_a_file_is_refused_before_it_has_come() {
    let site = with(RequestLimits::default(), |server| server).await;
    let mut socket = TcpStream::connect(site.address).await.expect("it listens");
    let head = format!(
        "POST /api/v2/media HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {TOKEN}\r\n\
         Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 80000000\r\n\r\n\
         --b\r\nContent-Disposition: form-data; name=\"description\"; filename=\"a\"\r\n\r\naaaa"
    );
    socket.write_all(head.as_bytes()).await.expect("it listens");
    let mut told = vec![0; 1000];
    let read = timeout(HANGS, socket.read(&mut told)).await;
    let read = read.expect("it hangs").expect("an answer");
    let told = String::from_utf8_lossy(&told[..read]);
    assert!(told.starts_with("HTTP/1.1 422"), "{told}");
    assert!(told.contains("description must not be a file"), "{told}");
}

#[tokio::test]
async fn a_handler_has_a_time_limit() {
    let limits = RequestLimits::default().handler(Duration::from_millis(50));
    let site = with(limits, |server| server).await;
    let answer = get(site.address, "/api/v1/accounts/slow", None).await;
    assert_eq!(
        (answer.status, answer.error().as_str()),
        (503, "The server took too long to answer")
    );
}

#[tokio::test]
async fn a_host_is_not_believed() {
    let link = async |site: &Running, host: &str| {
        let request = format!(
            "GET /api/v1/timelines/home?limit=1 HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
             X-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: gopher\r\n\
             Authorization: Bearer {TOKEN}\r\n\r\n"
        );
        let answer = exchange(site.address, request.as_bytes()).await;
        let header = answer.lines().find_map(|line| line.strip_prefix("link: <"));
        let (link, _) = header.expect("a link").split_once("/api/").expect("a path");
        link.to_owned()
    };
    let post = async |site: &Running| {
        let head = format!("POST /api/v1/statuses HTTP/1.1\nAuthorization: Bearer {TOKEN}\n{FORM}");
        for _ in 0..3 {
            assert_eq!(send(site.address, &head, "status=a").await.status, 200);
        }
    };
    let site = with(RequestLimits::default(), |server| server).await;
    post(&site).await;
    assert_eq!(link(&site, "evil.example").await, "");
    assert_eq!(link(&site, "127.0.0.1.evil.example").await, "");
    assert_eq!(link(&site, "localhost@evil.example").await, "");
    assert_eq!(link(&site, "[::1]:99").await, "http://[::1]:99");
    assert_eq!(link(&site, "127.0.0.1:99").await, "http://127.0.0.1:99");
    let origins = ["https://a.example", "http://b.example:8080/"];
    let site = with(RequestLimits::default(), |server| server.public_origins(origins)).await;
    post(&site).await;
    for (host, origin) in [
        ("evil.example", "https://a.example"),
        ("A.example", "https://a.example"),
        ("b.example:8080", "http://b.example:8080"),
        ("127.0.0.1", "https://a.example"),
    ] {
        assert_eq!(link(&site, host).await, origin, "{host}");
    }
}

#[tokio::test]
async fn the_origin_that_a_trusted_proxy_tells_is_that_of_links() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let listen = Listen::new(listener).trusted_proxies(["127.0.0.0/8"]).expect("a network");
    let site = Running::on(listen, address, RequestLimits::default(), |server| server);
    let head = format!("POST /api/v1/statuses HTTP/1.1\nAuthorization: Bearer {TOKEN}\n{FORM}");
    for _ in 0..3 {
        assert_eq!(send(site.address, &head, "status=a").await.status, 200);
    }
    let ask = async |rest: &str| {
        let head = "GET /api/v1/timelines/home?limit=1 HTTP/1.1";
        let head = format!("{head}\nAuthorization: Bearer {TOKEN}{rest}");
        let answer = send(site.address, &head, "").await;
        let link = answer.header("link").expect("links").to_owned();
        link.split_once("/api/").expect("a path").0.to_owned()
    };
    assert_eq!(ask("").await, format!("<http://{address}"));
    let forwarded = "\nX-Forwarded-Host: social.example\nX-Forwarded-Proto: https";
    assert_eq!(ask(forwarded).await, "<https://social.example");
}

#[tokio::test]
async fn a_request_has_one_host() {
    let site = with(RequestLimits::default(), |server| server).await;
    for path in ["/api/v1/accounts/7", "/nothing"] {
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n");
        let answer = exchange(site.address, request.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
        assert!(answer.contains("a request has one Host header"), "{answer}");
        // HTTP/1.0 has no such header.
        for (version, status) in [("1.1", 400), ("1.0", if path == "/nothing" { 404 } else { 200 })]
        {
            let request = format!("GET {path} HTTP/{version}\r\nConnection: close\r\n\r\n");
            let answer = exchange(site.address, request.as_bytes()).await;
            let wanted = format!("HTTP/{version} {status}");
            assert!(answer.starts_with(&wanted), "{answer}");
        }
    }
}

#[tokio::test]
async fn texts_are_utf_8_without_nul() {
    let site = with(RequestLimits::default(), |server| server).await;
    let post = async |kind: &str, body: &[u8]| {
        let length = body.len();
        let head = format!(
            "POST /api/v1/lists HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer {TOKEN}\r\n\
             Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n"
        );
        let answer = exchange(site.address, &[head.as_bytes(), body].concat()).await;
        answer.split(' ').nth(1).expect("a status").to_owned()
    };
    let form = "application/x-www-form-urlencoded";
    for (body, status) in [
        (&b"title=a%00b"[..], "400"),
        (b"title=a\0b", "400"),
        (b"title=%ff", "400"),
        (b"title=\xff", "400"),
        (b"title=a&b%00=c", "400"),
        (b"title=%e2%82%ac", "200"),
    ] {
        assert_eq!(post(form, body).await, status, "{body:?}");
    }
    let json = "application/json";
    assert_eq!(post(json, br#"{"title":"a\u0000b"}"#).await, "400");
    assert_eq!(post(json, br#"{"title":"a","b\u0000":1}"#).await, "400");
    assert_eq!(post(json, b"{\"title\":\"\xff\"}").await, "400");
    assert_eq!(post(json, br#"{"title":"a","b":{"c":["\u0000"]}}"#).await, "400");
    for (value, status) in [(&b"\xff"[..], "400"), (b"a\0", "400"), (b"a", "200")] {
        let part = b"--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\n";
        let body = [part, value, b"\r\n--b--\r\n"].concat();
        assert_eq!(post("multipart/form-data; boundary=b", &body).await, status);
    }
    for (path, status) in [
        ("/api/v1/accounts/%00", 422),
        ("/api/v1/accounts/%ff", 422),
        ("/api/v1/accounts/7?a=%00", 400),
    ] {
        assert_eq!(get(site.address, path, None).await.status, status, "{path}");
    }
    let request = format!(
        "POST /api/v1/statuses HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer {TOKEN}\r\n\
         Content-Length: 8\r\nIdempotency-Key: "
    );
    let request = [request.as_bytes(), b"\xff\r\n\r\nstatus=a"].concat();
    assert!(exchange(site.address, &request).await.starts_with("HTTP/1.1 400"));
}

#[tokio::test]
async fn a_client_has_an_address() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let listen = Listen::new(listener).trusted_proxies(["127.0.0.0/8"]).expect("a network");
    let site = Running::on(listen, address, RequestLimits::default(), |server| server);
    let ask = async |forwarded: &str| {
        let head = format!("GET /api/v1/accounts/peer HTTP/1.1{forwarded}");
        let answer = send(address, &head, "").await;
        let account: fedispec::runtime::Json = serde_json::from_str(&answer.body).expect("JSON");
        account["id"].as_str().expect("an id").to_owned()
    };
    assert_eq!(ask("").await, "127.0.0.1");
    assert_eq!(ask("\nX-Forwarded-For: 192.0.2.1, 198.51.100.7").await, "198.51.100.7");
    drop(site);
    let site = Running::start(RequestLimits::default()).await;
    let head = "GET /api/v1/accounts/peer HTTP/1.1\nX-Forwarded-For: 198.51.100.7";
    assert!(send(site.address, head, "").await.body.contains(r#""id":"127.0.0.1""#));
    assert!(
        Listen::new(std::net::TcpListener::bind("127.0.0.1:0").expect("a port"))
            .trusted_proxies(["localhost"])
            .is_err()
    );
}

#[tokio::test]
async fn a_unix_socket_serves() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("socket");
    let listener = UnixListener::bind(&path).expect("a socket");
    let nowhere = "127.0.0.1:1".parse().expect("an address");
    let limits = RequestLimits::default();
    let _site = Running::on(Listen::new(listener), nowhere, limits, |server| server);
    for (forwarded, peer) in [("", ""), ("X-Forwarded-For: 192.0.2.1\r\n", "192.0.2.1")] {
        let mut socket = UnixStream::connect(&path).await.expect("it listens");
        let head = format!(
            "GET /api/v1/accounts/peer HTTP/1.1\r\nHost: a\r\n{forwarded}Connection: close\r\n\r\n"
        );
        socket.write_all(head.as_bytes()).await.expect("it listens");
        let mut answer = String::new();
        socket.read_to_string(&mut answer).await.expect("an answer");
        assert!(answer.contains(&format!(r#""id":"{peer}""#)), "{answer}");
    }
}

#[tokio::test]
async fn at_the_end_streams_end_at_once() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    let listen = Listen::new(listener).until(async { drop(ended.await) });
    let site = Running::on(listen, address, RequestLimits::default(), |server| server);
    let open = async |rest: &str, until: &str| {
        let mut socket = TcpStream::connect(address).await.expect("it listens");
        let head = format!("GET /api/v1/streaming{rest}\r\nHost: a\r\n\r\n");
        socket.write_all(head.as_bytes()).await.expect("it listens");
        let mut told = String::new();
        while !told.ends_with(until) {
            told.push(char::from(socket.read_u8().await.expect("an answer")));
        }
        socket
    };
    let query = format!("access_token={TOKEN}");
    let events = open(&format!("/user?{query} HTTP/1.1"), ":)\n\r\n").await;
    let upgrade = format!(
        "?{query} HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    );
    let mut socket = open(&upgrade, "\r\n\r\n").await;
    let start = Instant::now();
    end.send(()).expect("it runs");
    assert_eq!(read(events).await, "0\r\n\r\n");
    let mut frame = [0; 4];
    socket.read_exact(&mut frame).await.expect("a frame");
    assert_eq!((frame[0], u16::from_be_bytes([frame[2], frame[3]])), (0x88, 1001));
    drop(socket);
    let served = timeout(HANGS, site.served).await;
    served.expect("it hangs").expect("no panic").expect("it served");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}
