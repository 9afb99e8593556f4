//! The page at `/`, which says what the stand-in is and what it was asked, and the same as JSON at `/index.json`.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use fedispec::runtime::compatibility::Verdict;
use fedispec::runtime::{Kind, Operation};
use fedispec::server::{Emulation, Served, Server};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::{Value, json};

use crate::app::App;
use crate::control::Control;
use crate::post::PASSWORD;

/// How many calls are shown.
const SHOWN: usize = 100;

/// A page with what the emulated release has.
struct Shown {
    control: Control,
    emulation: Emulation,
    /// The operations that the release has and the stand-in serves, and those that it does not serve.
    served: Vec<&'static Operation>,
    unserved: Vec<&'static Operation>,
}

/// The routes of the page; none where nothing is emulated.
pub(crate) fn router(control: &Control, stubs: &Server<App>) -> Router {
    let Some(emulation) = stubs.emulation().cloned() else {
        return Router::new();
    };
    let mounted: Vec<&str> = stubs.mounted().map(|one| one.id).collect();
    let none = Server::new();
    let all = none.unimplemented();
    let all = all.filter(|operation| emulation.has(operation.id) != Verdict::No);
    let (unserved, served) = all.partition(|one| !mounted.contains(&one.id));
    let shown = Shown { control: control.clone(), emulation, served, unserved };
    Router::new().route("/", get(page)).route("/index.json", get(data)).with_state(Arc::new(shown))
}

async fn page(State(shown): State<Arc<Shown>>) -> Response {
    let headers = [(CONTENT_TYPE, "text/html; charset=utf-8"), (CACHE_CONTROL, "no-store")];
    (headers, shown.document().into_string()).into_response()
}

async fn data(State(shown): State<Arc<Shown>>) -> Response {
    let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
    (headers, shown.data().to_string()).into_response()
}

/// A column of a table: its title, and the member of a row that it shows.
type Column = (&'static str, &'static str);

const REQUESTS: [Column; 10] = [
    ("Request", "operation"),
    ("Method", "method"),
    ("Path", "path"),
    ("At", "at"),
    ("Answer", "status"),
    ("Milliseconds", "milliseconds"),
    ("Caller", "caller"),
    ("In the release", "in_release"),
    ("Newer than the release, or not heeded by it", "ignored_params"),
    ("In no release", "unknown_params"),
];
const ACCOUNTS: [Column; 4] =
    [("Name", "name"), ("Address", "email"), ("Password", "password"), ("Role", "role")];

