//! The operations that a change of an entity, a field or an enumeration reaches: those that answer or take it.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

use super::change::{Direction, ItemRef};
use super::index::{Class, Index, IndexedItem};
use fedispec_model::api::{Entity, EntityRole};

/// The references between the items of both states, computed when first asked for: those of both directions, and those of each.
#[derive(Default)]
pub(super) struct Reach<'a> {
    old: [OnceCell<Users<'a>>; 3],
    new: [OnceCell<Users<'a>>; 3],
}

impl<'a> Reach<'a> {
    /// The operations that answer or take an item, or do one of both, in the newer state if it is still there.
    pub(super) fn of(
        &self,
        old: &Index<'a>,
        new: &Index<'a>,
        (item, direction): (&ItemRef, Option<Direction>),
    ) -> Vec<String> {
        let Some(class) = class(&item.kind) else {
            return Vec::new();
        };
        let of_direction = |cells: &'_ [OnceCell<Users<'a>>; 3], index: &Index<'a>, node| {
            let [both, request, response] = cells;
            let cell = match direction {
                None => both,
                Some(Direction::Request) => request,
                Some(Direction::Response) => response,
            };
            cell.get_or_init(|| Users::new(index, direction)).of(index, node)
        };
        let reached = match (new.get((class, &item.id)), old.get((class, &item.id))) {
            (Some(node), _) => of_direction(&self.new, new, node),
            (None, Some(node)) => of_direction(&self.old, old, node),
            (None, None) => return Vec::new(),
        };
        reached.into_iter().map(str::to_owned).collect()
    }
}

fn class(kind: &str) -> Option<Class> {
    Some(match kind {
        "entity" => Class::Entity,
        "field" => Class::Field,
        "enum" => Class::Enum,
        "value" => Class::Value,
        _ => return None,
    })
}

/// The operations, entities and fields that name an entity or enumeration.
#[derive(Default)]
struct Users<'a> {
    operations: HashMap<&'a str, BTreeSet<&'a str>>,
    /// Named entities by the objects that stand in them.
    entities: HashMap<&'a str, BTreeSet<&'a str>>,
    /// The entities that take over the fields of another, by that one.
    takers: HashMap<&'a str, BTreeSet<&'a str>>,
}

impl<'a> Users<'a> {
    fn new(index: &Index<'a>, direction: Option<Direction>) -> Self {
        let [taken, answered] = [Direction::Request, Direction::Response]
            .map(|one| direction.is_none_or(|direction| direction == one));
        let mut users = Self::default();
        for operation in &index.api.operations {
            let mut types = Vec::new();
            if answered {
                operation.answers().for_each(|one| one.names(&mut types));
            }
            if taken {
                operation.params.iter().for_each(|param| param.r#type.names(&mut types));
            }
            for id in types {
                users.operations.entry(id).or_default().insert(&operation.item.id);
            }
        }
        let is_taken = |entity: &&Entity| matches!(entity.role, EntityRole::Argument(_));
        let goes = |entity: &&Entity| if is_taken(entity) { taken } else { answered };
        for entity in index.api.entities.iter().filter(goes) {
            let root = index.root(entity);
            let mut types = Vec::new();
            entity.fields.iter().for_each(|field| field.r#type.names(&mut types));
            if let Some(base) = entity.includes.as_deref() {
                users.takers.entry(base).or_default().insert(&entity.item.id);
            }
            for id in types {
                match root {
                    (Class::Operation, operation) => {
                        users.operations.entry(id).or_default().insert(operation);
                    }
                    (_, holder) if holder != id => {
                        users.entities.entry(id).or_default().insert(holder);
                    }
                    _ => {}
                }
            }
        }
        users
    }

    fn of(&self, index: &Index<'a>, node: IndexedItem<'a>) -> BTreeSet<&'a str> {
        let id = match node {
            IndexedItem::Entity(entity) | IndexedItem::Field(entity, _) => match index.root(entity)
            {
                (Class::Operation, operation) => return BTreeSet::from([operation]),
                (_, id) => id,
            },
            IndexedItem::Enum(enumeration) | IndexedItem::Value(enumeration, _) => {
                enumeration.item.id.as_str()
            }
            IndexedItem::Operation(_) | IndexedItem::Param(..) => return BTreeSet::new(),
        };
        self.nearest(id)
    }

    /// Finds the operations that name it, or else those that name an entity which contains it, and so on.
    fn nearest(&self, id: &'a str) -> BTreeSet<&'a str> {
        let mut seen = BTreeSet::from([id]);
        let mut level = vec![id];
        while !level.is_empty() {
            let mut at = 0;
            while let Some(id) = level.get(at) {
                let takers = self.takers.get(id).into_iter().flatten().copied();
                level.extend(takers.filter(|id| seen.insert(*id)).collect::<Vec<_>>());
                at += 1;
            }
            let found: BTreeSet<&str> =
                level.iter().filter_map(|id| self.operations.get(id)).flatten().copied().collect();
            if !found.is_empty() {
                return found;
            }
            let holders = level.iter().filter_map(|id| self.entities.get(id)).flatten().copied();
            level = holders.filter(|id| seen.insert(*id)).collect();
        }
        BTreeSet::new()
    }
}
