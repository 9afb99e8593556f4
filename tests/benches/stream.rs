//! Ten thousand events of a live stream, from a server on the generated traits over a socket of this machine.
#![allow(missing_docs, reason = "a benchmark")]
#![allow(clippy::panic, reason = "a failing benchmark panics")]

#[path = "../tests/common/entities.rs"]
#[allow(dead_code, reason = "not all of them are served here")]
mod entities;
#[path = "../tests/client/streaming/feed.rs"]
#[allow(dead_code, reason = "not all of it is needed here")]
mod feed;

use std::net::SocketAddr;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fedispec::client::{Client, Over};
use fedispec::events::StreamEvent;
use fedispec::streaming;
use tokio::runtime::{Builder, Runtime};

use crate::feed::Feed;

pub(crate) const TOKEN: &str = "t0ken-of-nobody";
pub(crate) const HANGS: Duration = Duration::from_secs(60);

const EVENTS: u64 = 10_000;

fn runtime() -> Runtime {
    let mut builder = Builder::new_current_thread();
    builder.enable_all().build().expect("a runtime")
}

/// Serves on a thread of its own.
fn serve() -> SocketAddr {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        runtime().block_on(async {
            let served = Feed::default().serve().await;
            sender.send(served).expect("somebody waits");
            std::future::pending::<()>().await;
        });
    });
    receiver.recv().expect("an address")
}

async fn read(client: &Client, over: Over) {
    let mut live = client.stream(streaming::Hashtag::new("counting")).over(over);
    for number in 1..=EVENTS {
        let event = live.next().await.expect("no end").expect("an event");
        let StreamEvent::Update(status) = event else {
            panic!("{event:?}");
        };
        assert_eq!(status.id.as_str(), number.to_string());
    }
}

fn stream(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("10,000 events");
    group.throughput(Throughput::Elements(EVENTS));
    group.sample_size(10);
    let runtime = runtime();
    for over in [Over::WebSocket, Over::ServerSentEvents] {
        group.bench_function(format!("{over:?}"), |bencher| {
            bencher.iter(|| {
                // A server of its own, whose numbers begin anew.
                let origin = format!("http://{}", serve());
                let client = Client::new(origin).expect("a client").token(TOKEN);
                runtime.block_on(read(&client, over));
            });
        });
    }
    group.finish();
}

criterion_group!(benches, stream);
criterion_main!(benches);
