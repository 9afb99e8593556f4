//! How a client treats a server: rate limits shared by clones, retries where they are safe, time limits, uploads with their progress, and
//! what of all that can be read in logs.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use fedispec::client::{
    BoxFuture, Client, ErrorKind, Policy, RateLimits, RemoteServer, Retries, Timer, TransportError,
    UploadError, gate,
};
use fedispec::entities::MediaAttachment;
use fedispec::enums::MediaAttachmentType;
use fedispec::runtime::File;
use fedispec::server::{self, Call, Error, Listen, Result, Server, StatusCode};
use fedispec::{instance, media, statuses};
use fedispec_tests::raw::{Act, Raw, response};
use tokio::net::TcpListener;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::entities;

const TOKEN: &str = "t0ken-of-nobody";
const LONG: Duration = Duration::from_secs(30);

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A clock that stands still but for sleeps, which take no time.
#[derive(Clone)]
struct Clock(Arc<Mutex<(SystemTime, Vec<u64>)>>);

impl Clock {
    fn new() -> Self {
        let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_728_390_000);
        Self(Arc::new(Mutex::new((start, Vec::new()))))
    }

    /// The sleeps so far, in milliseconds.
    fn slept(&self) -> Vec<u64> {
        std::mem::take(&mut lock(&self.0).1)
    }
}

impl Timer for Clock {
    fn now(&self) -> SystemTime {
        lock(&self.0).0
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        let mut clock = lock(&self.0);
        clock.0 += duration;
        clock.1.push(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX));
        Box::pin(std::future::ready(()))
    }

    fn jitter(&self) -> u32 {
        999
    }
}

fn client(origin: &str, clock: &Clock) -> Client {
    Client::new(origin).expect("a client").token(TOKEN).timer(clock.clone())
}

/// A server that gives these answers in turn, and the last one for ever.
async fn in_turn(answers: Vec<Vec<Act>>) -> Raw {
    let given = AtomicUsize::new(0);
    Raw::serve(move |_| {
        let place = given.fetch_add(1, Ordering::SeqCst);
        answers[place.min(answers.len() - 1)].clone()
    })
    .await
}

