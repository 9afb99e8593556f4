//! The items that differ between two states of the catalogue.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde_json::Value;

use fedispec_model::api::{Api, Item};
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
    let only_in = |a: &BTreeMap<&str, Value>, b: &BTreeMap<&str, Value>| {
        a.keys()
            .filter(|id| !b.contains_key(*id))
            .map(|id| (*id).to_owned())
            .collect()
    };
    Changes {
        added: only_in(&new, &old),
        removed: only_in(&old, &new),
        changed: new
            .iter()
            .filter(|(id, item)| old.get(*id).is_some_and(|before| before != *item))
            .map(|(id, _)| (*id).to_owned())
            .collect(),
    }
}

fn by_id(api: &Api) -> BTreeMap<&str, Value> {
    rows(api)
        .iter()
        .filter(|row| !row.inherited())
        .map(|row| (row.item.id.as_str(), statement(row)))
        .collect()
}

/// The facts of an item as JSON, without its parts and without positions.
fn statement(row: &Row<'_>) -> Value {
    let mut value = match row.subject {
        RowSubject::Operation(operation) => {
            let mut value = to_value(operation);
            if let Some(value) = value.as_object_mut() {
                value.remove("params");
            }
            value
        }
        RowSubject::Param(_, param) => to_value(param),
        RowSubject::Response(_, _, field) | RowSubject::Field(_, field) => to_value(field),
        RowSubject::Enum(enumeration) => to_value(&enumeration.item),
        RowSubject::Value(_, item) => to_value::<Item>(item),
    };
    forget_positions(&mut value);
    value
}

fn to_value<T: Serialize>(part: &T) -> Value {
    serde_json::to_value(part).unwrap_or_default()
}

/// A position is a pair of numbers under `at`; an evidence's `at` is text.
pub(crate) fn forget_positions(value: &mut Value) {
    match value {
        Value::Object(map) => {
            if map.get("at").is_some_and(Value::is_array) {
                map.remove("at");
            }
            map.values_mut().for_each(forget_positions);
        }
        Value::Array(list) => list.iter_mut().for_each(forget_positions),
        _ => {}
    }
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
    use super::{Changes, forget_positions};

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

    #[test]
    fn a_moved_line_is_no_change() {
        let mut moved = serde_json::json!({"item": {"at": [0, 12], "evidence": {"at": "v4.3.0"}, "life": [{"at": [1, 2]}]}});
        forget_positions(&mut moved);
        assert_eq!(
            moved,
            serde_json::json!({"item": {"evidence": {"at": "v4.3.0"}, "life": [{}]}})
        );
    }
}
