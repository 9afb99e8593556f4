//! The changes of what is no item of its own: programs and their releases, groups, orders, tombstones, declared
//! contradictions, fields that are taken over, and constructors.

mod groups;
mod makers;
mod memory;
mod order;
mod programs;
mod taken_over;

use super::change::Change;
use super::context::Context;
use super::matching::Matched;

/// Compares everything beside the items. Changes that are reported for an item are not repeated.
pub(super) fn whole<'a>(
    context: &Context<'a>,
    matched: &Matched<'a>,
    said: &[Change],
) -> Vec<Change> {
    let mut out = programs::programs(context);
    out.extend(programs::floors(context));
    out.extend(groups::groups(context));
    out.extend(memory::tombstones(context, said));
    out.extend(memory::disputes(context, said));
    out.extend(taken_over::taken_over(context, said));
    out.extend(order::order(context, matched));
    out.extend(makers::makers(context, matched, said));
    out
}
