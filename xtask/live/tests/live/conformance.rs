//! `record` and `probe` against running servers, over real sockets.

#[allow(dead_code, reason = "it is a program of its own")]
#[path = "../../../../tests/examples/small_server/main.rs"]
mod small_server;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::Request;
use axum::http::{HeaderMap, Method};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse as _, Response};
use fedispec::runtime::Id;
use fedispec::runtime::{List, Page};
use fedispec::server::{
    self, Call, Caller, Error, Listen, OauthStore as _, Reply, Result, Server, StatusCode,
};
use fedispec::{accounts, custom_emojis, entities, instance, lists, timelines};
use fedispec_tests::commands::{self, Ran};
use fedispec_tests::{python, root};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// The token of the user; the server echoes it, which none should.
const TOKEN: &str = "pr0be-token-of-nobody";

/// The requests: method, path with query, and headers.
type Log = Arc<Mutex<Vec<(Method, String, HeaderMap)>>>;

#[derive(Clone)]
struct App;

fn account() -> Value {
    json!({"id": "7", "username": "mona", "acct": "mona", "note": format!("my token is {TOKEN}"), "no_such_key": 1})
}

impl server::Instance for App {
    async fn get(&self, _: instance::Get, _: Call) -> Result<entities::Instance> {
        let document = json!({"domain": "a.example", "version": "4.3.0", "title": "A", "api_versions": {"mastodon": 2}});
        Err(Reply::json(&document))?
    }
}

impl server::Accounts for App {
    async fn verify_credentials(
        &self,
        _: accounts::VerifyCredentials,
        _: Call,
    ) -> Result<entities::CredentialAccount> {
        Err(Reply::json(&account()))?
    }

    async fn get(&self, request: accounts::Get, _: Call) -> Result<entities::Account> {
        if request.id.as_str() != "7" {
            return Err(Error::not_found());
        }
        Err(Reply::json(&account()))?
    }
}

impl server::Timelines for App {
    async fn public(&self, _: timelines::Public, _: Call) -> Result<Page<entities::Status>> {
        let status = |id: &str| json!({"id": id, "account": account(), "content": "", "tags": [{"name": "tea", "url": ""}]});
        Err(Reply::json(&json!([status("1"), status("2")])))?
    }
}

impl server::Lists for App {
    /// A list that is gone when it is asked for.
    async fn list(&self, _: lists::List, _: Call) -> Result<List<entities::List>> {
        Err(Reply::json(&json!([{"id": "3", "title": "gone"}])))?
    }

    async fn get(&self, _: lists::Get, _: Call) -> Result<entities::List> {
        Err(Error::not_found())
    }
}

impl server::CustomEmojis for App {
    async fn list(&self, _: custom_emojis::List, _: Call) -> Result<List<entities::CustomEmoji>> {
        Ok(List::new([]))
    }
}

/// A server that says it is Mastodon 4.3.0, and its log.
async fn serve() -> (String, Log) {
    let authenticator = async |token: server::Secret| {
        (token.expose() == TOKEN).then(|| Caller::user("7", "read")).ok_or_else(Error::unauthorized)
    };
    let server = Server::new()
        .authenticator(authenticator)
        .accounts(App)
        .custom_emojis(App)
        .instance(App)
        .lists(App)
        .timelines(App);
    let log = Log::default();
    let hear = log.clone();
    let has_refused = Arc::new(Mutex::new(false));
    let layer = from_fn(move |request: Request, next: Next| {
        let (hear, has_refused) = (hear.clone(), has_refused.clone());
        async move { heard(&hear, &has_refused, request, next).await }
    });
    let router = server.into_router().layer(layer);
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(Listen::new(listener).serve(router));
    (url, log)
}

/// Notes a request, and refuses the first one for the emojis.
async fn heard(log: &Log, has_refused: &Mutex<bool>, request: Request, next: Next) -> Response {
    let target = request.uri().path_and_query().map_or("/", |target| target.as_str());
    let is_emojis = target == "/api/v1/custom_emojis";
    let heard = (request.method().clone(), target.to_owned(), request.headers().clone());
    log.lock().unwrap_or_else(PoisonError::into_inner).push(heard);
    let is_first = is_emojis && {
        let mut has_refused = has_refused.lock().unwrap_or_else(PoisonError::into_inner);
        !std::mem::replace(&mut *has_refused, true)
    };
    if is_first {
        return (StatusCode::TOO_MANY_REQUESTS, [("retry-after", "1")], "slow down")
            .into_response();
    }
    next.run(request).await
}

/// Runs a command on another thread, so that the server goes on.
async fn run(args: &[&str], token: Option<&str>) -> Ran {
    let args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
    let token = token.map(str::to_owned);
    let ran = tokio::task::spawn_blocking(move || {
        let mut command = commands::command(args);
        command.env_remove("FEDISPEC_TOKEN");
        if let Some(token) = token {
            command.env("FEDISPEC_TOKEN", token);
        }
        commands::finish(&mut command)
    });
    ran.await.expect("a command")
}

