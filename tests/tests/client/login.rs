//! Signing in, from nothing to a posted status, over real sockets against a server of the generated traits; and what an attacker or a
//! browser does in between.

mod app;
mod catalogue;
mod catcher;
mod clients;
mod terminal;

use std::time::Duration;

use fedispec::client::login::{
    App as Registered, Login, LoginError, Loopback, OUT_OF_BAND, Random, Registration, Session,
};
use fedispec::client::{Client, Policy, RemoteServer, gate, scopes_for};
use fedispec::enums::{AccountError, OauthScope};
use fedispec::runtime::Request as _;
use fedispec::{accounts, statuses, timelines};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::login::app::{App, Consent};

pub(crate) const LONG: Duration = Duration::from_secs(30);

/// Sends bytes to a port of this machine and reads until the end.
pub(crate) async fn exchange(port: &str, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).await.expect("a connection");
    stream.write_all(bytes).await.expect("sent");
    let mut answer = Vec::new();
    // Closing before all is read resets the connection; the bytes that were read until then count.
    let _ = timeout(LONG, stream.read_to_end(&mut answer)).await.expect("an end");
    String::from_utf8_lossy(&answer).into_owned()
}

/// Gets a page of this machine, as a browser does.
pub(crate) async fn get(url: &str) -> String {
    let rest = url.strip_prefix("http://127.0.0.1:").expect("a URL of this machine");
    let (port, target) = rest.split_at(rest.find('/').expect("a path"));
    let request =
        format!("GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    exchange(port, request.as_bytes()).await
}

/// The address that a page redirects to.
pub(crate) fn location(answer: &str) -> String {
    let line = answer.lines().find_map(|line| line.strip_prefix("location: "));
    line.unwrap_or_else(|| panic!("no redirect: {answer}")).to_owned()
}

/// Opens the page of consent: the address that the browser is sent back to.
pub(crate) async fn consent(login: &Login) -> String {
    location(&get(&login.url()).await)
}

/// A server, a client of it, and an application of the client.
pub(crate) async fn site(redirects: &[&str]) -> (App, Client, Registered) {
    let app = App::default();
    let client =
        Client::new(app.serve().await).expect("a client").token("a-token-of-another-session");
    let registration = Registration::new("elephant", redirects.iter().copied())
        .scopes([OauthScope::Read, OauthScope::WriteStatuses])
        .website("https://elephant.example");
    let registered = client.register(registration).await.expect("an application");
    (app, client, registered)
}

pub(crate) fn random() -> Random {
    Random::from_os().expect("random numbers")
}

/// The server's message to a login that it refuses.
fn refusal(result: Result<Session, LoginError>) -> String {
    match result {
        Err(LoginError::Request(error)) => {
            error.api().and_then(|api| api.message.clone()).expect("an answer")
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn from_nothing_to_a_posted_status() {
    let loopback = Loopback::bind(0).await.expect("a port");
    let (app, client, registered) = site(&[&loopback.redirect_uri(), OUT_OF_BAND]).await;
    let login =
        Login::new(&client, &registered, loopback.redirect_uri(), random()).expect("a login");

    let browser = tokio::spawn({
        let login = login.clone();
        async move { get(&consent(&login).await).await }
    });
    let code = loopback.catch(&login, LONG).await.expect("a code");
    let page = browser.await.expect("a page");
    assert!(
        page.starts_with("HTTP/1.1 200 OK\r\n") && page.contains("You are signed in."),
        "{page}"
    );

    let session = login.finish_with_code(&client, code.clone()).await.expect("a session");
    assert_eq!(session.scopes.to_string(), "read write:statuses");
    assert_eq!((session.created_at, session.expires_at), (Some(1_728_390_600), None));

    // A session survives a restart.
    let kept = serde_json::to_string(&session).expect("JSON");
    let session: Session = serde_json::from_str(&kept).expect("a session");
    let user = client.signed_in(&session).expect("the same server");
    user.send(statuses::Create::text("Hello.")).await.expect("a status");
    assert_eq!(app.state().posted, ["Hello."]);

    // The code is used up.
    assert_eq!(refusal(login.finish_with_code(&client, code).await), "invalid_grant");

    session.revoke(&client).await.expect("revoked");
    let error = user.send(statuses::Create::text("Again.")).await.expect_err("no token");
    assert!(error.is_unauthorized(), "{error}");

    // The client's own token went to no step of it.
    let seen = std::mem::take(&mut app.state().seen);
    for (operation, header) in seen {
        let expected =
            (operation == "statuses.create").then(|| format!("Bearer {}", session.token.expose()));
        assert_eq!(header, expected, "{operation}");
    }
}

#[tokio::test]
async fn a_code_can_be_typed_in() {
    let (_, client, registered) = site(&[OUT_OF_BAND]).await;
    let login = Login::new(&client, &registered, OUT_OF_BAND, random()).expect("a login");
    let page = get(&login.url()).await;
    let code = page.lines().last().expect("a code");
    let session = login.finish_with_code(&client, format!(" {code}\n")).await.expect("a session");
    assert!(session.token.expose().starts_with('u'));
}

#[tokio::test]
async fn what_does_not_belong_to_the_login_is_refused() {
    let back = "http://127.0.0.1:9/";
    let (app, client, registered) = site(&[back]).await;
    let new = || Login::new(&client, &registered, back, random()).expect("a login");
    let (login, other) = (new(), new());

    let foreign = consent(&other).await;
    let error = login.finish(&client, &foreign).await.expect_err("another state");
    assert!(matches!(error, LoginError::State), "{error:?}");
    let stateless = foreign.split("&state").next().expect("a query");
    assert!(matches!(login.code(stateless), Err(LoginError::State)));

    // A code that somebody else has brought about fails for lack of the verifier.
    let code = other.code(&foreign).expect("a code");
    assert_eq!(refusal(login.finish_with_code(&client, code).await), "invalid_grant");
    // And is used up by that.
    assert_eq!(refusal(other.finish(&client, &foreign).await), "invalid_grant");

    let own = consent(&login).await;
    let issuer = form_urlencoded::byte_serialize(b"https://evil.example").collect::<String>();
    let mixed = login.finish(&client, &format!("{own}&iss={issuer}")).await;
    assert!(matches!(mixed, Err(LoginError::Issuer)));
    let session = login.finish(&client, &own).await.expect("a session");

    app.state().consent = Consent::Denied;
    let login = new();
    let denied = login.finish(&client, &consent(&login).await).await.expect_err("denied");
    assert_eq!(denied.to_string(), "sign-in was refused: access_denied: The user said no.");

    // Nothing of it goes to another server.
    let elsewhere = Client::new(App::default().serve().await).expect("a client");
    for error in [
        elsewhere.signed_in(&session).expect_err("another server"),
        session.revoke(&elsewhere).await.expect_err("another server"),
        login.finish(&elsewhere, "").await.expect_err("no state"),
        login.finish_with_code(&elsewhere, "c0de").await.expect_err("another server"),
        registered.session(&elsewhere).await.expect_err("another server"),
        Login::new(&elsewhere, &registered, back, random()).expect_err("another server"),
    ] {
        assert!(matches!(error, LoginError::Server { .. } | LoginError::State), "{error:?}");
    }
    let error =
        Login::new(&client, &registered, "http://127.0.0.1:10/", random()).expect_err("unknown");
    assert!(error.to_string().contains("http://127.0.0.1:10/"), "{error}");
}

#[tokio::test]
async fn an_application_acts_for_itself_and_signs_up_users() {
    let (app, client, registered) = site(&["http://127.0.0.1:9/"]).await;
    let own = registered.session(&client).await.expect("a token");
    assert_eq!(own.expires_at, Some(1_728_390_600 + 3600));
    assert!(matches!(own.refresh(&client).await, Err(LoginError::NoRefreshToken)));

    let sign_up = |name: &str| {
        let new = accounts::CreateNew {
            username: name.into(),
            email: "mona@example.org".into(),
            password: "pa55word".into(),
            agreement: true,
        };
        accounts::Create::new(new).locale("en")
    };
    // The catalogue asks for `write:accounts`, which this application was not registered with.
    let error = registered.sign_up(&client, sign_up("mona")).await.expect_err("the scope");
    assert!(error.to_string().contains("403"), "{error}");

    let registration =
        Registration::new("elephant", ["http://127.0.0.1:9/"]).scopes("write:accounts");
    let registered = client.register(registration).await.expect("an application");
    let session = registered.sign_up(&client, sign_up("mona")).await.expect("a session");
    assert!(session.token.expose().starts_with('u'));
    let (_, header) = app.state().seen.last().cloned().expect("a call");
    assert!(header.is_some_and(|header| header.starts_with("Bearer a-")), "the application's own");

    let error = registered.sign_up(&client, sign_up("taken")).await.expect_err("taken");
    let mut refused: Vec<_> = error.refused();
    refused.sort_by(|a, b| a.param.cmp(&b.param));
    let faults: Vec<_> = refused
        .iter()
        .map(|fault| (&*fault.param, AccountError::custom(&fault.error), &*fault.description))
        .collect();
    assert_eq!(
        faults,
        [
            ("agreement", AccountError::ErrAccepted, "must be accepted"),
            ("username", AccountError::ErrTaken, "is taken"),
        ]
    );
}

#[tokio::test]
async fn a_token_is_refreshed_where_there_is_what_to_refresh_it_with() {
    use fedispec_tests::raw::{Raw, response};
    let body = r#"{"access_token":"new-t0ken","token_type":"Bearer","scope":"read","expires_in":60,"created_at":100}"#;
    let server = Raw::always(response("200 OK", &[], body)).await;
    let (_, _, registered) = site(&["http://127.0.0.1:9/"]).await;
    let mut session = serde_json::json!({
        "app": registered, "token": "old-t0ken", "scopes": "read", "refresh_token": "refresh-t0ken",
    });
    session["app"]["server"] = server.origin.clone().into();
    let session: Session = serde_json::from_value(session).expect("a session");
    let client = Client::new(&server.origin).expect("a client");
    let fresh = session.refresh(&client).await.expect("a session");
    assert_eq!((fresh.token.expose(), fresh.expires_at), ("new-t0ken", Some(160)));
    assert_eq!(fresh.refresh_token, session.refresh_token);
    let sent = server.requests().pop().expect("a request");
    assert!(sent.contains("grant_type=refresh_token&refresh_token=refresh-t0ken"), "{sent}");
    assert!(!sent.contains("old-t0ken"), "{sent}");
}

#[tokio::test]
async fn a_server_without_proof_keys_is_sent_none() {
    let back = "http://127.0.0.1:9/";
    let (_, client, registered) = site(&[back]).await;
    for (program, version, has) in [
        ("mastodon", "4.3.0", true),
        ("mastodon", "4.2.1", false),
        ("gotosocial", "0.19.2", false),
        ("pleroma", "2.7.0", false),
        // Nobody has looked.
        ("misskey", "2024.5.0", true),
    ] {
        let known = client.clone().knowing(gate(RemoteServer::of(program, version)), Policy::Adapt);
        let login = Login::new(&known, &registered, back, random()).expect("a login");
        assert_eq!(login.url().contains("code_challenge"), has, "{program} {version}");
        let session = login.finish(&known, &consent(&login).await).await.expect(program);
        assert_eq!(session.scopes.to_string(), "read write:statuses");
    }
    let url =
        Login::new(&client, &registered, back, random()).expect("a login").scopes("read").url();
    for part in ["response_type=code", "redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2F", "scope=read&"]
    {
        assert!(url.contains(part), "{url}");
    }
    let metadata = client.oauth_metadata().await.expect("an answer").expect("metadata");
    assert!(metadata.has_pkce() && metadata.has_grant("authorization_code"));
    assert!(!metadata.has_grant("refresh_token"));
    assert_eq!(metadata.scopes().to_string(), "read write:media");
}

#[tokio::test]
async fn several_redirects_are_sent_as_the_release_reads_them() {
    let (_, client, registered) = site(&["http://127.0.0.1:9/", OUT_OF_BAND]).await;
    // The server has split them again.
    for uri in &registered.redirect_uris {
        let login = Login::new(&client, &registered, uri, random()).expect("a login");
        assert!(!get(&login.url()).await.contains("invalid_request"), "{uri}");
    }
    for (program, version) in
        [("mastodon", "4.5.0"), ("mastodon", "4.2.0"), ("gotosocial", "0.19.2")]
    {
        let known = gate(RemoteServer::of(program, version));
        let client = client.clone().knowing(known, Policy::Strict);
        let registration = Registration::new("elephant", ["http://127.0.0.1:9/", OUT_OF_BAND]);
        let registered = client.register(registration).await.expect(program);
        let login = Login::new(&client, &registered, OUT_OF_BAND, random()).expect("a login");
        assert!(!get(&login.url()).await.contains("invalid_request"), "{program}");
    }
    let early =
        client.clone().knowing(gate(RemoteServer::of("gotosocial", "0.18.3")), Policy::Adapt);
    for count in [0, 2] {
        let error = early.register(Registration::new("elephant", vec![OUT_OF_BAND; count])).await;
        assert!(
            matches!(error, Err(LoginError::RedirectUris { count: found, .. }) if found == count)
        );
    }
    early.register(Registration::new("elephant", [OUT_OF_BAND])).await.expect("one will do");
}

#[test]
fn the_least_scopes_are_those_of_the_release() {
    let operations = [
        statuses::Create::OPERATION,
        timelines::Home::OPERATION,
        accounts::VerifyCredentials::OPERATION,
        fedispec::custom_emojis::List::OPERATION,
    ];
    for (program, version, scopes) in [
        ("mastodon", "4.5.0", "write:statuses read:statuses profile"),
        ("mastodon", "4.2.0", "write:statuses read:statuses read:accounts"),
        ("mastodon", "2.4.2", "write read"),
        ("gotosocial", "0.19.2", "write:statuses read:statuses profile"),
        ("gotosocial", "0.18.3", ""),
        // It knows no `profile`.
        ("pleroma", "2.7.0", "write:statuses read:statuses read:accounts"),
        ("pleroma", "1.1.0", "write read"),
        ("friendica", "2024.8.0", "write read"),
        ("glitch-soc", "4.5.0", "write:statuses read:statuses profile"),
        ("glitch-soc", "4.3.0", "write:statuses read:statuses profile"),
    ] {
        let server = RemoteServer::of(program, version);
        assert_eq!(scopes_for(operations, &server).to_string(), scopes, "{program} {version}");
    }
}

/// Nothing that can be printed shows a secret of a login.
#[tokio::test]
async fn nothing_prints_a_secret() {
    let back = "http://127.0.0.1:9/";
    let (_, client, registered) = site(&[back]).await;
    let login = Login::new(&client, &registered, back, random()).expect("a login");
    let redirected = consent(&login).await;
    let code = login.code(&redirected).expect("a code");
    let session = login.finish(&client, &redirected).await.expect("a session");
    let used_up = login.finish(&client, &redirected).await.expect_err("a second time");
    let kept = serde_json::to_value(&login).expect("JSON");
    let shown = format!(
        "{registered:?} {login:?} {session:?} {client:?} {used_up} {used_up:?} {:?} {:?}",
        random(),
        LoginError::State,
    );
    for secret in [
        registered.client_secret.expose(),
        session.token.expose(),
        code.expose(),
        kept["verifier"].as_str().expect("a verifier"),
        kept["state"].as_str().expect("a state"),
        "a-token-of-another-session",
    ] {
        assert!(secret.len() > 8 && !shown.contains(secret), "{shown} shows {secret}");
    }
}
