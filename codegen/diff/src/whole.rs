//! The changes of what is no item of its own: programs and their releases, groups, features, orders, tombstones, declared
//! contradictions, fields that are taken over, constructors, and what servers build entities of.

mod features;
mod groups;
mod literals;
mod makers;
mod memory;
mod order;
mod profiles;
mod programs;
mod taken_over;

use super::change::Change;
use super::context::Context;
use super::index::IndexedItem;
use super::matching::Matched;

/// The items of both states.
#[derive(Clone, Copy)]
pub(super) struct Parts<'m, 'a> {
    pub(super) matched: &'m Matched<'a>,
    /// The operations, entities and enumerations that are not wholly the same, or may mean something else; the
    /// others are equal.
    pub(super) touched: &'m [(IndexedItem<'a>, IndexedItem<'a>)],
}

/// Compares everything beside the items. Changes that are reported for an item are not repeated.
pub(super) fn whole<'a>(
    context: &Context<'a>,
    parts: Parts<'_, 'a>,
    said: &mut [Change],
) -> Vec<Change> {
    let mut out = programs::programs(context);
    out.extend(programs::floors(context));
    out.extend(profiles::profiles(context, parts.matched));
    out.extend(groups::groups(context));
    out.extend(features::features(context, parts, said));
    out.extend(memory::tombstones(context, said));
    out.extend(memory::disputes(context, said));
    out.extend(taken_over::taken_over(context, parts.touched, said));
    out.extend(order::order(context, parts.touched));
    out.extend(makers::makers(context, parts, said));
    out.extend(literals::literals(context, parts, said));
    out
}
