//! The releases at which something happens, and their places among those of a program.

use std::collections::BTreeSet;

use fedispec_model::api::{Life, Program, Since};
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
