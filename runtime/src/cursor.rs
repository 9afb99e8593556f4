//! Positions in a paged list.

use std::fmt;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer};
use serde::{Serialize, Serializer};

use crate::id::TextOrNumber;

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

impl fmt::Debug for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl From<&str> for Cursor {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Cursor {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

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

impl FromStr for Cursor {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(text.into())
    }
}

impl Serialize for Cursor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Cursor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextOrNumber).map(Self)
    }
}
