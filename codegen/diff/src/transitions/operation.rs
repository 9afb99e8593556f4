//! An operation: its route, its parameters as a whole, and its answer.

use super::super::change::{Cause, Direction};
use super::super::pair::Pair;
use super::super::rules::RuleId;
use super::super::types::{self, Relation};
use super::fact::{
    Fact,
    Judge::{Always, By},
    Unstated::{Is, Unknown},
    compare, joined, made_of,
};
use super::held::{differs, only_program};
use super::{auth, errors};
use fedispec_model::api::{Alternative, Api, Deciding, Operation, Route, Type};
use fedispec_model::change::ChangedFact;
use fedispec_model::constructors::signatures;
use fedispec_model::notation::type_text;
use fedispec_since::{BodyEncoding, Location, Paging};

/// The facts of its request.
const REQUEST: &[Fact<Operation>] = &[
    Fact::new(
        "group",
        |operation: &Operation| Some(operation.group.clone()),
        Is(""),
        Always(RuleId::ItemMovedModule),
        "stands in the group {new}, was {old}",
    )
    // A renamed operation says so itself.
    .unless(|pair, _, _| pair.old.item().id != pair.new.item().id),
    Fact::new(
        "oauth",
        |operation| match &operation.oauth.as_ref()?.basic {
            Some((id, secret)) => {
                Some(format!("an endpoint of OAuth, with {id} and {secret} in a Basic header"))
            }
            None => Some("an endpoint of OAuth".into()),
        },
        Is("no endpoint of OAuth"),
        Always(RuleId::OauthChanged),
        "is {new}, was {old}",
    ),
    Fact::new(
        "body",
        |operation: &Operation| {
            let text = match operation.body {
                BodyEncoding::None => "nothing",
                BodyEncoding::Form => "a form",
                BodyEncoding::Multipart => "multipart",
                BodyEncoding::Json => "JSON",
            };
            Some(text.into())
        },
        Is(""),
        Always(RuleId::RequestEncodingChanged),
        "its body is {new}, was {old}",
    )
    // A body that comes with its first parameter, or that changes with its first file, is reported with that parameter.
    .unless(|_, old, new| {
        [old.body, new.body].contains(&BodyEncoding::None) || files_differ(old, new)
    }),
];

/// The other methods that a program takes.
const ALSO: Fact<Option<String>> = Fact::new(
    "also",
    Option::clone,
    Is("none"),
    Always(RuleId::AlsoChanged),
    "other methods that do the same: {new}, was {old}",
);

/// The order of its arguments, which is not a matter of its request.
const ARGUMENTS: Fact<Operation> = Fact::new(
    "arguments",
    |operation: &Operation| Some(operation.arguments.join(" ")),
    Is(""),
    Always(RuleId::OrderOnlyChanged),
    "the order of its arguments is stated otherwise, and stays",
)
// Another order of arguments is told where the constructors are compared.
.unless(|_, old, new| signatures(old) != signatures(new));

/// The facts of its answer.
const ANSWER: &[Fact<Operation>] = &[
    Fact::new(
        "requests",
        |operation: &Operation| {
            let requests = operation.requests.iter();
            joined(
                requests.map(|one| {
                    let answer = type_text(&one.returns);
                    format!("{answer} with {} in {} ({})", one.sends, one.rust, one.summary)
                }),
                ", ",
            )
        },
        Is("no request of its own for a parameter"),
        By(|old, new| {
            let facts = |one: &Deciding| (one.sends.clone(), one.returns.clone());
            let named = |one: &Deciding| (one.rust.clone(), facts(one));
            let is_same = old.requests.iter().map(facts).eq(new.requests.iter().map(facts));
            // The types of the answers stay; the request that names one of them is another.
            Some(match old.requests.iter().map(named).eq(new.requests.iter().map(named)) {
                true => RuleId::DocsOnlyChanged,
                false if is_same => RuleId::RustNameChanged,
                false => RuleId::ConstructorChanged,
            })
        }),
        "has {new}, was {old}",
    ),
    Fact::new(
        "success",
        |operation: &Operation| joined(operation.success.iter().map(ToString::to_string), ", "),
        Unknown("its status of success", ""),
        Always(RuleId::SuccessStatusChanged),
        "succeeds with {new}, was {old}",
    )
    .unless(|pair, _, _| differs(pair, ChangedFact::Success)),
    Fact::new(
        "media_type",
        |operation| operation.media_type.clone(),
        Is("the usual media type"),
        Always(RuleId::MediaTypeChanged),
        "answers {new}, was {old}",
    ),
    Fact::new(
        "paging",
        |operation| match operation.paging {
            Paging::Unknown => None,
            Paging::None => Some("no pages".into()),
            Paging::Link => Some("pages by the Link header".into()),
            Paging::Offset => Some("pages by offset".into()),
        },
        Unknown("its paging", "unknown paging"),
        By(|old, new| match (is_paged(old), is_paged(new)) {
            (false, true) => Some(RuleId::PaginationAdded),
            (true, false) => Some(RuleId::PaginationRemoved),
            (true, true) => Some(RuleId::PaginationCursorChanged),
            (false, false) => None,
        }),
        "has {new}, was {old}",
    )
    .held(ChangedFact::Paging),
];

