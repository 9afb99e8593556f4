//! Values of enumerations.

use std::collections::{BTreeMap, BTreeSet};

use fedispec_model::api::{Enumeration as Known, Item, Since};
use fedispec_since::Verdict;

use super::operations::others;
use super::reach::Reach;
use super::{Compared, Finding, Side};
use crate::matching::Matching;
use crate::ours::shown;
use crate::row::{Change, Edit, Kind, Row, yaml};
use crate::surface::{Enumeration, Use, Value};

pub(super) fn rows(
    compared: &Compared<'_>,
    (before, after): (&Matching, &Matching),
    (was_reached, is_reached): (&Reach, &Reach),
) -> Vec<Row> {
    let ours = compared.ours;
    let mut rows = Vec::new();
    for enumeration in &ours.api.enums {
        let id = enumeration.item.id.as_str();
        let found = |matching: &Matching, side: &Side<'_>| {
            side.surface.enums.get(matching.enums.get(id)?).cloned()
        };
        let Some(is) = found(after, &compared.new) else {
            continue;
        };
        let was = found(before, &compared.old);
        let (was_there, is_there) = (was_reached.has_enum(id), is_reached.has_enum(id));
        if !was_there && !is_there {
            continue;
        }
        let needs = needs(enumeration.sent, was.as_ref(), &is);
        let reader = Reader {
            compared,
            enumeration,
            was_there,
            is_there,
            is_old: was.is_some(),
            was: was.unwrap_or_else(|| Enumeration { at: is.at.clone(), values: BTreeMap::new() }),
            is,
            needs,
        };
        rows.extend(reader.rows());
    }
    rows
}

/// What only servers say is there once it is sent, where the source was read for that.
fn needs(is_taken: bool, was: Option<&Enumeration>, is: &Enumeration) -> Use {
    if is_taken || ![was, Some(is)].into_iter().flatten().any(is_followed) {
        Use::Accepted
    } else {
        Use::Sent
    }
}

/// One enumeration in both releases.
struct Reader<'a> {
    compared: &'a Compared<'a>,
    enumeration: &'a Known,
    /// Something of the older release has this type.
    was_there: bool,
    /// Something of the newer release has it.
    is_there: bool,
    /// The older release has it too: where it was not found there, nothing is said of what the catalogue knows of it.
    is_old: bool,
    was: Enumeration,
    is: Enumeration,
    /// What must be done with a value for a release to have it.
    needs: Use,
}

