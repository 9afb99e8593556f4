//! What is no item: programs and their releases, groups, orders, tombstones, declared contradictions.

mod groups;
mod makers;
mod memory;
mod order;
mod programs;
mod taken_over;

use super::change::{Cause, Change};
use super::context::{Context, Options};
use super::matching::Matched;
use super::rules::RuleId;

pub(super) fn whole<'a>(
    context: &Context<'a>,
    matched: &Matched<'a>,
    options: &Options,
    out: &mut Vec<Change>,
) {
    programs::programs(context, out);
    programs::floors(context, options, out);
    groups::groups(context, out);
    memory::tombstones(context, out);
    memory::disputes(context, out);
    taken_over::taken_over(context, out);
    order::order(context, out);
    makers::makers(context, matched, out);
}

fn said(
    rule: RuleId,
    kind: &str,
    id: &str,
    old: Option<String>,
    new: Option<String>,
    message: String,
) -> Change {
    let mut change = Context::other(rule, kind, id);
    change.cause = Cause::Editorial;
    change.old = old;
    change.new = new;
    change.message = message;
    change
}
