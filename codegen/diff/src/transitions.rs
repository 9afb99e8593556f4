//! From the keys of an item that differ to the rules that claim them, a module for each kind of item.

mod auth;
mod enumeration;
mod errors;
mod fact;
mod field;
mod held;
mod item;
mod life;
mod operation;
mod param;
mod past;
mod proof;
mod value;

use super::change::{Change, Direction};
use super::crossing;
use super::index::IndexedItem;
use super::pair::Pair;
use super::rules::RuleId;

pub(super) use held::common;

/// The changes between two states of an item.
pub(super) fn transitions(mut pair: Pair<'_, '_>) -> Vec<Change> {
    match (pair.old, pair.new) {
        (IndexedItem::Operation(old), IndexedItem::Operation(new)) => {
            operation::operation(&mut pair, old, new);
        }
        (IndexedItem::Param(_, old), IndexedItem::Param(_, new)) => {
            pair.direction = Some(Direction::Request);
            param::param(&mut pair, old, new);
        }
        (IndexedItem::Field(old_entity, old), IndexedItem::Field(new_entity, new)) => {
            pair.direction = Some(Direction::Response);
            field::field(&mut pair, (old_entity, old), (new_entity, new));
        }
        (IndexedItem::Entity(old), IndexedItem::Entity(new)) => field::entity(&mut pair, old, new),
        (IndexedItem::Enum(old), IndexedItem::Enum(new)) => {
            enumeration::enumeration(&mut pair, old, new);
        }
        _ => {}
    }
    life::lives(&mut pair);
    pair.end_shape();
    if let (IndexedItem::Field(old_entity, old), IndexedItem::Field(new_entity, new)) =
        (pair.old, pair.new)
    {
        let crossing = crossing::crossing(
            pair.context,
            pair.context.new.reference(pair.new),
            (old_entity, old),
            (new_entity, new),
            &pair.out,
        );
        let seen_at = pair.context.seen_at(Some(pair.old), Some(pair.new));
        pair.out.extend(crossing.map(|change| Change { seen_at, ..change }));
    }
    item::item(&mut pair);
    unclassified(&mut pair);
    pair.out
}

/// Reports each differing key that no rule has claimed.
fn unclassified(pair: &mut Pair<'_, '_>) {
    for (key, (old, new)) in std::mem::take(&mut pair.keys).rest() {
        let message = format!("{key} was {old}, is {new}, and no rule knows what that means");
        pair.say(RuleId::UnclassifiedChange, (old, new, message));
    }
}
