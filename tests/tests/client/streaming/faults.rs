//! Servers that break off, lie, stall, flood or refuse.

use std::time::{Duration, Instant};

use fedispec::client::{ErrorKind, Live, Notice, Over, TokenPlace, TransportError};
use fedispec::events::StreamEvent;
use fedispec::streaming;

use crate::streaming::script::{Script, Step, answer, close, delete, length, lines, socket, text};
use crate::streaming::{TOKEN, client, error, next, notice, short, soon, told};

fn user(script: &Script) -> Live<StreamEvent> {
    let live = client(&script.origin()).stream(streaming::User::new());
    soon(live.at(script.streams()))
}

fn user_lines(script: &Script) -> Live<StreamEvent> {
    user(script).over(Over::ServerSentEvents)
}

/// Skips what is told of the connection.
async fn events(live: &mut Live<StreamEvent>, count: usize) -> Vec<String> {
    let mut events = Vec::new();
    while events.len() < count {
        events.push(short(&next(live).await));
    }
    events
}

#[tokio::test]
async fn what_is_cut_goes_on() {
    let cuts = [
        vec![Step::Reset],
        vec![],
        // Half of a frame: of its head, of its payload.
        vec![Step::Send(vec![0x81]), Step::Reset],
        vec![Step::Send([&[0x81, 100][..], &[b'{'; 40]].concat())],
        vec![Step::Send([&[0x81, 100][..], &[b'{'; 40]].concat()), Step::Reset],
        // The first part of a message in several frames.
        vec![Step::Send(b"\x01\x02{}".to_vec())],
        // No frame at all.
        vec![Step::Send(b"\xff\xff\xff\xff\xff\xff".to_vec())],
        // A frame of a client, and text that is none.
        vec![Step::Send(b"\x81\x82\0\0\0\0{}".to_vec())],
        vec![Step::Send(b"\x81\x02\xc3\x28".to_vec())],
    ];
    for cut in cuts {
        let first = [vec![delete("1")], cut.clone()].concat();
        let second = vec![delete("2"), Step::Hang];
        let script = Script::sockets([first, second]).await;
        let mut live = user(&script);
        assert_eq!(told(&mut live).await, "connected over WebSocket");
        // A reset may overtake what was sent before it.
        let mut lost = told(&mut live).await;
        if lost == "delete 1 of user" {
            lost = told(&mut live).await;
        }
        assert!(lost.starts_with("lost: streaming.user of http://127.0.0.1:"), "{cut:?}: {lost}");
        assert_eq!(told(&mut live).await, "connected again over WebSocket", "{cut:?}");
        assert_eq!(told(&mut live).await, "delete 2 of user", "{cut:?}");
    }
}

#[tokio::test]
async fn lines_that_are_cut_go_on() {
    let event = |id: &str| Step::Send(format!("event: delete\ndata: {id}\n\n").into());
    for cut in ["", ":", "event: delete\n", "event: delete\ndata: 7", "event: delete\ndata: 7\n"] {
        let first = lines(&[event("1"), Step::Send(cut.into())]);
        let second = lines(&[event("2"), Step::Hang]);
        let script =
            Script::run(move |number, _| if number == 0 { first.clone() } else { second.clone() });
        let script = script.await;
        let mut live = user_lines(&script);
        assert_eq!(events(&mut live, 2).await, ["delete 1", "delete 2"], "{cut:?}");
    }
}

#[tokio::test]
async fn silence_is_noticed() {
    let mute = vec![delete("1"), Step::Read(6), Step::Hang];
    let script = Script::sockets([mute, vec![delete("2"), Step::Hang]]).await;
    let mut live = user(&script).silence(Duration::from_millis(200));
    assert_eq!(events(&mut live, 1).await, ["delete 1"]);
    let Notice::Lost { why, .. } = notice(&mut live).await else {
        panic!("it is silent");
    };
    assert!(why.is_timeout(), "{why}");
    // It was asked for a sign of life first: a ping without content, masked.
    assert_eq!(script.said()[..2], [0x89, 0x80]);
    assert_eq!(events(&mut live, 1).await, ["delete 2"]);
}

