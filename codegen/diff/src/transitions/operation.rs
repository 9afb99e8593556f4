//! An operation: its route, its parameters as a whole, and its answer.

use super::super::change::{Cause, Direction};
use super::super::pair::Pair;
use super::super::rules::RuleId;
use super::super::types::{self, Relation};
use super::{auth, errors};
use fedispec_model::api::{Alternative, Operation, Route, Type};
use fedispec_model::constructors::signatures;
use fedispec_model::notation::type_text;
use fedispec_since::{BodyEncoding, Location, Paging};

pub(super) fn operation(pair: &mut Pair<'_, '_>, old: &Operation, new: &Operation) {
    pair.direction = Some(Direction::Request);
    if pair.keys.claim("group") && !is_rename(pair) {
        let message = format!("stands in the group {}, was {}", new.group, old.group);
        pair.say(RuleId::ItemMovedModule, &old.group, &new.group, message);
    }
    route(pair, old, new);
    also(pair, old, new);
    encoding(pair, old, new);
    pair.direction = None;
    auth::auth(pair, old, new);
    combinations(pair, &old.alternatives, &new.alternatives);
    arguments(pair, old, new);
    pair.direction = Some(Direction::Response);
    returns(pair, old, new);
    success(pair, old, new);
    media_type(pair, old, new);
    paging(pair, old, new);
    errors::errors(pair, &old.errors, &new.errors);
}

/// A renamed operation says so itself.
fn is_rename(pair: &Pair<'_, '_>) -> bool {
    pair.old.item().id != pair.new.item().id
}

fn route(pair: &mut Pair<'_, '_>, old: &Operation, new: &Operation) {
    if !pair.keys.claim("route") {
        return;
    }
    let text = |route: &Route| format!("{} {}", route.method, route.path);
    let (Some(before), Some(after)) = (&old.route, &new.route) else {
        return pair.knowledge(
            "its route",
            old.route.as_ref().map(text),
            new.route.as_ref().map(text),
        );
    };
    if before.method != after.method {
        let (was, is) = (&before.method, &after.method);
        let message = format!("is called with {is}, was {was}");
        pair.say(RuleId::MethodChanged, was, is, message);
    }
    if before.path == after.path {
        return;
    }
    let (was, is) = (&before.path, &after.path);
    let message = format!("is at {is}, was {was}");
    if template(was) == template(is) {
        pair.note(RuleId::PathArgRenamed, was, is, message);
    } else if !arity_differs(old, new) || fixed(was) != fixed(is) {
        pair.say(RuleId::PathChanged, was, is, message);
    }
}

