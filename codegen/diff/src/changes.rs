//! The items that differ between two states of the catalogue.

use std::collections::BTreeMap;
use std::fmt;

use fedispec_model::api::{Api, Operation};
use fedispec_model::rows::{Row, RowSubject, rows};

/// The ids of the items that came, went, or say something else. Where they stand does not count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// Only in the later state.
    pub added: Vec<String>,
    /// Only in the earlier state.
    pub removed: Vec<String>,
    /// In both, and different.
    pub changed: Vec<String>,
}

/// Compares two states.
pub fn changes(old: &Api, new: &Api) -> Changes {
    let (old, new) = (by_id(old), by_id(new));
    let only_in = |a: &BTreeMap<&str, Row<'_>>, b: &BTreeMap<&str, Row<'_>>| {
        a.keys()
            .filter(|id| !b.contains_key(*id))
            .map(|id| (*id).to_owned())
            .collect()
    };
    let differs = |(id, row): &(&&str, &Row<'_>)| {
        let before = old.get(**id);
        before.is_some_and(|before| !says_the_same(before.subject, row.subject))
    };
    let changed = new.iter().filter(differs);
    Changes {
        added: only_in(&new, &old),
        removed: only_in(&old, &new),
        changed: changed.map(|(id, _)| (*id).to_owned()).collect(),
    }
}

fn by_id(api: &Api) -> BTreeMap<&str, Row<'_>> {
    let rows = rows(api).into_iter().filter(|row| !row.inherited());
    rows.map(|row| (row.item.id.as_str(), row)).collect()
}

/// Whether two items say the same by themselves, whatever their parts say.
fn says_the_same(old: RowSubject<'_>, new: RowSubject<'_>) -> bool {
    match (old, new) {
        (RowSubject::Operation(old), RowSubject::Operation(new)) => {
            old == new || without_params(old) == without_params(new)
        }
        (RowSubject::Param(_, old), RowSubject::Param(_, new)) => old == new,
        (
            RowSubject::Response(_, _, old) | RowSubject::Field(_, old),
            RowSubject::Response(_, _, new) | RowSubject::Field(_, new),
        ) => old == new,
        (RowSubject::Enum(old), RowSubject::Enum(new)) => old.item == new.item,
        (RowSubject::Value(_, old), RowSubject::Value(_, new)) => old == new,
        _ => false,
    }
}

fn without_params(operation: &Operation) -> Operation {
    let mut operation = operation.clone();
    operation.params.clear();
    operation
}

impl Changes {
    /// Nothing differs.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }
}

/// How many ids of a kind are named; more than that only scrolls by.
const NAMED: usize = 8;

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("no item");
        }
        let mut separator = "";
        for (what, ids) in [
            ("added", &self.added),
            ("removed", &self.removed),
            ("changed", &self.changed),
        ] {
            let Some((named, more)) = ids
                .split_at_checked(ids.len().min(NAMED))
                .filter(|_| !ids.is_empty())
            else {
                continue;
            };
            write!(f, "{separator}{} {what}: {}", ids.len(), named.join(", "))?;
            if !more.is_empty() {
                write!(f, " and {} more", more.len())?;
            }
            separator = "; ";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Changes;

    #[test]
    fn a_long_list_is_cut() {
        let ids = |n: usize| (0..n).map(|i| format!("a.b{i}")).collect();
        let changes = Changes {
            added: ids(10),
            removed: ids(1),
            changed: Vec::new(),
        };
        assert_eq!(
            changes.to_string(),
            "10 added: a.b0, a.b1, a.b2, a.b3, a.b4, a.b5, a.b6, a.b7 and 2 more; 1 removed: a.b0"
        );
        assert_eq!(Changes::default().to_string(), "no item");
    }
}
