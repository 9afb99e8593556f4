//! Fields that cross the floor because of the entity that has them, and fields that an entity takes over from another: those that came
//! and went, and what programs do with them otherwise than with the fields that they are taken from.

use std::collections::HashSet;

use super::super::change::{Cause, Change, Direction, ItemRef};
use super::super::context::Context;
use super::super::crossing::crossing;
use super::super::index::IndexedItem;
use super::super::pair::Pair;
use super::super::rules::{Fact, RuleId};
use super::super::transitions::transitions;
use super::super::types::is_same_on_wire;
use fedispec_model::api::{Entity, Field};
use fedispec_model::notation::type_text;

pub(super) fn taken_over<'a>(
    context: &Context<'a>,
    touched: &[(IndexedItem<'a>, IndexedItem<'a>)],
    said: &[Change],
) -> Vec<Change> {
    let crossed: HashSet<String> = said
        .iter()
        .filter(|change| is_crossing(change))
        .map(|change| change.item.id.clone())
        .collect();
    let mut out = Vec::new();
    let same = |(old, new): &&(IndexedItem<'_>, IndexedItem<'_>)| old.key() == new.key();
    for pair in touched.iter().filter(same) {
        let (IndexedItem::Entity(before), IndexedItem::Entity(entity)) = *pair else {
            continue;
        };
        if before.includes == entity.includes {
            out.extend(crossings(context, before, entity, &crossed));
            out.extend(own_of_copies(context, before, entity, said));
            if before.item.life != entity.item.life {
                out.extend(left_behind(context, before, entity, said));
            }
        } else {
            out.extend(others(context, before, entity));
        }
    }
    out
}

fn is_crossing(change: &Change) -> bool {
    matches!(change.rule, RuleId::SinceCrossedFloorDown | RuleId::SinceCrossedFloorUp)
}

/// A field taken over from another entity is guaranteed by the releases that have the taking entity, which may be
/// fewer.
fn crossings<'a>(
    context: &Context<'a>,
    before: &'a Entity,
    after: &'a Entity,
    crossed: &HashSet<String>,
) -> Vec<Change> {
    let mut out = Vec::new();
    for (origin, old, new) in copies(before, after) {
        // Where it crosses in its own entity too, the change is reported there.
        if crossed.contains(&origin) {
            continue;
        }
        let item = ItemRef {
            id: format!("{}.{}", after.item.id, new.item.wire),
            ..context.new.reference(IndexedItem::Field(after, new))
        };
        out.extend(crossing(context, item, (before, old), (after, new), &[]));
    }
    out
}

/// The fields that an entity takes over in one state at least, with the ids of those that they are taken from.
fn copies<'a>(
    before: &'a Entity,
    after: &'a Entity,
) -> impl Iterator<Item = (String, &'a Field, &'a Field)> {
    after.fields.iter().filter_map(|new| {
        let old = before.fields.iter().find(|old| old.item.id == new.item.id)?;
        let from = new.inherited_from.as_ref().or(old.inherited_from.as_ref())?;
        Some((format!("{from}.{}", new.item.wire), old, new))
    })
}

/// The rows of one program for a field that an entity takes over, where they are not those of the field itself.
fn own_of_copies<'a>(
    context: &Context<'a>,
    before: &'a Entity,
    after: &'a Entity,
    said: &[Change],
) -> Vec<Change> {
    let mut out = Vec::new();
    for (origin, old, new) in copies(before, after).filter(|(_, old, new)| old != new) {
        let fields = [IndexedItem::Field(before, old), IndexedItem::Field(after, new)];
        let of_copy = transitions(Pair::new(context, fields[0], fields[1]));
        let is_told = |change: &Change| {
            let mut of_origin = said.iter().filter(|one| one.item.id == origin);
            of_origin.any(|one| {
                (one.rule, &one.implementation, &one.old, &one.new)
                    == (change.rule, &change.implementation, &change.old, &change.new)
            })
        };
        // A Since and a change in place that nobody states of the copy are told where they are stated.
        let is_stated =
            [old, new].iter().any(|field| field.item.life.iter().any(|life| life.at.is_some()));
        // One state states the field itself, and the other takes it over.
        let is_half = old.inherited_from.is_none() != new.inherited_from.is_none();
        let is_own = |change: &Change| {
            is_half
                || change.implementation.is_some()
                    && (is_stated || !matches!(change.rule.fact(), Fact::Since | Fact::Changed))
        };
        let own = of_copy.into_iter().filter(|one| is_own(one) && !is_crossing(one));
        let own = own.filter(|change| !is_told(change));
        let item = member(after, new);
        out.extend(own.map(|change| Change { item: item.clone(), ..change }));
    }
    out
}