/// Compares the other methods that call an operation, and the properties of OAuth endpoints.
fn also(pair: &mut Pair<'_, '_>, old: &Operation, new: &Operation) {
    if pair.keys.claim("also") {
        let text = |operation: &Operation| {
            let twins = operation.also.iter();
            let words: Vec<_> =
                twins.map(|twin| format!("{} in {}", twin.method, twin.program)).collect();
            (!words.is_empty()).then(|| words.join(", "))
        };
        match (text(old), text(new)) {
            (Some(was), Some(is)) => {
                let message = format!("is also called with {is}, was {was}");
                pair.note(RuleId::DocsOnlyChanged, was, is, message);
            }
            (was, is) => pair.knowledge("which other methods call it", was, is),
        }
    }
    if pair.keys.claim("oauth") {
        let text = |operation: &Operation| {
            let basic = operation.oauth.as_ref()?.basic.as_ref();
            Some(match basic {
                Some((id, secret)) => format!("OAuth, with {id} and {secret} in a Basic header"),
                None => "OAuth".to_owned(),
            })
        };
        match (text(old), text(new)) {
            (Some(was), Some(is)) => {
                let message = format!("is an endpoint of {is}, was one of {was}");
                pair.note(RuleId::DocsOnlyChanged, was, is, message);
            }
            (was, is) => pair.knowledge("whether it is an endpoint of OAuth", was, is),
        }
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

fn encoding(pair: &mut Pair<'_, '_>, old: &Operation, new: &Operation) {
    // A body that comes with its first parameter, or that changes with its first file, is reported with that parameter.
    if pair.keys.claim("body")
        && old.body != BodyEncoding::None
        && new.body != BodyEncoding::None
        && !files_differ(old, new)
    {
        let text = |body: BodyEncoding| match body {
            BodyEncoding::None => "nothing",
            BodyEncoding::Form => "a form",
            BodyEncoding::Multipart => "multipart",
            BodyEncoding::Json => "JSON",
        };
        let (old, new) = (text(old.body), text(new.body));
        let message = format!("its body is {new}, was {old}");
        pair.say(RuleId::RequestEncodingChanged, old, new, message);
    }
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
    let text = |ways: &[Alternative]| {
        let ways: Vec<_> =
            ways.iter().map(|way| format!("{}({})", way.rust, way.requires.join(", "))).collect();
        if ways.is_empty() { "any combination".into() } else { ways.join(" or ") }
    };
    let (before, after) = (text(old), text(new));
    let message = format!("takes {after}, was {before}");
    if !kept {
        pair.say(RuleId::ParamCombinationTightened, &before, &after, &message);
    }
    if !grown {
        pair.say(RuleId::ParamCombinationLoosened, &before, &after, &message);
    }
    if kept && grown {
        let message = "its ways of calling read otherwise";
        pair.note(RuleId::DocsOnlyChanged, before, after, message);
    }
}

/// Another order of arguments is told where the constructors are compared.
fn arguments(pair: &mut Pair<'_, '_>, old: &Operation, new: &Operation) {
    if pair.keys.claim("arguments") && signatures(old) == signatures(new) {
        let text = |operation: &Operation| operation.arguments.join(" ");
        let message = "the order of its arguments is stated otherwise, and stays";
        pair.note(RuleId::OrderOnlyChanged, text(old), text(new), message);
    }
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
        let message = format!("returns {after}, was {before}");
        pair.say(rule, before, after, message);
    } else {
        let message = format!("returns {after}; nobody knew");
        pair.say_because(Cause::Coverage, rule, before, after, message);
    }
}

/// Returns the rule for a changed type of the answer; `None` if the type is the same.
fn answer_rule(pair: &Pair<'_, '_>, old: &Type, new: &Type) -> Option<RuleId> {
    Some(match (old, new) {
        (old, new) if old == new => return None,
        (Type::Empty, _) => RuleId::ResponseBodyAdded,
        (_, Type::Empty) => RuleId::ResponseBodyRemoved,
        _ if types::cardinality_differs(old, new) => RuleId::ResponseCardinalityChanged,
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

fn success(pair: &mut Pair<'_, '_>, old: &Operation, new: &Operation) {
    if !pair.keys.claim("success") {
        return;
    }
    let text = |statuses: &[u16]| {
        let statuses: Vec<_> = statuses.iter().map(ToString::to_string).collect();
        (!statuses.is_empty()).then(|| statuses.join(", "))
    };
    match (text(&old.success), text(&new.success)) {
        (Some(old), Some(new)) => {
            let message = format!("succeeds with {new}, was {old}");
            pair.say(RuleId::SuccessStatusChanged, old, new, message);
        }
        (old, new) => pair.knowledge("its status of success", old, new),
    }
}

fn media_type(pair: &mut Pair<'_, '_>, old: &Operation, new: &Operation) {
    if !pair.keys.claim("media_type") {
        return;
    }
    match (old.media_type.clone(), new.media_type.clone()) {
        (Some(was), Some(is)) => {
            let message = format!("answers {is}, was {was}");
            pair.note(RuleId::DocsOnlyChanged, was, is, message);
        }
        (was, is) => pair.knowledge("the media type of its answer", was, is),
    }
}

fn paging(pair: &mut Pair<'_, '_>, old: &Operation, new: &Operation) {
    if !pair.keys.claim("paging") {
        return;
    }
    let text = |paging| match paging {
        Paging::Unknown => "unknown paging",
        Paging::None => "no pages",
        Paging::Link => "pages by the Link header",
        Paging::Offset => "pages by offset",
    };
    let (before, after) = (old.paging, new.paging);
    let paged = |paging| matches!(paging, Paging::Link | Paging::Offset);
    let (old, new) = (text(before), text(after));
    let rule = match (paged(before), paged(after)) {
        (false, true) => RuleId::PaginationAdded,
        (true, false) => RuleId::PaginationRemoved,
        (true, true) => RuleId::PaginationCursorChanged,
        (false, false) => {
            let known = |paging, text: &str| (paging != Paging::Unknown).then(|| text.to_owned());
            return pair.knowledge("its paging", known(before, old), known(after, new));
        }
    };
    let message = format!("has {new}, was {old}");
    if before == Paging::Unknown {
        pair.say_because(Cause::Coverage, rule, old, new, message);
    } else {
        pair.say(rule, old, new, message);
    }
}
