//! The listener on loopback, and what comes to it beside the redirect.

use std::time::Duration;

use fedispec::client::login::{Login, LoginError, Loopback};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::login::app::Consent;
use crate::login::{LONG, consent, exchange, get, random, site};

#[tokio::test]
async fn only_the_redirect_of_the_login_is_caught() {
    let loopback = Loopback::bind(0).await.expect("a port");
    let (back, port) = (loopback.redirect_uri(), loopback.port().to_string());
    let (_, client, registered) = site(&[&back]).await;
    let new = || Login::new(&client, &registered, &back, random()).expect("a login");
    let (login, other) = (new(), new());
    let caught = tokio::spawn({
        let login = login.clone();
        async move { loopback.catch(&login, LONG).await }
    });

    // Connections that send nothing, or their request byte by byte, hold up nobody, and neither do many of them.
    let mut idle = Vec::new();
    for _ in 0..8 {
        let mut stream =
            TcpStream::connect(format!("127.0.0.1:{port}")).await.expect("a connection");
        stream.write_all(b"GET /?code=x").await.expect("sent");
        idle.push(stream);
    }
    for (request, status) in [
        ("GET /favicon.ico HTTP/1.1\r\n\r\n".to_owned(), "404"),
        ("POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n".to_owned(), "405"),
        ("GET / HTTP/1.1\r\n\r\n".to_owned(), "400"),
        ("GET /?code=abc&state=forged HTTP/1.1\r\n\r\n".to_owned(), "400"),
        ("GET /?error=access_denied&state= HTTP/1.1\r\n\r\n".to_owned(), "400"),
        ("\u{0}\u{1}\r\n\r\n".to_owned(), "400"),
        (format!("GET /?{} HTTP/1.1\r\n", "x".repeat(64 * 1024)), "431"),
    ] {
        let answer = exchange(&port, request.as_bytes()).await;
        // A server that refuses to read on may reset the connection before its answer is read.
        let cut = status == "431" && answer.is_empty();
        assert!(
            cut || answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{request:.40}: {answer}"
        );
    }
    let foreign = get(&consent(&other).await).await;
    assert!(foreign.starts_with("HTTP/1.1 400 "), "{foreign}");

    let redirected = consent(&login).await;
    let page = get(&redirected).await;
    assert!(page.contains("You are signed in."), "{page}");
    for header in ["cache-control: no-store", "referrer-policy: no-referrer"] {
        assert!(page.contains(header), "{page}");
    }
    let code = caught.await.expect("no panic").expect("a code");
    assert!(redirected.contains(code.expose()) && !page.contains(code.expose()));

    // A second redirect finds nobody.
    assert!(TcpStream::connect(format!("127.0.0.1:{port}")).await.is_err());
    drop(idle);
}

#[tokio::test]
async fn denied_consent_ends_the_wait() {
    let loopback = Loopback::bind(0).await.expect("a port");
    let (app, client, registered) = site(&[&loopback.redirect_uri()]).await;
    app.state().consent = Consent::Denied;
    let login =
        Login::new(&client, &registered, loopback.redirect_uri(), random()).expect("a login");
    let browser = tokio::spawn({
        let login = login.clone();
        async move { get(&consent(&login).await).await }
    });
    let error = loopback.catch(&login, LONG).await.expect_err("denied");
    assert!(
        matches!(&error, LoginError::Denied { error, .. } if error == "access_denied"),
        "{error:?}"
    );
    assert!(browser.await.expect("a page").contains("You are not signed in."));
}

#[tokio::test]
async fn nobody_is_waited_for_longer_than_asked() {
    let loopback = Loopback::bind(0).await.expect("a port");
    let taken = Loopback::bind(loopback.port()).await.expect_err("the port is taken");
    assert!(matches!(taken, LoginError::Io(_)), "{taken:?}");
    let (_, client, registered) = site(&[&loopback.redirect_uri()]).await;
    let login =
        Login::new(&client, &registered, loopback.redirect_uri(), random()).expect("a login");
    let error = loopback.catch(&login, Duration::from_millis(50)).await.expect_err("nobody");
    assert!(matches!(error, LoginError::TimedOut), "{error:?}");
}
