//! Clients that hang up, or have waited too long, and ask again.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use fedispec::entities::{ScheduledStatus, Status};
use fedispec::runtime::{Either, Json, Secret};
use fedispec::server::{self, Call, Caller, Listen, RequestLimits, Result, Server};
use fedispec::statuses;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::traits::entities;
use crate::traits::raw::{Answer, HANGS, read, send};

/// Numbers the posts when it is let, and tells that one has begun.
#[derive(Clone)]
struct Slow {
    begun: Arc<Semaphore>,
    goes_on: Arc<Semaphore>,
    done: Arc<AtomicUsize>,
}

impl server::Statuses for Slow {
    async fn create(
        &self,
        _: statuses::Create,
        _: Call,
    ) -> Result<Either<ScheduledStatus, Status>> {
        // It is counted until the call ends or is dropped.
        let _running = Arc::clone(&self.begun);
        self.begun.add_permits(1);
        self.goes_on.acquire().await.expect("it is open").forget();
        let number = self.done.fetch_add(1, Ordering::SeqCst);
        Ok(Either::Second(entities::status(&number.to_string())))
    }
}

/// A server, and what its handler waits for.
struct Site {
    address: SocketAddr,
    app: Slow,
    end: Arc<Notify>,
    serving: JoinHandle<std::io::Result<()>>,
}

impl Site {
    async fn with(limits: RequestLimits, change: impl FnOnce(Server) -> Server) -> Self {
        let app = Slow {
            begun: Arc::new(Semaphore::new(0)),
            goes_on: Arc::new(Semaphore::new(0)),
            done: Arc::default(),
        };
        let caller = async |token: Secret| Ok(Caller::user(token.expose(), "write"));
        let server = Server::new().authenticator(caller).statuses(app.clone()).limits(limits);
        let router = change(server.idempotency(Duration::from_secs(60), 2)).into_router();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let end = Arc::new(Notify::new());
        let ended = Arc::clone(&end);
        let listen = Listen::new(listener).until(async move { ended.notified().await });
        Self { address, app, end, serving: tokio::spawn(listen.serve(router)) }
    }

    fn head(key: &str) -> String {
        let key = if key.is_empty() { String::new() } else { format!("\nIdempotency-Key: {key}") };
        format!(
            "POST /api/v1/statuses HTTP/1.1\nAuthorization: Bearer 7{key}\nContent-Type: application/x-www-form-urlencoded"
        )
    }

    async fn post(&self, key: &str) -> Answer {
        send(self.address, &Self::head(key), "status=a").await
    }

    /// Sends a part of a post, and hangs up when its handler has begun.
    async fn post_and_hang_up(&self, key: &str) {
        let socket = self.sent(key, "status=a").await;
        self.begins().await;
        drop(socket);
    }

    async fn sent(&self, key: &str, body: &str) -> TcpStream {
        let head = Self::head(key).replace('\n', "\r\n");
        let request = format!("{head}\r\nHost: a\r\nContent-Length: 8\r\n\r\n{body}");
        let mut socket = TcpStream::connect(self.address).await.expect("a connection");
        socket.write_all(request.as_bytes()).await.expect("it listens");
        socket
    }

    async fn begins(&self) {
        let begun = timeout(HANGS, self.app.begun.acquire()).await;
        begun.expect("a handler begins").expect("it is open").forget();
    }

    fn goes_on(&self) {
        self.app.goes_on.add_permits(1);
    }

    async fn until(&self, is_so: impl Fn(&Slow) -> bool) {
        let soon = async {
            while !is_so(&self.app) {
                tokio::task::yield_now().await;
            }
        };
        timeout(HANGS, soon).await.expect("it comes to that");
    }

    fn done(&self) -> usize {
        self.app.done.load(Ordering::SeqCst)
    }
}

/// The status of an answer, and the id of the post in it.
fn told(answer: &Answer) -> (u16, String) {
    let body: Json = serde_json::from_str(&answer.body).expect(&answer.body);
    (answer.status, body["id"].as_str().unwrap_or_default().to_owned())
}

fn posted(id: &str) -> (u16, String) {
    (200, id.to_owned())
}

