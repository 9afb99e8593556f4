//! How releases write what they answer, where that is not as the types say.

/// How some releases write an item, where that is not as its type says. Generated code has a table of these.
#[derive(Debug, Clone, Copy)]
pub struct Written {
    /// The id of the item.
    pub(super) item: &'static str,
    pub(super) way: Way,
}

impl Written {
    /// A way of writing an item, in every release.
    pub const fn new(item: &'static str, way: Way) -> Self {
        Self { item, way }
    }
}

/// A way of writing an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// A value of an enumeration, in a release that lacks it: as null.
    Null,
    /// A value of an enumeration, in a release that lacks it: as another value, by its id and its text.
    Instead {
        /// The id of the other value.
        id: &'static str,
        /// Its text.
        wire: &'static str,
    },
}
