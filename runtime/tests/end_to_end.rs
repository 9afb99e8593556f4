//! The sample's client against the sample's server, over a real socket.

mod sample;

use std::net::SocketAddr;

use fedispec_runtime as rt;
use rt::client::{Client, ErrorKind};
use rt::server::{Call, Error, RequestLimits, Result, StatusCode};
use sample::entities::{Account, CustomEmoji, Token, Visibility, required};
use sample::server::{Accounts, Oauth, Server};
use sample::{accounts, oauth};

#[derive(Clone)]
struct App;

fn account(id: &str) -> Account {
    Account {
        visibility: Some(Visibility::Private),
        ..required::Account {
            id: id.into(),
            acct: "mona@example.org".into(),
            created_at: "2024-10-08T12:30:00Z".into(),
        }
        .into()
    }
}

impl Accounts for App {
    #[allow(clippy::panic, reason = "the server is to survive it")]
    async fn lookup(&self, request: accounts::Lookup, call: Call) -> Result<Account> {
        match request.acct.as_str() {
            "token" => Ok(Account {
                acct: call.bearer().map(|token| token.expose().to_owned()).unwrap_or_default(),
                ..account("1")
            }),
            "agent" => Ok(Account {
                acct: format!("{:?}", call.headers.get("user-agent")),
                ..account("1")
            }),
            "panic" => panic!("the handler has a fault"),
            "gone" => Err(Error::gone()),
            "details" => Err(Error::unprocessable("Validation failed")
                .with_details(serde_json::json!({"acct": []}))),
            _ => Err(Error::not_found()),
        }
    }

    async fn followers(&self, request: accounts::Followers, _: Call) -> Result<rt::Page<Account>> {
        tokio::task::yield_now().await;
        let limit = request.limit.unwrap_or(2);
        let first = request.max_id.map_or(0, |id| id.as_str().parse().unwrap_or(0));
        let page: rt::Page<_> =
            (first..first + limit).map(|id| account(&format!("{}/{id}", request.id))).collect();
        Ok(page.with_next([("max_id", (first + limit).to_string())]))
    }

    async fn update(&self, request: accounts::Update, _: Call) -> Result<Account> {
        Ok(Account {
            acct: format!("{request:?}"),
            emojis: vec![CustomEmoji {
                shortcode: request
                    .avatar
                    .map(|file| {
                        String::from_utf8(file.into_content().expect("it is there"))
                            .expect("a text")
                    })
                    .unwrap_or_default(),
                non_exhaustive: rt::NonExhaustive::default(),
            }],
            ..account("1")
        })
    }

    async fn filter(&self, request: accounts::Filter, _: Call) -> Result<rt::Json> {
        Ok(serde_json::json!({"debug": format!("{request:?}")}))
    }
}

#[derive(Clone)]
struct Partly;

impl Oauth for Partly {
    async fn token(&self, request: oauth::Token, _: Call) -> Result<Token> {
        Ok(Token {
            access_token: request.client_secret.unwrap_or_else(|| "none".into()),
            scope: request.grant_type.unwrap_or_default(),
            non_exhaustive: rt::NonExhaustive::default(),
        })
    }
}

async fn serve(router: rt::server::Router) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

async fn client() -> Client {
    let router = Server::new()
        .accounts(App)
        .oauth(Partly)
        .limits(RequestLimits::default().body(2000).upload(100_000))
        .into_router();
    Client::new(format!("http://{}", serve(router).await)).expect("a client").token("s3cret")
}

