//! Authentication, and the errors of requests that are refused.

use std::collections::BTreeSet;

use fedispec::server::{RequestLimits, Target};
use fedispec_tests::catalogue;

use crate::traits::app::{Running, TOKEN, server};
use crate::traits::raw::{get, send};

/// The operations that the sample server implements.
const IMPLEMENTED: [&str; 23] = [
    "accounts.get",
    "accounts.update_credentials",
    "accounts.verify_credentials",
    "apps.create",
    "filters.create",
    "filters.list",
    "instance.get",
    "instance.get_v1",
    "lists.create",
    "lists.list",
    "media.upload",
    "notifications.list",
    "oauth.token",
    "statuses.create",
    "statuses.delete",
    "streaming.connect",
    "streaming.hashtag",
    "streaming.health",
    "streaming.list",
    "streaming.public",
    "streaming.user",
    "timelines.home",
    "timelines.public",
];

const ME: &str = "/api/v1/accounts/verify_credentials";

#[tokio::test]
async fn a_token_is_asked_for_where_the_catalogue_says_so() {
    let site = Running::start(RequestLimits::default()).await;
    for (path, token, status, told) in [
        // A user's token with the scope, or one above it.
        (ME, Some(TOKEN), 200, ""),
        (ME, Some("u:read:accounts"), 200, ""),
        (ME, Some("u:profile"), 200, ""),
        (ME, Some("u:write"), 403, "outside the authorized scopes"),
        ("/api/v1/timelines/home", Some("u:read:statuses"), 200, ""),
        ("/api/v1/timelines/home", Some("u:write+read"), 200, ""),
        ("/api/v1/timelines/home", Some("u:read:accounts"), 403, "outside the authorized scopes"),
        ("/api/v1/timelines/home", Some("u:"), 403, "outside the authorized scopes"),
        // No token, a wrong one, an application's.
        ("/api/v1/timelines/home", None, 401, "is invalid"),
        ("/api/v1/timelines/home", Some("wrong"), 401, "is invalid"),
        ("/api/v1/timelines/home", Some("a:read"), 422, "requires an authenticated user"),
        // An operation with an optional token.
        ("/api/v1/timelines/public", None, 200, ""),
        ("/api/v1/timelines/public", Some("wrong"), 401, "is invalid"),
        ("/api/v1/timelines/public", Some("u:read"), 200, ""),
        // A public operation takes any token.
        ("/api/v2/instance", None, 200, ""),
        ("/api/v2/instance/", None, 200, ""),
        ("/api/v2/instance", Some("wrong"), 200, ""),
        // The authenticator fails.
        ("/api/v1/timelines/home", Some("panic"), 500, "went wrong"),
        // An operation that is not implemented answers 501 without a token too.
        ("/api/v1/bookmarks", None, 501, "not implemented"),
    ] {
        let answer = get(site.address, path, token).await;
        assert_eq!(answer.status, status, "{path} {token:?}: {answer:?}");
        if status >= 400 {
            assert!(answer.error().contains(told), "{path} {token:?}: {answer:?}");
            let secret = token.filter(|token| *token != "panic").unwrap_or("?");
            assert!(!answer.body.contains(secret) && !answer.head.contains(secret));
        }
    }
}

#[tokio::test]
async fn the_challenge_names_the_fault() {
    let site = Running::start(RequestLimits::default()).await;
    for (token, challenge) in [
        (None, "bearer"),
        (Some("wrong"), "bearer error=\"invalid_token\""),
        (Some("u:write"), "bearer error=\"insufficient_scope\", scope=\"read:statuses\""),
    ] {
        let answer = get(site.address, "/api/v1/timelines/home", token).await;
        assert_eq!(answer.header("www-authenticate"), Some(challenge));
    }
}

