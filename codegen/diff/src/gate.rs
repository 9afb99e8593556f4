//! Gates: the releases that have an item.

use super::change::Gate;
use super::context::ProgramPair;
use fedispec_model::api::Life;
use fedispec_model::release::{self, Release};
use fedispec_since::Verdict;

/// Whether a release has an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Has {
    Yes,
    No,
    Unknown,
}

/// Whether a release has it, by what is known of its life. What is accepted and ignored counts: `works_since` is a
/// fact of its own.
pub(super) fn has(life: Option<&Life>, at: Release) -> Has {
    match life
        .and_then(release::lived)
        .map(|life| life.present(&at).verdict)
    {
        Some(Verdict::Yes) => Has::Yes,
        Some(Verdict::No) => Has::No,
        Some(Verdict::Unknown) | None => Has::Unknown,
    }
}

/// The releases whose gate opens or closes.
pub(super) fn moved(
    program: &ProgramPair<'_>,
    old: Option<&Life>,
    new: Option<&Life>,
) -> Option<Gate> {
    let mut gate = Gate::default();
    for (text, release) in &program.releases {
        let (before, after) = (has(old, *release), has(new, *release));
        if before == after {
            continue;
        }
        match after {
            Has::Yes => gate.opens.push((*text).to_owned()),
            Has::No => gate.closes.push((*text).to_owned()),
            Has::Unknown => {}
        }
    }
    (gate != Gate::default()).then_some(gate)
}
