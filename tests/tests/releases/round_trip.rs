//! For every operation, the server decodes what the client has encoded.
//!
//! A request is made from the catalogue and written in one of the encodings that clients use, by code of the test ([`wire`]). The server
//! decodes it. The decoded request is then sent with the client's encoder through the same router, and must arrive unchanged.

pub(crate) mod made_up;
pub(crate) mod received;
pub(crate) mod wire;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use axum::http::{Request, StatusCode};
use fedispec::client::{Client, Error, ErrorKind, Origin, Token};
use fedispec::runtime::server::Router;
use fedispec_model::api::Api;
use fedispec_tests::catalogue;
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use tower::ServiceExt as _;

use made_up::{Manner, Sent, requests};
use received::{Arrived, Received};

/// Requests of each operation.
const CASES: u32 = 32;

static API: LazyLock<Api> = LazyLock::new(catalogue::typed);

/// Calls the router; returns the request that arrived, or the answer where it was refused.
async fn call<B>(
    router: &Router,
    received: &Received,
    request: Request<B>,
) -> Result<Box<dyn Arrived>, String>
where
    B: axum::body::HttpBody<Data = axum::body::Bytes> + Send + 'static,
    B::Error: Into<axum::BoxError>,
{
    let shown = format!("{} {}", request.method(), request.uri());
    let request = request.map(axum::body::Body::new);
    let Ok(response) = router.clone().oneshot(request).await;
    if response.status() == StatusCode::IM_A_TEAPOT {
        return received.take().ok_or_else(|| format!("{shown}: nothing arrived"));
    }
    let status = response.status();
    let body = axum::body::to_bytes(response.into_body(), 1 << 20).await;
    let body = body.unwrap_or_default();
    Err(format!("{shown}: {status}: {}", String::from_utf8_lossy(&body)))
}

/// Writes, decodes, encodes and decodes a request, and compares.
async fn round(router: &Router, received: &Received, sent: &Sent) -> Result<(), String> {
    let first = call(router, received, wire::write(sent)).await?;
    if first.operation().id != sent.operation.item.id {
        return Err(format!("{} arrived", first.operation().id));
    }
    let places = first.set();
    if places != sent.expected() {
        return Err(format!("of {:?} these arrived: {places:?} in {first:?}", sent.expected()));
    }
    let shown = format!("{first:?}");
    // Secrets are not shown.
    for text in sent.texts().filter(|_| !shown.contains("Secret(")) {
        if !shown.contains(&format!("{text:?}")) {
            return Err(format!("{text:?} did not arrive in {shown}"));
        }
    }
    let origin: Origin = "https://example.org".parse().expect("an origin");
    let encoded = match first.encode(&origin, &Token::new("token")) {
        Ok(encoded) => encoded,
        // The client refuses to send a form that would mix up elements. That takes a file: without one it sends JSON.
        Err(error) if sent.manner == Manner::Multipart && cannot_be_told_apart(&error) => {
            return Ok(());
        }
        Err(error) => return Err(error.to_string()),
    };
    let second = call(router, received, encoded).await?;
    if first.is(&*second) {
        Ok(())
    } else {
        Err(format!("sent     {first:?}\nreceived {second:?}"))
    }
}

pub(crate) fn cannot_be_told_apart(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Request { param, message, .. } if param.contains("[][") && message.contains("apart"))
}

#[test]
fn what_the_client_encodes_is_what_the_server_decodes() {
    let api: &'static Api = &API;
    let received = Received::default();
    let (router, operations) = received::router(&received);
    let ids: BTreeSet<_> = operations.iter().map(|operation| operation.id).collect();
    let listed: BTreeSet<_> = api
        .operations
        .iter()
        .filter(|operation| operation.route.is_some())
        .map(|operation| operation.item.id.as_str())
        .collect();
    assert_eq!(ids, listed, "every operation is mounted");

    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let mut failures = Vec::new();
    for operation in &api.operations {
        let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
        let outcome = TestRunner::new(config).run(&requests(api, operation), |sent| {
            runtime.block_on(round(&router, &received, &sent)).map_err(TestCaseError::fail)
        });
        if let Err(error) = outcome {
            failures.push(format!("{}: {error}", operation.item.id));
        }
    }
    assert!(failures.is_empty(), "{} operations:\n{}", failures.len(), failures.join("\n\n"));
}

#[tokio::test]
async fn every_operation_is_called_over_a_socket() {
    let received = Received::default();
    let (router, _) = received::router(&received);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
    let listener = listener.expect("a port");
    let address = listener.local_addr().expect("an address");
    let served = router.clone();
    tokio::spawn(async move { axum::serve(listener, served).await });
    let client = Client::new(format!("http://{address}")).expect("a client");

    for operation in &API.operations {
        let id = &operation.item.id;
        let mut runner = TestRunner::deterministic();
        let (status, request) = loop {
            let sent = requests(&API, operation).new_tree(&mut runner).expect(id).current();
            let request = call(&router, &received, wire::write(&sent)).await.expect(id);
            match request.send(&client).await {
                Err(error) if cannot_be_told_apart(&error) => {}
                sent => break (sent.expect(id), request),
            }
        };
        assert_eq!(status, StatusCode::IM_A_TEAPOT, "{id}");
        let arrived = received.take().expect(id);
        assert!(request.is(&*arrived), "{request:?}\n{arrived:?}");
    }
}
