//! Pairs the items of the old state with those of the new one: by id, by declared renames, and never by likeness alone.

use std::collections::{HashMap, HashSet};

use super::index::{Class, Index, IndexedItem, ItemKey};
use super::similar;
use fedispec_model::api::Operation;
use fedispec_since::Location;

/// The items of both states, paired; and those that only one state has.
pub(super) struct Matched<'a> {
    /// In both states.
    pub(super) pairs: Vec<(IndexedItem<'a>, IndexedItem<'a>)>,
    /// Pairs that have another id than they had.
    pub(super) renamed: Vec<(IndexedItem<'a>, IndexedItem<'a>)>,
    /// A removed item, and an added one that is similar.
    pub(super) guessed: Vec<(IndexedItem<'a>, IndexedItem<'a>)>,
    pub(super) gone: Vec<IndexedItem<'a>>,
    pub(super) came: Vec<IndexedItem<'a>>,
}

pub(super) fn matched<'a>(old: &Index<'a>, new: &Index<'a>) -> Matched<'a> {
    let renames = Renames::new(old, new);
    let mut taken = vec![false; old.nodes.len()];
    let mut next = 0;
    let mut matched = Matched {
        pairs: Vec::new(),
        renamed: Vec::new(),
        guessed: Vec::new(),
        gone: Vec::new(),
        came: Vec::new(),
    };
    for node in &new.nodes {
        let found = old.position_near(next, node.key());
        let found = found.or_else(|| old.position(renames.before(old, new, *node)?.key()));
        match found.filter(|at| !taken[*at]) {
            Some(at) => {
                taken[at] = true;
                next = at + 1;
                let before = old.nodes[at];
                if before.item().id != node.item().id && is_declared(*node, before) {
                    matched.renamed.push((before, *node));
                }
                matched.pairs.push((before, *node));
            }
            None => matched.came.push(*node),
        }
    }
    let gone = old.nodes.iter().zip(&taken).filter(|(_, taken)| !**taken);
    matched.gone = gone.map(|(node, _)| *node).collect();
    matched.guess();
    matched
}

impl<'a> Matched<'a> {
    /// New names of entities and enumerations by their old ones.
    pub(super) fn names(&self) -> HashMap<&'a str, &'a str> {
        let types = self
            .pairs
            .iter()
            .filter(|(_, new)| matches!(new, IndexedItem::Entity(_) | IndexedItem::Enum(_)));
        let ids = types.map(|(old, new)| (old.item().id.as_str(), new.item().id.as_str()));
        ids.filter(|(old, new)| old != new).collect()
    }

    fn guess(&mut self) {
        self.guessed = similar::pairs(&self.gone, &self.came);
        let guessed = self.guessed.iter();
        let (before, after): (HashSet<_>, HashSet<_>) =
            guessed.map(|(before, after)| (before.key(), after.key())).unzip();
        self.gone.retain(|node| !before.contains(&node.key()));
        self.came.retain(|node| !after.contains(&node.key()));
    }
}

/// Old ids by new ones.
struct Renames<'a> {
    /// Pairs items by declared renames, and path arguments by position.
    by_key: HashMap<ItemKey<'a>, String>,
}

impl<'a> Renames<'a> {
    fn new(old: &Index<'a>, new: &Index<'a>) -> Self {
        let mut by_key: HashMap<ItemKey<'a>, String> = HashMap::new();
        for node in &new.nodes {
            if let Some(before) = &node.item().renamed_from {
                by_key.insert(node.key(), before.clone());
            }
        }
        let mut renames = Self { by_key };
        for (number, operation) in new.api.operations.iter().enumerate() {
            let id = renames.by_key.get(&(Class::Operation, operation.item.id.as_str())).cloned();
            // Most operations stand where they stood.
            let near = old.api.operations.get(number);
            let before = near
                .filter(|near| near.item.id == operation.item.id)
                .or_else(|| old.operation(&operation.item.id))
                .or_else(|| old.operation(id.as_deref()?));
            if let Some(before) = before {
                renames.by_key.extend(path_arguments(before, operation));
            }
        }
        renames
    }

    /// Finds the old item by its own former id, or by that of an item around it: objects lie in objects.
    fn before(
        &self,
        old: &Index<'a>,
        new: &Index<'a>,
        node: IndexedItem<'a>,
    ) -> Option<IndexedItem<'a>> {
        if let Some(id) = self.by_key.get(&node.key()) {
            return old.get((node.class(), id));
        }
        let owner = node.owner()?;
        let before = self.before(old, new, new.get(owner)?)?;
        let before = &before.item().id;
        let rest = node.item().id.strip_prefix(owner.1)?;
        old.get((node.class(), &format!("{before}{rest}")))
    }
}

/// Whether a rename is of the item itself: parts that follow their owner, and path arguments, are not.
fn is_declared(node: IndexedItem<'_>, before: IndexedItem<'_>) -> bool {
    node.item().renamed_from.as_deref() == Some(before.item().id.as_str())
}

/// Arguments at the same place of a path that is otherwise the same.
fn path_arguments<'a>(old: &'a Operation, new: &'a Operation) -> Vec<(ItemKey<'a>, String)> {
    let (Some(before), Some(after)) = (&old.route, &new.route) else {
        return Vec::new();
    };
    let (before, after): (Vec<_>, Vec<_>) =
        (before.path.split('/').collect(), after.path.split('/').collect());
    let same = |(a, b): (&&str, &&str)| a == b || (a.starts_with(':') && b.starts_with(':'));
    if before == after || before.len() != after.len() || !before.iter().zip(&after).all(same) {
        return Vec::new();
    }
    let argument = |operation: &'a Operation, part: &str| {
        let name = part.strip_prefix(':')?;
        operation
            .params
            .iter()
            .find(|param| param.location == Location::Path && param.item.wire == name)
    };
    let pairs = before.iter().zip(&after).filter(|(a, b)| a != b);
    pairs
        .filter_map(|(a, b)| {
            let (a, b) = (argument(old, a)?, argument(new, b)?);
            Some(((Class::Param, b.item.id.as_str()), a.item.id.clone()))
        })
        .collect()
}
