//! Requests that GoToSocial refuses, and the answers that it gives.

use fedispec::client::{Client, StatusCode};
use fedispec::enums::{FilterContext, Visibility};
use fedispec::runtime::client::{Origin, request};
use fedispec::runtime::compatibility::{Gate, Policy, RemoteServer};
use fedispec::{
    accounts, apps, exports, filters, filters_v1, instance, scheduled_statuses, statuses, timelines,
};
use fedispec_tests::raw::{Raw, response};
use serde_json::json;

use crate::gotosocial::{answering, refused};

/// Answers as GoToSocial does: 418 without a User-Agent, 406 where CSV is not accepted, otherwise 200.
async fn strict() -> Raw {
    Raw::always(response("200 OK", &[("content-type", "application/json")], "[]")).await
}

fn header(request: &str, name: &str) -> Option<String> {
    let value = request.lines().find_map(|line| {
        line.to_ascii_lowercase()
            .strip_prefix(&format!("{name}:"))
            .map(str::trim)
            .map(str::to_owned)
    });
    value.filter(|value| !value.is_empty())
}

#[tokio::test]
async fn every_request_says_who_sends_it() {
    let server = strict().await;
    let client = Client::new(&*server.origin).expect("a client");
    client.send(instance::Rules::new()).await.expect("rules");
    client.clone().user_agent("").send(instance::Rules::new()).await.expect("rules");
    client.clone().user_agent("elephant/1.2").send(instance::Rules::new()).await.expect("rules");
    client.discover().await.expect("an answer");
    let names: Vec<_> =
        server.requests().iter().map(|request| header(request, "user-agent")).collect();
    assert!(names.iter().all(Option::is_some), "{names:?}");
    assert!(names[0].as_deref().is_some_and(|name| name.starts_with("fedispec/")), "{names:?}");
    assert_eq!(names[1], names[0], "nothing is no name");
    assert_eq!(names[2].as_deref(), Some("elephant/1.2"));
    let origin: Origin = "b.example".parse().expect("an origin");
    let request = request(&instance::Rules::new(), &origin, None).expect("a request");
    assert!(request.headers().contains_key("user-agent"), "the core says it as well");
}

#[tokio::test]
async fn csv_is_asked_for_as_such() {
    let server =
        Raw::always(response("200 OK", &[("content-type", "text/csv")], "a@b.example\n")).await;
    let client = Client::new(&*server.origin).expect("a client").token("t");
    let csv = client.send(exports::Blocks::new()).await.expect("CSV");
    assert_eq!(csv.content, b"a@b.example\n");
    let accept = header(&server.requests()[0], "accept").expect("a header");
    assert_ne!(accept, "application/json", "it answers 406 to that");
    client.send(exports::Stats::new()).await.expect_err("no JSON");
    assert_eq!(
        header(&server.requests()[1], "accept").as_deref(),
        Some("application/json"),
        "JSON keeps errors from being HTML"
    );
}

#[tokio::test]
async fn a_handler_that_failed_answers_200_and_nothing() {
    let known = Gate::new(RemoteServer::of("gotosocial", "0.19.2+git-90851fc"), fedispec::items());
    let (client, server) = answering("200 OK", &[], "").await;
    let client = client.knowing(known, Policy::Advise);
    let request = statuses::Create::text("Hello.").visibility(Visibility::custom("odd"));
    let error = client.send(request).await.expect_err("nothing");
    assert!(error.accepted().is_some(), "{error:?}");
    let shown = error.to_string();
    for part in ["statuses.create", &server.origin, "200 OK", "the body is empty"] {
        assert!(shown.contains(part), "{shown}");
    }
    for error in [
        refused(timelines::Home::new(), "200 OK", &[], "").await,
        refused(accounts::Get::new("1"), "200 OK", &[], "\n").await,
    ] {
        assert!(error.to_string().ends_with("$: the body is empty"), "{error}");
    }
}

#[tokio::test]
async fn errors_that_are_no_json_are_kept_as_they_are() {
    let plain = ("405 Method Not Allowed", "text/plain", "405 method not allowed");
    let html = (
        "404 Not Found",
        "text/html; charset=utf-8",
        "<!DOCTYPE html><html><body>404 not found</body></html>",
    );
    for (status, content_type, body) in [plain, html] {
        let error =
            refused(instance::Rules::new(), status, &[("content-type", content_type)], body).await;
        let api = error.api().expect("an error of the API");
        assert_eq!((api.message.as_deref(), api.body.as_str()), (None, body));
        assert!(error.to_string().ends_with(&format!("the server answered {status}")), "{error}");
    }
}

#[tokio::test]
async fn refusals_are_typed() {
    let cases = [
        (
            refused(
                accounts::Create::new(accounts::CreateNew {
                    username: "mona".into(),
                    email: "m@b.example".into(),
                    password: "pass".into(),
                    agreement: true,
                })
                .locale("en"),
                "401 Unauthorized",
                &[],
                r#"{"error":"Unauthorized: token not supplied"}"#,
            )
            .await,
            401,
        ),
        (
            refused(
                scheduled_statuses::List::new(),
                "404 Not Found",
                &[],
                r#"{"error":"Not Found"}"#,
            )
            .await,
            404,
        ),
        (
            refused(filters_v1::Get::new("1"), "404 Not Found", &[], r#"{"error":"Not Found"}"#)
                .await,
            404,
        ),
        (
            refused(
                statuses::Create::text("Later.").scheduled_at("2030-01-01"),
                "501 Not Implemented",
                &[],
                r#"{"error":"Not Implemented"}"#,
            )
            .await,
            501,
        ),
    ];
    for (error, status) in cases {
        assert_eq!(error.status(), StatusCode::from_u16(status).ok(), "{error}");
        assert!(error.api().is_some_and(|api| api.message.is_some()), "{error:?}");
    }
}

/// The body of a request as it goes out.
async fn sent<R>(request: R) -> String
where
    R: fedispec::runtime::Request + fedispec::client::Encode,
    R::Answer: fedispec::client::FromAnswer,
{
    let (client, server) = answering("200 OK", &[], "{}").await;
    let _ = client.send(request).await;
    server.requests().concat()
}

#[tokio::test]
async fn what_goes_out_has_the_types_that_it_insists_on() {
    // A form has no types.
    let form = sent(statuses::Create::text("Hello.").sensitive(false)).await;
    assert!(form.contains("content-type: application/x-www-form-urlencoded"), "{form}");
    assert!(form.ends_with("status=Hello.&sensitive=false"), "{form}");
    // One text, not a list.
    let app = sent(apps::Create::new("elephant").redirect_uris("urn:ietf:wg:oauth:2.0:oob")).await;
    assert!(
        app.ends_with("client_name=elephant&redirect_uris=urn%3Aietf%3Awg%3Aoauth%3A2.0%3Aoob"),
        "{app}"
    );
    // JSON bodies carry typed values.
    let keyword = filters::FiltersCreateKeywordsAttributes::new().keyword("tea").whole_word(false);
    let json_body = sent(
        filters::Create::new("Tea", [FilterContext::Home])
            .expires_in(60)
            .keywords_attributes([keyword]),
    )
    .await;
    let (_, body) = json_body.split_once("\r\n\r\n").expect("a body");
    let body: serde_json::Value =
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {json_body}"));
    let expected = json!({"context": ["home"], "title": "Tea", "expires_in": 60, "keywords_attributes": [{"keyword": "tea", "whole_word": false}]});
    assert_eq!(body, expected);
}
