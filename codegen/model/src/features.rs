//! Since when a program has a feature: the one place that computes it, from the lives of the feature's items.
//!
//! - An item counts from the release in which it really does something: one that is accepted and ignored, or that answers an empty list
//!   and nothing else, is not there yet.
//! - Of `all` items the latest counts, of `one_of` the earliest; `unknown` is later than every version, and `never` than that.
//! - A verdict on a release weighs the verdicts on the items, so that it also heeds removals and holes.

use std::collections::{HashMap, HashSet};

use fedispec_since::{StableVersion, Verdict};

use crate::api::{Api, Feature, Item, Program, Since};
use crate::reach::Reach;
use crate::rows::rows;

/// The features of an API with the lives of their items.
#[derive(Debug)]
pub struct Features<'a> {
    api: &'a Api,
    items: HashMap<&'a str, Lived<'a>>,
}

/// An item, with since when each program really has it.
#[derive(Debug)]
struct Lived<'a> {
    item: &'a Item,
    effective: Vec<Since>,
}

/// The life of a feature in a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureLife {
    /// The first release that has it.
    pub since: Since,
    /// Holes: the first known release without it, and the first with it again.
    pub absent: Vec<(StableVersion, StableVersion)>,
    /// The first known release of the newest ones, which lack it.
    pub removed: Option<StableVersion>,
}

impl FeatureLife {
    /// A life of which only the Since is known.
    fn new(since: Since) -> Self {
        Self { since, absent: Vec::new(), removed: None }
    }

    /// It in words: `4.3.0`, `2.8.0, removed in 4.0.0`, `0.1.0, absent from 0.10.0 until 0.16.0`, `never`.
    pub fn text(&self) -> String {
        let absent = self.absent.iter();
        let absent = absent.map(|(from, until)| format!(", absent from {from} until {until}"));
        let removed = self.removed.map(|release| format!(", removed in {release}"));
        let parts = std::iter::once(self.since.to_string()).chain(absent).chain(removed);
        parts.collect()
    }
}

impl<'a> Features<'a> {
    /// Looks up the items of all features of an API.
    pub fn new(api: &'a Api) -> Self {
        Self::over(api, &Reach::new(api))
    }

    /// The same where the reach of the API's types is known.
    pub fn over(api: &'a Api, reach: &Reach<'_>) -> Self {
        let wanted: HashSet<&str> = api.features.iter().flat_map(Feature::items).collect();
        let rows = rows(api).into_iter().filter(|row| wanted.contains(row.item.id.as_str()));
        let items = rows.map(|row| {
            let lived = Lived { item: row.item, effective: reach.effective(row.item) };
            (row.item.id.as_str(), lived)
        });
        Self { api, items: items.collect() }
    }

    /// All features, each with its life in each program, in the order of the programs.
    pub fn all(&self) -> impl Iterator<Item = (&'a Feature, Vec<FeatureLife>)> {
        self.api.features.iter().map(|feature| (feature, self.lives(feature)))
    }

    /// Its life in each program, in their order.
    pub fn lives(&self, feature: &Feature) -> Vec<FeatureLife> {
        (0..self.api.programs.len()).map(|place| self.life(feature, place)).collect()
    }

    /// Its life in a program, by the program's place.
    pub fn life(&self, feature: &Feature, place: usize) -> FeatureLife {
        let since = feature.composed(|id| self.item_since(id, place)).unwrap_or(Since::Unknown);
        let (Since::Since(first), Some(program)) = (since, self.api.programs.get(place)) else {
            return FeatureLife::new(since);
        };
        let known = program.releases.iter().map(|release| release.version);
        let looked_at = program.newest_looked_at();
        let known = known.filter(|release| *release >= first && Some(*release) <= looked_at);
        let mut life = FeatureLife::new(since);
        let mut is_first = true;
        for release in known {
            let lacks =
                matches!(self.verdict(feature, place, release), Verdict::No | Verdict::Stub);
            match life.removed {
                // One item was gone before another came.
                None if lacks && is_first => return FeatureLife::new(Since::Never),
                None if lacks => life.removed = Some(release),
                Some(from) if !lacks => {
                    life.absent.push((from, release));
                    life.removed = None;
                }
                _ => {}
            }
            is_first = false;
        }
        life
    }

    /// Whether a release of a program has it.
    pub fn verdict(&self, feature: &Feature, place: usize, release: StableVersion) -> Verdict {
        let verdict = feature.composed(|id| self.item_verdict(id, place, release));
        verdict.unwrap_or(Verdict::Unknown)
    }

    /// Since when an item does something in a program.
    fn item_since(&self, id: &str, place: usize) -> Since {
        let lived = self.items.get(id);
        let since = lived.and_then(|lived| {
            Some(lived.item.life.get(place)?.heeded_since(*lived.effective.get(place)?))
        });
        since.unwrap_or(Since::Unknown)
    }

    fn item_verdict(&self, id: &str, place: usize, release: StableVersion) -> Verdict {
        let verdict = self.items.get(id).and_then(|lived| {
            let program: &Program = self.api.programs.get(place)?;
            let life = lived.item.life.get(place)?;
            let whole = life.whole(*lived.effective.get(place)?);
            let decision = whole.has(&program.place(release));
            Some(if life.stub.is_some() { decision.of_stub() } else { decision }.verdict)
        });
        verdict.unwrap_or(Verdict::Unknown)
    }
}