impl Reader<'_> {
    fn rows(&self) -> Vec<Row> {
        let known = self.enumeration.values.iter();
        let known = known.map(|value| value.wire.as_str());
        let own = self.was.values.keys().chain(self.is.values.keys());
        let all: BTreeSet<&str> = known.chain(own.map(String::as_str)).collect();
        all.into_iter().filter(|wire| !wire.is_empty()).flat_map(|wire| self.value(wire)).collect()
    }

    fn value(&self, wire: &str) -> Vec<Row> {
        let (old, new) = (self.was.values.get(wire), self.is.values.get(wire));
        let mut values = self.enumeration.values.iter();
        match values.find(|value| value.wire == wire) {
            Some(known) => {
                let there = self.there(known, old, new);
                let works = self.works(known, old, new);
                there.into_iter().chain(works).collect()
            }
            None => self.fresh(wire, old, new).into_iter().collect(),
        }
    }

    /// Whether a release has a value. Where nothing has its type, and of what is declared and not seen to be used, the source
    /// tells nothing: the catalogue's word stands.
    fn has(&self, item: &Item, side: &Side<'_>, is_there: bool, found: Option<&Value>) -> bool {
        let said = || self.compared.ours.says(item, side.version) == Verdict::Yes;
        match found {
            _ if !is_there => said(),
            Some(value) if value.r#use >= self.needs => true,
            Some(_) => said(),
            None => false,
        }
    }

    fn there(&self, known: &Item, old: Option<&Value>, new: Option<&Value>) -> Option<Row> {
        let compared = self.compared;
        let (before, after) = (
            self.has(known, &compared.old, self.was_there, old),
            self.has(known, &compared.new, self.is_there, new),
        );
        let finding = compared.judge(known, before, after)?;
        // What is taken without effect need not be named by the source.
        let life = compared.ours.life(known);
        let is_idle = life.is_some_and(|life| life.works_since == Some(Since::Never));
        if (!self.is_old && finding != Finding::Added) || (is_idle && finding == Finding::Claimed) {
            return None;
        }
        let mut row = self.row(&known.wire, old, new);
        row.id.clone_from(&known.id);
        (row.change, row.from, row.to) = finding.told(compared.ours, known, compared);
        // What a parser takes may be refused behind it.
        row.sure = new.is_some_and(|value| value.r#use == Use::Sent);
        let path = ["enums", &self.enumeration.item.id, "values", &known.wire];
        match (finding, new) {
            (Finding::Added, Some(value)) => {
                row.edits = compared.ours.since(&path, compared.new.version, &value.at);
                if row.sure && compared.ours.is_open(known) {
                    row.decide = None;
                }
            }
            (Finding::Removed, _) => {
                row.sure = false;
                row.edits = compared.ours.removed(&path, compared.new.version);
            }
            _ => row.sure = false,
        }
        row.yaml = yaml(&row.edits);
        Some(row)
    }

    /// A value that the catalogue has and that nothing was made with until now.
    fn works(&self, known: &Item, old: Option<&Value>, new: Option<&Value>) -> Option<Row> {
        let compared = self.compared;
        let life = compared.ours.life(known)?;
        let is_open = matches!(life.works_since, Some(Since::Never | Since::Unknown));
        let sent = |value: Option<&Value>| value.is_some_and(|value| value.r#use == Use::Sent);
        if !is_open || sent(old) || !sent(new) {
            return None;
        }
        let mut row = self.row(&known.wire, old, new);
        row.id.clone_from(&known.id);
        row.change = Change::Changed;
        row.from = Some("taken without effect".to_owned());
        row.to = Some(format!("works since {}", compared.new.version));
        let version = compared.new.version;
        let id = self.enumeration.item.id.as_str();
        let keys = ["enums", id, "values", &known.wire, "works_since", compared.ours.key()];
        row.edits = vec![Edit::new(keys, format!("\"{version}\""))];
        row.sure = true;
        row.decide = None;
        row.yaml = yaml(&row.edits);
        Some(row)
    }

    /// A value that the catalogue does not know.
    fn fresh(&self, wire: &str, old: Option<&Value>, new: Option<&Value>) -> Option<Row> {
        let compared = self.compared;
        let used = |value: Option<&Value>| value.is_some_and(|value| value.r#use >= self.needs);
        if !self.is_there {
            return None;
        }
        let mut row = self.row(wire, old, new);
        match (self.was_there && used(old), new) {
            (false, Some(value)) if value.r#use >= self.needs => {
                let since = others(compared, compared.new.version);
                let evidence = compared.ours.evidence(&value.at, compared.new.version);
                let key = compared.ours.key();
                let text = format!("{{since: {since}, evidence: {{{key}: {evidence}}}}}");
                let id = &self.enumeration.item.id;
                row.edits = vec![Edit::new(["enums", id, "values", wire], text)];
                row.decide = Some("its summary, and whether another program has it".to_owned());
            }
            (true, _) => {
                row.change = Change::Contradicts;
                row.from = Some("not in the catalogue".to_owned());
                row.to = Some(format!("there in {}", compared.old.version));
            }
            _ => return None,
        }
        row.yaml = yaml(&row.edits);
        Some(row)
    }

    fn row(&self, wire: &str, old: Option<&Value>, new: Option<&Value>) -> Row {
        let compared = self.compared;
        let id = self.enumeration.item.id.as_str();
        let at = match (new, old) {
            (Some(value), _) => compared.new.at(&value.at),
            (None, Some(value)) => compared.old.at(&value.at),
            (None, None) => compared.new.at(&self.is.at),
        };
        Row {
            change: Change::Added,
            kind: Kind::Value,
            id: format!("{id}.{wire}"),
            method: None,
            path: None,
            name: wire.to_owned(),
            from: None,
            to: Some(compared.new.version.to_string()),
            at,
            sure: false,
            decide: Some("whether it is sent or accepted from this release on".to_owned()),
            yaml: String::new(),
            file: shown(&compared.ours.file("enums", id).unwrap_or_default()),
            edits: Vec::new(),
        }
    }
}

/// Whether the source was read for what it does with the values, and not for their declaration alone.
fn is_followed(of: &Enumeration) -> bool {
    of.values.values().any(|value| value.r#use == Use::Sent)
}
