//! The items that differ between two states of the catalogue.

use std::collections::BTreeMap;
use std::fmt;

use super::index::{Index, IndexedItem};
use fedispec_model::api::Api;

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
    let (old, new) = (Index::new(old), Index::new(new));
    let (old, new) = (items(&old), items(&new));
    let only_in = |a: &Items<'_>, b: &Items<'_>| {
        let only = a.keys().filter(|id| !b.contains_key(*id));
        only.map(|id| (*id).to_owned()).collect()
    };
    let differs = |(id, item): &(&&str, &IndexedItem<'_>)| {
        let before = old.get(**id);
        before.is_some_and(|before| !before.says_the_same(**item))
    };
    let changed = new.iter().filter(differs);
    Changes {
        added: only_in(&new, &old),
        removed: only_in(&old, &new),
        changed: changed.map(|(id, _)| (*id).to_owned()).collect(),
    }
}

type Items<'a> = BTreeMap<&'a str, IndexedItem<'a>>;

/// The items that can have a Since, by id.
fn items<'a>(index: &Index<'a>) -> Items<'a> {
    let nodes = index.nodes.iter().copied();
    let items =
        nodes.filter(|node| !node.item().implied && !matches!(node, IndexedItem::Entity(_)));
    items.map(|node| (node.item().id.as_str(), node)).collect()
}

impl Changes {
    /// Nothing differs.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }
}

/// How many ids of a kind are listed.
const NAMED: usize = 8;

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("no item");
        }
        let mut separator = "";
        for (what, ids) in
            [("added", &self.added), ("removed", &self.removed), ("changed", &self.changed)]
        {
            let Some((named, more)) =
                ids.split_at_checked(ids.len().min(NAMED)).filter(|_| !ids.is_empty())
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
        let changes = Changes { added: ids(10), removed: ids(1), changed: Vec::new() };
        assert_eq!(
            changes.to_string(),
            "10 added: a.b0, a.b1, a.b2, a.b3, a.b4, a.b5, a.b6, a.b7 and 2 more; 1 removed: a.b0"
        );
        assert_eq!(Changes::default().to_string(), "no item");
    }
}
