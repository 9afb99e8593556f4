//! The document that a server answers of itself.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use axum::extract::Request;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodRouter, get};
use tokio::task::spawn_blocking;

use super::error::JSON;
use super::{Error, Result, cors};

/// The path of the document.
pub(super) const PATH: &str = "/api/openapi.json";

/// Makes the document of the ids of operations and of a release.
pub(super) type Describe = Box<dyn FnOnce(&[&str], Option<&str>) -> Result<String> + Send>;

/// Answers the document, which is made at the first request.
pub(super) fn answers(
    describe: Describe,
    operations: BTreeSet<&'static str>,
    release: Option<String>,
    is_open: bool,
) -> MethodRouter {
    let operations: Vec<_> = operations.into_iter().collect();
    let make = move || describe(&operations, release.as_deref()).map(Bytes::from);
    let make: Box<dyn FnOnce() -> Result<Bytes> + Send> = Box::new(make);
    let document = Arc::new(LazyLock::new(make));
    get(move |request: Request| async move {
        let text = spawn_blocking(move || LazyLock::force(&document).clone()).await;
        let mut response: Response = match text {
            Ok(Ok(document)) => ([(CONTENT_TYPE, JSON)], document).into_response(),
            Ok(Err(error)) => error.into_response(),
            Err(error) => Error::internal().with_source(error).into_response(),
        };
        if is_open && cors::is_foreign(request.headers()) {
            cors::open(&mut response);
            cors::vary(&mut response);
        }
        response
    })
}
