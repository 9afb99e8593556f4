//! From a comparison to a report: each entry is made once, with everything that is known beside the two states.

use crate::diff::accept::{Accepts, Now};
use crate::diff::fingerprint;
use crate::diff::locate::{Places, State};
use crate::diff::report::{Counts, Entry, Report, Side, UsedBy, Verdict};
use crate::diff::surface::Measured;
use crate::diff::written::{untold, without_names};
use fedispec_diff::Comparison;
use fedispec_diff::change::{Change, SCHEMA};
use fedispec_diff::rules::Bump;
use fedispec_diff::used_by::Usage;

/// Optional knowledge beside the two states.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'a> {
    /// The older and the newer state with their names and files.
    pub states: Option<[&'a State<'a>; 2]>,
    /// How the public items of the generated crates differ.
    pub measured: Option<&'a Measured>,
    /// By how much the version in Cargo.toml was raised.
    pub declared: Option<Bump>,
    /// The accepted changes, and what their entries are compared with.
    pub accepted: Option<(&'a Accepts, Now<'a>)>,
    /// A program's folder, and what it uses.
    pub usage: Option<(&'a str, &'a Usage<'a>)>,
}

/// Makes the report.
pub fn report(found: Comparison, known: &Known<'_>) -> Report {
    let places = known.states.map(|[base, head]| Places::new(base, head));
    let changes = without_names(found.changes, known.states).into_iter();
    let mut changes: Vec<Entry> =
        changes.map(|change| entry(change, places.as_ref(), known)).collect();
    let untold = known.states.map_or_else(Vec::new, |[base, head]| untold(base, head, &changes));
    changes.extend(untold.into_iter().map(|change| entry(change, None, known)));
    let left_over = known.measured.map_or_else(Vec::new, |measured| measured.left_over(&changes));
    let unclaimed: Vec<_> = { left_over.iter().filter(|change| change.item.kind == "rust") }
        .map(|change| format!("{} {}", change.item.id, change.message))
        .collect();
    changes.extend(left_over.into_iter().map(|change| entry(change, places.as_ref(), known)));
    changes.sort_by_key(|entry| std::cmp::Reverse(entry.change.severity));
    let bumps = changes.iter().map(|entry| entry.change.bump);
    let bump = verdict(bumps.max().unwrap_or(Bump::None), unclaimed, known);
    let side = |at: usize| {
        let states = known.states.as_ref();
        states.map_or_else(Side::default, |states| states[at].side.clone())
    };
    Report {
        schema: SCHEMA.into(),
        mode: "state".into(),
        base: side(0),
        head: side(1),
        floors: found.floors,
        bump,
        counts: Counts::of(&changes),
        stale_accepts: known
            .accepted
            .map_or_else(Vec::new, |(accepts, now)| accepts.stale(&changes, now)),
        used_by: known.usage.map(|(folder, usage)| used_by(folder, usage, &changes)),
        changes,
    }
}

/// The fingerprint is of what differs, not of where it stands.
fn entry(change: Change, places: Option<&Places<'_>>, known: &Known<'_>) -> Entry {
    let fp = fingerprint::of(&change);
    let change = match known.measured {
        Some(measured) => measured.decided(change),
        None => change,
    };
    let accepted = known.accepted.and_then(|(accepts, now)| accepts.reason(&fp, now));
    Entry {
        rust: known.measured.and_then(|measured| measured.rust(&change)),
        accepted: accepted.map(str::to_owned),
        change: match places {
            Some(places) => places.located(change),
            None => change,
        },
        fp,
    }
}

/// Every public item that differs must be one that some change tells of.
fn verdict(implied: Bump, unclaimed: Vec<String>, known: &Known<'_>) -> Verdict {
    let measured = known.measured.map(Measured::bump);
    let needed = measured.map_or(implied, |measured| measured.max(implied));
    Verdict {
        implied,
        measured,
        declared: known.declared,
        ok: unclaimed.is_empty() && known.declared.is_none_or(|declared| declared >= needed),
        unclaimed,
    }
}

fn used_by(folder: &str, usage: &Usage<'_>, changes: &[Entry]) -> UsedBy {
    let hit = changes.iter().filter_map(|entry| {
        let places = usage.places(&entry.change.item)?;
        Some((entry.fp.clone(), places))
    });
    UsedBy {
        folder: folder.to_owned(),
        files: usage.files,
        uses: usage.count(),
        hit: hit.collect(),
        minimum: usage.minimum.clone(),
    }
}
