//! A walk over everything that can be read from a server by GETs that change nothing.

use std::collections::BTreeSet;

use fedispec::client::Transport;
use fedispec_model::api::{Operation, Origin, Param, Route, Type};
use fedispec_since::Location;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use crate::asker::{Asker, Reply, Stop};
use crate::bodies::Catalogue;
use seen::{Seen, TEXTS};

mod seen;

/// GETs that are not sent, and why.
const NOT_SENT: &[(&str, &str)] = &[
    ("admin_debug.fetch", "makes the server fetch from another one"),
    ("admin_domain_permission_subscriptions.preview", "makes the server fetch from others"),
    ("oauth.authorize", "is a page for people"),
    ("oauth.out_of_band", "is a page for people"),
    ("streaming.connect", "is a stream"),
    ("user.two_factor_image", "makes a secret, and answers it"),
    ("user.two_factor_uri", "makes a secret, and answers it"),
];

/// How often an operation is asked again with another id where the one before was not found.
const TRIES: usize = 3;

/// The bytes that are not escaped in a segment of a path or a value of a query.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// An operation that was planned, and how it was answered.
#[derive(Debug)]
pub(crate) struct AskedOperation<'a> {
    /// The operation.
    pub(crate) operation: &'a Operation,
    /// The statuses of the answers, with the targets.
    pub(crate) answers: Vec<Answered>,
    /// Why there is none.
    pub(crate) why_not: Option<String>,
}

/// One answer.
#[derive(Debug)]
pub(crate) struct Answered {
    /// The path and query that were asked.
    pub(crate) target: String,
    /// The status.
    pub(crate) status: u16,
    /// The body of an error.
    pub(crate) error: Option<String>,
}

/// Walks a server.
pub(crate) struct Walk<'a> {
    catalogue: &'a Catalogue<'a>,
    seen: Seen<'a>,
    tasks: Vec<Task<'a>>,
}

struct Task<'a> {
    operation: &'a Operation,
    route: &'a Route,
    tried: BTreeSet<String>,
    answers: Vec<Answered>,
    why_not: Option<String>,
}

impl Task<'_> {
    /// Whether it is asked once more.
    fn wants(&self, variety: usize) -> bool {
        let found = self.answers.iter().filter(|answer| answer.error.is_none());
        let found = found.count();
        self.why_not.is_none() && found < variety && self.answers.len() - found < TRIES
    }
}

impl<'a> Walk<'a> {
    /// Plans a walk over the GETs of the catalogue.
    pub(crate) fn new(catalogue: &'a Catalogue<'a>) -> Self {
        let gets = catalogue.api().operations.iter().filter_map(|operation| {
            let route = operation.route.as_ref()?;
            (route.method == "GET").then(|| Task {
                operation,
                route,
                tried: BTreeSet::new(),
                answers: Vec::new(),
                why_not: not_sent(operation).map(str::to_owned),
            })
        });
        Self { catalogue, seen: Seen::default(), tasks: gets.collect() }
    }

    /// Asks each operation for up to `variety` different things, each with what answers before have told. `heard` gets every answer.
    ///
    /// # Errors
    ///
    /// When the server no longer answers. Where the budget is used up, the walk ends and says so.
    pub(crate) async fn run<T: Transport>(
        &mut self,
        asker: &mut Asker<T>,
        variety: usize,
        mut heard: impl FnMut(&'a Operation, &Reply, Option<&Value>),
    ) -> Result<Option<String>, String> {
        // One thing of every operation first: the budget may not last for more.
        for round in 1..=variety {
            loop {
                let mut is_new = false;
                for at in 0..self.tasks.len() {
                    let Some(target) = self.target(at, round) else {
                        continue;
                    };
                    is_new = true;
                    match asker.get(&target, true).await {
                        Ok(Ok(reply)) => self.learn(at, target, &reply, &mut heard),
                        Ok(Err(error)) => self.tasks[at].why_not = Some(error),
                        Err(Stop::Spent(why)) => return Ok(Some(why)),
                        Err(Stop::Lost(why)) => return Err(why),
                    }
                }
                if !is_new {
                    break;
                }
            }
        }
        Ok(None)
    }

    /// The operations that were planned, with their answers.
    pub(crate) fn asked(self) -> Vec<AskedOperation<'a>> {
        let Self { seen, tasks, .. } = self;
        let asked = tasks.into_iter().map(|task| {
            let missing = || missing(task.operation, &seen);
            let why_not = task.why_not.filter(|_| task.answers.is_empty());
            AskedOperation {
                operation: task.operation,
                why_not: why_not.or_else(|| task.answers.is_empty().then(missing)),
                answers: task.answers,
            }
        });
        asked.collect()
    }

