//! Answers of a handler besides its entity, and routes beside the server's.

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, ETAG, HeaderValue, LOCATION};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::get;
use fedispec::entities::{
    Account, MediaAttachment, Notification, OauthAuthorizeResponse, Relationship, ScheduledStatus,
    Status,
};
use fedispec::runtime::{Either, Json, List, Page, Raw};
use fedispec::server::{self, Call, Cause, Error, OrInternal as _, Reply, Result, Server};
use fedispec::{
    accounts, grouped_notifications, health, media, nodeinfo, notifications, oauth, statuses,
    streaming, timelines, webfinger,
};
use tower::ServiceExt as _;

use crate::traits::entities;

#[derive(Clone)]
struct App;

impl server::Media for App {
    async fn get(&self, request: media::Get, call: Call) -> Result<MediaAttachment> {
        match request.id.as_str() {
            "later" => call.set_status(StatusCode::PARTIAL_CONTENT)?,
            "teapot" => call.set_status(StatusCode::IM_A_TEAPOT)?,
            "missing" => {
                call.set_rate_limit(300, 299, &"2024-10-08T12:30:00.000Z".into());
                return Err(Error::not_found());
            }
            _ => {}
        }
        call.set_header(ETAG, HeaderValue::from_static("\"v1\""));
        call.set_header(CACHE_CONTROL, HeaderValue::from_static("public, max-age=60"));
        let id = request.id;
        Ok(entities::media(id))
    }
}

impl server::Oauth for App {
    async fn authorize(&self, _: oauth::Authorize, call: Call) -> Result<OauthAuthorizeResponse> {
        if call.headers.contains_key("cookie") {
            Err(Reply::redirect("https://client.example/?code=1&a=ü\r\nb"))?;
        }
        Err(Reply::html("<form>"))?
    }
}

/// An error of a database.
#[derive(Debug)]
struct Database;

impl std::fmt::Display for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the database at 10.0.0.7 is gone")
    }
}

impl std::error::Error for Database {}

impl server::Accounts for App {
    async fn get(&self, request: accounts::Get, _: Call) -> Result<Account> {
        match request.id.as_str() {
            "io" => drop(std::fs::read("/nowhere")?),
            "parsed" => drop("a".parse::<u64>().or_internal()?),
            "database" => Err(Database).or_internal()?,
            // As anyhow and many others have it.
            "boxed" => {
                Err(Box::<dyn std::error::Error + Send + Sync>::from(Database)).or_internal()?;
            }
            "own" => Err(Error::gone())?,
            _ => {}
        }
        Ok(entities::account(request.id.as_str()))
    }

    async fn relationships(
        &self,
        request: accounts::Relationships,
        _: Call,
    ) -> Result<List<Relationship>> {
        let ids = request.id.into_iter();
        Ok(ids.map(entities::relationship).collect())
    }
}

impl server::Statuses for App {
    async fn create(
        &self,
        request: statuses::Create,
        _: Call,
    ) -> Result<Either<ScheduledStatus, Status>> {
        let visibility = request.visibility.map(|visibility| visibility.to_string());
        Ok(Either::Second(Status {
            content: visibility.unwrap_or_default(),
            ..entities::status("1")
        }))
    }
}

impl server::Notifications for App {
    async fn list(&self, request: notifications::List, _: Call) -> Result<Page<Notification>> {
        let types = request.types.iter().map(|one| entities::notification(one.as_str()));
        Ok(types.collect())
    }
}

impl server::Timelines for App {
    async fn home(&self, _: timelines::Home, call: Call) -> Result<Page<Status>> {
        let all: Vec<_> = (1..=100).rev().map(|id| entities::status(&id.to_string())).collect();
        Ok(call.page_query(20, 40).slice(&all, |status| status.id.as_str()))
    }
}

