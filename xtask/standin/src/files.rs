//! What the server has beside the catalogue's operations: the files that were uploaded.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::app::App;
use crate::store::Key;

/// The routes.
pub(crate) fn router(app: App) -> Router {
    Router::new()
        .route("/files/{key}", get(file))
        .with_state(app)
}

async fn file(State(app): State<App>, Path(key): Path<u64>) -> Response {
    match app.state().files.get(&Key(key)) {
        Some(file) => (
            [(CONTENT_TYPE, file.content_type.clone())],
            file.bytes.clone(),
        )
            .into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
