//! Positions in a paged list.

/// A position in a paged list, which the API calls an internal id. It comes from a server, and is only good to be sent back to it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Cursor(Box<str>);

impl Cursor {
    /// The position of this text.
    pub fn new(text: impl Into<Box<str>>) -> Self {
        Self(text.into())
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

opaque_text!(Cursor);

impl From<u64> for Cursor {
    fn from(number: u64) -> Self {
        Self::new(number.to_string())
    }
}

impl<T: ?Sized> From<&crate::Id<T>> for Cursor {
    fn from(id: &crate::Id<T>) -> Self {
        Self::new(id.as_str())
    }
}

impl<T: ?Sized> From<crate::Id<T>> for Cursor {
    fn from(id: crate::Id<T>) -> Self {
        Self::new(id.as_str())
    }
}
