//! Streams of a hub, in one process and in several.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use fedispec::runtime::Secret;
use fedispec::server::{Call, Caller, Error, Event, Hub, Publication, Topic};
use fedispec::{markers, streaming};

use super::*;

/// A server whose streams are those of a hub. A token is the name of its account, and nobody blocks others but `7`, who blocks `9`.
async fn serve(hub: &Hub) -> SocketAddr {
    let server = Server::of(hub.clone())
        .authenticator(async |token: Secret| Ok(Caller::user(token.expose(), "read write")))
        .on_stream(async |hub: Hub, _: streaming::User, call: Call| {
            let me = call.account()?;
            let topics = [Topic::user(me), Topic::tag("#Cats", false)];
            let blocks = me.as_str() == "7";
            Ok(hub.subscribe_only(topics, move |told: &Publication| {
                !blocks || told.accounts().iter().all(|account| account.as_str() != "9")
            }))
        })
        .on_stream(async |hub: Hub, request: streaming::Public, _: Call| {
            Ok(hub.subscribe([Topic::public(None, request.only_media == Some(true))]))
        })
        .on(async |hub: Hub, _: markers::Save, call: Call| {
            hub.publish(
                Publication::new(Event::new("filters_changed")).to(Topic::user(call.account()?)),
            )
            .await?;
            Err(Error::forbidden())
        });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(Listen::new(listener).serve(server.into_router()));
    address
}

async fn events(address: SocketAddr, path: &str, token: &str) -> Line {
    let head = format!("GET /api/v1/streaming/{path} HTTP/1.1\nAuthorization: Bearer {token}");
    let mut line = Line::open(address, &head).await;
    line.until(b":)\n").await;
    line
}

async fn socket(address: SocketAddr, token: &str) -> Line {
    let head = upgrade(&format!("?stream=user&access_token={token} HTTP/1.1"));
    let mut line = Line::open(address, &head).await;
    line.until(b"\r\n\r\n").await;
    line
}

fn deleted(id: &str) -> Publication {
    Publication::new(Event::text("delete", id))
}

#[tokio::test]
async fn an_event_reaches_those_who_are_subscribed() {
    let hub = Hub::new();
    let address = serve(&hub).await;
    let (mut own, mut other) = (socket(address, "7").await, events(address, "user", "8").await);
    let (mut all, mut media) = (
        events(address, "public", "9").await,
        events(address, "public?only_media=true", "9").await,
    );
    assert_eq!((hub.len(), hub.subscribers(&Topic::tag("cats", false))), (4, 2));
    // One that is about somebody who is blocked, one to one account and a topic of it at once, one to all.
    let topics = || Topic::of_public(true, false, ["CATS"]);
    assert_eq!(hub.deliver(&deleted("1").about("9").to_all(topics())), 2);
    assert_eq!(hub.deliver(&deleted("2").to(Topic::user("7")).to_all(topics())), 3);
    assert_eq!(hub.deliver(&deleted("3").to_all(Topic::of_public(false, true, ["cats"]))), 4);
    assert_eq!(hub.deliver(&deleted("4").to(Topic::list("7"))), 0);
    for id in ["2", "3"] {
        assert_eq!(own.frame().await["payload"], id);
    }
    for line in [&mut other, &mut all] {
        for id in ["1", "2", "3"] {
            let told = line.until(b"\n\n").await;
            assert!(told.ends_with(&format!("event: delete\ndata: {id}\n\n")), "{told}");
        }
    }
    assert!(media.until(b"\n\n").await.ends_with("data: 3\n\n"));
    drop((own, other, all, media));
    while !hub.is_empty() {
        sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(hub.subscribers(&Topic::public(None, false)), 0);
}

#[tokio::test]
async fn who_is_too_slow_is_told_to_come_again() {
    let hub = Hub::new().room(2);
    let address = serve(&hub).await;
    let (mut slow, mut events) = (socket(address, "7").await, events(address, "user", "7").await);
    let to_seven = || deleted("1").to(Topic::user("7"));
    // Without a pause nobody reads in between.
    let reached: Vec<_> = (0..4).map(|_| hub.deliver(&to_seven())).collect();
    assert_eq!(reached, [2, 2, 0, 0]);
    assert_eq!((hub.too_slow(), hub.subscribers(&Topic::user("7"))), (2, 0));
    for _ in 0..2 {
        assert_eq!(slow.frame().await["payload"], "1");
        events.until(b"data: 1\n\n").await;
    }
    let (kind, reason) = slow.any_frame().await;
    assert_eq!((kind, &reason[..2]), (0x88, &1013_u16.to_be_bytes()[..]));
    events.until(b"\r\n0\r\n\r\n").await;
}

#[tokio::test]
async fn processes_share_a_relay() {
    // The relay stands for the wire between processes: it brings each text to all hubs, or is cut.
    let hubs = Arc::new(Mutex::new(Some(Vec::<Hub>::new())));
    let wire = Arc::clone(&hubs);
    let relay = move |text: String| {
        let hubs = wire.lock().expect("no panic").clone();
        async move {
            let hubs = hubs.ok_or_else(Error::unavailable)?;
            for hub in hubs {
                hub.receive(&text).expect("a hub's text");
            }
            Ok(())
        }
    };
    let (one, two) = (Hub::new().relay(relay.clone()), Hub::new().relay(relay));
    *hubs.lock().expect("no panic") = Some(vec![one.clone(), two.clone()]);
    let (first, second) = (serve(&one).await, serve(&two).await);
    let (mut here, mut there) = (events(first, "user", "7").await, socket(second, "7").await);
    let status = crate::traits::entities::status("31");
    let told = Publication::new(StreamEvent::Update(status.into())).about("8");
    one.publish(told.to_all(Topic::of_public(true, false, ["cats"]))).await.expect("it is relayed");
    assert!(here.until(b"\n\n").await.contains("\"id\":\"31\""));
    let frame = there.frame().await;
    assert!(frame["payload"].as_str().is_some_and(|text| text.contains("\"id\":\"31\"")));
    // A block counts for what comes from elsewhere, and an event may have no payload.
    two.publish(deleted("1").about("9").to(Topic::tag("cats", false))).await.expect("relayed");
    two.publish(Publication::new(Event::new("filters_changed")).to(Topic::tag("cats", false)))
        .await
        .expect("it is relayed");
    assert!(here.until(b"\n\n").await.contains("filters_changed"));
    assert_eq!(there.frame().await["event"], "filters_changed");
    assert!(one.receive("{\"event\":\"update\"}").is_err());
    assert!(one.receive("nonsense").is_err());
    // Where the wire is cut the handler's `?` answers 503.
    let post = || send(first, "POST /api/v1/markers HTTP/1.1\nAuthorization: Bearer 7", "");
    assert_eq!(post().await.status, 403);
    *hubs.lock().expect("no panic") = None;
    assert_eq!(post().await.status, 503);
}

#[test]
fn a_public_status_has_many_topics() {
    let topics = |is_local, has_media| -> BTreeSet<_> {
        let all = Topic::of_public(is_local, has_media, ["#Cats"]);
        all.into_iter().map(|topic| format!("{topic:?}")).collect()
    };
    assert_eq!(topics(true, true).len(), 6);
    assert_eq!(topics(true, false).len(), 4);
    assert_eq!(topics(false, true).len(), 5);
    assert!(topics(false, false).contains("Tag { name: \"cats\", local: false }"));
    assert!(!topics(false, false).contains("Tag { name: \"cats\", local: true }"));
}
