//! Holds two releases of a source against each other and against the catalogue.

mod fields;
mod operations;
mod reach;
mod renames;
mod values;

use fedispec_model::api::{Item, Since};
use fedispec_since::{StableVersion, Verdict};

use crate::matching::matching;
use crate::ours::{Ours, shown};
use crate::row::{Change, Edit, ItemKind, Row, yaml};
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

/// Finds the news of the newer release, and where the catalogue contradicts the older one.
pub(crate) fn compare(compared: &Compared<'_>) -> Vec<Row> {
    let (old, new) = (&compared.old, &compared.new);
    let mut before = matching(compared.ours, old.surface, old.version);
    let mut after = matching(compared.ours, new.surface, new.version);
    before.complete(&after, old.surface);
    after.complete(&before, new.surface);
    let mut rows = operations::rows(compared, &after);
    let was = Reach::new(compared, old, before);
    let is = Reach::new(compared, new, after);
    rows.extend(fields::rows(compared, &was, &is));
    rows.extend(values::rows(compared, &was, &is));
    renames::pair(&mut rows);
    rows.sort_by(|a, b| {
        let order = |row: &Row| (row.change == Change::Contradicts, row.kind);
        (order(a), &a.id, a.change, &a.name).cmp(&(order(b), &b.id, b.change, &b.name))
    });
    rows.dedup();
    for row in &mut rows {
        row.yaml = yaml(&row.edits);
    }
    rows
}

/// The finding about an item, from its presence in both releases and the catalogue's word.
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
        let found = match (before, after) {
            (true, _) if old == Verdict::No => Some(Finding::Denied),
            (false, _) if old == Verdict::Yes => Some(Finding::Claimed),
            (false, true) if new != Verdict::Yes => Some(Finding::Added),
            (true, false) if new == Verdict::Yes => Some(Finding::Removed),
            (true, true) if new == Verdict::No => Some(Finding::Denied),
            (false, false) if new == Verdict::Yes => Some(Finding::Claimed),
            _ => None,
        };
        // A parameter that is taken without effect need not be named by the source.
        let works = item.life.get(self.ours.column).and_then(|life| life.works_since);
        found.filter(|found| *found != Finding::Claimed || works != Some(Since::Never))
    }

    /// A place with its revision: of the newer release, else of the older one.
    fn at(&self, before: Option<&Place>, after: Option<&Place>) -> Option<String> {
        after.map(|at| self.new.at(at)).or_else(|| before.map(|at| self.old.at(at)))
    }

    /// A row about something that the catalogue lacks: news with its edit, else a contradiction.
    fn unlisted(
        &self,
        kind: ItemKind,
        id: &str,
        name: &str,
        at: String,
        news: Option<Edit>,
    ) -> Row {
        let row = Row::new(kind, id, name, at);
        let Some(edit) = news else {
            return Row {
                change: Change::Contradicts,
                from: Some("not in the catalogue".to_owned()),
                to: Some(format!("there in {}", self.old.version)),
                sure: false,
                decide: Some(FIND_OUT.to_owned()),
                ..row
            };
        };
        Row { to: Some(self.new.version.to_string()), edits: vec![edit], ..row }
    }
}

/// The task that is left to a person where source and catalogue contradict each other.
const FIND_OUT: &str = "find out which is right, the catalogue or this reading";

/// An item of the catalogue, and what a row about it needs.
struct Known<'a> {
    kind: ItemKind,
    item: &'a Item,
    /// Its name on the wire; empty for an operation.
    name: &'a str,
    /// Where the source speaks of it.
    at: String,
    /// Where the newer release has it.
    after: Option<&'a Place>,
    /// The file of the supplement that speaks of it, and its keys there.
    file: &'a str,
    keys: &'a [&'a str],
}

impl Known<'_> {
    /// The row of a finding, with the edits that say it.
    fn row(self, compared: &Compared<'_>, finding: Finding) -> Row {
        let (ours, new) = (compared.ours, compared.new.version);
        let mut row = Row::new(self.kind, &self.item.id, self.name, self.at);
        row.file = shown(self.file);
        if finding != Finding::Added {
            row.from = Some(ours.words(self.item));
        }
        match finding {
            Finding::Added => {
                row.to = Some(new.to_string());
                row.edits = self.after.map_or_else(Vec::new, |at| ours.since(self.keys, new, at));
                if !ours.is_open(self.item) {
                    let text = "the catalogue has another life of it: write `absent`, or mend it";
                    row.decide = Some(text.to_owned());
                }
            }
            Finding::Removed => {
                row.change = Change::Removed;
                row.edits = ours.removed(self.keys, new);
            }
            Finding::Denied | Finding::Claimed => {
                let what =
                    if finding == Finding::Denied { "there in" } else { "not in the source of" };
                row.change = Change::Contradicts;
                row.to = Some(format!("{what} {}", compared.old.version));
                row.sure = false;
                row.decide = Some(FIND_OUT.to_owned());
            }
        }
        row
    }
}