fn server() -> Server {
    Server::new()
        .accounts(App)
        .media(App)
        .notifications(App)
        .oauth(App)
        .statuses(App)
        .timelines(App)
        .public_origin("https://a.example")
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: HeaderMap,
    pub(crate) body: String,
    pub(crate) cause: Option<String>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name).map(HeaderValue::to_str);
        value.and_then(std::result::Result::ok).unwrap_or_default()
    }

    pub(crate) fn json(&self) -> Json {
        serde_json::from_str(&self.body).expect(&self.body)
    }
}

pub(crate) async fn ask(
    router: Router,
    line: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Answer {
    let (method, uri) = line.split_once(' ').expect("a method and a path");
    let mut request = Request::builder().method(method).uri(uri);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::from(body.to_owned())).expect("a request");
    let response = router.oneshot(request).await.expect("an answer");
    let (parts, body) = response.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.expect("a body");
    Answer {
        status: parts.status.as_u16(),
        headers: parts.headers,
        body: String::from_utf8(body.to_vec()).expect("text"),
        cause: parts.extensions.get::<Cause>().map(|Cause(cause)| cause.to_string()),
    }
}

async fn plain(line: &str) -> Answer {
    ask(server().into_router(), line, &[], "").await
}

#[tokio::test]
async fn an_answer_has_a_status_and_headers() {
    let answer = plain("GET /api/v1/media/7").await;
    assert_eq!((answer.status, answer.header("etag")), (200, "\"v1\""));
    assert_eq!(answer.header("cache-control"), "public, max-age=60");
    // A page of another origin gets other headers.
    assert_eq!(answer.header("vary"), "origin");
    let answer = plain("GET /api/v1/media/later").await;
    assert_eq!((answer.status, &answer.json()["id"]), (206, &"later".into()));
    // A status that the catalogue does not list is a mistake of the server.
    let answer = plain("GET /api/v1/media/teapot").await;
    assert_eq!(answer.status, 500);
    let cause = answer.cause.expect("a cause");
    assert!(cause.starts_with("media.get answers with [200, 206], not with 418"), "{cause}");
    let answer = plain("GET /api/v1/media/missing").await;
    assert_eq!((answer.status, answer.header("x-ratelimit-remaining")), (404, "299"));
    // An answer without a stated policy is for its caller alone.
    for line in ["GET /api/v1/accounts/7", "GET /api/v1/media/missing", "GET /api/v1/bookmarks"] {
        assert_eq!(plain(line).await.header("cache-control"), "private, no-store", "{line}");
    }
}

#[tokio::test]
async fn what_a_client_has_is_not_sent_again() {
    for (known, status) in
        [("\"v1\"", 304), ("W/\"v1\"", 304), ("\"v0\", \"v1\"", 304), ("*", 304), ("\"v0\"", 200)]
    {
        let headers = &[("if-none-match", known)];
        for method in ["GET", "HEAD"] {
            let line = format!("{method} /api/v1/media/7");
            let answer = ask(server().into_router(), &line, headers, "").await;
            assert_eq!(answer.status, status, "{known}");
            assert_eq!(answer.header("etag"), "\"v1\"");
            assert_eq!(answer.body.is_empty(), method == "HEAD" || status == 304);
            assert_eq!(answer.headers.contains_key("content-type"), status == 200);
        }
    }
    let answer =
        ask(server().into_router(), "GET /api/v1/media/later", &[("if-none-match", "*")], "");
    assert_eq!(answer.await.status, 206);
}

#[tokio::test]
async fn an_answer_may_be_a_page_or_a_redirect() {
    let line = "GET /oauth/authorize?response_type=code&client_id=a&redirect_uri=b";
    let answer = plain(line).await;
    assert_eq!((answer.status, answer.body.as_str()), (200, "<form>"));
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(answer.header("cache-control"), "private, no-store");
    let answer = ask(server().into_router(), line, &[("cookie", "a=b")], "").await;
    assert_eq!(answer.status, 302);
    let location = answer.headers[LOCATION].to_str().expect("text");
    assert_eq!(location, "https://client.example/?code=1&a=%C3%BC%0D%0Ab");
}

