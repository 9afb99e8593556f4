//! The types of parameters, fields and answers.

use serde::{Deserialize, Serialize};

/// A type.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Type {
    /// Any JSON value: the type is unknown, or anything is allowed.
    Json,
    /// Nothing of interest: `{}` or no body.
    Empty,
    /// Text.
    String,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// true or false.
    Boolean,
    /// A point in time, or a day.
    Timestamp,
    /// A file to upload.
    File,
    /// An opaque paging position.
    Cursor,
    /// An id of an entity, or of no entity that the catalogue names.
    Id(Option<String>),
    /// An entity, by id.
    Entity(String),
    /// An enumeration, by id.
    Enum(String),
    /// A list.
    List(Box<Type>),
    /// A map with text keys.
    Map(Box<Type>),
    /// One of two, tried in this order.
    OneOf(Vec<Type>),
    /// A stream of an enumeration's values, by its id, each with the payload of [`Item::payload`](super::Item::payload).
    Events(String),
}

impl Type {
    /// Adds the ids of the entities and enumerations that it names. An id of an entity names none: it needs no type of its own.
    pub fn names<'a>(&'a self, to: &mut impl Extend<&'a str>) {
        match self {
            Self::Entity(id) | Self::Enum(id) | Self::Events(id) => to.extend([id.as_str()]),
            Self::List(inner) | Self::Map(inner) => inner.names(to),
            Self::OneOf(types) => types.iter().for_each(|one| one.names(to)),
            Self::Json
            | Self::Empty
            | Self::String
            | Self::Integer
            | Self::Number
            | Self::Boolean
            | Self::Timestamp
            | Self::File
            | Self::Cursor
            | Self::Id(_) => {}
        }
    }

    /// Whether a value of the type is one text, number or truth value, as one value of a form is.
    pub fn is_plain(&self) -> bool {
        matches!(
            self,
            Self::String
                | Self::Integer
                | Self::Number
                | Self::Boolean
                | Self::Timestamp
                | Self::Cursor
                | Self::Id(_)
                | Self::Enum(_)
        )
    }
}