#[tokio::test]
async fn a_token_comes_in_the_query_and_in_forms_too() {
    let site = Running::start(RequestLimits::default()).await;
    let answer = get(site.address, &format!("{ME}?access_token={TOKEN}"), None).await;
    assert_eq!(answer.status, 200);
    let post = async |kind: &str, body: &str| {
        let head = format!("POST /api/v1/lists HTTP/1.1\nContent-Type: {kind}");
        send(site.address, &head, body).await
    };
    let form = "application/x-www-form-urlencoded";
    let answer = post(form, &format!("title=a&access_token={TOKEN}")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let json = format!(r#"{{"title": "b", "access_token": "{TOKEN}"}}"#);
    assert_eq!(post("application/json", &json).await.status, 200);
    assert_eq!(post(form, "title=a").await.error(), "The access token is invalid");
    // No file is read to find a token.
    let part = format!(
        "--b\r\nContent-Disposition: form-data; name=\"access_token\"\r\n\r\n{TOKEN}\r\n--b--\r\n"
    );
    let answer = post("multipart/form-data; boundary=b", &part).await;
    assert_eq!(answer.status, 401);
}

#[tokio::test]
async fn a_page_does_not_pass_the_token_on() {
    let site = Running::start(RequestLimits::default()).await;
    for number in 0..3 {
        let head = format!(
            "POST /api/v1/statuses HTTP/1.1\nAuthorization: bearer {TOKEN}\nContent-Type: application/json"
        );
        let answer = send(site.address, &head, &format!(r#"{{"status": "{number}"}}"#)).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    let path = format!("/api/v1/timelines/home?limit=2&access_token={TOKEN}");
    let answer = get(site.address, &path, None).await;
    let link = answer.header("link").expect("a link");
    assert!(link.contains("limit=2&max_id=102>; rel=\"next\""), "{link}");
    assert!(!link.contains("token"), "{link}");
}

#[tokio::test]
async fn errors_are_the_api_s_own() {
    let site = Running::start(RequestLimits::default()).await;
    let ask = async |id: &str| get(site.address, &format!("/api/v1/accounts/{id}"), None).await;
    assert_eq!(ask("404").await.error(), "Record not found");
    assert_eq!(ask("410").await.status, 410);
    let answer = ask("422").await;
    assert_eq!((answer.status, answer.body.as_str()), (422, r#"{"details":1,"error":"No"}"#));
    let answer = ask("429").await;
    assert_eq!(answer.status, 429);
    assert_eq!(answer.header("retry-after"), Some("2"));
    assert_eq!(answer.header("x-ratelimit-limit"), Some("300"));
    assert_eq!(answer.header("x-ratelimit-remaining"), Some("0"));
    assert_eq!(answer.header("x-ratelimit-reset"), Some("2024-10-08t12:30:00.000z"));
    assert_eq!(ask("503").await.status, 503);
    let answer = ask("panic").await;
    assert_eq!(
        (answer.status, answer.error().as_str()),
        (500, "Something went wrong on the server")
    );
}

#[tokio::test]
async fn unimplemented_operations_are_known_at_start() {
    let site = Running::start(RequestLimits::default()).await;
    let target = Target::new("mastodon", "4.3.0".parse().expect("a version"));
    let server = server(site.app.clone()).target(target);
    let missing: BTreeSet<_> = server.unimplemented().map(|operation| operation.id).collect();
    // An operation of a group that is not mounted, and one of a group that is.
    assert!(missing.contains("bookmarks.list") && missing.contains("accounts.lookup"));
    // Operations that only programs with a folder of their own have get no stub.
    let api = catalogue::typed();
    let operations = api.operations.iter().map(|operation| operation.item.id.as_str());
    let expected: BTreeSet<_> = operations.filter(|id| !IMPLEMENTED.contains(id)).collect();
    assert_eq!(missing, expected);
}

#[tokio::test]
async fn a_client_in_a_browser_comes_in() {
    let site = Running::start(RequestLimits::default()).await;
    let ask = async |line: &str, rest: &str| {
        let head = format!("{line} HTTP/1.1\nOrigin: https://client.example{rest}");
        send(site.address, &head, "").await
    };
    let wanted = "\nAccess-Control-Request-Method: POST\nAccess-Control-Request-Headers: authorization,idempotency-key";
    let answer = ask("OPTIONS /api/v1/statuses", wanted).await;
    assert_eq!(answer.status, 204, "{answer:?}");
    for (name, value) in [
        ("access-control-allow-origin", "*"),
        ("access-control-allow-methods", "get, post, put, patch, delete"),
        ("access-control-allow-headers", "authorization,idempotency-key"),
    ] {
        assert_eq!(answer.header(name), Some(value), "{answer:?}");
    }
    // A browser may read every answer: success, refusal, and 501.
    for (line, status) in [
        ("GET /api/v2/instance", 200),
        ("GET /api/v1/timelines/home", 401),
        ("GET /api/v1/bookmarks", 501),
        ("DELETE /api/v2/instance", 405),
    ] {
        let answer = ask(line, "").await;
        assert_eq!(answer.status, status, "{answer:?}");
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"), "{answer:?}");
    }
    let answer = get(site.address, "/api/v2/instance", None).await;
    assert_eq!(answer.header("access-control-allow-origin"), None);
}

#[tokio::test]
async fn an_unknown_method_answers_405() {
    let site = Running::start(RequestLimits::default()).await;
    let answer = send(site.address, "DELETE /api/v1/statuses HTTP/1.1", "").await;
    assert_eq!((answer.status, answer.error().as_str()), (405, "DELETE is not allowed here"));
    let allowed = answer.header("allow").expect("what is");
    assert!(allowed.contains("post"), "{allowed}");
}

#[tokio::test]
async fn pages_of_other_origins_can_be_left_out() {
    let site = Running::start(RequestLimits::default()).await;
    let router = server(site.app.clone()).cors(false).into_router();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(fedispec::server::Listen::new(listener).serve(router));
    let head = "GET /api/v2/instance HTTP/1.1\nOrigin: https://client.example";
    let answer = send(address, head, "").await;
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, None));
}