fn rules(headers: &[(&str, &str)]) -> Vec<Act> {
    response("200 OK", headers, r#"[{"id":"1","text":"Be kind."}]"#)
}

#[tokio::test]
async fn clones_share_what_is_left() {
    // As GoToSocial says it, in seconds, and as Mastodon does, as a date by a clock that is an hour ahead.
    let hour_ahead = "Tue, 08 Oct 2024 13:20:00 GMT";
    for headers in [
        vec![("x-ratelimit-reset", "1728390060")],
        vec![("x-ratelimit-reset", "2024-10-08T13:21:00.000Z"), ("date", hour_ahead)],
    ] {
        let mut headers = headers;
        headers.extend([("x-ratelimit-limit", "300"), ("x-ratelimit-remaining", "1")]);
        let (server, clock) = (in_turn(vec![rules(&headers), rules(&[])]).await, Clock::new());
        let client = client(&server.origin, &clock).rate_limits(RateLimits::Wait);
        let (one, other) = (client.clone(), client.clone());
        one.send(instance::Rules::new()).await.expect("rules");
        other.send(instance::Rules::new()).await.expect("the last one");
        assert_eq!(clock.slept(), [0_u64; 0]);
        one.send(instance::Rules::new()).await.expect("rules");
        assert_eq!(clock.slept(), [60_000], "{headers:?}");
        // Another user has a limit of their own.
        other.send(instance::Rules::new()).await.expect("rules");
    }
}

#[tokio::test]
async fn a_refusal_is_returned_or_waited_for() {
    let refused = |wait: &str| response("429 Too Many Requests", &[("retry-after", wait)], "{}");
    let clock = Clock::new();

    let server = in_turn(vec![refused("7")]).await;
    let error = client(&server.origin, &clock).send(instance::Rules::new()).await.expect_err("429");
    assert!(error.is_rate_limited(), "{error}");
    assert_eq!((clock.slept(), server.requests().len()), (vec![], 1));

    // A request that changes something too: the server has done nothing.
    let server = in_turn(vec![refused("7"), refused("0"), rules(&[])]).await;
    let patient = client(&server.origin, &clock).rate_limits(RateLimits::Wait);
    let error =
        patient.send(statuses::Create::text("Hello.")).await.expect_err("rules are no status");
    assert!(error.accepted().is_some(), "{error}");
    assert_eq!((clock.slept(), server.requests().len()), (vec![7000, 1000], 3));

    // Nobody waits for an hour, nor for ever.
    let server = in_turn(vec![refused("3600")]).await;
    let patient = client(&server.origin, &clock).rate_limits(RateLimits::Wait);
    for sent in [1, 1] {
        let error = patient.send(instance::Rules::new()).await.expect_err("429");
        assert!(error.is_rate_limited(), "{error}");
        assert_eq!((clock.slept(), server.requests().len()), (vec![], sent));
        if let ErrorKind::Transport(TransportError::Limited(wait)) = error.kind() {
            assert!(!error.is_sent() && *wait == Duration::from_secs(3600), "{error}");
        }
    }
    let server = in_turn(vec![refused("1")]).await;
    let patient = client(&server.origin, &clock).rate_limits(RateLimits::Wait);
    patient.send(instance::Rules::new()).await.expect_err("429");
    assert_eq!(server.requests().len(), 6);
}

#[tokio::test]
async fn only_what_may_be_repeated_is() {
    let busy = || response("503 Service Unavailable", &[], "{}");
    let clock = Clock::new();
    let retries = Retries::of(2);

    let server = in_turn(vec![busy(), vec![Act::Reset], rules(&[])]).await;
    let patient = client(&server.origin, &clock).retries(retries);
    patient.send(instance::Rules::new()).await.expect("rules");
    assert_eq!((clock.slept().len(), server.requests().len()), (2, 3));

    let server = in_turn(vec![busy()]).await;
    let patient = client(&server.origin, &clock).retries(retries);
    let error = patient.send(instance::Rules::new()).await.expect_err("503");
    assert_eq!(error.status(), Some(StatusCode::SERVICE_UNAVAILABLE));
    let slept = clock.slept();
    assert!(slept.len() == 2 && slept[0] < slept[1], "{slept:?}");
    assert_eq!(server.requests().len(), 3);

    let keyed = || statuses::Create::text("Hello.").idempotency_key("k3y");
    for (program, version, request, sent) in [
        ("mastodon", "4.3.0", keyed(), 3),
        ("mastodon", "4.3.0", statuses::Create::text("Hello."), 1),
        // It ignores the key.
        ("gotosocial", "0.19.2", keyed(), 1),
        // Nobody knows whether it does.
        ("misskey", "2024.5.0", keyed(), 1),
        ("pleroma", "2.7.0", keyed(), 3),
    ] {
        let server = in_turn(vec![busy()]).await;
        let known = gate(RemoteServer::of(program, version));
        let patient =
            client(&server.origin, &clock).retries(retries).knowing(known, Policy::Advise);
        patient.send(request).await.expect_err("503");
        assert_eq!(server.requests().len(), sent, "{program}");
    }
}

#[tokio::test]
async fn an_answer_has_a_time_limit_of_its_own() {
    let clock = Clock::new();
    let server = Raw::always(vec![Act::Hang]).await;
    let hasty = client(&server.origin, &clock).answer_timeout(Duration::from_millis(100));
    let limited = tokio::time::timeout(LONG, hasty.send(instance::Rules::new())).await;
    assert!(limited.expect("an end").expect_err("a hang").is_timeout());
    // A long wait after the head counts only against the limit of the whole.
    let slow = Act::Wait(Duration::from_millis(400));
    let body = r#"[{"id":"1","text":"Be kind."}]"#;
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
    let server = Raw::always(vec![Act::Send(head.into()), slow, Act::Send(body.into())]).await;
    let hasty = client(&server.origin, &clock).answer_timeout(Duration::from_millis(300));
    assert_eq!(hasty.send(instance::Rules::new()).await.expect("rules").len(), 1);
}

/// A server that processes uploads for a while, by their descriptions.
#[derive(Clone, Default)]
struct Media(Arc<AtomicUsize>);

impl Media {
    async fn serve() -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let router = Server::new().media(Self::default()).into_router();
        tokio::spawn(Listen::new(listener).serve(router));
        format!("http://{address}")
    }
}