/// The operation that a client calls where servers have it: its calls fall back to the one that it replaced.
pub(super) const FALLBACK: Fact<Operation> = Fact::new(
    "item.replacement",
    |operation| operation.item.replacement.clone(),
    Is("nothing"),
    Always(RuleId::FallbackChanged),
    "its replacement is {new}, was {old}; calls of a replacement fall back to what it replaces where a server lacks it",
);

/// The replacement that it becomes: a client that adapts sends something else.
pub(super) const STANDS_IN: Fact<Operation> = Fact::new(
    "stands_in",
    |operation| made_of(&operation.stands_in),
    Is("nothing"),
    Always(RuleId::StandsInChanged),
    "stands in for its replacement by {new}, was {old}",
);

pub(super) fn operation(pair: &mut Pair<'_, '_>, old: &Operation, new: &Operation) {
    pair.direction = Some(Direction::Request);
    route(pair, old, new);
    compare(pair, REQUEST, old, new);
    let [before, after] = &[(&pair.context.old, old), (&pair.context.new, new)]
        .map(|(index, operation)| twins(index.api, operation));
    ALSO.compare_each(pair, before, after);
    pair.direction = None;
    auth::auth(pair, old, new);
    combinations(pair, &old.alternatives, &new.alternatives);
    ARGUMENTS.compare(pair, old, new);
    pair.direction = Some(Direction::Response);
    returns(pair, old, new);
    compare(pair, ANSWER, old, new);
    errors::errors(pair, &old.errors, &new.errors);
}

/// The other methods of each program.
fn twins(api: &Api, operation: &Operation) -> Vec<Option<String>> {
    let programs = api.programs.iter().map(|program| {
        let twins = operation.also.iter().filter(|twin| twin.program == program.key);
        joined(twins.map(|twin| twin.method.clone()), ", ")
    });
    programs.collect()
}

fn route(pair: &mut Pair<'_, '_>, old: &Operation, new: &Operation) {
    if !pair.keys.claim("route") {
        return;
    }
    let text = |route: &Route| format!("{} {}", route.method, route.path);
    let (Some(before), Some(after)) = (&old.route, &new.route) else {
        let [was, is] = [&old.route, &new.route]
            .map(|route| route.as_ref().map_or_else(|| "unknown".to_owned(), text));
        let message = format!("its route is {is}, was {was}");
        return if new.route.is_some() {
            pair.say_because(Cause::Coverage, RuleId::RouteBecameKnown, (was, is, message));
        } else {
            pair.say(RuleId::RouteBecameUnknown, (was, is, message));
        };
    };
    if before.method != after.method {
        let (was, is) = (&before.method, &after.method);
        let message = format!("is called with {is}, was {was}");
        pair.say(RuleId::MethodChanged, (was, is, message));
    }
    if before.path == after.path {
        return;
    }
    let (was, is) = (&before.path, &after.path);
    let message = format!("is at {is}, was {was}");
    if template(was) == template(is) {
        pair.note(RuleId::PathArgRenamed, (was, is, message));
    } else if !arity_differs(old, new) || fixed(was) != fixed(is) {
        pair.say(RuleId::PathChanged, (was, is, message));
    }
}

/// The path without the names of its arguments.
fn template(path: &str) -> Vec<&str> {
    path.split('/').map(|part| if part.starts_with(':') { ":" } else { part }).collect()
}

/// The path without its arguments.
fn fixed(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !part.starts_with(':')).collect()
}

/// Arguments that came or went are findings of their own.
fn arity_differs(old: &Operation, new: &Operation) -> bool {
    let arguments = |operation: &Operation| {
        operation.params.iter().filter(|param| param.location == Location::Path).count()
    };
    arguments(old) != arguments(new)
}

