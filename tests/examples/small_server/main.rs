//! A small but whole server: 26 groups of the API, with a store in memory.
//!
//! `cargo run -p fedispec-tests --example small_server` serves it to the user `owner` with the
//! password `password`. Each file has the handlers of some groups.

#![allow(unreachable_pub, reason = "its files are private")]

mod accounts;
mod blank;
mod documents;
mod inbox;
mod instance;
mod oauth;
mod posts;
mod prelude;
mod store;
mod streams;
mod text;
mod timelines;
mod views;

use std::future::ready;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;
use fedispec::server::{Handled, Listen, Router, StatusCode};

use self::prelude::*;

/// The state that handlers share.
#[derive(Clone, Default)]
pub struct App(Arc<Mutex<Store>>);

impl App {
    /// Locks the store.
    pub fn lock(&self) -> MutexGuard<'_, Store> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The server while it is put together. Its handlers wait for nothing, and get the locked store.
#[must_use]
pub struct Mount(Server<App>);

impl Mount {
    /// Mounts a handler of calls by users.
    pub fn user<R: Handled, F>(self, handler: F) -> Self
    where
        F: Fn(&mut Store, Key, R, &Call) -> Result<R::Answered> + Send + Sync + 'static,
    {
        self.anybody(move |db, _, req, call| handler(db, key(call.account()?)?, req, call))
    }

    /// Mounts a handler of calls by anybody, and by a user perhaps.
    pub fn anybody<R: Handled, F>(self, handler: F) -> Self
    where
        F: Fn(&mut Store, Option<Key>, R, &Call) -> Result<R::Answered> + Send + Sync + 'static,
    {
        Self(self.0.on(move |app: App, req: R, call: Call| {
            let me = call.account().ok().and_then(|id| key(id).ok());
            let mut db = app.lock();
            let answer = handler(&mut db, me, req, &call);
            let (hub, told) = (db.hub.clone(), std::mem::take(&mut db.outbox));
            drop(db);
            for event in &told {
                hub.deliver(event);
            }
            ready(answer)
        }))
    }
}

/// The server of all groups.
pub fn server(app: &App) -> Server<App> {
    let oauth = app.lock().oauth.clone();
    let server = Server::of(app.clone())
        .oauth_with(oauth, app.clone())
        .public_origin(&app.lock().origin)
        .idempotency(Duration::from_secs(3600), 1000)
        .openapi(fedispec_openapi::served)
        .group(oauth::handlers)
        .group(streams::handlers)
        .group(posts::uploads);
    let mount = accounts::handlers(instance::handlers(Mount(server)));
    let mount = accounts::ties(mount);
    let mount = posts::marks(posts::handlers(timelines::handlers(mount)));
    let Mount(server) = inbox::filters(inbox::lists(inbox::handlers(mount)));
    server
}

/// The server, and the files that were uploaded to it.
pub fn router(app: &App) -> Router {
    let files = Router::new().route("/files/{id}", get(file));
    let files = files.with_state(app.clone());
    files.merge(server(app).into_router())
}

async fn file(State(app): State<App>, Path(id): Path<Key>) -> impl IntoResponse {
    let file = app.lock().files.get(&id).cloned();
    let (kind, content) = file.ok_or(StatusCode::NOT_FOUND)?;
    Ok::<_, StatusCode>(([(CONTENT_TYPE, kind)], content))
}

/// An application with a user.
pub fn app(origin: &str) -> Result<App> {
    let app = App::default();
    origin.clone_into(&mut app.lock().origin);
    app.lock().sign_up("owner", "owner@example.org", "password")?;
    Ok(app)
}

#[tokio::main]
async fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let app = app("http://127.0.0.1:3000")?;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await?;
    Ok(Listen::new(listener).serve(router(&app)).await?)
}
