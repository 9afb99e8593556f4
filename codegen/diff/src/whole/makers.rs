//! The constructors of requests.

use std::collections::{HashMap, HashSet};

use super::super::change::{Cause, Change, made_by, operation_of};
use super::super::context::Context;
use super::super::index::IndexedItem;
use super::super::rules::{Bump, Fact, RuleId};
use super::Parts;
use fedispec_model::constructors::signatures;

/// The name of a constructor and the ids of its arguments.
type Signature<'a> = (&'a str, Vec<&'a str>);

/// Constructors that are gone or take something else, where nothing else says that code breaks.
pub(super) fn makers<'a>(
    context: &Context<'a>,
    Parts { matched, touched }: Parts<'_, 'a>,
    said: &[Change],
) -> Vec<Change> {
    let told: HashSet<&str> = said
        .iter()
        .filter(|change| change.bump == Bump::Major)
        .filter(|change| matches!(change.item.kind.as_str(), "param") || renames(change.rule))
        .map(|change| operation_of(&change.item.id))
        .collect();
    let params = matched
        .pairs
        .iter()
        .filter(|(old, new)| matches!(old, IndexedItem::Param(..)) && old.key() != new.key());
    let ids: HashMap<&str, &str> =
        params.map(|(old, new)| (old.item().id.as_str(), new.item().id.as_str())).collect();
    let mut out = Vec::new();
    for (old, new) in touched {
        let (IndexedItem::Operation(before), IndexedItem::Operation(after)) = (old, new) else {
            continue;
        };
        let (was, is) = (signatures(before), signatures(after));
        let renamed = |arguments: &[&'a str]| -> Vec<&'a str> {
            let ids = arguments.iter().map(|id| ids.get(id).copied().unwrap_or(id));
            ids.collect()
        };
        // A new way of calling takes nothing away.
        let mut was_called = was.iter();
        let kept = was_called.all(|(name, arguments)| is.contains(&(*name, renamed(arguments))));
        let is_equal = was.len() == is.len();
        if kept && is_equal || before.item.id != after.item.id {
            continue;
        }
        // A change of a parameter does not say that the others stand in another order.
        let is_reordered = was.iter().any(|(name, arguments)| {
            let arguments = renamed(arguments);
            let mut now = is.iter().filter(|(other, _)| other == name);
            now.any(|(_, now)| *now != arguments && sorted(now) == sorted(&arguments))
        });
        if !kept && told.contains(operation_of(&after.item.id)) && !is_reordered {
            continue;
        }
        let (was, is) = (text(&was, &is), text(&is, &was));
        let message = made_by(&was, &is);
        let rule = RuleId::ConstructorChanged;
        let cause = cause(said, &after.item.id);
        let change = context.change(rule, cause, message, Some(*old), Some(*new)).between(was, is);
        out.push(if kept { change.only_adds() } else { change });
    }
    out
}

/// The constructors that only one state has.
fn text(makers: &[Signature<'_>], others: &[Signature<'_>]) -> String {
    let makers = makers.iter().filter(|one| !others.contains(one)).map(|(name, arguments)| {
        let arguments: Vec<_> =
            arguments.iter().map(|id| id.rsplit('.').next().unwrap_or(id)).collect();
        format!("{name}({})", arguments.join(", "))
    });
    let makers: Vec<_> = makers.collect();
    if makers.is_empty() { "nothing".to_owned() } else { makers.join(", ") }
}

fn sorted<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    let mut sorted = arguments.to_vec();
    sorted.sort_unstable();
    sorted
}

/// Takes the cause from the changes of the operation's parameters and of their combinations.
fn cause(said: &[Change], operation: &str) -> Cause {
    let mut of_operation = said.iter().filter(|change| {
        change.cause != Cause::Editorial
            && operation_of(&change.item.id) == operation
            && (change.item.kind == "param" || change.rule.fact() == Fact::Combination)
    });
    of_operation.next().map_or(Cause::Correction, |change| change.cause)
}

fn renames(rule: RuleId) -> bool {
    matches!(rule, RuleId::ItemRenamed | RuleId::ItemMovedModule | RuleId::ItemRenamedGuess)
}
