//! The releases at which something happens, and their places among those of a program.

use std::collections::BTreeSet;
use std::ops::Bound::{Excluded, Included};

use fedispec_model::api::{Api, Life, Program, Since};
use fedispec_model::change::Change;
use fedispec_since::StableVersion;

/// The place of the first release that is no older.
pub(crate) fn index(program: &Program, version: StableVersion) -> usize {
    program.releases.partition_point(|release| release.version < version)
}

/// Adds the releases at which something of an item's life happens.
pub(crate) fn turns(life: &Life, found: &mut BTreeSet<StableVersion>) {
    let since = [Some(life.since), Some(life.effective), life.works_since];
    found.extend(since.into_iter().flatten().filter_map(Since::version));
    let once = [life.stub, life.deprecated, life.removed];
    found.extend(once.into_iter().flatten());
    found.extend(life.absent.iter().flat_map(|&(from, until)| [from, until]));
    let steps = life.changed.iter().flat_map(Change::steps);
    found.extend(steps.map(|step| step.r#in));
}

/// The versions that the catalogue names outside its lists of releases, in facts and in texts.
pub(crate) struct Named(BTreeSet<StableVersion>);

impl Named {
    pub(crate) fn new(api: &Api) -> Result<Self, String> {
        // A new part of the catalogue does not compile until it stands here too.
        let Api {
            schema: _,
            layer: _,
            programs: _,
            files: _,
            profiles,
            groups,
            operations,
            entities,
            enums,
            features,
            tombstones,
            disputes,
        } = api;
        let parts = (profiles, groups, operations, entities, enums, features, tombstones, disputes);
        let text = serde_json::to_string(&parts).map_err(|error| error.to_string())?;
        let words = text.split(|c: char| !c.is_ascii_digit() && c != '.');
        let words = words.map(|word| word.trim_matches('.')).filter(|word| word.contains('.'));
        let versions = words.flat_map(|word| [word.parse(), format!("{word}.0").parse()]);
        Ok(Self(versions.flatten().collect()))
    }

    /// Whether a release may differ from the one before it: a version is named between them, or nobody has looked at the release.
    pub(crate) fn may_differ(
        &self,
        program: &Program,
        before: StableVersion,
        release: StableVersion,
    ) -> bool {
        let mut between = self.0.range((Excluded(before), Included(release)));
        between.next().is_some() || program.newest_looked_at() == Some(before)
    }
}
