//! Gates: the releases that have an item.

use super::change::Gate;
use super::context::ProgramPair;
use super::stretch;
use fedispec_model::api::Life;
use fedispec_since::{Place, StableVersion, Verdict};

/// Whether a release has it, by what is known of its life. What is accepted and ignored counts: `works_since` is a
/// fact of its own.
pub(super) fn has(life: Option<&Life>, at: &impl Place) -> Verdict {
    life.map_or(Verdict::Unknown, |life| life.presence().present(at).verdict)
}

/// The releases from the first to the last of some, in their order.
pub(super) fn span(program: &ProgramPair<'_>, some: &[StableVersion]) -> Option<String> {
    let (first, last) = (some.first()?, some.last()?);
    let next = program.releases.iter().find(|release| *release > last);
    stretch::between(Some(*first), next.copied())
}

/// The releases whose gate opens or closes.
pub(super) fn moved(
    program: &ProgramPair<'_>,
    old: Option<&Life>,
    new: Option<&Life>,
) -> Option<Gate> {
    let mut gate = Gate::default();
    for release in &program.releases {
        let [was, is] = program.places(*release);
        let (before, after) = (has(old, &was), has(new, &is));
        if before == after {
            continue;
        }
        match after {
            Verdict::Yes => gate.opens.push(*release),
            Verdict::No => gate.closes.push(*release),
            Verdict::Stub | Verdict::Unknown => {}
        }
    }
    (gate != Gate::default()).then_some(gate)
}