#[tokio::test]
async fn a_request_arrives_and_its_answer_comes_back() {
    let client = client().await;
    let page = client
        .send(
            accounts::Followers::new("a/b ?#é")
                .limit(3)
                .visibility([Visibility::Public, Visibility::custom("mutuals")]),
        )
        .await
        .expect("a page");
    let ids: Vec<_> = page.iter().map(|account| account.id.as_str()).collect();
    assert_eq!(ids, ["a/b ?#é/0", "a/b ?#é/1", "a/b ?#é/2"]);
    let next = page.next.as_ref().and_then(rt::Link::as_url).expect("a link");
    assert_eq!(
        next,
        format!(
            "{}/api/v1/accounts/a%2Fb%20%3F%23%C3%A9/followers?limit=3&visibility%5B%5D=public&visibility%5B%5D=mutuals&max_id=3",
            client.origin()
        )
    );
    assert!(page.prev.is_none());
    assert!(client.origin().holds(&next.parse().expect("a URL")));
}

#[tokio::test]
async fn a_multipart_request_arrives() {
    let client = client().await;
    let fields = accounts::UpdateFieldsAttributes::new;
    let mut request = accounts::Update {
        display_name: Some("Mona \"the\" é".into()),
        locked: Some(true),
        source_privacy: Some(Visibility::Private),
        fields_attributes: vec![fields().name("a").value("b"), fields().value("d")],
        extra: Some("\r\n--x".into()),
        ..accounts::Update::default()
    };
    let as_form = client.send(&request).await.expect("an account");
    assert_eq!(as_form.acct, format!("{request:?}"));
    request.avatar = Some(
        rt::File::new("mona \"1\".png", b"\x00\r\n--fedispec-5f1c9d2e7ab84306-0".as_slice())
            .with_content_type("image/png"),
    );
    let as_multipart = client.send(&request).await.expect("an account");
    assert_eq!(as_multipart.emojis[0].shortcode, "\0\r\n--fedispec-5f1c9d2e7ab84306-0");
    let expected = format!("{request:?}").replace("mona \\\"1\\\".png", "mona %221%22.png");
    assert_eq!(as_multipart.acct, expected);
}

#[tokio::test]
async fn a_list_of_objects_arrives_element_by_element() {
    let request = accounts::Filter::new("t", ["home", "public"])
        .keyword("a", None)
        .keyword("b", Some(false))
        .keyword("c", None);
    let answer = client().await.send(&request).await.expect("an answer");
    assert_eq!(answer.value["debug"], format!("{request:?}"));
}

#[tokio::test]
async fn errors_say_what_where_and_no_secret() {
    let client = client().await;
    let not_found = client.send(accounts::Lookup::new("x")).await.expect_err("an error");
    assert_eq!(
        not_found.to_string(),
        format!(
            "accounts.lookup of {}: the server answered 404 Not Found: Record not found",
            client.origin()
        )
    );
    let details = client.send(accounts::Lookup::new("details")).await.expect_err("an error");
    let api = details.api().expect("an API error");
    assert_eq!(
        (api.status, &api.details),
        (StatusCode::UNPROCESSABLE_ENTITY, &Some(serde_json::json!({"acct": []})))
    );
    let panicked = client.send(accounts::Lookup::new("panic")).await.expect_err("an error");
    assert_eq!(panicked.status(), Some(StatusCode::INTERNAL_SERVER_ERROR));
    let missing = client.send(oauth::Revoke::new("s3cret")).await.expect_err("an error");
    assert_eq!(
        missing.to_string(),
        format!(
            "oauth.revoke of {}: the server answered 501 Not Implemented: oauth.revoke is not implemented on this server",
            client.origin()
        )
    );
    for error in [not_found, details, panicked, missing] {
        assert!(!format!("{error:?} {error}").contains("s3cret"), "{error:?}");
    }
    assert!(!format!("{client:?}").contains("s3cret"));
    assert!(!format!("{:?}", oauth::Token::client_credentials("id", "s3cret")).contains("s3cret"));
}

#[tokio::test]
async fn what_cannot_be_sent_is_not_sent() {
    let client = client().await;
    for id in ["", ".", ".."] {
        let error = client.send(accounts::Followers::new(id)).await.expect_err(id);
        let ErrorKind::Request { param, .. } = error.kind() else {
            panic!("{error:?}");
        };
        assert_eq!(param, "id");
    }
    let error =
        client.clone().token("a\nb").send(accounts::Lookup::new("x")).await.expect_err("an error");
    assert!(matches!(error.kind(), ErrorKind::Request { .. }));
}

