//! The order of what both states have.

use std::collections::HashSet;

use super::super::change::{Cause, Change};
use super::super::context::Context;
use super::super::index::{IndexedItem, own_fields};
use super::super::rules::RuleId;
use fedispec_model::api::{Entity, Enumeration, Operation};

pub(super) fn order<'a>(
    context: &Context<'a>,
    touched: &[(IndexedItem<'a>, IndexedItem<'a>)],
) -> Vec<Change> {
    let mut out = Vec::new();
    let (old, new) = (context.old.api, context.new.api);
    let mut say = |(kind, id): (&str, &str), old: Vec<&str>, new: Vec<&str>| {
        out.extend(differing(context, (kind, id), &old, &new));
    };
    let catalogue = |part| ("catalogue", part);
    say(
        catalogue("programs"),
        keys(&old.programs, |one| &one.key),
        keys(&new.programs, |one| &one.key),
    );
    say(catalogue("groups"), keys(&old.groups, |one| &one.id), keys(&new.groups, |one| &one.id));
    say(
        catalogue("operations"),
        keys(&old.operations, |one| &one.item.id),
        keys(&new.operations, |one| &one.item.id),
    );
    say(
        catalogue("entities"),
        keys(&old.entities, |one| &one.item.id),
        keys(&new.entities, |one| &one.item.id),
    );
    say(
        catalogue("enumerations"),
        keys(&old.enums, |one| &one.item.id),
        keys(&new.enums, |one| &one.item.id),
    );
    let same = |(old, new): &&(IndexedItem<'_>, IndexedItem<'_>)| old.key() == new.key();
    for (old, new) in touched.iter().filter(same) {
        match (*new, *old) {
            (IndexedItem::Operation(new), IndexedItem::Operation(old)) => {
                say(("operation", &new.item.id), params(old), params(new));
            }
            (IndexedItem::Entity(new), IndexedItem::Entity(old)) => {
                say(("entity", &new.item.id), fields(old), fields(new));
            }
            (IndexedItem::Enum(new), IndexedItem::Enum(old)) => {
                say(("enum", &new.item.id), values(old), values(new));
            }
            _ => {}
        }
    }
    out
}

/// Returns the change if the parts that both states have are in another order.
fn differing(
    context: &Context<'_>,
    about: (&str, &str),
    old: &[&str],
    new: &[&str],
) -> Option<Change> {
    if old == new {
        return None;
    }
    let (before, after) = (common(old, new), common(new, old));
    let (first, _) = after.iter().zip(&before).find(|(now, was)| now != was)?;
    let message = format!("the order differs from {first} on");
    let (rule, cause) = (RuleId::OrderOnlyChanged, Cause::Editorial);
    Some(context.other(rule, cause, message, about).between(before.join(" "), after.join(" ")))
}

fn common<'s>(ids: &[&'s str], other: &[&str]) -> Vec<&'s str> {
    let other: HashSet<&str> = other.iter().copied().collect();
    ids.iter().copied().filter(|id| other.contains(id)).collect()
}

fn params(operation: &Operation) -> Vec<&str> {
    keys(&operation.params, |param| &param.item.id)
}

fn values(enumeration: &Enumeration) -> Vec<&str> {
    keys(&enumeration.values, |value| &value.id)
}

fn fields(entity: &Entity) -> Vec<&str> {
    own_fields(entity).map(|field| field.item.id.as_str()).collect()
}

fn keys<T>(list: &[T], key: impl Fn(&T) -> &String) -> Vec<&str> {
    list.iter().map(|one| key(one).as_str()).collect()
}
