//! Streams whose token is revoked while they are open.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use fedispec::runtime::Secret;
use fedispec::server::{Caller, Error, OpenStreams};

use super::*;

/// A site whose tokens, each an account's of the same name, hold until they are revoked.
struct Revocable {
    site: Running,
    are_revoked: Arc<AtomicBool>,
    is_broken: Arc<AtomicBool>,
    asked: Arc<AtomicUsize>,
    streams: OpenStreams,
}

impl Revocable {
    async fn start(limits: RequestLimits) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (are_revoked, is_broken) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
        let asked = Arc::<AtomicUsize>::default();
        let flags = (Arc::clone(&are_revoked), Arc::clone(&is_broken), Arc::clone(&asked));
        let streams = Arc::new(Mutex::new(None));
        let known = Arc::clone(&streams);
        let site = Running::on(Listen::new(listener), address, limits, |server| {
            let server = server.authenticator_with(
                flags,
                async |(revoked, broken, asked): (Arc<AtomicBool>, _, Arc<AtomicUsize>), token| {
                    let broken: Arc<AtomicBool> = broken;
                    let token: Secret = token;
                    asked.fetch_add(1, Ordering::SeqCst);
                    if broken.load(Ordering::SeqCst) {
                        return Err(Error::unavailable());
                    }
                    if revoked.load(Ordering::SeqCst) {
                        return Err(Error::token_revoked());
                    }
                    Ok(Caller::user(token.expose(), "read"))
                },
            );
            *known.lock().expect("no panic") = Some(server.streams());
            server
        });
        let streams = streams.lock().expect("no panic").take().expect("it was built");
        Self { site, are_revoked, is_broken, asked, streams }
    }

    async fn socket(&self, token: &str) -> Line {
        let (status, line) =
            opened(self.site.address, &upgrade(&format!("?access_token={token} HTTP/1.1"))).await;
        assert_eq!(status, 101);
        line
    }

    async fn events(&self, token: &str) -> Line {
        let head = format!("GET /api/v1/streaming/user HTTP/1.1\nAuthorization: Bearer {token}");
        let (status, line) = opened(self.site.address, &head).await;
        assert_eq!(status, 200);
        line
    }
}

/// The connection may be used again.
const LAST_CHUNK: &[u8] = b"\r\n0\r\n\r\n";
const SUBSCRIBE: &str = r#"{"type":"subscribe","stream":"user"}"#;

#[tokio::test]
async fn a_revoked_token_does_not_subscribe() {
    let all = Revocable::start(RequestLimits::default()).await;
    let mut line = all.socket("7").await;
    all.are_revoked.store(true, Ordering::SeqCst);
    line.say(SUBSCRIBE).await;
    let told = line.frame().await;
    assert_eq!(told["status"], 401, "{told}");
    assert_eq!(closes(&mut line).await, 1008);
    line.ended().await;
}

#[tokio::test]
async fn streams_of_a_token_or_an_account_are_ended() {
    let all = Revocable::start(RequestLimits::default()).await;
    let (mut socket, mut events) = (all.socket("7").await, all.events("7").await);
    let (mut other, mut kept) = (all.events("8").await, all.socket("9").await);
    assert_eq!(all.streams.len(), 4);
    assert_eq!(all.streams.close_token(&Secret::from("7")), 2);
    assert_eq!(closes(&mut socket).await, 1008);
    socket.ended().await;
    events.until(LAST_CHUNK).await;
    assert_eq!(all.streams.close_account(&"8".into()), 1);
    other.until(LAST_CHUNK).await;
    kept.say(SUBSCRIBE).await;
    kept.say(r#"{"type":"subscribe","stream":"nothing"}"#).await;
    assert_eq!(kept.frame().await["error"], "Unknown stream type");
    assert_eq!((all.streams.len(), all.streams.close_token(&Secret::from("7"))), (1, 0));
}

#[tokio::test]
async fn who_is_not_told_asks_again() {
    let limits = RequestLimits::default().revalidate(Duration::from_millis(20));
    let all = Revocable::start(limits).await;
    let (mut socket, mut events) = (all.socket("7").await, all.events("7").await);
    // A store that cannot be asked refuses nobody.
    all.is_broken.store(true, Ordering::SeqCst);
    let before = all.asked.load(Ordering::SeqCst);
    let asked = async {
        while all.asked.load(Ordering::SeqCst) < before + 6 {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(HANGS, asked).await.expect("the authenticator is asked");
    assert_eq!(all.streams.len(), 2);
    all.are_revoked.store(true, Ordering::SeqCst);
    all.is_broken.store(false, Ordering::SeqCst);
    assert_eq!(closes(&mut socket).await, 1008);
    socket.ended().await;
    events.until(LAST_CHUNK).await;
}

#[tokio::test]
async fn a_server_is_asked_before_a_subscription_too() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let limits = RequestLimits::default();
    let refuse = |server: Server| server.before(|_| Err(Error::forbidden()));
    let site = Running::on(Listen::new(listener), address, limits, refuse);
    let mut line = socket(&site).await;
    line.say(SUBSCRIBE).await;
    assert_eq!(line.frame().await["status"], 403);
}
