//! An enumeration without its values, which are items of their own.

use super::super::change::Direction;
use super::super::index::IndexedItem;
use super::super::pair::Pair;
use super::super::rules::RuleId;
use fedispec_model::api::Enumeration;

pub(super) fn enumeration(pair: &mut Pair<'_, '_>, old: &Enumeration, new: &Enumeration) {
    if pair.keys.claim("values_known") {
        let known = |known: bool| known.then(|| format!("{} values", new.values.len()));
        pair.knowledge("which values it has", known(old.values_known), known(new.values_known));
    }
    direction(pair, "sent", (old.sent, new.sent), Direction::Request);
    direction(pair, "received", (old.received, new.received), Direction::Response);
}

fn direction(pair: &mut Pair<'_, '_>, key: &str, (old, new): (bool, bool), direction: Direction) {
    if !pair.keys.claim(key) {
        return;
    }
    // An enumeration that is used no more, or is used now, is not reported: the changed types that refer to it are.
    let (before, after) = match (pair.old, pair.new) {
        (IndexedItem::Enum(old), IndexedItem::Enum(new)) => {
            (old.sent || old.received, new.sent || new.received)
        }
        _ => (false, false),
    };
    if old || !(new && before && after) {
        return;
    }
    pair.direction = Some(direction);
    let rule = RuleId::EnumDirectionExtended;
    let message = format!("is {key} now too");
    match pair.context.use_cause(pair.new, direction) {
        Some(cause) => pair.say_because(cause, rule, (format!("not {key}"), key, message)),
        None => pair.say(rule, (format!("not {key}"), key, message)),
    }
    pair.direction = None;
}
