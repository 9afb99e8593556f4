//! `probe`: what a running server has, against what its release should have.

use std::collections::{BTreeMap, BTreeSet};

use fedispec::client::{Origin, Transport};
use fedispec::runtime::ItemTable;
use fedispec::runtime::compatibility::{RemoteServer, Verdict};
use fedispec_model::api::{Api, Entity, Item, Operation, Route};
use fedispec_since::TokenKind;
use fedispec_site::badge;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::asker::{Asker, Reply, Stop};
use crate::bodies::{Catalogue, Server, Visit, field, has};
use crate::identify;
use crate::routes::{find, routes};
use crate::walk::{Answered, AskedOperation, Walk};

mod text;

pub(crate) use text::print;

/// A path that no server has: how it answers an unknown one.
const NOTHING: &str = "/api/v1/fedispec-probe/no-server-has-this";

/// The path of the document in which a server says what it has.
const DOCUMENT: &str = "/api/openapi.json";

/// The result of `probe`.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    schema: &'static str,
    pub(crate) server: Target,
    pub(crate) operations: Vec<Operations>,
    pub(crate) fields: Vec<Fields>,
    /// The number of requests.
    pub(crate) requests: u32,
    /// Why the walk ended early.
    pub(crate) stopped: Option<String>,
}

/// The server that was asked.
#[derive(Debug, Serialize)]
pub(crate) struct Target {
    url: String,
    #[serde(flatten)]
    identity: fedispec::runtime::Identity,
    /// Whether it was asked with a token.
    pub(crate) with_token: bool,
    #[serde(skip)]
    pub(crate) shown: String,
}

/// An operation.
#[derive(Debug, Serialize)]
pub(crate) struct Operations {
    pub(crate) id: String,
    pub(crate) expected: Verdict,
    pub(crate) found: Verdict,
    /// The status of the answer that decided.
    pub(crate) status: Option<u16>,
    /// Why it was not found out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) because: Option<String>,
}

/// A field.
#[derive(Debug, Serialize)]
pub(crate) struct Fields {
    pub(crate) id: String,
    pub(crate) expected: Verdict,
    pub(crate) found: Verdict,
}

/// Whether what was found contradicts what was expected.
fn differ(expected: Verdict, found: Verdict) -> bool {
    matches!(
        (expected, found),
        (Verdict::Yes | Verdict::Stub, Verdict::No) | (Verdict::No, Verdict::Yes)
    )
}

/// The order in which findings count: those that settle it come first.
fn settling(found: Verdict) -> impl Ord {
    (found == Verdict::Unknown, found)
}

impl Report {
    /// Whether the server contradicts what its release should have.
    pub(crate) fn differs(&self) -> bool {
        let mut operations = self.operations.iter();
        let mut fields = self.fields.iter();
        operations.any(|row| differ(row.expected, row.found))
            || fields.any(|row| differ(row.expected, row.found))
    }

    /// A picture of the result for a page: the release that the server is like, or that it differs from.
    pub(crate) fn badge(&self) -> String {
        let like = if self.differs() { "differs from" } else { "as" };
        badge("client API", &format!("{like} {}", self.server.shown), !self.differs())
    }
}

/// Walks a server and holds what it has against the catalogue.
///
/// # Errors
///
/// When it cannot be reached, is no server of this API, or refuses the token.
pub(crate) async fn probe<T: Transport>(
    api: &Api,
    items: &ItemTable,
    origin: &Origin,
    asker: &mut Asker<T>,
) -> Result<Report, String> {
    let remote = asker.introduce().await?;
    let identity = &remote.identity;
    identify::stands_for(api, identity.program.as_deref(), identity.version.as_deref());
    let catalogue = Catalogue::new(api);
    let unknown = match asker.get(NOTHING, true).await {
        Ok(Ok(reply)) => Some((reply.status, String::from_utf8_lossy(&reply.body).into_owned())),
        Ok(Err(_)) => None,
        Err(stop) => return Err(stop.to_string()),
    };
    let described = match asker.get(DOCUMENT, false).await {
        Ok(answer) => answer.ok().and_then(|reply| described(&reply)),
        Err(stop) => return Err(stop.to_string()),
    };
    let mut present = Present::default();
    let mut walk = Walk::new(&catalogue);
    let mut stopped = walk
        .run(asker, 1, |operation, _, body| {
            if let Some(body) = body {
                catalogue.walk(body, &operation.returns, &mut present);
            }
        })
        .await?;
    let expect = Expect { remote: &remote, items, server: server(&catalogue, &remote) };
    let routes = Shadows::new(api);
    let judge = Judge { unknown, routes };
    let mut operations = Vec::new();
    for asked in walk.asked() {
        let id = &asked.operation.item.id;
        let expected = match &described {
            Some(described) if described.contains(id) => Verdict::Yes,
            Some(_) => Verdict::No,
            None => expect.word(&asked.operation.item),
        };
        let mut row = judge.operation(&asked, expected);
        if row.found == Verdict::Unknown
            && stopped.is_none()
            && judge.tokenless_tells(&asked)
            && asker.has_token()
        {
            match without_token(asker, asked.answers.last()).await {
                Ok(Some(status)) => Judge::settle(&mut row, status),
                Ok(None) => {}
                Err(Stop::Spent(why)) => stopped = Some(why),
                Err(Stop::Lost(why)) => return Err(why),
            }
        }
        operations.push(row);
    }
    let fields = fields(&catalogue, &present, &expect);
    Ok(Report {
        schema: "fedispec-probe/1",
        server: Target {
            url: origin.to_string(),
            shown: match described {
                Some(_) => format!("{remote}, by its own OpenAPI"),
                None => remote.to_string(),
            },
            identity: remote.identity.clone(),
            with_token: asker.has_token(),
        },
        operations,
        fields,
        requests: asker.calls(),
        stopped,
    })
}

