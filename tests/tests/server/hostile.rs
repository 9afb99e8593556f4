//! Every number, time and id of every operation's parameters, with values that no handler expects: on two servers with a memory.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use axum::Router;
use axum::body::{Body, to_bytes};
use fedispec::runtime::Json;
use fedispec_model::api::{Api, Operation, Param, Type};
use fedispec_model::floors::Floors;
use fedispec_model::newest::Newest;
use fedispec_since::{Location, Required};
use fedispec_standin::StandIn;
use fedispec_tests::catalogue;
use form_urlencoded::Serializer;
use tower::ServiceExt as _;

use crate::small_server::program;

static API: LazyLock<Api> = LazyLock::new(catalogue::typed);

static FLOORS: LazyLock<Floors> = LazyLock::new(|| Floors::new(&API, &BTreeMap::new()));

const ORIGIN: &str = "http://social.example";

/// The values that are sent for a number, a time or an id.
const VALUES: &[&str] = &[
    "300000000000",
    "253402300800",
    "-62167219201",
    "2147483648",
    "-2147483649",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551616",
    "-1",
    "0",
    "1573979017",
    "1.5",
    "1e300",
    "NaN",
    "infinity",
    "0x10",
    "٣",
    "9999-12-31T23:59:59.999999999-23:59",
    "0000-01-01T00:00:00+23:59",
    "2024-02-30",
    "..",
    "a b",
    "\u{0}",
];

fn is_converted(ty: &Type) -> bool {
    match ty {
        Type::List(one) => is_converted(one),
        Type::Integer | Type::Number | Type::Timestamp | Type::Cursor | Type::Id(_) => true,
        _ => false,
    }
}

/// A value that the operation takes, to get to what is looked at.
fn usual(param: &Param, ty: &Type) -> Option<String> {
    Some(match ty {
        Type::List(one) => return usual(param, one),
        Type::Boolean => "true".to_owned(),
        Type::Timestamp => "2030-01-01T00:00:00Z".to_owned(),
        Type::Enum(id) => {
            let listed = API.enums.iter().find(|one| one.item.id == *id)?;
            listed.values.first()?.wire.clone()
        }
        Type::File | Type::Json | Type::Entity(_) => return None,
        Type::String if param.item.wire.contains("mail") => "a@example.org".to_owned(),
        _ => "1".to_owned(),
    })
}

