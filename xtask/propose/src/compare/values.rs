//! Values of enumerations.

use std::collections::{BTreeMap, BTreeSet};

use fedispec_model::api::{self, Item, Since};
use fedispec_since::Verdict;

use super::reach::Reach;
use super::{Compared, Finding, Known, Side};
use crate::ours::shown;
use crate::row::{Change, Edit, ItemKind, Row};
use crate::surface::{Enumeration, Use, Value};

pub(super) fn rows(compared: &Compared<'_>, was: &Reach<'_>, is: &Reach<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    for enumeration in &compared.ours.api.enums {
        let id = enumeration.item.id.as_str();
        let Some(new) = is.enumeration(id) else {
            continue;
        };
        let (was_there, is_there) = (was.has_enum(id), is.has_enum(id));
        if !was_there && !is_there {
            continue;
        }
        let (old, none) = (was.enumeration(id), Enumeration::of(new.at.clone(), [], Use::Declared));
        let both = Both {
            compared,
            enumeration,
            was_there,
            is_there,
            is_old: old.is_some(),
            needs: needs(enumeration.sent, old, new),
            was: old.unwrap_or(&none),
            is: new,
            file: shown(&compared.ours.file("enums", id).unwrap_or_default()),
        };
        rows.extend(both.rows());
    }
    rows
}

/// The use of a value that a release must have to have it. A word that only servers say is there once it is sent, where the source was read
/// for that.
fn needs(is_taken: bool, was: Option<&Enumeration>, is: &Enumeration) -> Use {
    let mut values = [was, Some(is)].into_iter().flatten().flat_map(|of| of.values.values());
    let is_followed = values.any(|value| value.r#use == Use::Sent);
    if is_taken || !is_followed { Use::Accepted } else { Use::Sent }
}

/// One enumeration in both releases.
struct Both<'a> {
    compared: &'a Compared<'a>,
    enumeration: &'a api::Enumeration,
    /// Something of the older release has this type.
    was_there: bool,
    /// Something of the newer release has it.
    is_there: bool,
    /// The older release has it too: where it was not found there, nothing is said of what the catalogue knows of it.
    is_old: bool,
    was: &'a Enumeration,
    is: &'a Enumeration,
    needs: Use,
    file: String,
}

impl Both<'_> {
    fn rows(&self) -> Vec<Row> {
        let known: BTreeMap<&str, &Item> = self
            .enumeration
            .values
            .iter()
            .rev()
            .map(|value| (value.wire.as_str(), value))
            .collect();
        let own = self.was.values.keys().chain(self.is.values.keys()).map(String::as_str);
        let all: BTreeSet<&str> = known.keys().copied().chain(own).collect();
        let all = all.into_iter().filter(|wire| !wire.is_empty());
        let rows = all.flat_map(|wire| {
            let (old, new) = (self.was.values.get(wire), self.is.values.get(wire));
            match known.get(wire) {
                Some(known) => [self.there(known, old, new), self.works(known, old, new)],
                None => [self.fresh(wire, old, new), None],
            }
        });
        rows.flatten().map(|row| Row { file: self.file.clone(), ..row }).collect()
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

    fn at(&self, old: Option<&Value>, new: Option<&Value>) -> String {
        let at = self.compared.at(old.map(|value| &value.at), new.map(|value| &value.at));
        at.unwrap_or_else(|| self.compared.new.at(&self.is.at))
    }

    fn there(&self, known: &Item, old: Option<&Value>, new: Option<&Value>) -> Option<Row> {
        let compared = self.compared;
        let before = self.has(known, &compared.old, self.was_there, old);
        let after = self.has(known, &compared.new, self.is_there, new);
        let finding = compared.judge(known, before, after)?;
        if !self.is_old && finding != Finding::Added {
            return None;
        }
        let of = Known {
            kind: ItemKind::Value,
            item: known,
            name: &known.wire,
            at: self.at(old, new),
            after: new.map(|value| &value.at),
            file: "",
            keys: &["enums", &self.enumeration.item.id, "values", &known.wire],
        };
        let row = of.row(compared, finding);
        // A value that a parser takes may be refused behind it.
        let sure = finding == Finding::Added && new.is_some_and(|value| value.r#use == Use::Sent);
        let is_ready = sure && compared.ours.is_open(known);
        Some(Row { sure, decide: Some(WHETHER.to_owned()).filter(|_| !is_ready), ..row })
    }

    /// A value that the catalogue has and that nothing was made with until now.
    fn works(&self, known: &Item, old: Option<&Value>, new: Option<&Value>) -> Option<Row> {
        let (ours, version) = (self.compared.ours, self.compared.new.version);
        let is_open = matches!(ours.life(known)?.works_since, Some(Since::Never | Since::Unknown));
        let sent = |value: Option<&Value>| value.is_some_and(|value| value.r#use == Use::Sent);
        if !is_open || sent(old) || !sent(new) {
            return None;
        }
        let id = self.enumeration.item.id.as_str();
        let keys = ["enums", id, "values", &known.wire, "works_since", ours.key()];
        Some(Row {
            change: Change::Changed,
            from: Some("taken without effect".to_owned()),
            to: Some(format!("works since {version}")),
            edits: vec![Edit::new(keys, format!("\"{version}\""))],
            ..Row::new(ItemKind::Value, &known.id, &known.wire, self.at(old, new))
        })
    }

    /// A value that the catalogue does not know.
    fn fresh(&self, wire: &str, old: Option<&Value>, new: Option<&Value>) -> Option<Row> {
        let compared = self.compared;
        let id = &self.enumeration.item.id;
        let used = |value: &&Value| value.r#use >= self.needs;
        let was = self.was_there && old.as_ref().is_some_and(used);
        let news = new.filter(used).filter(|_| !was).map(|value| {
            let seen = compared.ours.first_seen(&value.at, compared.new.version);
            Edit::new(["enums", id, "values", wire], format!("{{{seen}}}"))
        });
        if !self.is_there || !(was || news.is_some()) {
            return None;
        }
        let decide = if was { WHETHER } else { "its summary" };
        let name = format!("{id}.{wire}");
        let row = compared.unlisted(ItemKind::Value, &name, wire, self.at(old, new), news);
        Some(Row { sure: false, decide: Some(decide.to_owned()), ..row })
    }
}

/// The question about a value that is left to a person.
const WHETHER: &str = "whether it is sent or accepted from this release on";