#[tokio::test]
async fn silent_lines_are_noticed() {
    let event = |id: &str| Step::Send(format!("event: delete\ndata: {id}\n\n").into());
    let (first, second) = (event("1"), event("2"));
    let script = Script::run(move |number, _| {
        let event = if number == 0 { first.clone() } else { second.clone() };
        lines(&[event, Step::Hang])
    });
    let script = script.await;
    let mut live = user_lines(&script).silence(Duration::from_millis(200));
    assert_eq!(events(&mut live, 2).await, ["delete 1", "delete 2"]);
}

#[tokio::test]
async fn a_server_that_gives_signs_of_life_is_not_silent() {
    let alive = || [Step::Wait(Duration::from_millis(50)), Step::Send(vec![0x89, 0])];
    let steps: Vec<Step> = std::iter::repeat_with(alive).take(10).flatten().collect();
    let script = Script::sockets([[steps, vec![delete("1"), Step::Hang]].concat()]).await;
    let mut live = user(&script).silence(Duration::from_millis(200));
    assert_eq!(told(&mut live).await, "connected over WebSocket");
    assert_eq!(told(&mut live).await, "delete 1 of user");
}

#[test]
fn a_flood_of_pings_passes_in_bounded_memory() {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build().expect("a runtime");
    let used = allocation_counter::measure(|| {
        runtime.block_on(async {
            let pings = Step::Many(vec![0x89, 0], 200_000);
            let script = Script::sockets([vec![pings, delete("1"), Step::Hang]]).await;
            assert_eq!(events(&mut user(&script), 1).await, ["delete 1"]);
        });
    });
    assert!(used.bytes_max < 2 * 1024 * 1024, "{} bytes at once", used.bytes_max);
}

#[tokio::test]
async fn a_message_without_end_is_given_up() {
    // It says that it is long, and one that comes in parts is.
    let said = [&[0x81][..], &length(64 * 1024 * 1024)].concat();
    let begun = [&[0x01][..], &length(1024), &[b' '; 1024]].concat();
    let more = [&[0x00][..], &length(1024), &[b' '; 1024]].concat();
    let floods = [
        vec![Step::Send(said), Step::Hang],
        vec![Step::Send(begun), Step::Many(more, 10_000), Step::Hang],
    ];
    for flood in floods {
        let script = Script::sockets([flood, vec![delete("1"), Step::Hang]]).await;
        let mut live = user(&script);
        assert_eq!(told(&mut live).await, "connected over WebSocket");
        let Notice::Lost { why, .. } = notice(&mut live).await else {
            panic!("it is too long");
        };
        let kind = why.kind();
        assert!(matches!(kind, ErrorKind::Transport(TransportError::TooLong(_))), "{why}");
        assert_eq!(events(&mut live, 1).await, ["delete 1"]);
    }
    let endless = Step::Many(vec![b'x'; 1024], 10_000);
    let script = Script::run(move |number, _| match number {
        0 => lines(&[Step::Send(b"data: ".to_vec()), endless.clone(), Step::Hang]),
        _ => lines(&[Step::Send(b"event: delete\ndata: 1\n\n".to_vec()), Step::Hang]),
    });
    let script = script.await;
    let mut live = user_lines(&script);
    assert_eq!(told(&mut live).await, "connected over ServerSentEvents");
    let lost = told(&mut live).await;
    assert!(lost.contains("longer than 4194304 bytes"), "{lost}");
    assert_eq!(events(&mut live, 1).await, ["delete 1"]);
}

