//! A program at one of its releases, and the items that it has.

use super::gate::has;
use super::index::IndexedItem;
use fedispec_model::api::{Api, Life, Program, Since};
use fedispec_since::{At, StableVersion, Verdict};

/// A program, a release, and where they are found.
pub(super) struct AtRelease<'a> {
    pub(super) program: &'a Program,
    pub(super) at: usize,
    pub(super) release: StableVersion,
    pub(super) place: At,
}

impl<'a> AtRelease<'a> {
    pub(super) fn new(api: &'a Api, (program, release): (&str, StableVersion)) -> Option<Self> {
        Self::of(api, api.column(program)?, release)
    }

    /// A release of the program in a place among all.
    pub(super) fn of(api: &'a Api, at: usize, release: StableVersion) -> Option<Self> {
        let program = api.programs.get(at)?;
        Some(Self { program, at, release, place: program.place(release) })
    }

    pub(super) fn life(&self, node: IndexedItem<'a>) -> Option<&'a Life> {
        node.item().life.get(self.at)
    }

    pub(super) fn has(&self, node: IndexedItem<'a>) -> Verdict {
        has(self.life(node), &self.place)
    }

    /// Whether the program has the item only in a release later than this one.
    pub(super) fn later(&self, node: IndexedItem<'a>) -> bool {
        let effective = self.life(node).map(|life| life.effective);
        matches!(effective, Some(Since::Since(version)) if version > self.release)
    }

    pub(super) fn said(&self, node: IndexedItem<'a>) -> String {
        let Some(life) = self.life(node) else {
            return "unknown".into();
        };
        let mut text = match life.effective {
            Since::Since(version) => format!("since {version}"),
            unknown_or_never => unknown_or_never.to_string(),
        };
        if let Some(removed) = &life.removed {
            text = format!("{text}, gone in {removed}");
        }
        text
    }
}
