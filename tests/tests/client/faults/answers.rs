//! Answers that are errors, or of an unexpected form.

use std::io::Write as _;
use std::time::Duration;

use fedispec::client::{
    ApiError, Error, ErrorKind, Policy, RemoteServer, StatusCode, TransportError, gate,
};
use fedispec::{accounts, apps, instance, lists, statuses};

use crate::faults::{client, fault};
use fedispec_tests::raw::{Raw, bytes, response};

/// The error of an answer to a request for rules.
async fn answered(status: &str, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Error {
    let server = Raw::always(response(status, headers, body)).await;
    fault(&client(&server.origin), instance::Rules::new()).await
}

async fn api(status: &str, headers: &[(&str, &str)], body: &str) -> ApiError {
    let error = answered(status, headers, body).await;
    let number = status.split(' ').next().and_then(|number| number.parse().ok());
    assert_eq!(error.status().map(|status| status.as_u16()), number);
    error.api().expect("an error of the API").clone()
}

const HTML: &str = "<!DOCTYPE html><html><title>502 Bad Gateway</title></html>";

#[tokio::test]
async fn errors_need_not_be_json() {
    let page = HTML.repeat(1000);
    for body in [
        "",
        HTML,
        &page,
        "405 method not allowed",
        "null",
        "[]",
        "\"no\"",
        "{\"error\":{\"code\":7}}",
        "{\"error\":",
        "\u{0}",
    ] {
        let error = api("502 Bad Gateway", &[("content-type", "text/html")], body).await;
        assert_eq!((error.message.as_deref(), error.body.as_str()), (None, body));
        assert!(error.to_string().starts_with("the server answered 502 Bad Gateway"), "{error}");
        assert!(format!("{error:?}").len() < 1000, "{error:?}");
    }
    let error =
        api("422 Unprocessable Content", &[], r#"{"error":"no","error_description":"not so"}"#)
            .await;
    assert_eq!(
        (error.message.as_deref(), error.description.as_deref()),
        (Some("no"), Some("not so"))
    );
}

#[tokio::test]
async fn what_a_server_still_takes_is_read_from_its_error() {
    let ten_minutes = Duration::from_secs(1_728_391_200);
    for reset in ["2024-10-08T12:40:00.000Z", "2024-10-08T12:40:00Z", "1728391200"] {
        let headers = [
            ("x-ratelimit-limit", "300"),
            ("x-ratelimit-remaining", "0"),
            ("x-ratelimit-reset", reset),
        ];
        let rate = api("429 Too Many Requests", &headers, r#"{"error":"Too many requests"}"#)
            .await
            .rate()
            .expect(reset);
        assert_eq!((rate.limit, rate.remaining), (Some(300), Some(0)));
        assert_eq!(rate.reset, Some(std::time::UNIX_EPOCH + ten_minutes), "{reset}");
    }
    let rate = api("503 Service Unavailable", &[("retry-after", "120")], HTML)
        .await
        .rate()
        .expect("a rate");
    assert_eq!(rate.retry_after, Some(Duration::from_secs(120)));
    for (name, value) in [
        ("x-ratelimit-reset", "soon"),
        ("retry-after", "-1"),
        ("x-ratelimit-limit", "99999999999999999999999"),
    ] {
        assert_eq!(
            api("429 Too Many Requests", &[(name, value)], "").await.rate(),
            None,
            "{name}: {value}"
        );
    }
}

/// The JSON path and the message of an answer that does not decode.
fn misfit(error: &Error) -> (&str, &str) {
    match error.kind() {
        ErrorKind::Decode { path, message, .. } => (path, message),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_answer_that_is_something_else_is_told_with_its_place() {
    for body in [HTML, "{\"id\":\"1\"}", "[{\"id\":\"1\"", "[]]", "7", "\"[]\""] {
        let error = answered("200 OK", &[("content-type", "application/json")], body).await;
        assert_eq!(misfit(&error).0, "$", "{body}: {error}");
        assert_eq!(error.status(), Some(StatusCode::OK));
    }
    let deep = "[".repeat(60_000);
    assert_eq!(misfit(&answered("200 OK", &[], &deep).await).0, "$");
    let server =
        Raw::always(response("200 OK", &[], r#"{"id":"1","title":{},"replies_policy":"list"}"#))
            .await;
    let error = fault(&client(&server.origin), lists::Get::new("1")).await;
    assert_eq!(misfit(&error).0, "$.title");
}

#[tokio::test]
async fn an_answer_that_goes_on_inside_of_itself_is_left_in_time() {
    let reblogs = |levels: usize| {
        let (open, close) = ("{\"reblog\":".repeat(levels), "}".repeat(levels));
        format!("{open}{{}}{close}")
    };
    let of_status = async |body: String| {
        let server = Raw::always(response("200 OK", &[], body)).await;
        fault(&client(&server.origin), statuses::Get::new("1")).await
    };
    // The deepest nesting that is accepted must not overflow a thread's stack.
    let error = of_status(reblogs(63)).await;
    let (path, message) = misfit(&error);
    // A boost may lose the status that it boosts and its author, but not its text.
    assert_eq!((path, message), ("$", "missing field `content`"));
    let error = of_status(reblogs(4000)).await;
    assert_eq!(misfit(&error), ("$", "missing field `content`"), "what is too deep is left out");
}

#[tokio::test]
async fn an_empty_answer_is_said_to_be_empty() {
    for (status, body) in [("200 OK", ""), ("200 OK", " \r\n"), ("204 No Content", "")] {
        let error = answered(status, &[], body).await;
        assert_eq!(misfit(&error), ("$", "the body is empty"), "{status}");
    }
    // The body is ignored where the operation answers nothing.
    for (status, body) in [("200 OK", ""), ("204 No Content", "{}"), ("202 Accepted", HTML)] {
        let server = Raw::always(response(status, &[], body)).await;
        client(&server.origin).send(lists::Delete::new("1")).await.expect(status);
    }
}

#[tokio::test]
async fn a_success_without_content_is_null() {
    let server = Raw::always(response("204 No Content", &[], "")).await;
    let request = instance::DonationCampaign::new();
    let campaign = client(&server.origin).send(request).await;
    assert!(campaign.expect("a success").value.is_null());
    // Where the operation has such a success; an empty page is a fault of the server.
    let server = Raw::always(response("200 OK", &[], "")).await;
    let error = fault(&client(&server.origin), instance::DonationCampaign::new()).await;
    assert_eq!(misfit(&error), ("$", "the body is empty"));
}

#[tokio::test]
async fn a_wrong_content_type_costs_nothing() {
    let rules = r#"[{"id":"1","text":"Be kind."}]"#;
    for headers in [
        vec![],
        vec![("content-type", "text/html; charset=iso-8859-1")],
        vec![("content-type", "nonsense;;")],
    ] {
        let server = Raw::always(response("200 OK", &headers, rules)).await;
        let answer = client(&server.origin).send(instance::Rules::new()).await.expect("rules");
        assert_eq!(answer[0].text, "Be kind.");
    }
}

#[tokio::test]
async fn a_wrong_byte_costs_its_character() {
    let server =
        Raw::always(response("200 OK", &[], b"[{\"id\":\"1\",\"text\":\"gr\xfcn\"}]")).await;
    let answer = client(&server.origin).send(instance::Rules::new()).await.expect("rules");
    assert_eq!(answer[0].text, "gr\u{fffd}n");
}

#[tokio::test]
async fn what_was_packed_without_asking_is_told() {
    for coding in ["br", "x-unheard-of"] {
        let server = Raw::always(response(
            "200 OK",
            &[("content-encoding", coding)],
            b"\x1f\x8b\x08\x00garbage\xff\x00",
        ))
        .await;
        let error = fault(&client(&server.origin), instance::Rules::new()).await;
        assert_eq!(misfit(&error).0, "$");
        assert!(misfit(&error).1.contains(coding), "{error}");
        let request = server.requests().concat().to_ascii_lowercase();
        assert!(request.contains("accept-encoding: gzip\r\n"), "{request}");
    }
}

#[tokio::test]
async fn a_packed_answer_is_unpacked_and_bounded() {
    let packed = |body: &[u8]| {
        let mut to = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        to.write_all(body).expect("it fits");
        to.finish().expect("it fits")
    };
    let gzip = [("content-encoding", "gzip")];
    let rules = packed(br#"[{"id":"1","text":"Be kind."}]"#);
    let server = Raw::always(response("200 OK", &gzip, &rules)).await;
    let answer = client(&server.origin).send(instance::Rules::new()).await.expect("rules");
    assert_eq!(answer[0].text, "Be kind.");
    let error = answered("422 Unprocessable Content", &gzip, packed(br#"{"error":"no"}"#)).await;
    assert_eq!(error.api().and_then(|api| api.message.as_deref()), Some("no"));

    // Sixteen MiB in some sixteen KiB, of which 64 KiB are unpacked.
    let bomb = packed(&vec![b' '; 16 << 20]);
    assert!(bomb.len() < 32 << 10, "{}", bomb.len());
    let error = answered("200 OK", &gzip, bomb).await;
    assert!(
        matches!(error.kind(), ErrorKind::Transport(TransportError::TooLong(65_536))),
        "{error}"
    );
    for broken in [&rules[..rules.len() - 9], b"\x1f\x8b\x08\x00garbage\xff\x00"] {
        let error = answered("200 OK", &gzip, broken).await;
        assert!(matches!(error.kind(), ErrorKind::Transport(TransportError::Broken(_))), "{error}");
    }
}

#[tokio::test]
async fn a_page_for_people_is_no_success_of_a_write() {
    let page =
        response("200 OK", &[("content-type", "text/html")], "<p>Sign in to the network</p>");
    let server = Raw::always(page).await;
    let error = fault(&client(&server.origin), statuses::Create::text("Hello.")).await;
    assert!(error.accepted().is_none(), "{error}");
    assert!(misfit(&error).1.contains("the body is text/html, not JSON"), "{error}");
    assert_eq!(server.requests().len(), 1, "it is not sent again");
}

#[tokio::test]
async fn what_comes_before_and_after_the_answer_is_left() {
    let early = "HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n";
    let answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n[] and more";
    let server = Raw::always([bytes(early), bytes(answer)]).await;
    let rules = client(&server.origin).send(instance::Rules::new()).await.expect("rules");
    assert!(rules.is_empty());
}

#[tokio::test]
async fn the_refusal_of_a_registration_is_typed() {
    let body = r#"{"error":"Validation failed","details":{"username":[{"error":"ERR_TAKEN","description":"is taken"}],"odd":7}}"#;
    let server = Raw::always(response("422 Unprocessable Content", &[], body)).await;
    let request = accounts::Create::new(accounts::CreateNew {
        username: "mona".into(),
        email: "a@example.org".into(),
        password: "pass-word".into(),
        agreement: true,
    })
    .locale("en");
    let error = fault(&client(&server.origin), request).await;
    let refused = error.api().expect("an error of the API").refused();
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert_eq!(
        (&*refused[0].param, &*refused[0].error, &*refused[0].description),
        ("username", "ERR_TAKEN", "is taken")
    );
}

#[tokio::test]
async fn an_answer_of_secrets_that_does_not_fit_shows_none() {
    let body = r#"{"id":"1","name":[],"client_id":"c","client_secret":"hu5h","vapid_key":"v","redirect_uri":"u"}"#;
    let server = Raw::always(response("200 OK", &[], body)).await;
    let error = fault(
        &client(&server.origin),
        apps::Create::new("elephant").redirect_uris("urn:ietf:wg:oauth:2.0:oob"),
    )
    .await;
    assert!(!crate::faults::shown(&error).contains("hu5h"), "{error:?}");
}

/// A release before the floor may lack what the types take for granted: the error says so, if the client knows its server.
#[tokio::test]
async fn an_answer_of_a_release_below_the_floor() {
    let body = r#"{"id": 1, "username": "mona", "acct": "mona"}"#;
    let told = async |version: &str| {
        let server = Raw::always(response("200 OK", &[], body)).await;
        let known = RemoteServer::of("mastodon", version);
        let client = client(&server.origin).knowing(gate(known), Policy::Advise);
        let error = fault(&client, accounts::Get::new("1")).await;
        assert!(matches!(error.kind(), ErrorKind::Decode { .. }), "{error}");
        assert_eq!(error.below_floor().is_some(), error.to_string().contains("made for"));
        error.to_string()
    };
    let old = told("1.6.1").await;
    let words =
        "; the server runs Mastodon 1.6.1, and the types are made for Mastodon 2.0.0 and later";
    assert!(old.contains(words), "{old}");
    let new = told("4.5.0").await;
    assert!(!new.contains("made for"), "{new}");
}
