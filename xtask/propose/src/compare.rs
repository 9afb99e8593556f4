//! Holds two releases of a source against each other and against the catalogue.

mod fields;
mod operations;
mod reach;
mod renames;
mod values;

use fedispec_model::api::Item;
use fedispec_since::{StableVersion, Verdict};

use crate::matching::matching;
use crate::ours::Ours;
use crate::row::{Change, Row};
use crate::surface::{Place, Surface};
use reach::Reach;

/// A release of the program, as its source has it.
pub(crate) struct Side<'a> {
    pub(crate) surface: &'a Surface,
    pub(crate) version: StableVersion,
    /// The revision that was read.
    pub(crate) tag: &'a str,
}

impl Side<'_> {
    /// A place of it, with the revision.
    pub(crate) fn at(&self, place: &Place) -> String {
        format!("{place}@{}", self.tag)
    }
}

/// Two releases of a program, and the catalogue.
pub(crate) struct Compared<'a> {
    pub(crate) ours: &'a Ours<'a>,
    pub(crate) old: Side<'a>,
    pub(crate) new: Side<'a>,
}

/// What the newer release brings, and where the catalogue contradicts the older one.
pub(crate) fn compare(compared: &Compared<'_>) -> Vec<Row> {
    let (old, new) = (&compared.old, &compared.new);
    let mut before = matching(compared.ours, old.surface, old.version);
    let mut after = matching(compared.ours, new.surface, new.version);
    before.complete(&after, old.surface);
    after.complete(&before, new.surface);
    let was = Reach::new(compared, old, &before);
    let is = Reach::new(compared, new, &after);
    let mut rows = operations::rows(compared, &after);
    rows.extend(fields::rows(compared, (&before, &after), (&was, &is)));
    rows.extend(values::rows(compared, (&before, &after), (&was, &is)));
    renames::pair(&mut rows);
    rows.sort_by(|a, b| {
        let order = |row: &Row| (row.change == Change::Contradicts, row.kind);
        (order(a), &a.id, a.change, &a.name).cmp(&(order(b), &b.id, b.change, &b.name))
    });
    rows.dedup();
    rows
}

/// What an item's being there or not means, the catalogue's word considered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finding {
    /// The newer release brings it, and the catalogue does not say so yet.
    Added,
    /// The newer release lacks it, and the catalogue does not say so yet.
    Removed,
    /// The catalogue says that a release lacks what is there.
    Denied,
    /// The catalogue says that a release has what is not there.
    Claimed,
}

impl Compared<'_> {
    /// Judges an item of the catalogue, by whether each of the sources has it.
    pub(crate) fn judge(&self, item: &Item, before: bool, after: bool) -> Option<Finding> {
        let old = self.ours.says(item, self.old.version);
        let new = self.ours.says(item, self.new.version);
        match (before, after) {
            (true, _) if old == Verdict::No => Some(Finding::Denied),
            (false, _) if old == Verdict::Yes => Some(Finding::Claimed),
            (false, true) if new != Verdict::Yes => Some(Finding::Added),
            (true, false) if new == Verdict::Yes => Some(Finding::Removed),
            (true, true) if new == Verdict::No => Some(Finding::Denied),
            (false, false) if new == Verdict::Yes => Some(Finding::Claimed),
            _ => None,
        }
    }
}

impl Finding {
    /// The change of a row, and what it says was before and is now.
    pub(crate) fn told(
        self,
        ours: &Ours<'_>,
        item: &Item,
        compared: &Compared<'_>,
    ) -> (Change, Option<String>, Option<String>) {
        match self {
            Self::Added => (Change::Added, None, Some(compared.new.version.to_string())),
            Self::Removed => (Change::Removed, Some(ours.words(item)), None),
            Self::Denied => (
                Change::Contradicts,
                Some(ours.words(item)),
                Some(format!("there in {}", compared.old.version)),
            ),
            Self::Claimed => (
                Change::Contradicts,
                Some(ours.words(item)),
                Some(format!("not in the source of {}", compared.old.version)),
            ),
        }
    }
}
