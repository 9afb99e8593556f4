//! The order of what both states have.

use std::collections::HashSet;

use super::super::change::{Cause, Change};
use super::super::context::Context;
use super::super::index::{IndexedItem, own_fields};
use super::super::rules::RuleId;
use fedispec_model::api::{Api, Entity, Enumeration, Operation};

/// A list of the catalogue: its name, and how the names in it are read.
type List = (&'static str, fn(&Api) -> Vec<&str>);

pub(super) fn order<'a>(
    context: &Context<'a>,
    touched: &[(IndexedItem<'a>, IndexedItem<'a>)],
) -> Vec<Change> {
    let mut out = Vec::new();
    let lists: [List; 5] = [
        ("programs", |api| keys(&api.programs, |one| &one.key)),
        ("groups", |api| keys(&api.groups, |one| &one.id)),
        ("operations", |api| keys(&api.operations, |one| &one.item.id)),
        ("entities", |api| keys(&api.entities, |one| &one.item.id)),
        ("enumerations", |api| keys(&api.enums, |one| &one.item.id)),
    ];
    let mut say = |about: (&str, &str), old: Vec<&str>, new: Vec<&str>| {
        out.extend(differing(context, about, &old, &new));
    };
    for (part, of) in lists {
        say(("catalogue", part), of(context.old.api), of(context.new.api));
    }
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
