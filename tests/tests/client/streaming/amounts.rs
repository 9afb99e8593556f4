//! Many events: in order, and in bounded memory, however slow the reader is.

use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::time::Duration;

use fedispec::client::{Over, StreamAddress};
use fedispec::events::StreamEvent;
use fedispec::streaming;

use crate::streaming::feed::Feed;
use crate::streaming::script::{Script, Step, delete, text};
use crate::streaming::{HANGS, client, next, short};

const EVENTS: u64 = 10_000;

/// Serves on a thread of its own, whose memory does not count.
fn serve(feed: &Feed) -> SocketAddr {
    let feed = feed.clone();
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        runtime().block_on(async {
            sender.send(feed.serve().await).expect("somebody waits");
            std::future::pending::<()>().await;
        });
    });
    receiver.recv().expect("an address")
}

fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build().expect("a runtime")
}

#[test]
fn ten_thousand_events_come_in_order_and_in_bounded_memory() {
    for over in [Over::WebSocket, Over::ServerSentEvents] {
        let feed = Feed::default();
        let address = serve(&feed);
        let runtime = runtime();
        let mut live = client(&format!("http://{address}"))
            .stream(streaming::Hashtag::new("counting"))
            .over(over);
        let mut bytes = 0;
        let used = allocation_counter::measure(|| {
            runtime.block_on(async {
                for number in 1..=EVENTS {
                    let event = live.next().await.expect("no end").expect("an event");
                    let StreamEvent::Update(status) = &event else {
                        panic!("{event:?}");
                    };
                    bytes += status.content.len();
                    assert_eq!(short(&event), format!("update {number}"));
                }
            });
        });
        let most = used.bytes_max;
        assert!(
            bytes > 30 * 1024 * 1024 && most < 1024 * 1024,
            "{most} of {bytes} bytes at once over {over:?}"
        );
    }
}

/// The number of events made, as soon as there are no more.
async fn standstill(feed: &Feed) -> u64 {
    let mut made = 0;
    loop {
        let before = std::mem::replace(&mut made, feed.counted.load(Ordering::SeqCst));
        if before == made {
            return made;
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
}

#[test]
fn a_slow_reader_slows_the_server_down() {
    for over in [Over::WebSocket, Over::ServerSentEvents] {
        let feed = Feed::default();
        let address = serve(&feed);
        let runtime = runtime();
        let mut live = client(&format!("http://{address}"))
            .stream(streaming::Hashtag::new("counting"))
            .over(over);
        runtime.block_on(async {
            let mut read = 0_u64;
            for _ in 0..20 {
                read += 1;
                let event = live.next().await.expect("no end").expect("an event");
                assert_eq!(short(&event), format!("update {read}"));
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            // The server fills the buffers of the socket, and waits.
            let made = tokio::time::timeout(HANGS, standstill(&feed)).await;
            let ahead = made.expect("it goes on without a reader") - read;
            assert!(ahead < 10_000, "{ahead} ahead over {over:?}");
            // All of them come, in order.
            for _ in 0..2000 {
                read += 1;
                let event = live.next().await.expect("no end").expect("an event");
                assert_eq!(short(&event), format!("update {read}"));
            }
        });
    }
}

/// A server whose events decode to far more than their text.
#[test]
fn rubbish_in_an_event_takes_bounded_memory() {
    // A quote is escaped in a payload.
    let long = |element: &str| element.len() + element.matches('"').count() + 1;
    let list = |element: &str| format!("[{}]", vec![element; 4_000_000 / long(element)].join(","));
    let update = |payload: &str| {
        let payload = payload.replace('"', "\\\"");
        format!(r#"{{"stream":["user"],"event":"update","payload":"{payload}"}}"#)
    };
    let of_tags = |element: &str| update(&format!(r#"{{"id":"1","tags":{}}}"#, list(element)));
    let deep = format!("{}{}", "[".repeat(1_700_000), "]".repeat(1_700_000));
    let rubbish = [
        of_tags("{}"),
        of_tags(r#"{"name":"","url":""}"#),
        of_tags("1"),
        update(&list("{}")),
        update(&deep),
        format!(r#"{{"stream":{},"event":"update"}}"#, list("[]")),
        format!(r#"{{"event":"update","payload":{}}}"#, list("{}")),
        list("[1]"),
    ];
    for message in rubbish {
        let (sender, receiver) = std::sync::mpsc::channel();
        let sent = message.clone();
        std::thread::spawn(move || {
            runtime().block_on(async {
                let script = Script::sockets([vec![text(&sent), delete("2"), Step::Hang]]).await;
                sender.send(script.origin()).expect("somebody waits");
                std::future::pending::<()>().await;
            });
        });
        let origin = receiver.recv().expect("an address");
        let runtime = runtime();
        let streams: StreamAddress = origin.replace("http", "ws").parse().expect("an address");
        let mut live = client(&origin).stream(streaming::User::new()).at(streams);
        let used = allocation_counter::measure(|| {
            runtime.block_on(async {
                // Rubbish is told or left out, and what follows it comes.
                while short(&next(&mut live).await) != "delete 2" {}
            });
        });
        let most = used.bytes_max;
        // Eight times the greatest length of an event, and one MiB.
        assert!(most < 33 * 1024 * 1024, "{most} bytes at once for {}", &message[..60]);
    }
}