    fn learn(
        &mut self,
        at: usize,
        target: String,
        reply: &Reply,
        heard: &mut impl FnMut(&'a Operation, &Reply, Option<&Value>),
    ) {
        let task = &mut self.tasks[at];
        let operation = task.operation;
        let body = serde_json::from_slice::<Value>(&reply.body).ok();
        let body = body.filter(|_| reply.succeeded());
        task.answers.push(Answered {
            target,
            status: reply.status,
            error: (!reply.succeeded()).then(|| String::from_utf8_lossy(&reply.body).into_owned()),
        });
        if let Some(body) = &body {
            self.catalogue.walk(body, &operation.returns, &mut self.seen);
        }
        heard(operation, reply, body.as_ref());
    }

    /// The parameters to ask an operation with next; `None` where there is nothing new.
    fn target(&mut self, at: usize, variety: usize) -> Option<String> {
        let task = &self.tasks[at];
        if !task.wants(variety) {
            return None;
        }
        let target = { targets(task, &self.seen).into_iter() }
            .find(|target| !task.tried.contains(target))?;
        self.tasks[at].tried.insert(target.clone());
        Some(target)
    }
}

fn not_sent(operation: &Operation) -> Option<&'static str> {
    let mut listed = NOT_SENT.iter();
    let listed = listed.find(|(id, _)| *id == operation.item.id);
    let is_stream = matches!(operation.returns, Type::Events(_));
    // The parameters of an operation of one program alone may need names that no answer gives.
    let is_open = || {
        let mut needed = needed(operation);
        operation.item.origin == Origin::Program && needed.any(|param| sources(param).is_empty())
    };
    let why = listed.map(|(_, why)| *why).or(is_stream.then_some("is a stream"));
    why.or_else(|| is_open().then_some("takes what no answer tells"))
}

/// The paths and queries of an operation with the values that were seen so far. Where two parameters have several values each, each pair
/// is taken that stands at the same place.
fn targets(task: &Task<'_>, seen: &Seen<'_>) -> Vec<String> {
    let needed: Vec<(&Param, Vec<String>)> =
        needed(task.operation).map(|param| (param, values(param, seen))).collect();
    let most = needed.iter().map(|(_, values)| values.len()).max();
    let is_lacking = needed.iter().any(|(_, values)| values.is_empty());
    let most = if is_lacking { 0 } else { most.unwrap_or(1) };
    let target = |at: usize| {
        let mut path = task.route.path.clone();
        let mut query = Vec::new();
        for (param, values) in &needed {
            let Some(value) = values.get(at).or(values.last()) else {
                continue;
            };
            let value = utf8_percent_encode(value, PLAIN);
            let wire = &param.item.wire;
            if param.location == Location::Path {
                path = path.replace(&format!(":{wire}"), &value.to_string());
            } else {
                query.push(format!("{}={value}", utf8_percent_encode(wire, PLAIN)));
            }
        }
        if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) }
    };
    (0..most).map(target).collect()
}

/// The parameters that an operation answers nothing without.
fn needed(operation: &Operation) -> impl Iterator<Item = &Param> {
    let params = operation.params.iter().filter(|param| param.parent.is_none());
    params.filter(|param| {
        param.location == Location::Path
            || param.is_demanded()
            // Without it the list is empty.
            || param.item.wire == "id[]"
    })
}