#[tokio::test]
async fn a_close_code_is_told() {
    for code in [1000, 1001, 1011, 1012, 1013, 4000] {
        let closes = vec![delete("1"), close(code, "maintenance"), Step::Hang];
        let script = Script::sockets([closes, vec![delete("2"), Step::Hang]]).await;
        let mut live = user(&script);
        assert_eq!(told(&mut live).await, "connected over WebSocket");
        assert_eq!(told(&mut live).await, "delete 1 of user");
        let lost = told(&mut live).await;
        let wanted = format!("the server closed the stream with the code {code}: maintenance");
        assert!(lost.ends_with(&wanted), "{lost}");
        assert_eq!(events(&mut live, 1).await, ["delete 2"]);
    }
    // No code, as Mastodon has it where a token is revoked.
    let script = Script::sockets([vec![Step::Send(vec![0x88, 0]), Step::Hang]]).await;
    let mut live = user(&script);
    assert_eq!(told(&mut live).await, "connected over WebSocket");
    let lost = told(&mut live).await;
    assert!(lost.ends_with("the server closed the stream without a code"), "{lost}");
}

#[tokio::test]
async fn what_the_server_will_not_have_is_the_end() {
    for code in [1008, 3000, 3003] {
        let script = Script::sockets([vec![close(code, &format!("not {TOKEN}")), Step::Hang]]);
        let script = script.await;
        let mut live = user(&script);
        let told = error(&mut live).await;
        let ErrorKind::Closed { code: other, reason, .. } = told.kind() else {
            panic!("{told}");
        };
        assert_eq!((*other, reason.as_str()), (Some(code), "not [secret]"));
    }
}

