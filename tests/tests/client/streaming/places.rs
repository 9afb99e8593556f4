//! Where the token goes, and where it does not.

use fedispec::client::{Policy, RemoteServer, TokenPlace, gate};
use fedispec::streaming;

use crate::streaming::script::{Script, Step, answer, delete, header, lines, socket};
use crate::streaming::{TOKEN, client, error, next, short, soon};

/// Where a head has the token.
fn places(head: &str) -> Vec<&'static str> {
    let first = head.lines().next().unwrap_or_default();
    let bearer = format!("Bearer {TOKEN}");
    let is_in = [
        ("header", header(head, "authorization") == Some(&*bearer)),
        ("protocol", header(head, "sec-websocket-protocol") == Some(TOKEN)),
        ("query", first.contains(&format!("access_token={TOKEN}"))),
    ];
    let all: Vec<_> = is_in.iter().filter(|(_, is)| *is).map(|(place, _)| *place).collect();
    assert_eq!(head.matches(TOKEN).count(), all.len(), "{head}");
    all
}

#[tokio::test]
async fn each_release_gets_the_token_where_it_looks() {
    for (program, version, wanted) in [
        ("mastodon", "4.6.5", "header"),
        ("mastodon", "1.3.0", "query"),
        ("gotosocial", "0.19.2", "header"),
        ("gotosocial", "0.7.1", "protocol"),
        ("gotosocial", "0.5.0", "query"),
    ] {
        let script = Script::sockets([vec![delete("1"), Step::Hang]]).await;
        let mut server = RemoteServer::of(program, version);
        server.streaming = Some(format!("ws://{}", script.address));
        let client = client(&script.origin()).knowing(gate(server), Policy::Advise);
        let mut live = client.stream(streaming::User::new());
        assert_eq!(short(&next(&mut live).await), "delete 1");
        let heads = script.heads();
        assert_eq!(heads.len(), 1, "{heads:?}");
        assert_eq!(places(&heads[0]), [wanted], "{program} {version}");
        assert!(heads[0].starts_with("GET /api/v1/streaming?stream=user"), "{}", heads[0]);
        assert!(header(&heads[0], "user-agent").is_some_and(|name| name.starts_with("fedispec/")));
    }
}

#[tokio::test]
async fn an_unknown_program_is_asked_where_it_looks() {
    let script = Script::run(|_, head| match places(head)[..] {
        ["protocol"] => socket(head, &[delete("1"), Step::Hang]),
        _ => answer("401 Unauthorized", "", r#"{"error":"who"}"#),
    });
    let script = script.await;
    let live = client(&script.origin()).stream(streaming::User::new());
    let mut live = live.at(script.streams());
    assert_eq!(short(&next(&mut live).await), "delete 1");
    let heads = script.heads();
    let asked: Vec<_> = heads.iter().map(|head| places(head)).collect();
    assert_eq!(asked, [["header"], ["protocol"]]);
    // A stream that no address takes is an error; the token goes into the query only on demand.
    let refusing = Script::run(|_, _| answer("401 Unauthorized", "", "{}")).await;
    let live = || {
        let live = client(&refusing.origin()).stream(streaming::User::new());
        live.at(refusing.streams())
    };
    assert!(error(&mut live()).await.is_unauthorized());
    assert!(error(&mut live().token_in(TokenPlace::Query)).await.is_unauthorized());
    let heads = refusing.heads();
    let asked: Vec<_> = heads.iter().map(|head| places(head)).collect();
    assert_eq!(asked, [["header"], ["protocol"], ["query"]]);
}

#[tokio::test]
async fn a_token_of_the_request_itself_is_the_only_one() {
    let script = Script::run(|_, head| {
        if head.contains("/streaming/user") {
            let event = Step::Send(b"event: delete\ndata: 1\n\n".to_vec());
            return lines(&[event, Step::Hang]);
        }
        socket(head, &[delete("1"), Step::Hang])
    });
    let script = script.await;
    for over in [fedispec::client::Over::WebSocket, fedispec::client::Over::ServerSentEvents] {
        let request = streaming::User::new().access_token("an0ther");
        let live = client(&script.origin()).stream(request);
        let mut live = live.at(script.streams()).over(over);
        assert!(!format!("{live:?}").contains("an0ther"), "{live:?}");
        assert_eq!(short(&next(&mut live).await), "delete 1");
    }
    for head in script.heads() {
        assert!(head.contains("access_token=an0ther"), "{head}");
        assert!(!head.contains(TOKEN), "{head}");
    }
}

#[tokio::test]
async fn a_redirect_takes_the_token_nowhere() {
    let other = Script::sockets([vec![delete("1"), Step::Hang]]).await;
    let location = format!("Location: http://{}/api/v1/streaming?stream=user\r\n", other.address);
    let script = Script::run(move |_, _| answer("302 Found", &location, "")).await;
    for over in [fedispec::client::Over::WebSocket, fedispec::client::Over::ServerSentEvents] {
        let live = client(&script.origin()).stream(streaming::User::new());
        let mut live = soon(live.at(script.streams())).over(over);
        let told = error(&mut live).await;
        assert!(told.to_string().contains("was not followed"), "{told}");
    }
    assert_eq!(other.heads(), [""; 0]);
}

#[tokio::test]
async fn a_token_that_cannot_be_sent_is_told() {
    let script = Script::sockets([vec![]]).await;
    let client = client(&script.origin()).token("no\nheader of t0ken-of-nobody");
    let mut live = client.stream(streaming::User::new()).at(script.streams());
    let told = error(&mut live).await;
    let why = ": the token has characters that are not allowed in a header";
    assert!(told.to_string().ends_with(why) && !told.to_string().contains("parameter"), "{told}");
    assert_eq!(script.heads(), [""; 0]);
}