/// Fields that stay as they are while their entity is there in other releases: what is guaranteed of them is judged by those.
fn left_behind<'a>(
    context: &Context<'a>,
    before: &'a Entity,
    after: &'a Entity,
    said: &[Change],
) -> Vec<Change> {
    let of_entity = said.iter().filter(|change| change.item.id == after.item.id);
    let of_entity: Vec<Change> = of_entity.cloned().collect();
    let olds = |new: &Field| before.fields.iter().find(|old| old.item.id == new.item.id);
    let own = after.fields.iter().filter(|new| new.inherited_from.is_none());
    let same = own.filter_map(|new| olds(new).filter(|old| *old == new).map(|old| (old, new)));
    let crossings = same.filter_map(|(old, new)| {
        let item = context.new.reference(IndexedItem::Field(after, new));
        crossing(context, item, (before, old), (after, new), &of_entity)
    });
    crossings.collect()
}

fn others(context: &Context<'_>, before: &Entity, after: &Entity) -> Vec<Change> {
    let taken = |entity: &'_ Entity| {
        let fields = entity.fields.iter().filter(|field| field.inherited_from.is_some());
        fields.cloned().collect::<Vec<Field>>()
    };
    let has =
        |entity: &Entity, wire: &str| entity.fields.iter().any(|field| field.item.wire == wire);
    let say = |rule, field: &Field, came: bool, message: &str| {
        let wire = Some(field.item.wire.clone());
        let (old, new) = if came { (None, wire) } else { (wire, None) };
        let cause = if came { Cause::Coverage } else { Cause::Correction };
        let item = member(after, field);
        Change { old, new, ..context.change_of(rule, cause, message.into(), item) }
    };
    let mut out = others_of_both(context, before, after);
    for field in taken(before).iter().filter(|field| !has(after, &field.item.wire)) {
        let message = "is no longer taken over";
        out.push(say(RuleId::ItemDeleted, field, false, message));
    }
    for field in taken(after).iter().filter(|field| !has(before, &field.item.wire)) {
        let message = "is taken over now";
        out.push(say(RuleId::ItemAddedBackdated, field, true, message));
    }
    out
}

/// A field as the entity has it that took it over.
fn member(entity: &Entity, field: &Field) -> ItemRef {
    ItemRef {
        id: format!("{}.{}", entity.item.id, field.item.wire),
        kind: "field".into(),
        rust: Some(format!("entities::{}::{}", entity.item.rust, field.item.rust)),
        ..ItemRef::default()
    }
}

/// Fields that both of the entities taken from have, where the taking entity has another type or another `Option`.
fn others_of_both(context: &Context<'_>, before: &Entity, after: &Entity) -> Vec<Change> {
    let mut out = Vec::new();
    for new in after.fields.iter().filter(|field| field.inherited_from.is_some()) {
        let same = |old: &&Field| old.item.wire == new.item.wire;
        let Some(old) = before.fields.iter().find(same) else {
            continue;
        };
        let item = member(after, new);
        let say = |rule, was: String, is: String| Change {
            direction: Some(Direction::Response),
            message: format!("is {is}, was {was}, because it is taken from another entity"),
            old: Some(was),
            new: Some(is),
            ..context.change_of(rule, Cause::Correction, String::new(), item.clone())
        };
        let translated = context.translated(&old.r#type);
        if translated != new.r#type {
            let change =
                say(RuleId::FieldTypeChanged, type_text(&old.r#type), type_text(&new.r#type));
            let is_text = is_same_on_wire(&translated, &new.r#type);
            out.push(if is_text { change.only_code() } else { change });
        }
        let plain =
            [context.old_floors.is_plain(before, old), context.new_floors.is_plain(after, new)];
        let text = |plain| if plain { "always there" } else { "optional" }.to_owned();
        match plain {
            [true, false] => out.push(say(RuleId::FieldBecameOptional, text(true), text(false))),
            [false, true] => out.push(say(RuleId::FieldBecameRequired, text(false), text(true))),
            _ => {}
        }
    }
    out
}