/// The ids of the operations in a server's OpenAPI document.
fn described(reply: &Reply) -> Option<BTreeSet<String>> {
    let document: Value = serde_json::from_slice(&reply.body).ok()?;
    let paths = document.get("paths").filter(|_| reply.succeeded())?.as_object()?;
    let operations = paths.values().filter_map(Value::as_object).flat_map(Map::values);
    let ids = operations.filter_map(|operation| operation.get("operationId")?.as_str());
    Some(ids.map(str::to_owned).collect())
}

/// The server's place in the catalogue.
fn server(catalogue: &Catalogue<'_>, remote: &RemoteServer) -> Option<Server> {
    let identity = &remote.identity;
    catalogue.server(identity.program.as_deref()?, identity.version.as_deref()?)
}

/// The operations and fields that the release should have.
struct Expect<'a> {
    remote: &'a RemoteServer,
    items: &'a ItemTable,
    server: Option<Server>,
}

impl Expect<'_> {
    /// Whether an item should be there. A client is told that a server lacks what is there and does something else, such as an edit's
    /// history of the newest edit alone.
    fn word(&self, item: &Item) -> Verdict {
        let word = self.remote.supports(self.items, &item.id).verdict;
        match self.server {
            Some(server)
                if word == Verdict::No && has(&item.life[server.program], server.release) =>
            {
                Verdict::Yes
            }
            _ => word,
        }
    }
}

/// Asks the last target again without a token: a route that wants one refuses, and no route is not found.
async fn without_token<T: Transport>(
    asker: &mut Asker<T>,
    last: Option<&Answered>,
) -> Result<Option<u16>, Stop> {
    let Some(answer) = last else {
        return Ok(None);
    };
    let answered = asker.get(&answer.target, false).await?;
    Ok(answered.ok().map(|reply| reply.status))
}

/// Reads from answers whether a route is there.
struct Judge<'a> {
    /// The answer to an unknown path.
    unknown: Option<(u16, String)>,
    routes: Shadows<'a>,
}

impl Judge<'_> {
    fn operation(&self, asked: &AskedOperation<'_>, expected: Verdict) -> Operations {
        let words = asked
            .answers
            .iter()
            .map(|answer| (self.answer(asked.operation, answer), answer.status));
        // One answer that settles it is enough.
        let best = words.min_by_key(|(word, _)| settling(*word));
        let because = match best {
            None => asked.why_not.clone(),
            Some((Verdict::Unknown, 404 | 410)) => {
                Some("nothing was found, which may be all it has".to_owned())
            }
            Some((Verdict::Unknown, status)) => Some(format!("a {status} does not tell")),
            Some(_) => None,
        };
        Operations {
            id: asked.operation.item.id.clone(),
            expected,
            found: best.map_or(Verdict::Unknown, |(word, _)| word),
            status: best.map(|(_, status)| status),
            because,
        }
    }

    fn answer(&self, operation: &Operation, answer: &Answered) -> Verdict {
        let is_shadowed = self.routes.is_shadowed(operation);
        let is_unknown =
            |status: u16| self.unknown.as_ref().is_some_and(|(unknown, _)| *unknown == status);
        match answer.status {
            200..300 => Verdict::Yes,
            404 | 410 if is_shadowed => Verdict::No,
            404 | 410 => {
                let same = self.unknown.as_ref().is_some_and(|(status, body)| {
                    *status == answer.status && Some(body) == answer.error.as_ref()
                });
                let may_be_empty =
                    operation.errors.iter().any(|error| error.status == answer.status)
                        || operation.route.as_ref().is_some_and(|route| route.path.contains("/:"));
                match (same, may_be_empty) {
                    (true, true) => Verdict::Unknown,
                    (false, true) => Verdict::Yes,
                    // It is always there, whatever the page says.
                    (_, false) => Verdict::No,
                }
            }
            405 | 501 => Verdict::No,
            // A server that refuses before it has looked for a route tells nothing.
            status if is_unknown(status) || is_shadowed => Verdict::Unknown,
            400 | 401 | 403 | 406 | 422 => Verdict::Yes,
            _ => Verdict::Unknown,
        }
    }

    /// Whether the answer without a token tells more.
    fn tokenless_tells(&self, asked: &AskedOperation<'_>) -> bool {
        let auth = asked.operation.auth.as_ref();
        let each = auth.and_then(|auth| auth.of(0).or_else(|| auth.of(1)));
        let wants = each.is_some_and(|auth| {
            matches!(auth.token, TokenKind::User | TokenKind::App | TokenKind::Client)
        });
        let is_404 = |answer: &Answered| matches!(answer.status, 404 | 410);
        let unknown = self.unknown.as_ref().is_some_and(|(status, _)| *status == 404);
        wants
            && unknown
            && asked.answers.iter().any(is_404)
            && !self.routes.is_shadowed(asked.operation)
    }

    fn settle(row: &mut Operations, status: u16) {
        row.found = match status {
            401 | 403 | 422 => Verdict::Yes,
            404 => Verdict::No,
            _ => return,
        };
        (row.status, row.because) = (Some(status), None);
    }
}

