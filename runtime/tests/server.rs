//! The answers of the sample's server to requests that no careful client sends.

mod sample;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode, header};
use fedispec_runtime as rt;
use rt::server::{Call, RequestLimits, Result};
use sample::accounts;
use sample::entities::{Account, required};
use sample::server::{Accounts, Server};
use tower::ServiceExt as _;

/// Answers what it received.
#[derive(Clone)]
struct Echo;

fn said(text: String) -> Account {
    let required = required::Account { id: 1.into(), acct: text, created_at: "".into() };
    required.into()
}

impl Accounts for Echo {
    fn lookup(
        &self,
        request: accounts::Lookup,
        _: Call,
    ) -> impl Future<Output = Result<Account>> + Send {
        // Not in the future, but before it.
        assert_ne!(request.acct, "panic");
        async move { Ok(said(request.acct)) }
    }

    async fn followers(
        &self,
        request: accounts::Followers,
        call: Call,
    ) -> Result<rt::Page<Account>> {
        let page = rt::Page::new([said(format!("{request:?} {}", call.uri))]);
        Ok(page.with_next([("max_id", "9")]).with_prev([("min_id", "1")]))
    }

    async fn update(&self, request: accounts::Update, _: Call) -> Result<Account> {
        Ok(said(format!("{request:?}")))
    }

    async fn filter(&self, request: accounts::Filter, _: Call) -> Result<rt::Json> {
        Ok(format!("{request:?}").into())
    }
}

fn server() -> Server {
    Server::new().accounts(Echo).limits(RequestLimits::default().body(200).upload(1000).params(20))
}

async fn answer(router: Router, request: Request<Body>) -> (StatusCode, HeaderMap, String) {
    let response = router.oneshot(request).await.expect("an answer");
    let (parts, body) = response.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.expect("a body");
    (parts.status, parts.headers, String::from_utf8(body.to_vec()).expect("text"))
}

fn get(uri: &str) -> Request<Body> {
    Request::get(uri).header("host", "example.org").body(Body::empty()).expect("a request")
}

fn send(method: &str, uri: &str, content_type: &str, body: impl Into<Body>) -> Request<Body> {
    let builder =
        Request::builder().method(method).uri(uri).header(header::CONTENT_TYPE, content_type);
    builder.body(body.into()).expect("a request")
}

async fn text(request: Request<Body>) -> String {
    let (status, headers, body) = answer(server().into_router(), request).await;
    assert_eq!(headers["content-type"], "application/json; charset=utf-8", "{body}");
    let tree: rt::Json = serde_json::from_str(&body).expect("json");
    let text = tree.get("error").or(tree.get("acct")).unwrap_or(&tree);
    format!("{} {}", status.as_u16(), text.as_str().unwrap_or_default())
}

const FORM: &str = "application/x-www-form-urlencoded";
const JSON: &str = "application/json";
const UPDATE: &str = "/api/v1/accounts/update_credentials";
const FILTER: &str = "/api/v2/filters";

#[tokio::test]
async fn what_nobody_serves_says_so() {
    assert_eq!(server().unimplemented(), ["oauth.token", "oauth.revoke"]);
    let request = send("POST", "/oauth/token", FORM, "");
    assert_eq!(text(request).await, "501 oauth.token is not implemented on this server");
    let (status, ..) =
        answer(server().into_router(), send("DELETE", "/oauth/token", FORM, "")).await;
    assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED);
    let (status, ..) = answer(server().into_router(), get("/api/v1/unknown")).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    let head =
        Request::head("/api/v1/accounts/lookup?acct=a").body(Body::empty()).expect("a request");
    let (status, _, body) = answer(server().into_router(), head).await;
    assert_eq!((status, body.as_str()), (StatusCode::OK, ""));
}

