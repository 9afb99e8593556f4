//! The server of the load test: `load by-hand|stub|emulating` serves the same two operations on one thread, written by hand for axum or on the
//! traits, emulating an older release or not.
//! It prints its address, and ends with its standard input.

use std::io::Read as _;
use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Json, Router};
use fedispec::entities::{Account, Status};
use fedispec::runtime::de::read;
use fedispec::runtime::{Page, Secret};
use fedispec::server::{self, Call, Caller, Error, Result, Server};
use fedispec::{accounts, timelines};
use fedispec_tests::timeline;
use serde::Deserialize;

const TOKEN: &str = "owners-token";

/// The served data: forty statuses, newest first, and an account. As entities, or in structs by hand.
#[derive(Debug)]
struct App<S, A>(Arc<(Vec<S>, A)>);

type Entities = App<Status, Account>;
type Structs = App<timeline::Status, timeline::Account>;

impl<S, A> Clone for App<S, A> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

fn entities() -> std::io::Result<Entities> {
    let statuses = read::<Vec<Status>>(&page_of(40)).map_err(std::io::Error::other)?;
    let account = statuses.value.first().map(|status| status.account.clone());
    let mut account = account.ok_or_else(|| std::io::Error::other("an empty page"))?;
    account.id = "7".into();
    Ok(App(Arc::new((statuses.value, account))))
}

fn structs() -> std::io::Result<Structs> {
    let statuses: Vec<timeline::Status> = serde_json::from_str(&page_of(40))?;
    let account = statuses.first().map(|status| status.account.clone());
    let mut account = account.ok_or_else(|| std::io::Error::other("an empty page"))?;
    account.id = "7".into();
    Ok(App(Arc::new((statuses, account))))
}

fn page_of(statuses: usize) -> String {
    serde_json::Value::from(timeline::page(statuses)).to_string()
}

/// Both encode from references: a copy of each answer would cost as much as the encoding.
fn page<S, A>(app: &App<S, A>, limit: Option<i64>) -> Vec<&S> {
    let limit = usize::try_from(limit.unwrap_or(20)).unwrap_or_default();
    app.0.0.iter().take(limit).collect()
}

impl server::Authenticator for Entities {
    async fn authenticate(&self, token: Secret) -> Result<Caller> {
        if token.expose() == TOKEN {
            Ok(Caller::user("7", "read write"))
        } else {
            Err(Error::unauthorized())
        }
    }
}

impl server::Timelines for Entities {
    async fn home(&self, request: timelines::Home, call: Call) -> Result<Page<Status>> {
        let page = Page::new(page(self, request.limit));
        let last = page.last().map(|status| status.id.to_string());
        call.answer(page.with_next(last.map(|id| ("max_id", id))))
    }
}

impl server::Accounts for Entities {
    async fn get(&self, request: accounts::Get, call: Call) -> Result<Account> {
        if request.id == self.0.1.id { call.answer(&self.0.1) } else { Err(Error::not_found()) }
    }
}

fn stub(app: Entities) -> Server {
    let server = Server::new().authenticator(app.clone()).accounts(app.clone());
    // The one by hand has no other routes either.
    server.timelines(app).only_mounted()
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
    let value = headers.get("authorization").and_then(|value| value.to_str().ok());
    match value.and_then(|value| value.strip_prefix("Bearer ")) {
        Some(TOKEN) => Ok(()),
        _ => Err(refused(StatusCode::UNAUTHORIZED, "The access token is invalid")),
    }
}

async fn home(
    State(app): State<Structs>,
    Query(query): Query<Home>,
    headers: HeaderMap,
) -> std::result::Result<Response, Refused> {
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
    Ok((answer, Json(page)).into_response())
}

async fn account(
    State(app): State<Structs>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> std::result::Result<Response, Refused> {
    authorized(&headers)?;
    if app.0.1.id == id {
        Ok(Json(&app.0.1).into_response())
    } else {
        Err(refused(StatusCode::NOT_FOUND, "Record not found"))
    }
}

fn by_hand(app: Structs) -> Router {
    Router::new()
        .route("/api/v1/timelines/home", get(home))
        .route("/api/v1/accounts/{id}", get(account))
        .with_state(app)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let router = match std::env::args().nth(1).as_deref() {
        Some("by-hand") => by_hand(structs()?),
        Some("stub") => stub(entities()?).into_router(),
        Some("emulating") => {
            let emulating = stub(entities()?).emulate("mastodon@4.2.0");
            emulating.map_err(std::io::Error::other)?.into_router()
        }
        _ => return Err(std::io::Error::other("say by-hand, stub or emulating")),
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
