//! The routes beside the catalogue's operations: uploaded files, and default pictures.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::app::App;
use crate::store::Key;

/// Where accounts without pictures have theirs, and a server that has set none.
pub(crate) const AVATAR: &str = "/avatars/original/missing.png";
pub(crate) const HEADER: &str = "/headers/original/missing.png";
pub(crate) const THUMBNAIL: &str = "/thumbnail.png";

/// Each picture at its path.
const PICTURES: [(&str, &[u8]); 3] = [
    (AVATAR, include_bytes!("files/avatar.png")),
    (HEADER, include_bytes!("files/header.png")),
    (THUMBNAIL, include_bytes!("files/thumbnail.png")),
];

/// The routes.
pub(crate) fn router(app: App) -> Router {
    let files = Router::new().route("/files/{name}", get(file)).with_state(app);
    PICTURES.into_iter().fold(files, |router, (path, picture)| {
        router.route(path, get(move || async move { ([(CONTENT_TYPE, "image/png")], picture) }))
    })
}

async fn file(State(app): State<App>, Path(name): Path<String>) -> Response {
    let key = name.split('.').next().and_then(|key| key.parse().ok()).map(Key);
    match key.and_then(|key| app.state().files.get(&key).cloned()) {
        Some(file) => ([(CONTENT_TYPE, file.content_type)], file.bytes).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
