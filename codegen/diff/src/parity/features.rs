//! Features that two programs do not both have.

use super::super::at_release::AtRelease;
use super::super::change::ItemRef;
use super::{Difference, Relation};
use fedispec_model::api::{Api, Since};
use fedispec_model::features::Features;
use fedispec_since::Verdict;

/// The differences in features. A stub counts as none.
pub(super) fn differences(
    api: &Api,
    features: &Features<'_>,
    a: &AtRelease<'_>,
    b: &AtRelease<'_>,
) -> Vec<Difference> {
    let found = api.features.iter().filter_map(|feature| {
        let has = |here: &AtRelease<'_>| match features.verdict(feature, here.at, here.release) {
            Verdict::Stub => Verdict::No,
            verdict => verdict,
        };
        let life = |here: &AtRelease<'_>| features.life(feature, here.at);
        let is_later = |here: &AtRelease<'_>| {
            matches!(life(here).since, Since::Since(version) if version > here.release)
        };
        let said = |here: &AtRelease<'_>| match life(here).since {
            Since::Since(_) => format!("since {}", life(here).text()),
            unknown_or_never => unknown_or_never.to_string(),
        };
        let relation = Relation::of((has(a), has(b)), || is_later(a), || is_later(b))?;
        Some(Difference {
            relation,
            item: ItemRef::feature(feature),
            a: said(a),
            b: said(b),
            with: 0,
        })
    });
    found.collect()
}