fn medium(id: &str) -> MediaAttachment {
    let kind = MediaAttachmentType::Image;
    MediaAttachment { r#type: kind, ..entities::media(id) }
}

impl server::Media for Media {
    async fn upload(&self, request: media::Upload, call: Call) -> Result<MediaAttachment> {
        let told = request.description.unwrap_or_default();
        if told != "at once" {
            call.set_status(StatusCode::ACCEPTED)?;
        }
        Ok(medium(&told.replace(' ', "-")))
    }

    async fn get(&self, request: media::Get, call: Call) -> Result<MediaAttachment> {
        let id = request.id.as_str();
        match id {
            "broken" => return Err(Error::unprocessable("Error processing thumbnail")),
            "in-a-while" if self.0.fetch_add(1, Ordering::SeqCst) >= 3 => {}
            _ => call.set_status(StatusCode::PARTIAL_CONTENT)?,
        }
        Ok(medium(id))
    }
}

#[tokio::test]
async fn an_upload_tells_its_progress_and_waits_until_it_is_ready() {
    let (origin, clock) = (Media::serve().await, Clock::new());
    let client = client(&origin, &clock);
    let file = || File::new("a.png", vec![7; 300_000]).with_content_type("image/png");
    let upload =
        |description: &str| client.upload(media::Upload::new(file()).description(description));

    let told = Arc::new((AtomicU64::new(0), AtomicU64::new(0)));
    let here = Arc::clone(&told);
    let steps = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&steps);
    let slow = upload("in a while").progress(move |sent, whole| {
        assert!(here.0.swap(sent, Ordering::SeqCst) < sent && sent <= whole);
        here.1.store(whole, Ordering::SeqCst);
        counted.fetch_add(1, Ordering::SeqCst);
    });
    let answer = slow.ready(LONG).await.expect("a medium");
    assert_eq!((answer.status, answer.id.as_str()), (StatusCode::OK, "in-a-while"));
    assert_eq!(clock.slept(), [500, 1000, 2000, 4000]);
    let (sent, whole) = (told.0.load(Ordering::SeqCst), told.1.load(Ordering::SeqCst));
    assert!(sent == whole && whole > 300_000, "{sent} of {whole}");
    assert!(steps.load(Ordering::SeqCst) >= 5, "in pieces of 64 KiB");

    upload("at once").ready(LONG).await.expect("a medium");
    assert_eq!(clock.slept(), [0_u64; 0]);
    let error = upload("broken").ready(LONG).await.expect_err("broken");
    let UploadError::Processing { id, error, .. } = error else {
        panic!("{error:?}");
    };
    assert_eq!((id.as_str(), error.status().map(|status| status.as_u16())), ("broken", Some(422)));
    clock.slept();
    let error = upload("never").ready(Duration::from_secs(10)).await.expect_err("never");
    assert!(
        matches!(&error, UploadError::NotReady { id, .. } if id.as_str() == "never"),
        "{error:?}"
    );
    assert_eq!(clock.slept().iter().sum::<u64>(), 10_000);
}

/// Keeps all that is logged as text.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<String>>);

impl Visit for Log {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        _ = write!(lock(&self.0), "{field}={value:?} ");
    }
}

impl Subscriber for Log {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        _ = write!(lock(&self.0), "\n{} ", span.metadata().name());
        span.record(&mut self.clone());
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut self.clone());
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        _ = write!(lock(&self.0), "\n{} ", event.metadata().name());
        event.record(&mut self.clone());
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The token goes to the server's own origin, in its header, and nowhere else: no other host, no log, no error, no `Debug`.
#[tokio::test]
async fn the_token_is_nowhere_but_in_its_header() {
    let log = Log::default();
    // For all threads: one that has no subscriber would switch off what it logs first.
    tracing::subscriber::set_global_default(log.clone()).expect("the only one");
    let clock = Clock::new();
    let elsewhere = Raw::always(rules(&[])).await;
    let away = format!("{}/api?token={TOKEN}", elsewhere.origin.replace("127.0.0.1", "localhost"));
    let next = format!("<{away}>; rel=\"next\"");
    let busy = response("503 Service Unavailable", &[], format!(r#"{{"error":"{TOKEN}"}}"#));
    let mut shown = String::new();
    for (answers, fails) in [
        (vec![response("302 Found", &[("location", &away)], "")], true),
        (vec![rules(&[("link", &next), ("x-echo", TOKEN)])], false),
        (vec![busy.clone(), response("401 Unauthorized", &[], TOKEN)], true),
        (vec![vec![Act::Reset]], true),
        (vec![response("200 OK", &[], format!(r#"{{"access_token":"{TOKEN}""#))], true),
        (
            vec![response("429 Too Many Requests", &[("retry-after", "1")], TOKEN), rules(&[])],
            false,
        ),
    ] {
        let server = in_turn(answers).await;
        let client =
            client(&server.origin, &clock).rate_limits(RateLimits::Wait).retries(Retries::of(1));
        let answered = client.send(instance::Rules::new()).await;
        assert_eq!(answered.is_err(), fails, "{answered:?}");
        _ = write!(shown, "{client:?}");
        if let Err(error) = answered {
            _ = write!(shown, "{error} {error:?} {error:#?}");
        }
        for request in server.requests() {
            let lines: Vec<_> = request.lines().filter(|line| line.contains(TOKEN)).collect();
            assert_eq!(lines, [format!("authorization: Bearer {TOKEN}")]);
            assert!(request.contains("\r\nuser-agent: fedispec/"), "{request}");
        }
    }
    assert_eq!(elsewhere.requests(), [] as [String; 0]);
    let logged = lock(&log.0).clone();
    for part in
        ["operation=\"instance.rules\"", "status=200", "sent again", "rate limit is waited for"]
    {
        assert!(logged.contains(part), "{part}: {logged}");
    }
    for text in [shown, logged] {
        assert!(!text.contains(TOKEN), "{text}");
    }
}
