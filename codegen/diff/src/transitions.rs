//! From keys that differ to rules, a module for each kind of item.

mod auth;
mod enumeration;
mod errors;
mod field;
mod item;
pub(super) mod life;
mod operation;
mod param;

use super::change::{Change, Direction};
use super::crossing;
use super::index::Node;
use super::pair::{Pair, directed};
use super::rules::RuleId;

/// Everything that two states of an item differ in.
pub(super) fn transitions(mut pair: Pair<'_, '_>) -> Vec<Change> {
    match (pair.old, pair.new) {
        (Node::Operation(old), Node::Operation(new)) => operation::operation(&mut pair, old, new),
        (Node::Param(_, old), Node::Param(_, new)) => {
            param::param(&mut pair, old, new);
            directed(&mut pair.out, Direction::Request);
        }
        (Node::Field(old_entity, old), Node::Field(new_entity, new)) => {
            field::field(&mut pair, (old_entity, old), (new_entity, new));
            directed(&mut pair.out, Direction::Response);
        }
        (Node::Entity(old), Node::Entity(new)) => field::entity(&mut pair, old, new),
        (Node::Enum(old), Node::Enum(new)) => enumeration::enumeration(&mut pair, old, new),
        _ => {}
    }
    life::lives(&mut pair);
    if let (Node::Field(old_entity, old), Node::Field(new_entity, new)) = (pair.old, pair.new) {
        let crossing = crossing::crossing(
            pair.context,
            (old_entity, old),
            (new_entity, new),
            &pair.out,
        );
        pair.out.extend(crossing);
    }
    item::item(&mut pair);
    unclassified(&mut pair);
    pair.out
}

/// What no rule has taken.
fn unclassified(pair: &mut Pair<'_, '_>) {
    for (key, (old, new)) in std::mem::take(&mut pair.keys).rest() {
        let change = pair.say(RuleId::UnclassifiedChange, &old, &new);
        change.message = format!("{key} was {old}, is {new}, and no rule knows what that means");
    }
}