/// The values seen that a parameter may have.
fn values(param: &Param, seen: &Seen<'_>) -> Vec<String> {
    let sources = sources(param);
    sources.iter().flat_map(|source| seen.of(source)).cloned().collect()
}

/// The entity whose ids a parameter takes, or the fields whose texts it takes.
fn sources(param: &Param) -> Vec<&str> {
    if let Type::Id(Some(entity)) = param.r#type.innermost() {
        return vec![entity];
    }
    let listed = TEXTS.iter().find(|(id, _)| *id == param.item.id);
    listed.map_or_else(Vec::new, |(_, fields)| fields.to_vec())
}

/// Why an operation was not asked.
fn missing(operation: &Operation, seen: &Seen<'_>) -> String {
    let lacking = needed(operation).find(|param| values(param, seen).is_empty());
    match lacking {
        Some(param) => match sources(param).first() {
            Some(source) => format!("no {source} was in any answer, for its {}", param.item.wire),
            None => format!("nothing tells its {}", param.item.wire),
        },
        None => "the walk ended before".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use fedispec_model::api::Api;

    use super::*;

    fn api() -> Api {
        fedispec_model::resolved::from_json(fedispec_catalogue::API_JSON).expect("the catalogue")
    }

    #[test]
    fn the_tables_name_what_the_catalogue_has() {
        let api = api();
        let operations: BTreeSet<_> =
            api.operations.iter().map(|one| one.item.id.as_str()).collect();
        let params = api.operations.iter().flat_map(|one| &one.params);
        let params: BTreeSet<_> = params.map(|one| one.item.id.as_str()).collect();
        let entities = api.entities.iter();
        let fields: BTreeSet<_> = entities
            .flat_map(|one| {
                one.fields.iter().map(|field| format!("{}.{}", one.item.id, field.item.wire))
            })
            .collect();
        for (id, _) in NOT_SENT {
            assert!(operations.contains(id), "{id}");
        }
        for (param, sources) in TEXTS {
            assert!(params.contains(param), "{param}");
            for source in *sources {
                assert!(fields.contains(*source), "{source}");
            }
        }
    }

    #[test]
    fn every_get_can_be_asked_or_says_why_not() {
        let api = api();
        let gets = api.operations.iter().filter(|one| {
            one.route.as_ref().is_some_and(|route| route.method == "GET") && not_sent(one).is_none()
        });
        let mut count = 0;
        for operation in gets {
            count += 1;
            for param in needed(operation) {
                assert!(!sources(param).is_empty(), "nothing fills {}", param.item.id);
            }
        }
        assert!(count > 150, "{count}");
    }

    #[test]
    fn what_an_answer_told_is_asked_for() {
        let api = api();
        let catalogue = Catalogue::new(&api);
        let mut walk = Walk::new(&catalogue);
        let place = |walk: &Walk<'_>, id: &str| {
            let mut tasks = walk.tasks.iter();
            tasks.position(|task| task.operation.item.id == id).expect("an operation")
        };
        let get = place(&walk, "statuses.get");
        let related = place(&walk, "accounts.relationships");
        let tag = place(&walk, "timelines.tag");
        assert_eq!(walk.target(get, 9), None);
        let account = serde_json::json!({"id": "a/1"});
        let body = serde_json::json!([{"id": "7", "account": account, "tags": [{"name": "été"}]}, {"id": "8", "account": account}]);
        let list = place(&walk, "timelines.public");
        let reply = Reply::new(200, body.to_string());
        walk.learn(list, String::new(), &reply, &mut |_, _, _| ());
        assert_eq!(walk.target(get, 9).as_deref(), Some("/api/v1/statuses/7"));
        assert_eq!(walk.target(get, 9).as_deref(), Some("/api/v1/statuses/8"));
        assert_eq!(walk.target(get, 9), None);
        assert_eq!(
            walk.target(related, 9).as_deref(),
            Some("/api/v1/accounts/relationships?id%5B%5D=a%2F1")
        );
        assert_eq!(walk.target(related, 9), None);
        assert_eq!(walk.target(tag, 9).as_deref(), Some("/api/v1/timelines/tag/%C3%A9t%C3%A9"));
    }
}
