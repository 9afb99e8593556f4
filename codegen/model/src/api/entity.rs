//! Entities.

use serde::{Deserialize, Serialize};

use super::{Field, Item};

/// An entity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entity {
    /// The facts that every item has; entities are containers and no rows. Its Since: stated, or the earliest of its
    /// fields'.
    pub item: Item,
    /// Where it is used.
    pub role: EntityRole,
    /// Whether a source lists its fields.
    pub fields_known: bool,
    /// The entity that it takes fields from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub includes: Option<String>,
    /// How it becomes the entity that replaced it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stands_in: Option<StandsIn>,
    /// The fields that are decoded: inherited ones first, then its own, in the catalogue's order.
    pub fields: Vec<Field>,
}

/// How an entity becomes another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandsIn {
    /// The id of the other.
    pub r#for: String,
    /// The other's fields, and the fields of this entity that each is made of.
    pub fields: Vec<(String, String)>,
}

/// Where an entity is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntityRole {
    /// The catalogue names it.
    Named,
    /// An object inside another entity, by that entity's id: `configuration[polls]`.
    Nested(String),
    /// The answer of an operation, by its id, where that is no named entity.
    Response(String),
    /// The body of an error of an operation, by its id and status.
    Error(String, u16),
    /// An element of an array parameter, by the operation's id.
    Argument(String),
}