impl Shown {
    fn document(&self) -> Markup {
        let (release, data) = (self.control.0.app.release(), self.data());
        let title =
            format!("A stand-in for {} {}", release.program_name(), release.version_string());
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (title) }
                    link rel="icon" href="data:,";
                    style { (PreEscaped(include_str!("page/style.css"))) }
                }
                body { main {
                    h1 { (title) }
                    p.lead { "A server for tests, which answers at " code { (self.control.url()) } " as this release does. It keeps what it is told in memory, and in its data file if it was given one." }
                    p { "It serves " (self.served.len()) " of the " (self.served.len() + self.unserved.len())
                        " operations that the release has. The same for scripts: " a href="/index.json" { "index.json" } "." }
                    h2 { "The last requests" }
                    p { "The newest first. No values of parameters are kept. Load the page again after some." }
                    (table(&REQUESTS, &data["requests"]))
                    h2 { "Accounts and tokens" }
                    p { "The command prints a token of the owner with every scope when it starts. These accounts can sign in; whose password is not shown has one of their own:" }
                    (table(&ACCOUNTS, &data["accounts"]))
                    (self.tokens())
                    (self.operations())
                    (self.cut())
                } }
            }
        }
    }

    /// The owner of the token that came with a request.
    fn caller(&self, seen: &Served) -> String {
        let Some(caller) = &seen.caller else {
            return "nobody".to_owned();
        };
        let Some(id) = &caller.account else {
            return "an application".to_owned();
        };
        let state = self.control.0.app.state();
        let account = state.key(id).and_then(|key| state.accounts.get(&key));
        account.map_or_else(|| "somebody who is gone".to_owned(), |one| one.username.clone())
    }

    fn tokens(&self) -> Markup {
        let register = format!(
            "curl {}/api/v1/apps -d client_name=test -d redirect_uris=urn:ietf:wg:oauth:2.0:oob -d 'scopes=read write'",
            self.control.url()
        );
        let authorize = format!(
            "{}/oauth/authorize?response_type=code&client_id=CLIENT_ID&redirect_uri=urn:ietf:wg:oauth:2.0:oob&scope=read+write",
            self.control.url()
        );
        let exchange = format!(
            "curl {}/oauth/token -d grant_type=authorization_code -d code=CODE -d client_id=CLIENT_ID -d client_secret=CLIENT_SECRET -d redirect_uri=urn:ietf:wg:oauth:2.0:oob",
            self.control.url()
        );
        html! {
            p { "A token as an application gets one: register it," }
            pre tabindex="0" { code { (register) } }
            p { "open this address with the answer's " code { "client_id" } " in a browser, sign in," }
            pre tabindex="0" { code { (authorize) } }
            p { "and change the code that it shows for a token:" }
            pre tabindex="0" { code { (exchange) } }
        }
    }

    fn operations(&self) -> Markup {
        let list = |operations: &[&Operation]| {
            html! { ul.columns { @for one in operations { li {
                (one.method.as_str()) " " code { (one.path) } " " small { (one.id) }
            } } } }
        };
        html! {
            h2 { "Operations" }
            details { summary { "Served (" (self.served.len()) ")" } (list(&self.served)) }
            @if !self.unserved.is_empty() {
                details { summary { "Not served, they answer 501 (" (self.unserved.len()) ")" } (list(&self.unserved)) }
            }
        }
    }

    fn cut(&self) -> Markup {
        html! {
            h2 { "What is cut" }
            p { "What other releases have and this one does not: operations answer as unknown routes do, parameters are ignored, and fields and values are left out of answers." }
            @for (title, ids) in self.lacking() {
                details { summary { (title) " (" (ids.len()) ")" }
                    ul.columns { @for id in ids { li { code { (id) } } } }
                }
            }
        }
    }

    /// Returns the items that the release does not have, by kind.
    fn lacking(&self) -> [(&'static str, Vec<&'static str>); 4] {
        let of = |kinds: &[Kind]| {
            let items = self.emulation.lacking();
            let items = items.filter(|item| kinds.contains(&item.kind()));
            items.map(fedispec::runtime::Item::id).collect()
        };
        [
            ("Operations", of(&[Kind::Operation])),
            ("Parameters", of(&[Kind::Param])),
            ("Fields", of(&[Kind::Field, Kind::Response])),
            ("Values", of(&[Kind::Value])),
        ]
    }

    fn data(&self) -> Value {
        let ids = |operations: &[&'static Operation]| -> Vec<&str> {
            operations.iter().map(|one| one.id).collect()
        };
        let calls = self.control.0.calls.handled(SHOWN);
        let requests = calls.iter().map(|(call, one)| {
            json!({
                "at": call.at,
                "operation": one.operation.id,
                "method": one.operation.method.as_str(),
                "path": one.operation.path,
                "caller": self.caller(one),
                "status": call.status,
                "milliseconds": u64::try_from(one.took.as_millis()).unwrap_or(u64::MAX),
                "in_release": one.in_release,
                "ignored_params": one.ignored_params,
                "unknown_params": one.unknown_params,
            })
        });
        let state = self.control.0.app.state();
        let accounts = state.users().filter_map(|account| {
            let user = account.user.as_ref()?;
            // Another password than that which every account has at first is nobody's business.
            let password = Some(PASSWORD).filter(|known| user.password == *known);
            let role = format!("{:?}", user.role).to_lowercase();
            Some(json!({"name": account.username, "email": user.email, "password": password, "role": role}))
        });
        let accounts: Vec<_> = accounts.collect();
        drop(state);
        let lacking = self.lacking().into_iter();
        let cut = lacking.map(|(title, ids)| (title.to_lowercase(), json!(ids)));
        json!({
            "schema": "fedispec-standin/1",
            "as": self.control.presents(),
            "url": self.control.url(),
            "served": ids(&self.served),
            "unserved": ids(&self.unserved),
            "cut": Value::Object(cut.collect()),
            "accounts": accounts,
            "requests": requests.collect::<Vec<_>>(),
        })
    }
}

/// A table of JSON objects.
fn table(columns: &[Column], rows: &Value) -> Markup {
    let shown = |value: &Value| match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    };
    html! {
        table {
            thead { tr { @for (title, _) in columns { th scope="col" { (title) } } } }
            tbody { @for row in rows.as_array().into_iter().flatten() { tr {
                @for (title, name) in columns { td data-name=(title) { (shown(&row[*name])) } }
            } } }
        }
    }
}
