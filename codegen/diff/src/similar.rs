//! The likeness of a removed and an added item, which suggests a rename that was not declared.

use std::collections::{HashMap, HashSet};

use super::index::{IndexedItem, ItemKey};
use fedispec_model::api::{Item, Life};

/// From here on they are taken for the same item.
const ENOUGH: f64 = 0.6;

/// More candidates than that at one place are a rebuild, and no rename.
const MANY: usize = 40;

/// The likeliest pairs, each item at most once.
pub(super) fn pairs<'a>(
    gone: &[IndexedItem<'a>],
    came: &[IndexedItem<'a>],
) -> Vec<(IndexedItem<'a>, IndexedItem<'a>)> {
    let mut places: HashMap<Siblings<'a>, (Vec<IndexedItem<'a>>, Vec<IndexedItem<'a>>)> =
        HashMap::new();
    for node in gone {
        places.entry(place(*node)).or_default().0.push(*node);
    }
    for node in came {
        places.entry(place(*node)).or_default().1.push(*node);
    }
    let mut scored = Vec::new();
    for (gone, came) in places.values().filter(|(gone, came)| gone.len().max(came.len()) <= MANY) {
        for before in gone {
            for after in came {
                let score = likeness(*before, *after);
                if score >= ENOUGH {
                    scored.push((score, *before, *after));
                }
            }
        }
    }
    scored.sort_by(|a, b| {
        b.0.total_cmp(&a.0).then_with(|| (a.1.key(), a.2.key()).cmp(&(b.1.key(), b.2.key())))
    });
    let mut taken: [HashSet<ItemKey<'a>>; 2] = Default::default();
    let mut pairs = Vec::new();
    for (_, before, after) in scored {
        let [gone, came] = &mut taken;
        if !gone.contains(&before.key()) && !came.contains(&after.key()) {
            gone.insert(before.key());
            came.insert(after.key());
            pairs.push((before, after));
        }
    }
    pairs
}

/// The items that are compared with each other: those of one class and one owner.
type Siblings<'a> = (super::index::Class, Option<&'a str>);

fn place(node: IndexedItem<'_>) -> Siblings<'_> {
    (node.class(), node.owner().map(|(_, id)| id))
}

fn likeness(old: IndexedItem<'_>, new: IndexedItem<'_>) -> f64 {
    match (old, new) {
        // Clients know an operation by its route.
        (IndexedItem::Operation(old), IndexedItem::Operation(new)) => {
            match (&old.route, &new.route) {
                (Some(before), Some(after)) if before == after => 1.0,
                _ => 0.0,
            }
        }
        (IndexedItem::Entity(old), IndexedItem::Entity(new)) => {
            let wires = |entity: &'_ fedispec_model::api::Entity| {
                entity.fields.iter().map(|field| field.item.wire.clone()).collect::<Vec<_>>()
            };
            let (old, new) = (wires(old), wires(new));
            let common = old.iter().filter(|wire| new.contains(wire)).count();
            let all = old.len() + new.len() - common;
            if common < 2 { 0.0 } else { ratio(common, all) }
        }
        (IndexedItem::Param(_, before), IndexedItem::Param(_, after)) => {
            let shape = [
                before.r#type == after.r#type,
                before.location == after.location,
                before.required == after.required,
            ];
            mixed(&before.item, &after.item, &shape)
        }
        (IndexedItem::Field(_, before), IndexedItem::Field(_, after)) => {
            let shape = [
                before.r#type == after.r#type,
                before.nullable == after.nullable,
                before.optional == after.optional,
            ];
            mixed(&before.item, &after.item, &shape)
        }
        (IndexedItem::Value(_, before), IndexedItem::Value(_, after)) => mixed(before, after, &[]),
        _ => 0.0,
    }
}

/// Half of it is the name, half the shape and the life.
fn mixed(old: &Item, new: &Item, shape: &[bool]) -> f64 {
    let lives = |item: &Item| {
        item.life.iter().map(|life: &Life| (life.since, life.removed)).collect::<Vec<_>>()
    };
    let life = lives(old) == lives(new);
    let same = shape.iter().filter(|same| **same).count() + usize::from(life);
    let name = strsim::normalized_levenshtein(&old.wire, &new.wire);
    0.5f64.mul_add(name, 0.5 * ratio(same, shape.len() + 1))
}

fn ratio(part: usize, whole: usize) -> f64 {
    let number = |count: usize| u32::try_from(count).map_or(f64::MAX, f64::from);
    if whole == 0 { 0.0 } else { number(part) / number(whole) }
}
