//! Streams of a server from the traits.

use std::time::Duration;

use fedispec::client::{Client, ErrorKind, Over, Policy, RemoteServer, StreamAddress, Tower, gate};
use fedispec::events::StreamEvent;
use fedispec::runtime::RawEvent;
use fedispec::streaming;

use crate::streaming::feed::{Cable, Feed, unheard_of};
use crate::streaming::{TOKEN, client, entities, error, next, short, soon, told};

#[tokio::test]
async fn events_are_typed_over_each_kind_of_connection() {
    for over in [None, Some(Over::WebSocket), Some(Over::ServerSentEvents)] {
        let feed = Feed::default();
        let address = feed.serve().await;
        let mut live = client(&format!("http://{address}")).stream(streaming::User::new());
        if let Some(over) = over {
            live = live.over(over);
        }
        let over = over.unwrap_or(Over::WebSocket);
        assert_eq!(told(&mut live).await, format!("connected over {over:?}"));
        feed.heard_by(1).await;
        feed.post("31");
        feed.tell(StreamEvent::Notification(entities::notification("5").into()));
        feed.tell(StreamEvent::StatusUpdate(entities::status("31").into()));
        feed.tell(StreamEvent::FiltersChanged);
        feed.tell(unheard_of("status.danced", r#"{"id":"31"}"#));
        feed.tell(unheard_of("update", r#"{"id":31,"account":7}"#));
        feed.tell(unheard_of("delete", ""));
        feed.tell(StreamEvent::Delete("31".into()));
        for wanted in ["update 31", "notification 5", "edit 31", "filters"] {
            assert_eq!(short(&next(&mut live).await), wanted);
        }
        // Unknown events are delivered as they came, and so are events that cannot be decoded, with the place of the fault.
        let StreamEvent::Unrecognized(event) = next(&mut live).await else {
            panic!("no catalogue lists it");
        };
        let wanted = RawEvent::new("status.danced", Some(r#"{"id":"31"}"#.into()));
        assert_eq!(event, wanted);
        let StreamEvent::Unrecognized(event) = next(&mut live).await else {
            panic!("it cannot be decoded");
        };
        let fault = event.fault.expect("a fault");
        assert_eq!((&*event.name, &*fault.path), ("update", "$.account"));
        let StreamEvent::Unrecognized(event) = next(&mut live).await else {
            panic!("it has no payload");
        };
        assert_eq!((&*event.name, event.payload), ("delete", None));
        assert_eq!(short(&next(&mut live).await), "delete 31");
        drop(live);
        feed.heard_by(0).await;
    }
}

#[tokio::test]
async fn a_connection_has_several_streams() {
    let feed = Feed::default();
    let address = feed.serve().await;
    let mut live = client(&format!("http://{address}"))
        .stream(streaming::User::new())
        .and(streaming::Hashtag::new("cats"))
        .and(streaming::Public::new().only_media(true));
    assert_eq!(told(&mut live).await, "connected over WebSocket");
    assert_eq!(told(&mut live).await, "delete cats of hashtag:cats");
    assert_eq!(told(&mut live).await, "delete public of public:media");
    // The one that is refused is told; the others go on.
    live.subscribe(streaming::List::new("404")).expect("it is sent");
    let refused = told(&mut live).await;
    assert!(refused.starts_with("refused: "), "{refused}");
    assert!(refused.contains("404 Not Found: Record not found"), "{refused}");
    live.subscribe(streaming::List::new("12")).expect("it is sent");
    assert_eq!(told(&mut live).await, "delete 12 of list:12");
    feed.post("31");
    assert_eq!(told(&mut live).await, "update 31 of user");
    live.unsubscribe(streaming::User::new()).expect("it is sent");
    live.subscribe(streaming::Hashtag::new("dogs")).expect("it is sent");
    assert_eq!(told(&mut live).await, "delete dogs of hashtag:dogs");
    feed.heard_by(0).await;
    let mut heard = feed.heard();
    heard.sort();
    assert_eq!(
        heard,
        ["hashtag cats", "hashtag dogs", "list 12", "list 404", "public Some(true)", "user"]
    );
}

#[tokio::test]
async fn all_streams_begin_again_after_a_cut() {
    let feed = Feed::default();
    let cable = Cable::to(feed.serve().await).await;
    feed.names(&format!("ws://{}", cable.address));
    let live = client(&format!("http://{}", cable.address)).stream(streaming::User::new());
    let mut live = soon(live).and(streaming::Hashtag::new("cats"));
    for round in 0..3 {
        let connected = told(&mut live).await;
        let again = if round > 0 { " again" } else { "" };
        assert_eq!(connected, format!("connected{again} over WebSocket"));
        assert_eq!(told(&mut live).await, "delete cats of hashtag:cats");
        feed.heard_by(1).await;
        feed.post(&format!("3{round}"));
        assert_eq!(told(&mut live).await, format!("update 3{round} of user"));
        cable.cut().await;
        let lost = told(&mut live).await;
        assert!(lost.starts_with("lost: streaming.user of http://"), "{lost}");
        feed.heard_by(0).await;
    }
}

#[tokio::test]
async fn a_router_is_followed_without_a_socket() {
    let feed = Feed::default();
    feed.names("wss://social.example");
    let origin = "https://social.example".parse().expect("an origin");
    let client = Client::with_transport(origin, Tower::new(feed.router())).token(TOKEN);
    let mut live = client.stream(streaming::User::new());
    assert_eq!(told(&mut live).await, "connected over ServerSentEvents");
    feed.post("31");
    assert_eq!(told(&mut live).await, "update 31 of user");
    drop(live);
    let mut live = client.stream(streaming::List::new("404"));
    assert!(error(&mut live).await.is_not_found());
    let mut live = client.stream(streaming::User::new()).over(Over::WebSocket);
    let told = error(&mut live).await;
    assert!(told.to_string().contains("does not have WebSockets"), "{told}");
}

#[tokio::test]
async fn a_known_server_decides_what_is_asked() {
    let feed = Feed::default();
    let address = feed.serve().await;
    let origin = format!("http://{address}");
    let knowing = |program: &str, version: &str| {
        let mut server = RemoteServer::of(program, version);
        server.streaming = Some(format!("ws://{address}"));
        client(&origin).knowing(gate(server), Policy::Advise)
    };
    // GoToSocial takes the subscription, and sends nothing on it but deletions.
    let mut live = knowing("gotosocial", "0.19.2").stream(streaming::Public::new());
    let refused = error(&mut live).await;
    assert!(refused.is_unsupported(), "{refused}");
    assert!(refused.to_string().contains("StreamName.public"), "{refused}");
    assert!(!refused.is_sent());
    // It has no server-sent events.
    let mut live = knowing("gotosocial", "0.19.2").stream(streaming::User::new());
    assert_eq!(told(&mut live).await, "connected over WebSocket");
    // Several streams on one connection came with 3.3.0.
    let mut live = knowing("mastodon", "3.2.2").stream(streaming::User::new());
    let refused = live.subscribe(streaming::List::new("12"));
    let refused = refused.expect_err("one for each connection");
    assert!(refused.is_unsupported(), "{refused}");
    assert_eq!(told(&mut live).await, "connected over WebSocket");
    // An event stream is asked for only where the server has it.
    let live = knowing("gotosocial", "0.19.2").stream(streaming::User::new());
    let mut live = live.over(Over::ServerSentEvents);
    let refused = error(&mut live).await;
    assert!(refused.is_unsupported(), "{refused}");
}

#[tokio::test]
async fn several_streams_need_a_web_socket() {
    let feed = Feed::default();
    let address = feed.serve().await;
    let live = client(&format!("http://{address}")).stream(streaming::User::new());
    let live = live.over(Over::ServerSentEvents);
    let mut live = live.and(streaming::Hashtag::new("cats"));
    let told = error(&mut live).await;
    assert!(told.to_string().contains("several streams need a WebSocket"), "{told}");
}

#[tokio::test]
async fn another_address_is_taken_on_the_programs_word() {
    let (feed, other) = (Feed::default(), Feed::default());
    let (address, elsewhere) = (feed.serve().await, other.serve().await);
    let there: StreamAddress = format!("ws://{elsewhere}").parse().expect("an address");
    let live = client(&format!("http://{address}")).stream(streaming::User::new());
    let mut live = live.at(there);
    assert_eq!(told(&mut live).await, "connected over WebSocket");
    assert_eq!((feed.heard().len(), other.heard().len()), (0, 1));
}

#[tokio::test]
async fn the_streams_may_have_a_server_of_their_own() {
    let (feed, other) = (Feed::default(), Feed::default());
    let (address, elsewhere) = (feed.serve().await, other.serve().await);
    feed.names(&format!("ws://{elsewhere}"));
    let mut live = client(&format!("http://{address}")).stream(streaming::User::new());
    assert_eq!(told(&mut live).await, "connected over WebSocket");
    assert_eq!((feed.heard().len(), other.heard().len()), (0, 1));
}

#[tokio::test]
async fn an_address_that_must_not_get_the_token_is_refused() {
    let feed = Feed::default();
    let address = feed.serve().await;
    for told in
        ["wss://10.0.0.1", "ws://example.org", "gopher://127.0.0.1", "wss://a@b.example", "no"]
    {
        feed.names(told);
        let mut live = client(&format!("http://{address}")).stream(streaming::User::new());
        let refused = error(&mut live).await;
        assert!(matches!(refused.kind(), ErrorKind::Address(_)), "{refused}");
        assert!(refused.to_string().contains(told), "{refused}");
        assert!(!refused.is_sent());
    }
    assert_eq!(feed.heard(), [""; 0]);
}

#[tokio::test]
async fn nothing_is_lost_when_a_future_is_dropped() {
    let feed = Feed::default();
    let address = feed.serve().await;
    let mut live = client(&format!("http://{address}")).stream(streaming::Hashtag::new("counting"));
    let mut read = 0_u64;
    while read < 300 {
        let next = tokio::time::timeout(Duration::from_micros(200), live.next()).await;
        let Ok(event) = next else { continue };
        read += 1;
        let event = event.expect("no end").expect("an event");
        assert_eq!(short(&event), format!("update {read}"));
    }
}

#[test]
fn a_program_without_async_follows_a_stream() {
    let runtime = || {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_all().build().expect("a runtime")
    };
    let feed = Feed::default();
    let serving = feed.clone();
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        runtime().block_on(async {
            sender.send(serving.serve().await).expect("somebody waits");
            std::future::pending::<()>().await;
        });
    });
    let address = receiver.recv().expect("an address");
    let runtime = runtime();
    let mut live = client(&format!("http://{address}")).stream(streaming::Hashtag::new("counting"));
    for number in 1..=100 {
        let event = runtime.block_on(live.next()).expect("no end");
        assert_eq!(short(&event.expect("an event")), format!("update {number}"));
        // Between two of them nothing runs.
        if number % 50 == 0 {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