#[tokio::test]
async fn errors_of_other_libraries_are_hidden_and_logged() {
    for (id, cause) in [
        ("io", "No such file"),
        ("parsed", "invalid digit"),
        ("database", "the database at 10.0.0.7 is gone"),
        ("boxed", "the database at 10.0.0.7 is gone"),
    ] {
        let answer = plain(&format!("GET /api/v1/accounts/{id}")).await;
        assert_eq!(answer.status, 500);
        assert_eq!(answer.body, r#"{"error":"Something went wrong on the server"}"#);
        let told = answer.cause.expect("a cause");
        assert!(told.starts_with(cause), "{told}");
    }
    assert_eq!(plain("GET /api/v1/accounts/own").await.status, 410);
}

#[tokio::test]
async fn own_routes_stand_beside_the_server_s() {
    let own = || {
        Router::new().route("/oauth/authorize", get(async || "own")).fallback(async || "nothing")
    };
    // The server's own route would be in the way.
    let clash = std::panic::catch_unwind(|| server().into_router().merge(own()));
    assert!(clash.is_err());
    let router = server().without("oauth.authorize").into_router().merge(own());
    let body = async |line: &str| ask(router.clone(), line, &[], "").await.body;
    assert_eq!(body("GET /oauth/authorize").await, "own");
    assert_eq!(body("GET /about").await, "nothing");
    // The other methods of the path are still the server's.
    assert_eq!(
        body("POST /oauth/authorize").await,
        r#"{"error":"oauth.approve is not implemented on this server"}"#
    );
    let lost = r#"{"error":"There is nothing at this path"}"#;
    assert_eq!(body("GET /api/v1/nothing").await, lost);
    assert_eq!(body("POST /api/v2").await, lost);
    let nested = Router::new().nest("/below", server().into_router()).merge(own());
    let answer = ask(nested.clone(), "GET /below/api/v1/nothing", &[], "").await;
    assert_eq!((answer.status, answer.body.as_str()), (404, lost));
    assert_eq!(ask(nested, "GET /below/api/v1/accounts/7", &[], "").await.status, 200);
}

#[tokio::test]
async fn a_router_may_have_nothing_but_what_is_implemented() {
    let router = || {
        let first = Server::new().media(App).only_mounted().into_router();
        let second = Server::new().accounts(App).only_mounted().into_router();
        first.merge(second).fallback(async || "nothing")
    };
    let body = async |line: &str| ask(router(), line, &[], "").await.body;
    assert_eq!(body("GET /api/v1/bookmarks").await, "nothing");
    assert_eq!(body("GET /api/v1/streaming").await, "nothing");
    assert!(body("GET /api/v1/accounts/7").await.starts_with('{'));
    assert!(body("GET /api/v1/media/7").await.starts_with('{'));
    let missing: Vec<_> =
        server().without("bookmarks.list").unimplemented().map(|one| one.id).collect();
    assert!(missing.contains(&"oauth.token") && !missing.contains(&"bookmarks.list"));
}

#[tokio::test]
async fn a_server_tells_by_itself_where_its_documents_are() {
    let told = async |server: Server, path: &str| {
        let answer = ask(server.into_router(), &format!("GET {path}"), &[], "").await;
        (answer.status, answer.body)
    };
    let none = || Server::new().public_origin("https://a.example");
    for path in ["/health", "/livez"] {
        assert_eq!(told(none(), path).await, (200, "OK".to_owned()), "{path}");
    }
    let others = [
        "/readyz",
        "/.well-known/nodeinfo",
        "/.well-known/host-meta",
        "/api/v1/streaming/health",
        "/api/v2/instance",
    ];
    for path in others {
        assert_eq!(told(none(), path).await.0, 501, "{path}");
    }
    let some = || {
        none()
            .on(async |(), _: nodeinfo::Get, _: Call| Err(Error::not_found()))
            .on(async |(), _: webfinger::Get, _: Call| Err(Error::not_found()))
            .on_stream(async |(), _: streaming::User, _: Call| Err(Error::not_found()))
    };
    let (status, links) = told(some(), "/.well-known/nodeinfo").await;
    let link = r#"{"href":"https://a.example/nodeinfo/2.0","rel":"http://nodeinfo.diaspora.software/ns/schema/2.0"}"#;
    assert_eq!((status, links), (200, format!(r#"{{"links":[{link}]}}"#)));
    let (status, xrd) = told(some(), "/.well-known/host-meta").await;
    let template = r#"template="https://a.example/.well-known/webfinger?resource={uri}""#;
    assert!(status == 200 && xrd.contains(template), "{xrd}");
    assert_eq!(told(some(), "/api/v1/streaming/health").await, (200, "OK".to_owned()));
    let own = some().on(async |(), _: health::Get, _: Call| Err::<Raw, _>(Error::not_found()));
    assert_eq!(told(own, "/health").await.0, 404);
    assert_eq!(told(some().only_mounted(), "/health").await, (404, String::new()));
    let old = some().emulate("mastodon@2.9.1").expect("a release");
    assert_eq!(told(old, "/livez").await.0, 404);
}

#[test]
#[should_panic(expected = "no operation has the id `oauth.authorise`")]
fn an_operation_to_leave_out_exists() {
    let _ = Server::new().without("oauth.authorise");
}

#[tokio::test]
async fn a_value_that_nobody_listed_is_not_stored() {
    const FORM: &[(&str, &str)] = &[("content-type", "application/x-www-form-urlencoded")];
    let create = async |server: Server, visibility: &str| {
        let body = format!("status=a&visibility={visibility}");
        ask(server.into_router(), "POST /api/v1/statuses", FORM, &body).await
    };
    let answer = create(server(), "nonsense").await;
    assert_eq!(answer.status, 422);
    let told = answer.json()["error"].as_str().expect("text").to_owned();
    assert!(told.starts_with("visibility must be one of these: "), "{told}");
    assert!(told.contains("unlisted"), "{told}");
    assert_eq!(create(server(), "private").await.json()["content"], "private");
    assert_eq!(create(server(), "").await.status, 200);
    for opened in ["*", "statuses.create", "statuses.create.visibility"] {
        let answer = create(server().accept_unlisted(opened), "nonsense").await;
        assert_eq!(answer.json()["content"], "nonsense", "{opened}");
    }
    let other = server().accept_unlisted("accounts.update_credentials.source.privacy");
    assert_eq!(create(other, "nonsense").await.status, 422);
    // A filter finds nothing by it.
    let list = "GET /api/v1/notifications?types[]=mention&types[]=telepathy&types[]=poll";
    let types = async |server: Server| {
        let answer = ask(server.into_router(), list, &[], "").await.json();
        let ids = answer.as_array().expect("a list").iter().map(|one| one["id"].to_string());
        ids.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(types(server()).await, r#""mention" "poll""#);
    let open = server().accept_unlisted("notifications.list.types");
    assert_eq!(types(open).await, r#""mention" "telepathy" "poll""#);
}

/// A handler that looks itself at what is missing tells all of it at once.
#[tokio::test]
async fn what_is_missing_is_left_to_a_handler_that_wants_it() {
    let server = || {
        Server::new().on(async |(): (), request: accounts::Create, _: Call| {
            Err(Error::unprocessable(format!("{:?} {}", request.username, request.agreement)))
        })
    };
    let create = async |server: Server| {
        let form = [("content-type", "application/x-www-form-urlencoded")];
        ask(server.into_router(), "POST /api/v1/accounts", &form, "locale=en").await.json()
    };
    let first = create(server()).await["error"].as_str().expect("a text").to_owned();
    assert!(first.ends_with(" is required"), "{first}");
    assert_eq!(create(server().accept_missing("accounts.create")).await["error"], "\"\" false");
}

#[test]
#[should_panic(expected = "no operation and no parameter has the id `statuses.create.visiblity`")]
fn a_parameter_to_open_exists() {
    let _ = Server::new().accept_unlisted("statuses.create.visiblity");
}

#[tokio::test]
async fn an_object_with_a_page_in_it_is_linked_by_its_handler() {
    let server = Server::new().public_origin("https://a.example");
    let server = server.on(async |(): (), _: grouped_notifications::List, call: Call| {
        call.set_links(&Page::<()>::default().with_next([("max_id", "7")]));
        Err(Error::not_found())
    });
    let line = "GET /api/v2/notifications?limit=2&max_id=9&access_token=secret";
    let answer = ask(server.into_router(), line, &[], "").await;
    let path = "https://a.example/api/v2/notifications?limit=2";
    assert_eq!(answer.header("link"), format!("<{path}&max_id=7>; rel=\"next\""));
}

#[tokio::test]
async fn a_page_is_cut_and_linked() {
    let home = async |server: Server, query: &str| {
        let line = format!("GET /api/v1/timelines/home?{query}");
        let answer = ask(server.into_router(), &line, &[], "").await;
        let page = answer.json();
        let ids: Vec<_> =
            page.as_array().expect("a list").iter().map(|one| one["id"].clone()).collect();
        let ends =
            (ids.first().cloned().unwrap_or_default(), ids.last().cloned().unwrap_or_default());
        (ids.len(), ends, answer.header("link").to_owned())
    };
    let (count, ends, link) = home(server(), "limit=2&max_id=50&local=true").await;
    assert_eq!((count, ends), (2, ("49".into(), "48".into())));
    let path = "https://a.example/api/v1/timelines/home?limit=2&local=true";
    assert_eq!(link, format!("<{path}&max_id=48>; rel=\"next\", <{path}&min_id=49>; rel=\"prev\""));
    for (query, count) in [
        ("", 20),
        ("limit=1000", 40),
        ("limit=-7", 7),
        ("limit=0", 0),
        ("limit=abc", 0),
        ("limit=3abc", 3),
        ("min_id=98", 2),
    ] {
        assert_eq!(home(server(), query).await.0, count, "{query}");
    }
    let version = "0.19.2".parse().expect("a version");
    let gotosocial = server().target(server::Target::new("gotosocial", version));
    assert_eq!(home(gotosocial, "limit=-7").await.0, 1);
}

/// GoToSocial tells the words of Go's `strconv`; which come before them depends on the handler and the release.
#[tokio::test]
async fn what_gotosocial_cannot_read_is_refused_in_its_words() {
    let home = "GET /api/v1/timelines/home";
    let notifications = "GET /api/v1/notifications";
    let post = "POST /api/v1/statuses";
    for (release, line, sent, told) in [
        (
            "0.19.2",
            home,
            "limit=abc",
            "Bad Request: error parsing key limit with value abc as int: strconv.Atoi: parsing \"abc\": invalid syntax",
        ),
        (
            "0.19.2",
            home,
            "local=on",
            "Bad Request: error parsing key local with value on as bool: strconv.ParseBool: parsing \"on\": invalid syntax",
        ),
        (
            "0.9.0",
            home,
            "limit=abc",
            "Bad Request: error parsing limit: strconv.ParseInt: parsing \"abc\": invalid syntax",
        ),
        ("0.3.4", home, "limit=abc", "couldn't parse limit query param"),
        (
            "0.17.0",
            notifications,
            "limit=abc",
            "Bad Request: error parsing limit: strconv.ParseInt: parsing \"abc\": invalid syntax",
        ),
        ("0.18.0", notifications, "limit=abc", "Bad Request: bad integer limit value"),
        (
            "0.19.2",
            post,
            "status=a&sensitive=on",
            "Bad Request: strconv.ParseBool: parsing \"on\": invalid syntax",
        ),
    ] {
        let version = release.parse().expect("a version");
        let server = server().target(server::Target::new("gotosocial", version));
        let is_read = line.starts_with("GET");
        let line = if is_read { format!("{line}?{sent}") } else { line.to_owned() };
        let (kind, body) =
            if is_read { ("text/plain", "") } else { ("application/x-www-form-urlencoded", sent) };
        let answer = ask(server.into_router(), &line, &[("content-type", kind)], body).await;
        assert_eq!(
            (answer.status, &answer.json()["error"]),
            (400, &told.into()),
            "{release}: {line}"
        );
    }
    // Every word that Go takes for a switch is taken.
    let version = "0.19.2".parse().expect("a version");
    let server = server().target(server::Target::new("gotosocial", version));
    let answer = ask(server.into_router(), &format!("{home}?local=T"), &[], "").await;
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn a_list_and_a_single_value_are_read_as_the_program_does() {
    let relationships = async |server: Server| {
        let line = "GET /api/v1/accounts/relationships?id[]=7&id=8";
        let answer = ask(server.into_router(), line, &[], "").await.json();
        let ids = answer.as_array().expect("a list").iter();
        ids.map(|one| one["id"].as_str().expect("an id").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(relationships(server()).await, ["8"]);
    let version = "0.19.2".parse().expect("a version");
    let gotosocial = server().target(server::Target::new("gotosocial", version));
    assert_eq!(relationships(gotosocial).await, ["7"]);
}

#[tokio::test]
async fn a_repeated_request_is_answered_as_the_first() {
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Numbers the posts, and fails for the first of each text `fails`.
    #[derive(Clone, Default)]
    struct Counts(std::sync::Arc<AtomicUsize>);

    impl server::Statuses for Counts {
        async fn create(
            &self,
            request: statuses::Create,
            _: Call,
        ) -> Result<Either<ScheduledStatus, Status>> {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            let number = self.0.fetch_add(1, Ordering::SeqCst);
            if number == 0 && request.status.as_deref() == Some("fails") {
                return Err(Error::unavailable());
            }
            Ok(Either::Second(entities::status(&number.to_string())))
        }
    }

    let router = |keep: u64, most: usize| {
        let caller = async |token: fedispec::runtime::Secret| {
            Ok(server::Caller::user(token.expose(), "write"))
        };
        let keep = std::time::Duration::from_millis(keep);
        let server = Server::new().authenticator(caller).statuses(Counts::default());
        server.idempotency(keep, most).into_router()
    };
    let post = async |router: &Router, token: &str, key: &str, text: &str| {
        let token = format!("Bearer {token}");
        let form = ("content-type", "application/x-www-form-urlencoded");
        let headers = [form, ("authorization", token.as_str()), ("idempotency-key", key)];
        let body = format!("status={text}");
        let answer = ask(router.clone(), "POST /api/v1/statuses", &headers, &body).await;
        match answer.status {
            200 => answer.json()["id"].as_str().expect("an id").to_owned(),
            other => other.to_string(),
        }
    };
    let shared = router(60_000, 100);
    // At the same time, and later.
    let both = tokio::join!(post(&shared, "1", "a", "x"), post(&shared, "1", "a", "x"));
    assert_eq!(both, ("0".to_owned(), "0".to_owned()));
    assert_eq!(post(&shared, "1", "a", "x").await, "0");
    // Another key, another user.
    assert_eq!(post(&shared, "1", "b", "x").await, "1");
    assert_eq!(post(&shared, "2", "a", "x").await, "2");
    // A failed request may be tried again.
    let failing = router(60_000, 100);
    assert_eq!(post(&failing, "1", "a", "fails").await, "503");
    assert_eq!(post(&failing, "1", "a", "fails").await, "1");
    // The number of remembered answers is bounded.
    let few = router(60_000, 1);
    assert_eq!(post(&few, "1", "a", "x").await, "0");
    assert_eq!(post(&few, "1", "b", "x").await, "1");
    assert_eq!(post(&few, "1", "a", "x").await, "2");
    let short = router(1, 100);
    assert_eq!(post(&short, "1", "a", "x").await, "0");
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    assert_eq!(post(&short, "1", "a", "x").await, "1");
}
