//! Which releases have an item.

use super::change::Gate;
use super::context::ProgramPair;
use fedispec_model::api::{Life, Since};
use fedispec_model::release::{self, Release};

/// Whether a release has an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Has {
    Yes,
    No,
    Unknown,
}

/// Whether a release has it, by what is known of its life.
pub(super) fn has(life: Option<&Life>, at: Release) -> Has {
    let Some(life) = life else {
        return Has::Unknown;
    };
    let reached = |text: &str| release::parse(text).is_some_and(|release| release <= at);
    let gone = life.removed.as_deref().is_some_and(reached)
        || life
            .absent
            .iter()
            .any(|(from, until)| reached(from) && !reached(until));
    match &life.effective {
        Since::Never => Has::No,
        _ if gone => Has::No,
        Since::Unknown => Has::Unknown,
        Since::Version(since) if reached(since) => Has::Yes,
        Since::Version(_) => Has::No,
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