fn files_differ(old: &Operation, new: &Operation) -> bool {
    let files =
        |operation: &Operation| operation.params.iter().any(|param| param.r#type == Type::File);
    files(old) != files(new)
}

fn combinations(pair: &mut Pair<'_, '_>, old: &[Alternative], new: &[Alternative]) {
    if !pair.keys.claim("alternatives") {
        return;
    }
    // A way of calling is still allowed where a new one asks and forbids no more.
    let allows = |ways: &[Alternative], call: &Alternative| {
        ways.is_empty()
            || ways.iter().any(|way| {
                way.sets == call.sets
                    && way.requires.iter().all(|wire| call.requires.contains(wire))
                    && way.excludes.iter().all(|wire| call.excludes.contains(wire))
            })
    };
    let all = |from: &[Alternative], to: &[Alternative]| {
        !from.is_empty() && from.iter().all(|call| allows(to, call))
    };
    let (kept, grown) = (new.is_empty() || all(old, new), old.is_empty() || all(new, old));
    let [before, after] = [old, new].map(|ways| ways.iter().map(way).collect::<Vec<_>>());
    let only = |ways: &[String], others: &[String]| {
        joined(ways.iter().filter(|one| !others.contains(one)).cloned(), " or ")
    };
    let (gone, came) = (only(&before, &after), only(&after, &before));
    let stays = before.iter().any(|one| after.contains(one));
    let message = match (&gone, &came) {
        _ if new.is_empty() => "takes any combination".to_owned(),
        (Some(was), Some(is)) if stays => format!("takes {is} in place of {was}"),
        (Some(was), Some(is)) => format!("takes {is}, was {was}"),
        (None, Some(is)) if old.is_empty() => format!("takes {is}, was any combination"),
        (None, Some(is)) => format!("also takes {is}"),
        (Some(was), None) => format!("no longer takes {was}"),
        (None, None) => "its ways of calling stand in another order".to_owned(),
    };
    let text = |ways: &[Alternative], own: Option<String>| {
        let rest = if ways.is_empty() { "any combination" } else { "nothing else" };
        own.unwrap_or_else(|| rest.to_owned())
    };
    let (was, is) = (text(old, gone), text(new, came));
    if !kept {
        pair.say(RuleId::ParamCombinationTightened, (&was, &is, &message));
    }
    if !grown {
        pair.say(RuleId::ParamCombinationLoosened, (&was, &is, &message));
    }
    if kept && grown && before != after {
        pair.note(RuleId::DocsOnlyChanged, (was, is, message));
    }
    let read = |ways: &[Alternative], others: &[Alternative]| {
        let is_other = |one: &&Alternative| {
            let is_it = |other: &Alternative| way(other) == way(one);
            others.iter().any(|other| is_it(other) && other.summary != one.summary)
        };
        joined(ways.iter().filter(is_other).filter_map(|one| one.summary.clone()), " ")
    };
    let [was, is] = [read(old, new), read(new, old)];
    if was != is {
        let [was, is] = [was, is].map(Option::unwrap_or_default);
        pair.note(RuleId::DocsOnlyChanged, (was, is, "a way of calling is described otherwise"));
    }
}

/// A way of calling: `poll(status, visibility=direct, no media_ids[])`
fn way(way: &Alternative) -> String {
    let sets = way.sets.iter().map(|(name, value)| format!("{name}={value}"));
    let excludes = way.excludes.iter().map(|name| format!("no {name}"));
    let parts: Vec<_> = way.requires.iter().cloned().chain(sets).chain(excludes).collect();
    format!("{}({})", way.rust, parts.join(", "))
}

fn returns(pair: &mut Pair<'_, '_>, old: &Operation, new: &Operation) {
    let known = pair.keys.claim("returns_known");
    let differs = pair.keys.claim("returns");
    if !known && !differs {
        return;
    }
    // The documents' name for it follows.
    pair.keys.claim("returns_documented");
    let (before, after) = (type_text(&old.returns), type_text(&new.returns));
    let Some(rule) = answer_rule(pair, &pair.context.translated(&old.returns), &new.returns) else {
        return pair.knowledge(
            "what it answers",
            old.returns_known.then_some(before),
            new.returns_known.then_some(after),
        );
    };
    if old.returns_known {
        pair.program = only_program(pair, ChangedFact::Returns);
        let only = pair.program.as_ref().map(|program| format!(", because of {program}"));
        let message = format!("returns {after}, was {before}{}", only.unwrap_or_default());
        if types::is_same_on_wire(&pair.context.translated(&old.returns), &new.returns) {
            pair.say_code(rule, (before, after, message));
        } else {
            pair.say(rule, (before, after, message));
        }
        pair.program = None;
    } else {
        let message = format!("returns {after}; nobody knew");
        pair.say_because(Cause::Coverage, rule, (before, after, message));
    }
}

/// Returns the rule for a changed type of the answer; `None` if the type is the same.
fn answer_rule(pair: &Pair<'_, '_>, old: &Type, new: &Type) -> Option<RuleId> {
    Some(match (old, new) {
        (old, new) if old == new => return None,
        (Type::Empty, _) => RuleId::ResponseBodyAdded,
        (_, Type::Empty) => RuleId::ResponseBodyRemoved,
        _ if types::cardinality_differs(old, new) => RuleId::ResponseCardinalityChanged,
        (Type::OneOf(_), _) if types::relation(old, new) == Relation::Narrowed => {
            RuleId::ResponseTypeNarrowed
        }
        (_, Type::OneOf(_)) if types::relation(old, new) == Relation::Widened => {
            RuleId::ResponseTypeWidened
        }
        _ => match (types::relation(old, new), types::entity_of(old), types::entity_of(new)) {
            (Relation::Changed, Some(before), Some(after))
                if types::superset(&pair.context.old, before, &pair.context.new, after) =>
            {
                RuleId::ResponseEntitySupersetted
            }
            _ => RuleId::ResponseEntityChanged,
        },
    })
}

fn is_paged(operation: &Operation) -> bool {
    matches!(operation.paging, Paging::Link | Paging::Offset)
}
