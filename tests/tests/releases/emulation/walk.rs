//! Our own client against every release that its types are made for: each operation is called, and each answer read.

use std::collections::BTreeSet;
use std::sync::Arc;

use fedispec::FLOORS;
use fedispec::client::{Accept, Client, Token, Tower};
use fedispec::runtime::codegen::{Decode, Routes};
use fedispec::runtime::server::Error;
use fedispec::runtime::{Json, Request};
use fedispec::server::{Server, StatusCode};
use fedispec_model::api::{Entity, Operation, Type};
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;
use tower::ServiceExt as _;

use crate::emulation::filled::{API, Fill, Release, entity, read, steps};
use crate::emulation::made_up::requests;
use crate::emulation::received::{Arrived, Received, router};
use crate::emulation::wire;

/// Answers each operation with every field that its answer can have.
#[derive(Clone)]
struct Full(Arc<Release>);

/// Mounts an operation's handler.
fn mounted<R>() -> fn(&mut Routes, Full)
where
    R: Request<Answer: Accept> + Decode + Send + 'static,
{
    |routes, full| {
        routes.handle(full, async |app: Full, _: R, _| {
            let operation = API.operations.iter().find(|one| one.item.id == R::OPERATION.id);
            let fill = Fill { release: *app.0, lacking: false };
            let answer = operation.and_then(|one| fill.answer(&one.returns));
            answer.ok_or_else(Error::internal)
        });
    }
}

/// The entity that is answered, by itself or in a list.
fn answered(ty: &'static Type) -> Option<&'static Entity> {
    match ty {
        Type::Entity(id) => entity(id),
        Type::List(ty) => answered(ty),
        Type::OneOf(types) => answered(types.first()?),
        _ => None,
    }
}

/// Reads an answer as the client does.
fn understood(release: &Release, ty: &'static Type, body: &[u8]) -> Result<(), String> {
    let Some(one) = answered(ty) else {
        return Ok(());
    };
    let body: Json = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    let or_nothing = matches!(ty, Type::OneOf(types) if types.contains(&Type::Empty));
    if or_nothing && body == serde_json::json!({}) {
        return Ok(());
    }
    let elements = match body {
        Json::Array(list) => list,
        body => vec![body],
    };
    if elements.is_empty() && release.can_have(one) {
        return Err("no element".to_owned());
    }
    let mut elements = elements.iter();
    elements.try_for_each(|body| read(&one.item.id, &body.to_string()))
}

/// Whether the release answers this status to a parameter that requests may have.
fn refuses(release: &Release, operation: &Operation, status: Option<StatusCode>) -> bool {
    let mut programs = API.programs.iter();
    let place = programs.position(|one| one.key == release.program.key);
    let mut params = operation.params.iter();
    params.any(|param| {
        let refused = place.and_then(|place| param.refused.get(place)?.as_ref());
        refused.is_some_and(|refused| {
            Some(refused.status) == status.map(|status| status.as_u16())
                && refused.since.version() <= release.version()
        })
    })
}

/// A request of every operation, the first that is drawn and that a client can send.
async fn every_request() -> Vec<Box<dyn Arrived>> {
    let received = Received::default();
    let (router, _) = router(&received);
    let origin = "https://social.example".parse().expect("an origin");
    let mut all = Vec::new();
    for operation in &API.operations {
        let mut runner = TestRunner::deterministic();
        all.push(loop {
            let sent = requests(&API, operation).new_tree(&mut runner).expect("a request");
            let request = wire::write(&sent.current()).map(axum::body::Body::new);
            router.clone().oneshot(request).await.expect("an answer");
            let request = received.take().expect(&operation.item.id);
            if request.encode(&origin, &Token::new("token")).is_ok() {
                break request;
            }
        });
    }
    all
}

#[tokio::test]
async fn the_client_reads_what_every_supported_release_answers() {
    let every = every_request().await;
    let mut faults = BTreeSet::new();
    let mut read = 0;
    for release in steps() {
        let floor = FLOORS.iter().find(|(key, _)| *key == release.program.key);
        if floor.is_none_or(|(_, floor)| release.version() < *floor) {
            continue;
        }
        let server = Server::new().emulate(&release.name()).expect("registered");
        let mut routes = Routes::from(server);
        routes.accept_unlisted("*");
        let full = Full(Arc::new(release));
        let all: Vec<fn(&mut Routes, Full)> = include!(concat!(env!("OUT_DIR"), "/requests.rs"));
        for mount in all {
            mount(&mut routes, full.clone());
        }
        let origin = "https://social.example".parse().expect("an origin");
        let client =
            Client::with_transport(origin, Tower::new(routes.into_router())).token("token");
        for request in &every {
            let id = request.operation().id;
            let operation = API.operations.iter().find(|one| one.item.id == id).expect(id);
            let is_stream =
                matches!(operation.returns, Type::Events(_)) || operation.success == [101];
            if is_stream || release.lacks(&operation.item) {
                continue;
            }
            match request.ask(&client).await {
                Ok(body) => match understood(&release, &operation.returns, &body) {
                    Ok(()) => read += 1,
                    Err(error) => _ = faults.insert(format!("{}: {id}: {error}", release.name())),
                },
                // The request may be of a kind that the release does not have, such as one with a poll.
                Err(error)
                    if !operation.alternatives.is_empty()
                        && matches!(error.status(), Some(refused) if [400, 422].contains(&refused.as_u16())) =>
                    {}
                Err(error) if refuses(&release, operation, error.status()) => {}
                // The operation is there, and nothing that it could answer: it was a stub.
                Err(error)
                    if error.status().is_some_and(|status| status == 404)
                        && answered(&operation.returns)
                            .is_some_and(|one| !release.can_have(one)) => {}
                Err(error) => _ = faults.insert(format!("{}: {id}: {error}", release.name())),
            }
        }
    }
    let shown: Vec<_> = faults.iter().take(40).collect();
    assert!(faults.is_empty(), "{} faults, {read} read: {shown:#?}", faults.len());
    assert!(read > 1_250 * fedispec_tests::times(), "{read} answers");
}