#[tokio::test]
async fn a_client_says_who_it_is() {
    let client = client().await;
    let bare = client.send(accounts::Lookup::new("agent")).await.expect("an account");
    assert!(bare.acct.contains("fedispec/"), "{}", bare.acct);
    let named = client.clone().user_agent("elephant/1.2").user_agent(" ");
    let named = named.send(accounts::Lookup::new("agent")).await.expect("an account");
    assert_eq!(named.acct, "Some(\"elephant/1.2\")");
    let token = client.send(accounts::Lookup::new("token")).await.expect("an account");
    assert_eq!(token.acct, "s3cret");
}

#[tokio::test]
async fn a_token_does_not_follow_a_redirect_elsewhere() {
    use axum::response::Redirect;
    use axum::routing::get;

    let elsewhere = serve(
        axum::Router::new().fallback(|| async { r#"{"id":"1","acct":"stolen","created_at":""}"# }),
    )
    .await;
    let path = "/api/v1/accounts/lookup";
    let away = format!("http://{elsewhere}{path}");
    let router =
        axum::Router::new().route(path, get(move || async move { Redirect::temporary(&away) }));
    let client =
        Client::new(format!("http://{}", serve(router).await)).expect("a client").token("s3cret");
    let error = client.send(accounts::Lookup::new("x")).await.expect_err("a redirect");
    assert_eq!(error.status(), Some(StatusCode::TEMPORARY_REDIRECT));
    let leads = format!("the redirect to http://{elsewhere}{path} was not followed");
    assert!(error.to_string().ends_with(&leads), "{error}");
}

#[tokio::test]
async fn a_file_is_sent_from_disk() {
    let path = std::env::temp_dir().join(format!("fedispec-upload-{}.png", std::process::id()));
    let content = "tea".repeat(30_000);
    std::fs::write(&path, &content).expect("a file");
    let client = client().await;
    let request = accounts::Update {
        avatar: Some(rt::File::from_path(&path).expect("a file")),
        display_name: Some("Mona".into()),
        ..accounts::Update::default()
    };
    // It may be sent again.
    for _ in 0..2 {
        let account = client.send(&request).await.expect("an account");
        assert!(account.emojis[0].shortcode == content, "it came whole");
    }
    std::fs::remove_file(&path).expect("it is there");
    let error = client.send(&request).await.expect_err("no file");
    let told = format!("{:?}", error.kind());
    assert!(told.contains("fedispec-upload-"), "{told}");
    assert!(rt::File::from_path(&path).is_err());
}

#[tokio::test]
async fn pages_are_a_stream() {
    let client = client().await;
    let mut pages = client.pages(accounts::Followers::new("7").limit(2));
    for first in [0, 2, 4] {
        let page = pages.next().await.expect("a page").expect("a page");
        let ids: Vec<_> = page.iter().map(|account| account.id.as_str()).collect();
        assert_eq!(ids, [format!("7/{first}"), format!("7/{}", first + 1)]);
    }
}

#[tokio::test]
async fn answers_have_limits() {
    let router = axum::Router::new().fallback(|| async {
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        "x".repeat(10_000)
    });
    let client = Client::new(format!("http://{}", serve(router).await)).expect("a client");
    let error = client
        .clone()
        .max_bytes(9_999)
        .send(accounts::Lookup::new("x"))
        .await
        .expect_err("too long");
    assert_eq!(
        error.to_string(),
        format!("accounts.lookup of {}: the response is longer than 9999 bytes", client.origin())
    );
    let origin = client.origin().clone();
    let error = client
        .timeout(std::time::Duration::from_millis(20))
        .send(accounts::Lookup::new("x"))
        .await
        .expect_err("too slow");
    assert_eq!(error.to_string(), format!("accounts.lookup of {origin}: the server took too long"));
}