#[tokio::test]
async fn a_wrong_parameter_is_named() {
    assert_eq!(text(get("/api/v1/accounts/lookup")).await, "422 acct is required");
    // A query's numbers are read as Mastodon reads them.
    let told = text(get("/api/v1/accounts/1/followers?limit=many")).await;
    assert!(told.starts_with("200"), "{told}");
    assert_eq!(
        text(send("PATCH", UPDATE, FORM, "locked=maybe")).await,
        "422 locked must be true or false"
    );
    assert_eq!(
        text(send("PATCH", UPDATE, JSON, r#"{"avatar":"x"}"#)).await,
        "422 avatar must be a file, sent as multipart/form-data"
    );
    assert_eq!(
        text(send("POST", FILTER, JSON, r#"{"title":"t"}"#)).await,
        "422 context[] is required"
    );
    assert_eq!(
        text(send(
            "POST",
            FILTER,
            FORM,
            "title=t&context[]=home&keywords_attributes[][whole_word]=1"
        ))
        .await,
        "422 keywords_attributes[][keyword] is required"
    );
}

#[tokio::test]
async fn path_body_and_query_are_one() {
    let (_, _, body) =
        answer(server().into_router(), get("/api/v1/accounts/%31%2F/followers?id=2&unknown=3"))
            .await;
    assert!(body.contains(r#"id: \"1/\""#), "{body}");
    let request = send(
        "PATCH",
        &format!("{UPDATE}?locked=false&display_name=query"),
        FORM,
        "display_name=body",
    );
    let said = text(request).await;
    assert!(
        said.contains("display_name: Some(\"body\")") && said.contains("locked: Some(false)"),
        "{said}"
    );
    let said = text(send("PATCH", UPDATE, "", "display_name=bare")).await;
    assert!(said.contains("Some(\"bare\")"), "{said}");
    let said = text(send(
        "PATCH",
        UPDATE,
        "application/vnd.api+json; charset=utf-8",
        r#"{"display_name":"json"}"#,
    ))
    .await;
    assert!(said.contains("Some(\"json\")"), "{said}");
}

#[tokio::test]
async fn what_cannot_be_read_is_refused() {
    for (request, said) in [
        (send("PATCH", UPDATE, JSON, "{"), "400 the body is not JSON of the expected shape"),
        (send("PATCH", UPDATE, JSON, "[1]"), "400 the body is not JSON of the expected shape"),
        (
            send("PATCH", UPDATE, JSON, "[".repeat(190)),
            "400 the body is not JSON of the expected shape",
        ),
        (send("PATCH", UPDATE, "text/csv", "a,b"), "415 the body must be a form"),
        (send("PATCH", UPDATE, FORM, "a=".repeat(200)), "413 the body is longer than 200 bytes"),
        (send("PATCH", UPDATE, FORM, "a&".repeat(50)), "400 there are too many parameters"),
        (
            send("PATCH", UPDATE, FORM, format!("a{}=1", "[b]".repeat(30))),
            "400 the brackets of a parameter",
        ),
        (
            send("PATCH", UPDATE, "multipart/form-data", "x"),
            "400 the body is not valid multipart/form-data",
        ),
        (
            send("PATCH", UPDATE, "multipart/form-data; boundary=b", "x"),
            "400 the body is not valid multipart/form-data",
        ),
        (get("/api/v1/accounts/%FF/followers"), "422 id must be UTF-8"),
        (get("/api/v1/accounts/lookup?acct=panic"), "500 Something went wrong on the server"),
    ] {
        let told = text(request).await;
        assert!(told.starts_with(said), "{told}");
    }
}

#[tokio::test]
async fn as_many_parts_are_read_as_there_may_be_parameters() {
    let asked = async |count| {
        let part = "--b\r\nContent-Disposition: form-data; name=\"display_name\"\r\n\r\na\r\n";
        let body = part.repeat(count) + "--b--\r\n";
        let limits = RequestLimits::default().params(3);
        let server = Server::new().accounts(Echo).limits(limits);
        let request = send("PATCH", UPDATE, "multipart/form-data; boundary=b", body);
        answer(server.into_router(), request).await.0
    };
    assert_eq!(asked(3).await, StatusCode::OK);
    assert_eq!(asked(4).await, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn limits_hold_without_a_length_too() {
    let endless = || {
        let pieces = std::iter::repeat_with(|| Ok::<_, std::io::Error>("a=1&"));
        Body::from_stream(Endless(pieces))
    };
    assert_eq!(
        text(send("PATCH", UPDATE, FORM, endless())).await,
        "413 the body is longer than 200 bytes"
    );
    assert_eq!(
        text(send("PATCH", UPDATE, JSON, endless())).await,
        "413 the body is longer than 200 bytes"
    );
    let request = send("PATCH", UPDATE, "multipart/form-data; boundary=b", endless());
    assert_eq!(text(request).await, "413 the body is longer than 1000 bytes");
    let part = |name: &str, length: usize| {
        let text = "x".repeat(length);
        format!("--b\r\nContent-Disposition: form-data; {name}\r\n\r\n{text}\r\n--b--\r\n")
    };
    let request = |body: String| send("PATCH", UPDATE, "multipart/form-data; boundary=b", body);
    assert_eq!(
        text(request(part("name=\"display_name\"", 300))).await,
        "413 the body is longer than 200 bytes"
    );
    let said = text(request(part("name=\"avatar\"; filename=\"a\"", 300))).await;
    assert!(said.contains("bytes: 300"), "{said}");
    let request = |length: &str| {
        let builder =
            Request::patch(UPDATE).header("content-type", FORM).header("content-length", length);
        builder.body(Body::empty()).expect("a request")
    };
    assert_eq!(text(request("99999999999")).await, "413 the body is longer than 200 bytes");
}

/// A stream of an iterator, which never ends here.
struct Endless<I>(I);

impl<I: Iterator + Unpin> futures_core::Stream for Endless<I> {
    type Item = I::Item;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<I::Item>> {
        std::task::Poll::Ready(self.0.next())
    }
}

#[tokio::test]
async fn a_page_links_to_its_neighbours() {
    let links = |headers: HeaderMap| headers["link"].to_str().expect("text").to_owned();
    let path = "/api/v1/accounts/1/followers";
    let (_, headers, _) =
        answer(server().into_router(), get(&format!("{path}?limit=2&max_id=5"))).await;
    assert_eq!(
        links(headers),
        format!("<{path}?limit=2&max_id=9>; rel=\"next\", <{path}?limit=2&min_id=1>; rel=\"prev\"")
    );
    let nested = Router::new().nest("/below", server().into_router());
    let (_, headers, body) = answer(nested, get(&format!("/below{path}"))).await;
    assert!(links(headers).starts_with(&format!("</below{path}?max_id=9>")));
    assert!(body.contains("/below/api"), "{body}");
    // Nobody is believed about the host, unless it is this machine.
    let mut request = get(path);
    let headers = request.headers_mut();
    headers.insert("host", "localhost:3000".parse().expect("a value"));
    headers.insert("x-forwarded-proto", "https".parse().expect("a value"));
    let (_, headers, _) = answer(server().into_router(), request).await;
    assert!(links(headers).starts_with("<http://localhost:3000/"));
}

/// Bytes that are the same on every run.
fn noise(seed: &mut u64, length: usize) -> Vec<u8> {
    let alphabet =
        b"acctlimit[]=&%{}\":,\r\n-_09AZ\xff\x00 boundaryContent-Disposition: form-data; name=\"";
    let mut next = || {
        *seed =
            seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(*seed >> 33).unwrap_or_default()
    };
    (0..length).map(|_| alphabet[next() % alphabet.len()]).collect()
}

#[tokio::test]
async fn no_noise_brings_it_down() {
    let router = server().into_router();
    let mut seed = 1;
    for round in 0..3000 {
        let body = noise(&mut seed, round % 150);
        let query = noise(&mut seed, round % 40);
        let query = percent_encoding::percent_encode(&query, percent_encoding::NON_ALPHANUMERIC);
        let content_type = [FORM, JSON, "multipart/form-data; boundary=b", ""][round % 4];
        let uri = format!("{UPDATE}?{query}");
        let (status, _, body) =
            answer(router.clone(), send("PATCH", &uri, content_type, body)).await;
        assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR, "{body}");
    }
}
