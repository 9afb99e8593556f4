//! The types of parameters, fields and answers.

use serde::{Deserialize, Serialize};

/// A type.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Type {
    /// Any JSON value: the type is unknown, or anything is allowed.
    #[default]
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
        self.each(&mut |one| {
            if let Self::Entity(id) | Self::Enum(id) | Self::Events(id) = one {
                to.extend([id.as_str()]);
            }
        });
    }

    /// Visits the types behind lists, maps and alternatives.
    pub fn each<'a>(&'a self, visit: &mut impl FnMut(&'a Self)) {
        match self {
            Self::List(inner) | Self::Map(inner) => inner.each(visit),
            Self::OneOf(types) => types.iter().for_each(|one| one.each(visit)),
            one => visit(one),
        }
    }

    /// The type behind lists and maps.
    pub fn innermost(&self) -> &Self {
        match self {
            Self::List(inner) | Self::Map(inner) => inner.innermost(),
            own => own,
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
