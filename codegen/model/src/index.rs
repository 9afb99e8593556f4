//! The index of an API: its operations, entities and enumerations by id, and what an entity's fields hang on.

use std::collections::HashMap;

use crate::api::{Api, Entity, EntityRole, Enumeration, Operation};

/// The index of an API.
#[derive(Debug, Clone)]
pub struct Index<'a> {
    operations: HashMap<&'a str, &'a Operation>,
    entities: HashMap<&'a str, &'a Entity>,
    enums: HashMap<&'a str, &'a Enumeration>,
}

/// The outermost owner of an entity's fields.
#[derive(Debug, Clone, Copy)]
pub enum Root<'a> {
    /// A named entity.
    Named(&'a Entity),
    /// The answer of an operation, or its error of that status.
    Answer(&'a Operation, Option<u16>),
    /// An element of an array parameter: its fields are parameters of the operation.
    Argument(&'a Operation),
}

impl<'a> Index<'a> {
    /// Indexes an API.
    pub fn new(api: &'a Api) -> Self {
        let operations = api.operations.iter();
        let entities = api.entities.iter();
        let enums = api.enums.iter();
        Self {
            operations: operations.map(|one| (one.item.id.as_str(), one)).collect(),
            entities: entities.map(|one| (one.item.id.as_str(), one)).collect(),
            enums: enums.map(|one| (one.item.id.as_str(), one)).collect(),
        }
    }

    /// Finds an operation.
    pub fn operation(&self, id: &str) -> Option<&'a Operation> {
        self.operations.get(id).copied()
    }

    /// Finds an entity.
    pub fn entity(&self, id: &str) -> Option<&'a Entity> {
        self.entities.get(id).copied()
    }

    /// Finds an enumeration.
    pub fn enumeration(&self, id: &str) -> Option<&'a Enumeration> {
        self.enums.get(id).copied()
    }

    /// Finds the outermost owner of an entity's fields; `None` where the API names an owner that it does not have.
    pub fn root(&self, entity: &'a Entity) -> Option<Root<'a>> {
        let mut at = entity;
        // More steps than there are entities are a cycle, which a file that was not made by `gen` can hold.
        for _ in 0..=self.entities.len() {
            match &at.role {
                EntityRole::Named => return Some(Root::Named(at)),
                EntityRole::Nested(parent) => at = self.entity(parent)?,
                EntityRole::Response(id) => return Some(Root::Answer(self.operation(id)?, None)),
                EntityRole::Error(id, status) => {
                    return Some(Root::Answer(self.operation(id)?, Some(*status)));
                }
                EntityRole::Argument(id) => return self.operation(id).map(Root::Argument),
            }
        }
        None
    }
}
