//! How alike an item that went and one that came are: a rename that nobody declared looks like that.

use std::collections::HashMap;

use super::index::{Key, Node};
use fedispec_model::api::{Item, Life};

/// From here on they are taken for the same item.
const ENOUGH: f64 = 0.6;

/// More candidates than that at one place are a rebuild, and no rename.
const MANY: usize = 40;

/// The likeliest pairs, each item at most once.
pub(super) fn pairs<'a>(gone: &[Node<'a>], came: &[Node<'a>]) -> Vec<(Node<'a>, Node<'a>)> {
    let mut places: HashMap<Place<'a>, (Vec<Node<'a>>, Vec<Node<'a>>)> = HashMap::new();
    for node in gone {
        places.entry(place(*node)).or_default().0.push(*node);
    }
    for node in came {
        places.entry(place(*node)).or_default().1.push(*node);
    }
    let mut scored = Vec::new();
    for (gone, came) in places
        .values()
        .filter(|(gone, came)| gone.len().max(came.len()) <= MANY)
    {
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
        b.0.total_cmp(&a.0)
            .then_with(|| (a.1.key(), a.2.key()).cmp(&(b.1.key(), b.2.key())))
    });
    let mut taken: Vec<(Key<'a>, bool)> = Vec::new();
    let mut pairs = Vec::new();
    for (_, before, after) in scored {
        if !taken.contains(&(before.key(), false)) && !taken.contains(&(after.key(), true)) {
            taken.push((before.key(), false));
            taken.push((after.key(), true));
            pairs.push((before, after));
        }
    }
    pairs
}

/// Only what hangs on the same thing is compared.
type Place<'a> = (super::index::Class, Option<&'a str>);

fn place(node: Node<'_>) -> Place<'_> {
    (node.class(), node.owner().map(|(_, id)| id))
}

fn likeness(old: Node<'_>, new: Node<'_>) -> f64 {
    match (old, new) {
        // A route is an operation's identity in the world.
        (Node::Operation(old), Node::Operation(new)) => match (&old.route, &new.route) {
            (Some(before), Some(after)) if before == after => 1.0,
            _ => 0.0,
        },
        (Node::Entity(old), Node::Entity(new)) => {
            let wires = |entity: &'_ fedispec_model::api::Entity| {
                entity
                    .fields
                    .iter()
                    .map(|field| field.item.wire.clone())
                    .collect::<Vec<_>>()
            };
            let (old, new) = (wires(old), wires(new));
            let common = old.iter().filter(|wire| new.contains(wire)).count();
            let all = old.len() + new.len() - common;
            if common < 2 { 0.0 } else { ratio(common, all) }
        }
        (Node::Param(_, before), Node::Param(_, after)) => {
            let shape = [
                before.r#type == after.r#type,
                before.location == after.location,
                before.required == after.required,
            ];
            mixed(&before.item, &after.item, &shape)
        }
        (Node::Field(_, before), Node::Field(_, after)) => {
            let shape = [
                before.r#type == after.r#type,
                before.nullable == after.nullable,
                before.optional == after.optional,
            ];
            mixed(&before.item, &after.item, &shape)
        }
        (Node::Value(_, before), Node::Value(_, after)) => mixed(before, after, &[]),
        _ => 0.0,
    }
}

/// Half of it is the name, half the shape and the life.
fn mixed(old: &Item, new: &Item, shape: &[bool]) -> f64 {
    let lives = |item: &Item| {
        item.life
            .iter()
            .map(|life: &Life| (life.since.clone(), life.removed.clone()))
            .collect::<Vec<_>>()
    };
    let life = lives(old) == lives(new);
    let same = shape.iter().filter(|same| **same).count() + usize::from(life);
    let name = strsim::normalized_levenshtein(&old.wire, &new.wire);
    0.5f64.mul_add(name, 0.5 * ratio(same, shape.len() + 1))
}

fn ratio(part: usize, whole: usize) -> f64 {
    let number = |count: usize| u32::try_from(count).map_or(f64::MAX, f64::from);
    if whole == 0 {
        0.0
    } else {
        number(part) / number(whole)
    }
}