#[tokio::test]
async fn a_stream_that_is_refused_ends() {
    let frame = text(r#"{"error":"Not authorized to stream this list","status":401}"#);
    let script = Script::sockets([vec![frame, Step::Hang]]).await;
    let mut live = user(&script);
    let told = error(&mut live).await;
    assert!(told.is_unauthorized(), "{told}");
    assert!(told.to_string().contains("Not authorized to stream this list"), "{told}");
    // A fault of the server is one that passes.
    let frame = text(r#"{"error":"Error getting feed access settings","status":500}"#);
    let script = Script::sockets([vec![frame, Step::Hang], vec![delete("1"), Step::Hang]]).await;
    assert_eq!(events(&mut user(&script), 1).await, ["delete 1"]);
}

#[tokio::test]
async fn too_many_requests_are_waited_for() {
    let limited = answer("429 Too Many Requests", "Retry-After: 1\r\n", "{}");
    let script = Script::run(move |number, head| match number {
        0 => limited.clone(),
        _ => socket(head, &[delete("1"), Step::Hang]),
    });
    let script = script.await;
    let start = Instant::now();
    let mut live = user(&script);
    let Notice::Lost { why, wait, .. } = notice(&mut live).await else {
        panic!("it is put off");
    };
    assert!(why.is_rate_limited(), "{why}");
    assert!(wait >= Duration::from_secs(1), "{wait:?}");
    assert_eq!(events(&mut live, 1).await, ["delete 1"]);
    assert!(start.elapsed() >= Duration::from_secs(1));
    // As long as the program lets it.
    let asks = answer("503 Service Unavailable", "Retry-After: 120\r\n", "{}");
    let script = Script::run(move |_, _| asks.clone()).await;
    for (longest, least, most) in [(None, 120, 130), (Some(10), 10, 20)] {
        let live = user(&script);
        let mut live = match longest {
            Some(seconds) => live.longest_wait(Duration::from_secs(seconds)),
            None => live,
        };
        let Notice::Lost { wait, .. } = notice(&mut live).await else {
            panic!("it is put off");
        };
        assert!((least..most).contains(&wait.as_secs()), "{wait:?}");
    }
    // Not for ever, though.
    let script = Script::run(|_, _| answer("429 Too Many Requests", "", "{}")).await;
    let told = error(&mut user(&script)).await;
    assert!(told.is_rate_limited(), "{told}");
    assert_eq!(script.heads().len(), 5);
    let script = Script::run(|_, _| answer("429 Too Many Requests", "", "{}")).await;
    error(&mut user(&script).tries(2)).await;
    assert_eq!(script.heads().len(), 2);
}

#[tokio::test]
async fn the_first_connection_fails_at_once() {
    for (status, is_final) in [
        ("500 Internal Server Error", false),
        ("502 Bad Gateway", false),
        ("403 Forbidden", true),
        ("422 Unprocessable Entity", true),
    ] {
        let body = format!(r#"{{"error":"no {TOKEN}"}}"#);
        let script = Script::run(move |_, _| answer(status, "", &body)).await;
        let mut live = user(&script).token_in(TokenPlace::Header);
        let told = error(&mut live).await;
        assert_eq!(told.status().map(|status| status.to_string()).as_deref(), Some(status));
        assert!(told.to_string().ends_with("no [secret]"), "{told}");
        assert_eq!(script.heads().len(), 1);
        // Unless it may be tried again.
        let live = user(&script).token_in(TokenPlace::Header);
        error(&mut live.tries(3)).await;
        assert_eq!(script.heads().len() - 1, if is_final { 1 } else { 3 }, "{status}");
    }
    let live = client("http://127.0.0.1:9").stream(streaming::User::new());
    let mut live = live.at("ws://127.0.0.1:9".parse().expect("an address"));
    assert!(error(&mut live).await.is_connect());
}

#[tokio::test]
async fn what_is_no_stream_is_none() {
    // A key that is not the right one, no upgrade, and a page of a proxy.
    let wrong = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: AAAA\r\n\r\n";
    let script =
        Script::run(move |_, _| vec![Step::Send(wrong.into()), delete("1"), Step::Hang]).await;
    let told = error(&mut user(&script).over(Over::WebSocket)).await;
    assert!(matches!(told.kind(), ErrorKind::Transport(TransportError::Broken(_))), "{told}");
    for over in [Over::WebSocket, Over::ServerSentEvents] {
        let script =
            Script::run(|_, _| answer("200 OK", "Content-Type: text/html\r\n", "<p>")).await;
        let told = error(&mut user(&script).over(over)).await;
        assert!(
            told.to_string().contains("(200 OK) cannot be decoded at $: it is text/html, not a "),
            "{told}"
        );
    }
}

#[tokio::test]
async fn a_server_without_web_sockets_is_followed_by_lines() {
    for status in ["404 Not Found", "426 Upgrade Required", "400 Bad Request", "200 OK"] {
        let script = Script::run(move |_, head| {
            if head.starts_with("GET /api/v1/streaming/user ") {
                let event = Step::Send(b"event: delete\ndata: 1\n\n".to_vec());
                return lines(&[event, Step::Hang]);
            }
            answer(status, "", "{}")
        });
        let script = script.await;
        let mut live = user(&script);
        assert_eq!(told(&mut live).await, "connected over ServerSentEvents", "{status}");
        assert_eq!(told(&mut live).await, "delete 1 of user");
    }
}

#[tokio::test]
async fn messages_that_say_nothing_are_passed_over() {
    let steps = vec![
        text("ping"),
        text("{}"),
        text(r#"{"stream":["user"],"event":7}"#),
        Step::Send(b"\x82\x02{}".to_vec()),
        Step::Send(vec![0x8a, 0]),
        text(r#"{"stream":["user"],"event":"new","payload":"x"}"#),
        delete("1"),
        Step::Hang,
    ];
    let script = Script::sockets([steps]).await;
    let mut live = user(&script);
    let mut heard = events(&mut live, 3).await;
    assert!(heard[1].contains("new"), "{heard:?}");
    heard.remove(1);
    assert!(heard[0].contains('7'), "a name that is a number: {heard:?}");
    assert_eq!(heard[1], "delete 1");
}
