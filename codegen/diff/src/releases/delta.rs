//! The change of every item between two releases of a program, in a form in which spans can be joined.

use std::collections::{BTreeMap, BTreeSet};

use super::super::at_release::AtRelease;
use super::super::gate::has;
use super::super::index::{Index, IndexedItem, ItemKey};
use fedispec_model::api::{Api, ErrorAnswer, Quirk};
use fedispec_model::change::Change as InPlace;
use fedispec_since::{StableVersion, Verdict};

/// The state of an item in a release of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct State {
    pub(super) has: Verdict,
    /// It does what it says, where it is there.
    pub(super) works: bool,
    /// Statuses of its errors.
    pub(super) errors: BTreeSet<u16>,
    /// The values that it sends instead of those of the promised type.
    pub(super) sends: BTreeSet<String>,
}

impl State {
    fn of<'a>(node: IndexedItem<'a>, here: &AtRelease<'a>) -> Self {
        let life = here.life(node);
        let works = life.is_none_or(|life| life.works_at(here.release));
        let gives = |error: &&ErrorAnswer| {
            error.life.is_empty() || has(error.life.get(here.at), &here.place) == Verdict::Yes
        };
        let errors = match node {
            IndexedItem::Operation(operation) => {
                operation.errors.iter().filter(gives).map(|error| error.status).collect()
            }
            _ => BTreeSet::new(),
        };
        let now = |quirk: &&Quirk| quirk.is_of(&here.program.key, here.release);
        let sends = match node {
            IndexedItem::Field(_, field) => {
                field.quirks.iter().filter(now).map(|quirk| quirk.sends.clone()).collect()
            }
            _ => BTreeSet::new(),
        };
        let operation = match node {
            IndexedItem::Operation(operation) | IndexedItem::Param(operation, _) => {
                operation.item.life.get(here.at)
            }
            _ => None,
        };
        let has = match here.has(node) {
            Verdict::Yes if operation.is_some_and(|life| life.is_stub_at(here.release)) => {
                Verdict::Stub
            }
            has => has,
        };
        Self { has, works, errors, sends }
    }
}

/// The difference of an item between two releases. Differences of consecutive spans can be joined: see [`Deltas::then`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Delta {
    pub(super) before: State,
    pub(super) after: State,
    /// The changes in place, in order.
    pub(super) changed: Vec<InPlace>,
    /// The release that deprecates it.
    pub(super) deprecated: Option<StableVersion>,
}

/// The differences of all items between two releases of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deltas<'a>(pub(super) BTreeMap<ItemKey<'a>, Delta>);

impl<'a> Deltas<'a> {
    /// Computes the differences between two releases of a program, which is named by its index among the programs.
    pub fn between(api: &'a Api, program: usize, from: StableVersion, to: StableVersion) -> Self {
        let index = Index::new(api);
        Self::of(&index, program, (from, to))
    }

    pub(super) fn of(
        index: &Index<'a>,
        program: usize,
        range: (StableVersion, StableVersion),
    ) -> Self {
        let release = |version| AtRelease::of(index.api, program, version);
        let (Some(from), Some(to)) = (release(range.0), release(range.1)) else {
            return Self(BTreeMap::new());
        };
        let items = index.nodes.iter().filter(|node| !node.item().implied);
        Self(items.map(|node| (node.key(), delta(*node, &from, &to))).collect())
    }

    /// Whether the next span begins where this one ends.
    pub fn meets(&self, next: &Self) -> bool {
        let ends = |(key, delta): (&ItemKey<'a>, &Delta)| {
            next.0.get(key).is_some_and(|next| next.before == delta.after)
        };
        self.0.len() == next.0.len() && self.0.iter().all(ends)
    }

    /// Joins the differences of this span with those of the span that follows it.
    #[must_use]
    pub fn then(self, next: &Self) -> Self {
        let mut strung = self.0;
        for (key, delta) in &mut strung {
            if let Some(next) = next.0.get(key) {
                delta.after.clone_from(&next.after);
                delta.changed.extend(next.changed.iter().cloned());
                delta.deprecated = delta.deprecated.or(next.deprecated);
            }
        }
        Self(strung)
    }
}

fn delta<'a>(node: IndexedItem<'a>, from: &AtRelease<'a>, to: &AtRelease<'a>) -> Delta {
    let life = from.life(node);
    let within = |version: StableVersion| from.release < version && version <= to.release;
    let recorded = life.into_iter().flat_map(|life| &life.changed);
    let mut changed: Vec<InPlace> =
        recorded.flat_map(InPlace::steps).filter(|change| within(change.r#in)).collect();
    changed.sort_by_key(|change| change.r#in);
    Delta {
        before: State::of(node, from),
        after: State::of(node, to),
        changed,
        deprecated: life.and_then(|life| life.deprecated).filter(|version| within(*version)),
    }
}