#[tokio::test]
async fn who_hangs_up_and_asks_again_has_posted_once() {
    let site = Site::with(RequestLimits::default(), |server| server).await;
    site.post_and_hang_up("a").await;
    // The repetition waits for the handler that runs, and so does one that hangs up in its turn.
    drop(site.sent("a", "status=a").await);
    let (again, ()) = tokio::join!(site.post("a"), async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        site.goes_on();
    });
    assert_eq!((told(&again), site.done()), (posted("0"), 1));
    // Afterwards it is remembered, though other keys would take its place while they run.
    site.post_and_hang_up("b").await;
    site.post_and_hang_up("c").await;
    site.post_and_hang_up("d").await;
    for _ in 0..3 {
        site.goes_on();
    }
    let mut ids = Vec::new();
    for key in ["b", "c", "d"] {
        ids.push(told(&site.post(key).await).1);
    }
    ids.sort();
    assert_eq!((ids.join(" ").as_str(), site.done()), ("1 2 3", 4));
}

#[tokio::test]
async fn a_body_that_breaks_off_has_done_nothing() {
    let site = Site::with(RequestLimits::default(), |server| server).await;
    drop(site.sent("a", "sta").await);
    site.goes_on();
    assert_eq!(told(&site.post("a").await), posted("0"));
}

#[tokio::test]
async fn who_has_waited_too_long_gets_the_answer_later() {
    let limits = RequestLimits::default().handler(Duration::from_millis(50));
    let site = Site::with(limits, |server| server).await;
    assert_eq!(site.post("a").await.status, 503);
    assert_eq!(site.post("a").await.status, 503);
    site.goes_on();
    let mut answer = site.post("a").await;
    while answer.status == 503 {
        answer = site.post("a").await;
    }
    assert_eq!((told(&answer), site.done()), (posted("0"), 1));
}

#[tokio::test]
async fn a_call_apart_has_a_last_limit() {
    let limits = RequestLimits::default().detached_time(Duration::from_millis(50));
    let site = Site::with(limits, |server| server).await;
    assert_eq!(site.post("a").await.status, 503);
    site.goes_on();
    // The first has ended without an act, and the repetition acts.
    assert_eq!((told(&site.post("a").await), site.done()), (posted("0"), 1));
}

#[tokio::test]
async fn an_account_has_so_many_calls_apart() {
    let site = Site::with(RequestLimits::default().detached(1), |server| server).await;
    site.post_and_hang_up("a").await;
    let refused = site.post("b").await;
    assert_eq!(
        (refused.status, refused.error().as_str()),
        (429, "an account has at most 1 calls that are not answered yet at once")
    );
    site.goes_on();
    site.until(|app| app.done.load(Ordering::SeqCst) == 1).await;
    site.goes_on();
    assert_eq!(told(&site.post("b").await), posted("1"));
}

#[tokio::test]
async fn calls_without_a_key_run_on_where_all_do() {
    let site = Site::with(RequestLimits::default(), |server| server).await;
    let idle = Arc::strong_count(&site.app.begun);
    site.post_and_hang_up("").await;
    site.until(|app| Arc::strong_count(&app.begun) == idle).await;
    // Its handler was dropped, and what it waited for is another's.
    site.goes_on();
    assert_eq!(told(&site.post("").await), posted("0"));

    let site = Site::with(RequestLimits::default(), Server::detached).await;
    site.post_and_hang_up("").await;
    site.goes_on();
    site.until(|app| app.done.load(Ordering::SeqCst) == 1).await;
    site.goes_on();
    assert_eq!(told(&site.post("").await), posted("1"));
}

#[tokio::test]
async fn a_server_that_stops_waits_for_calls_apart() {
    let site = Site::with(RequestLimits::default(), |server| server).await;
    let waiting = site.sent("a", "status=a").await;
    site.begins().await;
    site.post_and_hang_up("b").await;
    site.end.notify_one();
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(!site.serving.is_finished());
    site.goes_on();
    site.goes_on();
    assert!(read(waiting).await.starts_with("HTTP/1.1 200"));
    let served = timeout(HANGS, site.serving).await.expect("it ends");
    served.expect("no panic").expect("it listened");
    assert_eq!(site.app.done.load(Ordering::SeqCst), 2);
}
