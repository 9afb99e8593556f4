//! The features that a program got and lost between two of its releases.

use super::super::change::ItemRef;
use super::super::rules::{RuleId, Severity};
use super::{Event, Happened};
use fedispec_model::api::{Api, Feature};
use fedispec_model::features::Features;
use fedispec_since::{StableVersion, Verdict};

/// The events of a program, which is named by its place, after the first release and up to the second.
pub(super) fn events(
    api: &Api,
    features: &Features<'_>,
    program: usize,
    (from, to): (StableVersion, StableVersion),
) -> Vec<Event> {
    let of = |feature: &Feature| {
        let verdict = |release| features.verdict(feature, program, release);
        let is_out = |verdict| matches!(verdict, Verdict::No | Verdict::Stub);
        let happened = match (verdict(from), verdict(to)) {
            (before, Verdict::Yes) if is_out(before) => Happened::Added,
            (before, Verdict::No) if !is_out(before) => Happened::Removed,
            _ => return None,
        };
        let known = api.programs.get(program)?.releases.iter().map(|release| release.version);
        let mut within = known.filter(|release| from < *release && *release <= to);
        let version = within.find(|release| verdict(*release) == verdict(to));
        Some(event(feature, happened, version))
    };
    api.features.iter().filter_map(of).collect()
}

fn event(feature: &Feature, happened: Happened, version: Option<StableVersion>) -> Event {
    let rule = match happened {
        Happened::Removed => RuleId::RemovedAdded,
        _ => RuleId::ItemAdded,
    };
    Event {
        happened,
        rule,
        // The events of its items say whom it hits.
        severity: Severity::Compatible,
        breaks: Vec::new(),
        item: ItemRef::feature(feature),
        owner: feature.id.clone(),
        name: String::new(),
        version,
        what: None,
        old: None,
        new: None,
        replacement: None,
        with: feature.items().count(),
    }
}
