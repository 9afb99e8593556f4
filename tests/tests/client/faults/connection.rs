//! Connections that break, stall, or cannot be made.

use std::time::Duration;

use fedispec::client::{Error, ErrorKind, TransportError};
use fedispec::runtime::{File, Id};
use fedispec::{instance, media, statuses};

use crate::faults::{client, fault};
use fedispec_tests::raw::{Act, Raw, bytes, response};

/// The error of a call to a server that performs these acts.
async fn transport_fault(acts: Vec<Act>) -> Error {
    let server = Raw::always(acts).await;
    let error = fault(&client(&server.origin), instance::Rules::new()).await;
    assert_eq!(error.status(), None);
    error
}

/// The kind of a transport error.
fn cause(error: &Error) -> &TransportError {
    match error.kind() {
        ErrorKind::Transport(error) => error,
        other => panic!("{other:?}"),
    }
}

const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

#[tokio::test]
async fn a_broken_connection_is_an_error() {
    let broken: [Vec<Act>; 9] = [
        vec![Act::Reset],
        vec![],
        vec![bytes("HTTP/1.1 200 OK\r\ncontent-le"), Act::Reset],
        vec![bytes(format!("{HEAD}content-length: 100\r\n\r\n[{{\"id\":"))],
        vec![
            bytes(format!("{HEAD}content-length: 100\r\n\r\n[{{\"id\":")),
            Act::Wait(Duration::from_millis(50)),
            Act::Reset,
        ],
        vec![bytes(format!("{HEAD}transfer-encoding: chunked\r\n\r\n5\r\n[{{\"id\r\n"))],
        vec![bytes(format!("{HEAD}transfer-encoding: chunked\r\n\r\nnonsense\r\n[]"))],
        vec![bytes("SSH-2.0-OpenSSH_9.9\r\n")],
        vec![bytes(format!("{HEAD}content-length: 2\r\ncontent-length: 7\r\n\r\n[]"))],
    ];
    for acts in broken {
        let shown = format!("{acts:?}");
        let error = transport_fault(acts).await;
        assert!(matches!(cause(&error), TransportError::Broken(_)), "{shown}: {error:?}");
    }
}

#[tokio::test]
async fn headers_beyond_measure_are_refused() {
    let long = format!("{HEAD}x-long: {}\r\n\r\n[]", "a".repeat(4 << 20));
    let many = format!("{HEAD}{}\r\n[]", "x-many: b\r\n".repeat(20_000));
    let endless = vec![bytes(HEAD), Act::Repeat(b"x-endless: c\r\n".repeat(1000))];
    for acts in [vec![bytes(long)], vec![bytes(many)], endless] {
        let error = transport_fault(acts).await;
        assert!(matches!(cause(&error), TransportError::Broken(_)), "{error:?}");
    }
}

#[tokio::test]
async fn a_stalled_server_times_out() {
    let stalling: [Vec<Act>; 4] = [
        vec![Act::Hang],
        vec![bytes("HTTP/1.1 200"), Act::Hang],
        vec![bytes(format!("{HEAD}content-length: 10\r\n\r\n[")), Act::Hang],
        // A server that sends a byte now and then must not hold the client for ever.
        vec![
            bytes(format!("{HEAD}transfer-encoding: chunked\r\n\r\n")),
            Act::Repeat(b"1\r\n \r\n".to_vec()),
        ],
    ];
    for acts in stalling {
        let shown = format!("{acts:?}");
        let error = transport_fault(acts).await;
        assert!(matches!(cause(&error), TransportError::Timeout), "{shown}: {error:?}");
    }
}

#[tokio::test]
async fn a_body_above_the_limit_is_not_read() {
    let said = format!("{HEAD}content-length: 1000000000000\r\n\r\n");
    let unsaid = format!("{HEAD}transfer-encoding: chunked\r\n\r\n");
    let chunk = format!("2000\r\n{}\r\n", " ".repeat(0x2000)).into_bytes();
    for acts in [vec![bytes(said), Act::Hang], vec![bytes(unsaid), Act::Repeat(chunk)]] {
        let error = transport_fault(acts).await;
        assert!(matches!(cause(&error), TransportError::TooLong(65536)), "{error:?}");
        assert_eq!(cause(&error).to_string(), "the response is longer than 65536 bytes");
    }
}

#[tokio::test]
async fn no_connection_differs_from_a_broken_one() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let error = fault(&client(&format!("http://{address}")), instance::Rules::new()).await;
    assert!(matches!(error.kind(), ErrorKind::Transport(TransportError::Connect(_))), "{error:?}");
}

#[tokio::test]
async fn what_is_not_safe_to_repeat_is_sent_once() {
    let server = Raw::always([Act::Reset]).await;
    fault(&client(&server.origin), statuses::Create::text("Once.")).await;
    assert_eq!(server.requests().len(), 1, "{:?}", server.requests());
}

#[tokio::test]
async fn a_write_whose_answer_is_cut_is_accepted() {
    let head =
        "HTTP/1.1 202 Accepted\r\ncontent-type: application/json\r\ncontent-length: 400\r\n\r\n";
    let cut = format!("{head}{{\"id\":\"22348641\",\"type\":\"image\",\"url\":nul");
    for end in [vec![], vec![Act::Reset], vec![Act::Hang]] {
        let acts = [vec![bytes(&cut), Act::Wait(Duration::from_millis(50))], end].concat();
        let server = Raw::always(acts).await;
        let upload = media::Upload::new(File::new("cat.png", *b"png"));
        let error = fault(&client(&server.origin), upload).await;
        assert!(error.is_sent(), "{error:?}");
        let accepted = error.accepted().expect("accepted");
        assert_eq!(accepted.id(), Some(Id::new("22348641")));
        assert_eq!(accepted.members["type"], "image");
        assert_eq!(error.status().map(|status| status.as_u16()), Some(202));
        let shown = error.to_string();
        for part in
            ["media.upload", "accepted (202 Accepted), answer unreadable", "the id is 22348641"]
        {
            assert!(shown.contains(part), "{shown}");
        }
        assert_eq!(server.requests().len(), 1, "{:?}", server.requests());
    }
}

#[tokio::test]
async fn a_write_whose_answer_does_not_fit_is_accepted() {
    let body =
        r#"{"id":"7","scheduled_at":"2030-01-01T00:00:00Z","params":7,"media_attachments":[]}"#;
    let server = Raw::always(response("200 OK", &[], body)).await;
    let request = statuses::Create::text("Later.").scheduled_at("2030-01-01T00:00:00Z");
    let error = fault(&client(&server.origin), request).await;
    let accepted = error.accepted().expect("accepted");
    assert_eq!(accepted.id(), Some(Id::new("7")));
    assert_eq!(accepted.body, body);
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_write_that_was_refused_and_cut_is_refused() {
    let cut = "HTTP/1.1 422 Unprocessable Content\r\ncontent-length: 400\r\n\r\n{\"error\":\"no";
    let server = Raw::always([bytes(cut)]).await;
    let error = fault(&client(&server.origin), statuses::Create::text("No.")).await;
    assert_eq!(error.api().expect("an error of the API").status.as_u16(), 422);
    assert!(error.accepted().is_none());
}
