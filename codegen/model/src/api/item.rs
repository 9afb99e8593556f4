//! The common part of all items: identity, documentation, and the life in each program.

use serde::{Deserialize, Serialize};

use super::{At, Evidence, Life, Type, life};

/// The facts that every item has.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Its identity: `accounts.lookup.acct`.
    pub id: String,
    /// Its name in the catalogue: `exclude_types[]`; for operations empty.
    pub name: String,
    /// The spelling on the wire.
    pub wire: String,
    /// The Rust identifier, without `r#`.
    pub rust: String,
    /// How the documents call it, where that differs from `name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub documented_as: Option<String>,
    /// Which layers and programs' sources know it.
    pub origin: Origin,
    /// One line in our own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Further notes for a user.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Since and what follows, one per program in the order of [`Api::programs`](super::Api::programs). The JSON form ends before the
    /// programs of which nothing is known.
    #[serde(serialize_with = "life::known")]
    pub life: Vec<Life>,
    /// The item has no Since of its own anywhere and is no row: made up while resolving (`data[]` of `data[][date]`).
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub implied: bool,
    /// The id of what to use instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replacement: Option<String>,
    /// An earlier id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    /// The replacement for this value of an enumeration in a release that lacks it: `drop_element`, `null`, or another
    /// value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_older: Option<String>,
    /// The type of the data that comes with this value of an enumeration where it is an event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<Type>,
    /// The proof of its shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// Where it stands.
    #[serde(skip)]
    pub at: At,
}

/// Where an item comes from.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The two documents.
    #[default]
    Documents,
    /// Documentation beyond the two documents.
    Beyond,
    /// The folder of a program, which alone has it.
    Program,
    /// Served and nowhere documented.
    Undocumented,
}