/// Paths that another route with a placeholder takes too: where `/api/v1/accounts/lookup` is missing, `/api/v1/accounts/:id` answers.
struct Shadows<'a>(BTreeSet<&'a str>);

impl<'a> Shadows<'a> {
    fn new(api: &'a Api) -> Self {
        let is_shadowed = |(route, of): &(&Route, &Operation)| {
            let others = routes(api).filter(|(_, other)| other.item.id != of.item.id);
            find(others, "GET", &route.path).is_some()
        };
        let gets = routes(api).filter(|(route, _)| route.method == "GET");
        Self(gets.filter(is_shadowed).map(|(_, of)| of.item.id.as_str()).collect())
    }

    fn is_shadowed(&self, operation: &Operation) -> bool {
        self.0.contains(operation.item.id.as_str())
    }
}

/// Which fields were in answers.
#[derive(Debug, Default)]
struct Present<'a> {
    /// By entity: how many objects there were, and the keys of all.
    entities: BTreeMap<&'a str, (u64, BTreeMap<String, u64>)>,
}

impl<'a> Visit<'a> for Present<'a> {
    fn object(&mut self, object: &Map<String, Value>, entity: &'a Entity) {
        let (count, keys) = self.entities.entry(&entity.item.id).or_default();
        *count += 1;
        for key in object.keys() {
            *keys.entry(key.clone()).or_default() += 1;
        }
    }
}

/// The fields of every entity that a GET answers, and what the entities that were seen have besides.
fn fields(catalogue: &Catalogue<'_>, present: &Present<'_>, expect: &Expect<'_>) -> Vec<Fields> {
    let mut words: BTreeMap<String, (Verdict, Verdict)> = BTreeMap::new();
    for entity in answered(catalogue) {
        let seen = present.entities.get(entity.item.id.as_str());
        for one in entity.fields.iter().filter(|field| !field.item.implied) {
            let has = seen.is_some_and(|(_, keys)| keys.contains_key(&one.item.wire));
            let is_sent = expect.server.map_or(!one.optional && one.presence_known, |server| {
                catalogue.always_sends(server, one)
            });
            let found = match seen {
                Some(_) if has => Verdict::Yes,
                Some(_) if is_sent => Verdict::No,
                _ => Verdict::Unknown,
            };
            let row = words.entry(one.item.id.clone());
            let row = row.or_insert_with(|| (expect.word(&one.item), found));
            // An included field is one item in all that have it.
            row.1 = std::cmp::min_by_key(row.1, found, |word| settling(*word));
        }
        let keys = seen.into_iter().flat_map(|(_, keys)| keys.keys());
        for key in keys.filter(|key| entity.fields_known && field(entity, key).is_none()) {
            let id = format!("{}.{key}", entity.item.id);
            words.insert(id, (Verdict::Unknown, Verdict::Yes));
        }
    }
    let rows = words.into_iter();
    let rows = rows.map(|(id, (expected, found))| Fields { id, expected, found });
    rows.collect()
}

/// The entities that GETs answer, with all in them.
fn answered<'a>(catalogue: &Catalogue<'a>) -> Vec<&'a Entity> {
    let gets = routes(catalogue.api()).filter(|(route, _)| route.method == "GET");
    let mut next = Vec::new();
    gets.for_each(|(_, operation)| operation.returns.names(&mut next));
    let mut found = BTreeMap::new();
    while let Some(id) = next.pop() {
        if let Some(entity) = catalogue.entity(id).filter(|_| !found.contains_key(id)) {
            found.insert(id, entity);
            entity.fields.iter().for_each(|field| field.r#type.names(&mut next));
        }
    }
    found.into_values().collect()
}
