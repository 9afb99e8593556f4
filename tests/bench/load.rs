//! The server of the load test: `load by-hand|stub` serves the same two operations on one thread, written by hand for axum or on the traits.
//! It prints its address, and ends with its standard input.

use std::io::Read as _;
use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::get;
use axum::{Json, Router};
use fedispec::entities::{Account, Status};
use fedispec::runtime::{Page, Secret};
use fedispec::server::{self, Call, Caller, Error, Result, Server};
use fedispec::{accounts, timelines};
use serde::Deserialize;

#[path = "../tests/end_to_end/entities.rs"]
#[allow(dead_code, reason = "not all of them are served")]
mod entities;

const TOKEN: &str = "owners-token";

/// What both serve: forty statuses, newest first, and an account.
#[derive(Debug, Clone)]
struct App(Arc<(Vec<Status>, Account)>);

fn app() -> App {
    let statuses = (100..140).rev().map(|id| Status {
        content: Some(format!("<p>{}</p>", "Hello to all of you. ".repeat(20))),
        ..entities::status(&id.to_string())
    });
    App(Arc::new((statuses.collect(), entities::account("7"))))
}

fn page(app: &App, limit: Option<i64>) -> Vec<Status> {
    let limit = usize::try_from(limit.unwrap_or(20)).unwrap_or_default();
    app.0.0.iter().take(limit).cloned().collect()
}

impl server::Authenticator for App {
    async fn authenticate(&self, token: Secret) -> Result<Caller> {
        if token.expose() == TOKEN {
            Ok(Caller::user("7", "read write"))
        } else {
            Err(Error::unauthorized())
        }
    }
}

impl server::Timelines for App {
    async fn home(&self, request: timelines::Home, _: Call) -> Result<Page<Status>> {
        let page = Page::new(page(self, request.limit));
        let last = page.last().map(|status| status.id.to_string());
        Ok(page.with_next(last.map(|id| ("max_id", id))))
    }
}

impl server::Accounts for App {
    async fn get(&self, request: accounts::Get, _: Call) -> Result<Account> {
        if request.id == self.0.1.id {
            Ok(self.0.1.clone())
        } else {
            Err(Error::not_found())
        }
    }
}

fn stub(app: App) -> Router {
    Server::new()
        .authenticator(app.clone())
        .accounts(app.clone())
        .timelines(app)
        .into_router()
}

#[derive(Debug, Deserialize)]
struct Home {
    limit: Option<i64>,
}

type Refused = (StatusCode, Json<serde_json::Value>);

fn refused(status: StatusCode, message: &str) -> Refused {
    (status, Json(serde_json::json!({"error": message})))
}

fn authorized(headers: &HeaderMap) -> std::result::Result<(), Refused> {
    let value = headers
        .get("authorization")
        .and_then(|value| value.to_str().ok());
    match value.and_then(|value| value.strip_prefix("Bearer ")) {
        Some(TOKEN) => Ok(()),
        _ => Err(refused(
            StatusCode::UNAUTHORIZED,
            "The access token is invalid",
        )),
    }
}

async fn home(
    State(app): State<App>,
    Query(query): Query<Home>,
    headers: HeaderMap,
) -> std::result::Result<(HeaderMap, Json<Vec<Status>>), Refused> {
    authorized(&headers)?;
    let page = page(&app, query.limit);
    let mut answer = HeaderMap::new();
    if let (Some(last), Some(host)) = (page.last(), headers.get("host")) {
        let host = host.to_str().unwrap_or_default();
        let limit = query.limit.unwrap_or(20);
        let link = format!(
            "<http://{host}/api/v1/timelines/home?limit={limit}&max_id={}>; rel=\"next\"",
            last.id
        );
        if let Ok(link) = link.parse() {
            answer.insert("link", link);
        }
    }
    Ok((answer, Json(page)))
}

async fn account(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> std::result::Result<Json<Account>, Refused> {
    authorized(&headers)?;
    if app.0.1.id.as_str() == id {
        Ok(Json(app.0.1.clone()))
    } else {
        Err(refused(StatusCode::NOT_FOUND, "Record not found"))
    }
}

fn by_hand(app: App) -> Router {
    Router::new()
        .route("/api/v1/timelines/home", get(home))
        .route("/api/v1/accounts/{id}", get(account))
        .with_state(app)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let router = match std::env::args().nth(1).as_deref() {
        Some("by-hand") => by_hand(app()),
        Some("stub") => stub(app()),
        _ => return Err(std::io::Error::other("say by-hand or stub")),
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    std::thread::spawn(|| {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        std::process::exit(0);
    });
    // A router as it is would be copied for every connection, each of its routes.
    axum::serve(listener, router.into_make_service()).await
}
