//! The cost of bringing events to many sockets: a hub, and servers by hand on axum, tokio-tungstenite and a broadcast channel, in
//! turns; the CPU time of an event and a socket, and how long after its publication an event is read, medians of the repeats. One server
//! by hand reads its sockets as a server has to, so that pings are answered and closed sockets let go; the other only writes, which is the
//! least that an event can cost.
//!
//! An event carries the moment of its publication as the id that its status replies to. One reader of sixteen looks for it; the others
//! take bytes, so that the readers leave the server its share of a small machine.
//!
//! `cargo run --release -p fedispec-tests --features bench --example fan_out [SOCKETS [EVENTS [REPEATS]]]`, 200, 2000 and 5 unless told: 100
//! events a second. It needs Linux.

use std::convert::Infallible;
use std::io::{BufRead as _, BufReader, Error, Result, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::routing::get;
use fedispec::entities::Status;
use fedispec::events::StreamEvent;
use fedispec::runtime::Secret;
use fedispec::runtime::de::read;
use fedispec::server::{Call, Caller, Hub, Publication, RequestLimits, Server, Topic};
use fedispec::streaming;
use fedispec_tests::timeline;
use futures_core::Stream as _;
use futures_sink::Sink as _;
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio::io::AsyncReadExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::broadcast::{self, Receiver};
use tokio::time::{MissedTickBehavior, interval};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

const KINDS: [&str; 3] = ["hub", "by-hand", "write-only"];
const PERIOD: Duration = Duration::from_millis(10);

fn status() -> Result<Status> {
    let page = serde_json::Value::from(timeline::page(1)).to_string();
    let statuses = read::<Vec<Status>>(&page).map_err(Error::other)?;
    statuses.value.into_iter().next().ok_or_else(|| Error::other("an empty page"))
}

/// User and system time of this process, in clock ticks (`man 5 proc_pid_stat`).
fn ticks() -> Result<u64> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).map(|field| field.parse::<u64>().map_err(Error::other)).sum()
}

fn now() -> Result<u64> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_err(Error::other)?;
    u64::try_from(now.as_micros()).map_err(Error::other)
}