/// The line and the form of a request that has all required parameters and those of a poll, and of one parameter this value.
fn request(operation: &Operation, of: Option<(&Param, &str)>) -> (String, String) {
    let route = operation.route.as_ref();
    let mut path = route.map_or_else(String::new, |route| route.path.clone());
    let (mut query, mut form) = (Serializer::new(String::new()), Serializer::new(String::new()));
    for param in operation.params.iter().filter(|param| !param.item.implied) {
        let wire = &param.item.wire;
        let value = match of {
            Some((one, value)) if one.item.id == param.item.id => Some(value.to_owned()),
            _ if param.required == Required::Always
                || wire.starts_with("poll[options]")
                || wire == "status" =>
            {
                usual(param, &param.r#type)
            }
            _ => None,
        };
        let Some(value) = value else { continue };
        match param.location {
            Location::Path => {
                let bytes = value.bytes();
                let value = bytes.fold(String::new(), |mut text, byte| {
                    _ = write!(text, "%{byte:02X}");
                    text
                });
                path = path.replace(&format!(":{wire}"), &value);
            }
            Location::Query => _ = query.append_pair(wire, &value),
            Location::Header => {}
            _ => _ = form.append_pair(&wire.replace(":index", "0"), &value),
        }
    }
    let (mut query, mut form) = (query.finish(), form.finish());
    let method = route.map_or("GET", |route| route.method.as_str());
    if method == "GET" {
        query = [query, std::mem::take(&mut form)].join("&");
    }
    (format!("{method} {path}?{query}"), form)
}

/// The faults, each with the first request that it was seen at.
type Told = BTreeMap<String, String>;

/// A server, and the token of a user of it.
struct Site(&'static str, Router, String);

impl Site {
    async fn ask(&self, line: &str, form: &str) -> (u16, Json) {
        let Self(_, router, token) = self;
        let (method, target) = line.split_once(' ').expect("a line");
        let request = http::Request::builder()
            .method(method)
            .uri(target)
            .header("authorization", format!("Bearer {token}"))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(Body::from(form.to_owned()));
        let answer = router.clone().oneshot(request.expect(line)).await.expect("an answer");
        let status = answer.status().as_u16();
        let is_stream = { answer.headers().get("content-type") }
            .is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
        if is_stream {
            return (status, Json::Null);
        }
        let body = to_bytes(answer.into_body(), usize::MAX).await.expect("a body");
        (status, serde_json::from_slice(&body).unwrap_or_default())
    }

    /// Asks, and holds the answer against its type.
    async fn check(
        &self,
        operation: &Operation,
        of: Option<(&Param, &str)>,
        told: &mut Told,
    ) -> u16 {
        let (line, form) = request(operation, of);
        let (status, body) = self.ask(&line, &form).await;
        let mut faults = Vec::new();
        if status >= 500 && status != 501 {
            faults.push(format!("{status} {body}"));
        } else if status < 300 {
            wrong(&operation.returns, &body, &mut String::new(), &mut faults);
        }
        for fault in faults {
            let of = format!("{}: {}: {fault}", self.0, operation.item.id);
            told.entry(of).or_insert_with(|| format!("{line} {form}"));
        }
        status
    }
}

/// The times in an answer that are numbers, and the keys that the newest release always sends and that are not there.
fn wrong(ty: &Type, body: &Json, path: &mut String, faults: &mut Vec<String>) {
    match (ty, body) {
        (Type::Timestamp, Json::Number(number)) => faults.push(format!("{path} is {number}")),
        (Type::List(one), Json::Array(items)) => {
            for item in items {
                wrong(one, item, path, faults);
            }
        }
        (Type::Entity(id), Json::Object(keys)) => {
            let newest = Newest::of(&API, &FLOORS, None, &BTreeMap::new()).expect("a release");
            let entity = API.entities.iter().find(|one| one.item.id == *id).expect("an entity");
            for field in &entity.fields {
                let wire = &field.item.wire;
                let length = path.len();
                _ = write!(path, ".{wire}");
                match keys.get(wire) {
                    Some(value) => wrong(&field.r#type, value, path, faults),
                    None if newest.sends(entity, field) => faults.push(format!("no {path}")),
                    None => {}
                }
                path.truncate(length);
            }
        }
        _ => {}
    }
}

async fn small_server() -> Site {
    let app = program::app(ORIGIN).expect("an application");
    let mut site = Site("small_server", program::router(&app), String::new());
    let form = "client_name=a&redirect_uris=urn:ietf:wg:oauth:2.0:oob&scopes=read+write+follow";
    let (_, app) = site.ask("POST /api/v1/apps", form).await;
    let form = format!(
        "grant_type=client_credentials&client_id={}&client_secret={}&scope=read+write+follow",
        app["client_id"].as_str().expect("an id"),
        app["client_secret"].as_str().expect("a secret"),
    );
    for (line, form) in [
        ("POST /oauth/token", form.as_str()),
        (
            "POST /api/v1/accounts",
            "username=mona&email=m@example.org&password=p&agreement=true&locale=en",
        ),
    ] {
        let (_, token) = site.ask(line, form).await;
        token["access_token"].as_str().expect("a token").clone_into(&mut site.2);
    }
    site
}

#[tokio::test]
async fn no_value_makes_a_wrong_answer_or_an_error_of_the_server() {
    let (router, control) = StandIn::new().mount(ORIGIN).await.expect("a stand-in");
    let standin = Site("stand-in", router, control.token().to_owned());
    let mut told = Told::new();
    for site in [small_server().await, standin] {
        let (mut asked, mut taken, mut refused) = (0, 0, 0);
        // Revoking and deleting the token's own account would end the walk.
        let operations = API.operations.iter().filter(|one| {
            one.route.is_some() && one.success != [101] && !one.item.id.starts_with("oauth.")
        });
        for operation in operations.clone() {
            for param in operation.params.iter().filter(|param| is_converted(&param.r#type)) {
                for value in VALUES {
                    match site.check(operation, Some((param, value)), &mut told).await {
                        200..=299 => taken += 1,
                        400..=499 => refused += 1,
                        _ => {}
                    }
                    asked += 1;
                }
            }
        }
        // Everybody reads the stored values.
        for operation in
            operations.filter(|one| one.route.as_ref().is_some_and(|route| route.method == "GET"))
        {
            site.check(operation, None, &mut told).await;
        }
        println!("{}: {asked} asked, {taken} taken, {refused} refused", site.0);
        assert!(asked > 5_000 && taken > 500, "{}: {asked} asked, {taken} taken", site.0);
        let poll = "status=a&poll[options][]=a&poll[options][]=b&poll[expires_in]=300000000000";
        let (status, answer) = site.ask("POST /api/v1/statuses", poll).await;
        assert_eq!(status, 422, "{}: {answer}", site.0);
    }
    assert!(told.is_empty(), "{} faults: {told:#?}", told.len());
}