fn name(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn row<'a>(rows: &'a Value, id: &str) -> &'a Value {
    let mut rows = rows.as_array().expect("rows").iter();
    rows.find(|row| row["id"] == id).unwrap_or_else(|| panic!("no row {id}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_is_recorded_without_secrets() {
    let (url, log) = serve().await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.jsonl");
    let ran =
        run(&["record", &url, "--out", name(&file), "--pause", "0"], Some(TOKEN)).await.succeeded();
    let text = std::fs::read_to_string(&file).expect("a recording");
    for text in [&text, &ran.stdout, &ran.stderr] {
        assert!(!text.contains(TOKEN), "{text}");
    }
    assert_eq!(
        std::fs::read_dir(folder.path()).expect("a folder").count(),
        1,
        "nothing is left beside it"
    );
    let log = log.lock().unwrap_or_else(PoisonError::into_inner).clone();
    for (method, target, headers) in &log {
        assert_eq!(method, Method::GET, "{target}");
        let agent = headers["user-agent"].to_str().expect("a name");
        assert!(agent.starts_with("fedispec/"), "{agent}");
    }
    let times = |path: &str| log.iter().filter(|(_, target, _)| target == path).count();
    assert_eq!(times("/api/v1/custom_emojis"), 2, "asked again after the 429");
    assert_eq!((times("/api/v1/statuses/1"), times("/api/v1/statuses/2")), (1, 1));
    assert_eq!(times("/api/v1/timelines/tag/tea"), 1);
    assert!(
        log.iter()
            .all(|(_, target, _)| !target.contains("streaming/public") && !target.contains("2fa"))
    );
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(lines.iter().all(|line| line["status"] != 429
        && line["software"] == "mastodon"
        && line["version"] == "4.3.0"));
    let verified = run(&["verify", name(&file), "--format", "json"], None).await;
    let report: Value = serde_json::from_str(&verified.stdout).expect("a report");
    assert_eq!(report["total"], lines.len());
    assert_eq!(report["unmatched"], json!({}), "{report}");
    let unknown = report["unknown_fields"].as_array().expect("rows");
    assert!(unknown.iter().any(|row| row["id"] == "Account.no_such_key"), "{unknown:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_is_held_against_its_release() {
    let (url, _) = serve().await;
    let ran =
        run(&["probe", &url, "--format", "json", "--pause", "0", "--token", TOKEN], None).await;
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(!ran.stdout.contains(TOKEN) && !ran.stderr.contains(TOKEN));
    let report: Value = serde_json::from_str(&ran.stdout).expect("a report");
    assert_eq!(report["schema"], "fedispec-probe/1");
    assert_eq!(
        (&report["server"]["program"], &report["server"]["version"]),
        (&json!("mastodon"), &json!("4.3.0"))
    );
    for (id, expected, found, status) in [
        ("timelines.public", "yes", "yes", json!(200)),
        ("accounts.get", "yes", "yes", json!(200)),
        ("trends.tags", "yes", "no", json!(501)),
        ("accounts.themes", "no", "no", json!(501)),
        // It is asked for a list that was there.
        ("lists.get", "yes", "yes", json!(404)),
        ("polls.get", "yes", "unknown", Value::Null),
        ("streaming.user", "yes", "unknown", Value::Null),
    ] {
        let row = row(&report["operations"], id);
        assert_eq!(
            (&row["expected"], &row["found"], &row["status"]),
            (&json!(expected), &json!(found), &status),
            "{row}"
        );
    }
    for (id, expected, found) in [
        ("Account.username", "yes", "yes"),
        ("Account.locked", "yes", "no"),
        ("Account.no_such_key", "unknown", "yes"),
        ("Poll.id", "yes", "unknown"),
    ] {
        let row = row(&report["fields"], id);
        assert_eq!((&row["expected"], &row["found"]), (&json!(expected), &json!(found)), "{row}");
    }
    let ran = run(&["probe", &url, "--pause", "0", "--calls", "8"], None).await;
    assert!(
        ran.stdout
            .starts_with("mastodon 4.3.0, 8 requests without a token\nended early: 8 requests"),
        "{}",
        ran.stdout
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_asked_is_told() {
    let (url, log) = serve().await;
    let other = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let nobody = format!("http://{}", other.local_addr().expect("an address"));
    drop(other);
    let shop = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let shop_url = format!("http://{}", shop.local_addr().expect("an address"));
    let page = axum::Router::new().fallback(async || "<h1>A shop</h1>");
    tokio::spawn(Listen::new(shop).serve(page));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("kept.jsonl");
    std::fs::write(&file, "kept").expect("written");
    for (url, token, told) in [
        (nobody.as_str(), None, "cannot be reached"),
        (shop_url.as_str(), None, "is no server of this API"),
        (url.as_str(), Some("an-0ther-token"), "refuses the token"),
        (url.as_str(), Some("a t\u{7}ken"), "no token has"),
        ("http://social.example", Some(TOKEN), "without encryption"),
        ("https://mona:passw0rd@social.example", None, "a password"),
    ] {
        let ran = run(&["record", url, "--out", name(&file), "--pause", "0"], token).await;
        assert_eq!(ran.code, Some(2), "{url}: {}", ran.stderr);
        assert!(ran.stderr.contains(told), "{url}: {}", ran.stderr);
        assert!(
            !ran.stderr.contains("passw0rd")
                && !token.is_some_and(|token| ran.stderr.contains(token))
        );
        assert_eq!(std::fs::read_to_string(&file).expect("a file"), "kept");
        let ran = run(&["probe", url, "--pause", "0"], token).await;
        assert_eq!(ran.code, Some(2), "{url}: {}", ran.stderr);
    }
    let asked = log.lock().unwrap_or_else(PoisonError::into_inner).len();
    assert!(asked < 20, "a token that is refused ends it: {asked}");
    let ran = run(&["record", &url, "--out", "/nowhere/at/all.jsonl"], None).await;
    assert!(ran.code == Some(2) && ran.stderr.contains("/nowhere/at/all.jsonl"), "{}", ran.stderr);
}

/// The OpenAPI document of a server, which names what is mounted and nothing else.
async fn document(url: &str, mounted: &BTreeSet<&str>) -> Value {
    let url = format!("{url}/api/openapi.json");
    let asked = tokio::task::spawn_blocking(move || {
        let mut answer = ureq::get(&url).header("origin", "https://a.example").call()?;
        assert_eq!(answer.headers()["access-control-allow-origin"], "*");
        answer.body_mut().read_to_string()
    });
    let text = asked.await.expect("a request").expect("an answer");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let paths = document["paths"].as_object().expect("paths").values();
    let operations = paths.flat_map(|path| path.as_object().expect("methods").values());
    let own = operations.filter(|operation| operation.get("x-twin-of").is_none());
    let described: BTreeSet<_> = own.filter_map(|one| one["operationId"].as_str()).collect();
    assert_eq!(described, *mounted);
    document
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_describes_what_it_has() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let app = small_server::app(&url).expect("an application");
    let oauth = app.lock().oauth.clone();
    let server = small_server::server(&app);
    let mounted: BTreeSet<_> = server.mounted().map(|operation| operation.id).collect();
    for id in ["accounts.get", "health.get", "streaming.health", "streaming.connect"] {
        assert!(mounted.contains(id), "{id}: {mounted:?}");
    }
    tokio::spawn(Listen::new(listener).serve(server.into_router()));
    let small = document(&url, &mounted).await;
    assert_eq!(small["info"]["x-program"], "mastodon");

    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let other = format!("http://{}", listener.local_addr().expect("an address"));
    let app = small_server::app(&other).expect("an application");
    let server = small_server::server(&app).only_mounted();
    let server = server.emulate("mastodon@4.2.10").expect("a release");
    let mounted: BTreeSet<_> = server.mounted().map(|operation| operation.id).collect();
    assert!(!mounted.contains("health.get"), "{mounted:?}");
    tokio::spawn(Listen::new(listener).serve(server.into_router()));
    let emulated = document(&other, &mounted).await;
    assert_eq!(emulated["info"]["version"], "4.2.10");

    // A release that lacks an operation does not hide that the server has it.
    let ids = ["interaction_policies.defaults", "lists.get", "no.such"];
    let text = fedispec_openapi::served(&ids, None).expect("a document");
    let mixed: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(mixed["info"]["x-left-out"], json!(["no.such"]));
    assert!(mixed["paths"]["/api/v1/interaction_policies/defaults"]["get"]["x-since"].is_object());
    assert!(mixed["paths"]["/api/v1/lists/{id}"]["get"].get("x-since").is_none());

    let issued = oauth.issue("app", Some(Id::from("1")), "read".into()).await.expect("a token");
    for (url, token) in [(&url, None), (&url, Some(issued.secret.expose())), (&other, None)] {
        let ran = run(&["probe", url, "--pause", "0", "--calls", "2000"], token).await.succeeded();
        println!("{}", ran.stdout);
        assert!(ran.stdout.contains(", by its own OpenAPI, "), "{}", ran.stdout);
    }
    let Some(python) = python::python("a_server_describes_what_it_has") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let write = |(name, document): (&str, &Value)| {
        let path = folder.path().join(name);
        std::fs::write(&path, document.to_string()).expect("writable");
        path.display().to_string()
    };
    let written =
        [("small.json", &small), ("old.json", &emulated), ("mixed.json", &mixed)].map(write);
    let checked = tokio::task::spawn_blocking(move || {
        let names: Vec<_> = written.iter().map(String::as_str).collect();
        python::run(python, &root().join("tests/python/openapi.py"), &names, "")
    });
    let told = checked.await.expect("a validator").succeeded().stdout;
    assert_eq!(told, "3 documents, 0 mistakes\n");
}