/// When an event was published, which its status says it replies to.
fn published(event: &str) -> Option<u64> {
    let (_, id) = event.split_once(r#"\"in_reply_to_id\":\""#)?;
    id.split_once('\\')?.0.parse().ok()
}

/// Publishes when the driver says so, and tells what it cost.
async fn publish(events: usize, mut publish: impl FnMut(Status) -> Result<()>) -> Result<()> {
    let status = status()?;
    tokio::task::spawn_blocking(|| std::io::stdin().lock().read_line(&mut String::new())).await??;
    let before = ticks()?;
    let mut pace = interval(PERIOD);
    pace.set_missed_tick_behavior(MissedTickBehavior::Burst);
    for _ in 0..events {
        pace.tick().await;
        let mut status = status.clone();
        status.in_reply_to_id = Some(now()?.to_string().into());
        publish(status)?;
    }
    // The last event is still on its way.
    tokio::time::sleep(Duration::from_millis(200)).await;
    println!("{}", ticks()? - before);
    Ok(())
}

async fn with_hub(listener: TcpListener, events: usize) -> Result<()> {
    let hub = Hub::new();
    let server = Server::of(hub.clone())
        .authenticator(async |_: Secret| Ok(Caller::user("7", "read")))
        .limits(RequestLimits::default().sockets(10_000))
        .on_stream(async |hub: Hub, _: streaming::User, call: Call| {
            Ok(hub.subscribe([Topic::user(call.account()?)]))
        });
    let serving = axum::serve(listener, server.into_router().into_make_service());
    tokio::spawn(serving.into_future());
    publish(events, |status| {
        let event = StreamEvent::Update(Box::new(status));
        hub.deliver(&Publication::new(event).to(Topic::user("7")));
        Ok(())
    })
    .await
}

async fn by_hand(listener: TcpListener, events: usize, reads: bool) -> Result<()> {
    let (sender, _) = broadcast::channel::<Utf8Bytes>(256);
    let subscribed = sender.clone();
    let connect = async move |State(sender): State<broadcast::Sender<Utf8Bytes>>,
                              mut request: Request| {
        let key =
            request.headers().get("sec-websocket-key").map(|key| derive_accept_key(key.as_bytes()));
        let (upgrade, events) = (hyper::upgrade::on(&mut request), sender.subscribe());
        tokio::spawn(async move {
            let io = TokioIo::new(upgrade.await.ok()?);
            let socket = WebSocketStream::from_raw_socket(io, Role::Server, None).await;
            serve(socket, events, reads).await
        });
        let headers = [("connection", "Upgrade"), ("upgrade", "websocket")];
        let accepted = [("sec-websocket-accept", key.unwrap_or_default())];
        (StatusCode::SWITCHING_PROTOCOLS, headers, accepted)
    };
    let router = Router::new().route("/api/v1/streaming", get(connect)).with_state(subscribed);
    tokio::spawn(axum::serve(listener, router).into_future());
    publish(events, |status| {
        let payload = serde_json::to_string(&status)?;
        let envelope =
            serde_json::json!({"stream": ["user"], "event": "update", "payload": payload});
        sender.send(envelope.to_string().into()).map(drop).map_err(Error::other)
    })
    .await
}

type Socket = WebSocketStream<TokioIo<Upgraded>>;

async fn serve(
    mut socket: Socket,
    mut events: Receiver<Utf8Bytes>,
    reads: bool,
) -> Option<Infallible> {
    loop {
        tokio::select! {
            biased;
            event = events.recv() => send(&mut socket, Message::Text(event.ok()?)).await?,
            said = next(&mut socket), if reads => drop(said?.ok()?),
        }
    }
}

async fn next(socket: &mut Socket) -> Option<tokio_tungstenite::tungstenite::Result<Message>> {
    std::future::poll_fn(|cx| std::pin::Pin::new(&mut *socket).poll_next(cx)).await
}

async fn send(socket: &mut Socket, message: Message) -> Option<()> {
    std::future::poll_fn(|cx| std::pin::Pin::new(&mut *socket).poll_ready(cx)).await.ok()?;
    std::pin::Pin::new(&mut *socket).start_send(message).ok()?;
    std::future::poll_fn(|cx| std::pin::Pin::new(&mut *socket).poll_flush(cx)).await.ok()
}

type Reader = WebSocketStream<TcpStream>;

async fn connect(address: &str) -> Option<Reader> {
    let socket = TcpStream::connect(address).await.ok()?;
    let url = format!("ws://{address}/api/v1/streaming?stream=user&access_token=any");
    Some(tokio_tungstenite::client_async(url, socket).await.ok()?.0)
}

/// Reads so many events, and returns after how many microseconds each came.
async fn time(mut socket: Reader, events: usize) -> Option<Vec<u64>> {
    let mut waited = Vec::with_capacity(events);
    while waited.len() < events {
        let next = std::future::poll_fn(|cx| std::pin::Pin::new(&mut socket).poll_next(cx)).await?;
        if let Message::Text(event) = next.ok()? {
            waited.push(now().ok()?.saturating_sub(published(&event)?));
        }
    }
    Some(waited)
}

/// The number of bytes that come until the server ends.
async fn drain(socket: Reader) -> usize {
    let (mut socket, mut buffer, mut taken) = (socket.into_inner(), vec![0; 1 << 16], 0);
    while let Ok(read @ 1..) = socket.read(&mut buffer).await {
        taken += read;
    }
    taken
}

/// The ticks that a server spends, and the microseconds within which half and 99 of 100 events are read.
async fn measure(kind: &str, sockets: usize, events: usize) -> Result<[u64; 3]> {
    let mut server = Command::new(std::env::current_exe()?)
        .args([kind, &events.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut told = BufReader::new(server.stdout.take().ok_or_else(|| Error::other("no output"))?);
    let mut address = String::new();
    told.read_line(&mut address)?;
    let address = address.trim().to_owned();
    let (mut timed, mut drained) = (Vec::new(), Vec::new());
    for number in 0..sockets {
        let socket = connect(&address).await.ok_or_else(|| Error::other("no connection"))?;
        match number % 16 {
            0 => timed.push(tokio::spawn(time(socket, events))),
            _ => drained.push(tokio::spawn(drain(socket))),
        }
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    server.stdin.take().ok_or_else(|| Error::other("no input"))?.write_all(b"go\n")?;
    let mut waited = Vec::new();
    for reader in timed {
        waited.extend(
            reader.await?.ok_or_else(|| Error::other(format!("{kind}: an event is lost")))?,
        );
    }
    let mut ticks = String::new();
    told.read_line(&mut ticks)?;
    server.wait()?;
    let mut taken = Vec::new();
    for reader in drained {
        taken.push(reader.await?);
    }
    taken.dedup();
    if taken.len() > 1 {
        return Err(Error::other(format!(
            "{kind}: not all readers got all events: {taken:?} bytes"
        )));
    }
    waited.sort_unstable();
    let within = |percent| waited.get(waited.len() * percent / 100).copied().unwrap_or_default();
    Ok([ticks.trim().parse().map_err(Error::other)?, within(50), within(99)])
}

async fn compare(mut sizes: impl Iterator<Item = usize>) -> Result<()> {
    let mut size = |usual| sizes.next().unwrap_or(usual);
    let (sockets, events, repeats) = (size(200), size(2000), size(5));
    let mut all = KINDS.map(|_| Vec::new());
    for turn in 0..repeats {
        for step in 0..KINDS.len() {
            let place = (turn + step) % KINDS.len();
            all[place].push(measure(KINDS[place], sockets, events).await?);
        }
    }
    let medians = all.map(|turns| {
        [0, 1, 2].map(|figure| {
            let mut turns: Vec<u64> = turns.iter().map(|turn: &[u64; 3]| turn[figure]).collect();
            turns.sort_unstable();
            turns[turns.len() / 2]
        })
    });
    let sent = u64::try_from(sockets * events).map_err(Error::other)?.max(1);
    // A tick is 10 ms.
    let costs = medians.map(|[ticks, ..]| (ticks * 10_000_000 / sent).max(1));
    println!("{sockets} sockets, {events} events, {repeats} turns");
    for ((kind, cost), [_, half, most]) in KINDS.iter().zip(costs).zip(medians) {
        let share = costs[0] * 100 / cost;
        println!("{kind}: {cost} ns of CPU for an event and a socket (hub: {share} %)");
        println!("    read within {half} us (half) and {most} us (99 of 100)");
    }
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let Some(kind) = args.first().map(String::as_str).filter(|kind| KINDS.contains(kind)) else {
        return compare(args.iter().filter_map(|size| size.parse().ok())).await;
    };
    let events = args.get(1).and_then(|events| events.parse().ok()).unwrap_or(1);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    match kind {
        "hub" => with_hub(listener, events).await,
        kind => by_hand(listener, events, kind == "by-hand").await,
    }
}
