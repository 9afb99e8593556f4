//! Features: named sets of items.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::ItemTable;

/// A feature: what people ask for, made up of items of a table. The generated crate has a constant for each in its module `features`;
/// [`RemoteServer::has`](crate::compatibility::RemoteServer::has) tells whether a server has one.
///
/// Nothing of the table is read before somebody asks.
#[derive(Clone, Copy)]
pub struct Feature {
    id: &'static str,
    items: fn() -> &'static ItemTable,
    all: &'static [&'static str],
    one_of: &'static [&'static str],
}

impl Feature {
    /// A feature by its id, the table of its items, and the ids of those that it needs and of those of which it needs one.
    pub const fn new(
        id: &'static str,
        items: fn() -> &'static ItemTable,
        all: &'static [&'static str],
        one_of: &'static [&'static str],
    ) -> Self {
        Self { id, items, all, one_of }
    }

    /// `edit_history`
    pub const fn id(self) -> &'static str {
        self.id
    }

    /// The table of its items.
    pub fn items(self) -> &'static ItemTable {
        (self.items)()
    }

    /// The ids of the items that it needs.
    pub const fn all(self) -> &'static [&'static str] {
        self.all
    }

    /// The ids of the items of which it needs one.
    pub const fn one_of(self) -> &'static [&'static str] {
        self.one_of
    }
}

shown!(Feature, own => id);

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

/// Two features are the same where their ids are.
impl PartialEq for Feature {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Feature {}

impl Hash for Feature {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}
