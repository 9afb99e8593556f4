//! The comparison of two states.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::change::Change;
use super::context::{self, Context, Options};
use super::index::Index;
use super::pair::Pair;
use super::rules::Bump;
use super::{existence, matching, transitions, whole};
use fedispec_model::api::{Api, Program};
use fedispec_model::floors::Floors;
use fedispec_since::StableVersion;

/// Everything that differs between two states.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The oldest supported release by program, in the newer state.
    pub floors: BTreeMap<String, StableVersion>,
    /// The version step of the crate that the rules require.
    pub implied: Bump,
    /// The changes, worst first.
    pub changes: Vec<Change>,
}

/// Compares two states.
pub fn compare(old: &Api, new: &Api, options: &Options) -> Comparison {
    // Items that a fork takes over change with the program that it is based on, and are reported there.
    let shorter = [old, new].map(Api::without_repetition);
    let [old, new] = [(old, &shorter[0]), (new, &shorter[1])]
        .map(|(whole, shorter)| shorter.as_ref().unwrap_or(whole));
    let (before, after) = (Index::new(old), Index::new(new));
    let matched = matching::matched(&before, &after);
    let context = Context::new(before, after, matched.names(), options);
    let mut changes = existence::existence(&context, &matched);
    let keys = |program: &'_ Program| (program.key.clone(), program.constructors);
    let aligned = old.programs.iter().map(keys).eq(new.programs.iter().map(keys));
    let is_settled = aligned && !context.floors_moved();
    // The parts of an item follow it: those of one that is wholly the same need no look.
    let mut unchanged = None;
    let mut touched = Vec::new();
    for (before, after) in &matched.pairs {
        let is_part = after.container().is_some()
            && unchanged.is_some()
            && after.owner() == unchanged
            && before.owner() == unchanged;
        let is_equal = is_part || before.equals(*after);
        if after.container().is_none() {
            unchanged = is_equal.then(|| after.key());
            if !is_equal || !is_settled {
                touched.push((*before, *after));
            }
        }
        if !is_settled
            || context::lives_under_change(*before, *after)
            || !(is_equal || before.says_the_same(*after))
        {
            changes.extend(transitions::transitions(Pair::new(&context, *before, *after)));
        }
    }
    let parts = whole::Parts { matched: &matched, touched: &touched };
    let besides = whole::whole(&context, parts, &mut changes);
    changes.extend(besides);
    changes.sort_by(order);
    let implied = changes.iter().map(|change| change.bump).max().unwrap_or(Bump::None);
    Comparison {
        floors: Floors::new(new, &options.new_floors)
            .by_program(new)
            .map(|(key, floor)| (key.to_owned(), floor))
            .collect(),
        implied,
        changes,
    }
}

/// Worst first, then as the items stand, and always the same.
fn order(a: &Change, b: &Change) -> Ordering {
    let text = |change: &'_ Change| {
        [change.implementation.clone(), change.old.clone(), change.new.clone()]
    };
    b.severity
        .cmp(&a.severity)
        .then_with(|| a.item.id.cmp(&b.item.id))
        .then_with(|| a.item.kind.cmp(&b.item.kind))
        .then_with(|| a.rule.cmp(&b.rule))
        .then_with(|| text(a).cmp(&text(b)))
}
