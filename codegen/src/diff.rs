//! What differs between two states of the catalogue, for whom, why, and what follows for the crate's version.
//!
//! Both states are matched by id; every difference of an item is claimed by a transition that names its [rule](rules),
//! and what nobody claims is reported as unclassified. [`compare`] is about two states, [`releases`] about two versions
//! of one program, [`parity`] about two programs.

#[cfg(feature = "diff")]
pub mod accept;
mod constructors;
mod context;
mod crossing;
mod existence;
mod facts;
#[cfg(feature = "diff")]
mod fingerprint;
mod floors;
mod gate;
mod in_place;
mod index;
#[cfg(feature = "diff")]
pub mod locate;
mod matching;
mod pair;
pub mod parity;
mod reach;
pub mod releases;
#[cfg(feature = "diff")]
pub mod render;
pub mod report;
pub mod rules;
mod same;
mod scopes;
mod short;
mod similar;
#[cfg(feature = "diff")]
pub mod surface;
mod transitions;
mod types;
#[cfg(feature = "diff")]
pub mod used_by;
mod whole;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use context::Context;
use fedispec_model::api::Api;
use index::Index;
use pair::Pair;
use report::{Change, Counts, Report, SCHEMA, Side, Verdict};
use rules::Bump;

pub use context::Options;
pub use short::{short, short_with};

/// Compares two states. What both sides are called is for the caller to say.
pub fn compare(old: &Api, new: &Api, options: &Options) -> Report {
    let mut context = Context::new(Index::new(old), Index::new(new), options);
    let matched = matching::matched(&context.old, &context.new);
    context.renamed = matched.names();
    let mut changes = existence::existence(&context, &matched);
    let programs: Vec<_> = old.programs.iter().map(|program| &program.key).collect();
    let aligned = programs
        == new
            .programs
            .iter()
            .map(|program| &program.key)
            .collect::<Vec<_>>();
    let floors_moved = context.floors_moved();
    for (before, after) in &matched.pairs {
        if !aligned
            || floors_moved
            || context::lives_under_change(*before, *after)
            || !same::same(*before, *after)
        {
            changes.extend(transitions::transitions(Pair::new(
                &context, *before, *after,
            )));
        }
    }
    whole::whole(&context, &matched, options, &mut changes);
    reach::reach(&context, &mut changes);
    changes.sort_by(order);
    let implied = changes
        .iter()
        .map(|change| change.bump)
        .max()
        .unwrap_or(Bump::None);
    let mut report = Report {
        schema: SCHEMA.into(),
        mode: "state".into(),
        base: Side::default(),
        head: Side::default(),
        floors: floors::floor_texts(new, &options.new_floors)
            .map(|(key, floor)| (key.to_owned(), floor))
            .collect::<BTreeMap<_, _>>(),
        bump: Verdict {
            implied,
            measured: None,
            declared: None,
            ok: true,
            unclaimed: Vec::new(),
        },
        counts: Counts::default(),
        stale_accepts: Vec::new(),
        changes,
        used_by: None,
    };
    report.recount();
    report
}

/// Worst first, then as the items stand, and always the same.
fn order(a: &Change, b: &Change) -> Ordering {
    let text = |change: &'_ Change| {
        [
            change.implementation.clone(),
            change.old.clone(),
            change.new.clone(),
        ]
    };
    b.severity
        .cmp(&a.severity)
        .then_with(|| a.item.id.cmp(&b.item.id))
        .then_with(|| a.item.kind.cmp(&b.item.kind))
        .then_with(|| a.rule.cmp(&b.rule))
        .then_with(|| text(a).cmp(&text(b)))
}
