//! Lists, pages and other bodies that operations answer with.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

use serde::de::{self, Deserialize, Deserializer};
use serde::ser::{Serialize, SerializeMap as _, Serializer};

use crate::Rejected;
use crate::de::{Fault, FromJson, Input};

/// A list that an operation answers with. It dereferences to a slice.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct List<T> {
    /// Its elements.
    pub items: Vec<T>,
    /// The elements, and optional parts of elements, that were refused while it was read.
    pub rejected: Vec<Rejected>,
}

/// One page of a longer list. It dereferences to a slice.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Page<T> {
    /// Its elements.
    pub items: Vec<T>,
    /// The elements, and optional parts of elements, that were refused while it was read.
    pub rejected: Vec<Rejected>,
    /// The link to the next page: older elements, mostly.
    pub next: Option<Link>,
    /// The link to the previous page: newer elements, mostly.
    pub prev: Option<Link>,
}

impl<T> Page<T> {
    /// Sets the link to the next page, as parameters of the same operation: `.with_next([("max_id", "109")])`.
    #[must_use]
    pub fn with_next<K, V>(mut self, params: impl IntoIterator<Item = (K, V)>) -> Self
    where
        K: Into<String>,
        V: Into<String>,
    {
        self.next = Some(Link::params(params));
        self
    }

    /// Sets the link to the previous page, as parameters of the same operation: `.with_prev([("min_id", "140")])`.
    #[must_use]
    pub fn with_prev<K, V>(mut self, params: impl IntoIterator<Item = (K, V)>) -> Self
    where
        K: Into<String>,
        V: Into<String>,
    {
        self.prev = Some(Link::params(params));
        self
    }

    /// Converts each element, and keeps the links: `page.map(|row| row.into())`.
    #[must_use]
    pub fn map<U>(self, convert: impl FnMut(T) -> U) -> Page<U> {
        Page {
            items: self.items.into_iter().map(convert).collect(),
            rejected: self.rejected,
            next: self.next,
            prev: self.prev,
        }
    }

    /// The same with a conversion that may fail: `page.try_map(Row::into_status)?`.
    ///
    /// # Errors
    ///
    /// The first error of a conversion.
    pub fn try_map<U, E>(self, convert: impl FnMut(T) -> Result<U, E>) -> Result<Page<U>, E> {
        let items: Result<_, _> = self.items.into_iter().map(convert).collect();
        Ok(Page { items: items?, rejected: self.rejected, next: self.next, prev: self.prev })
    }
}

/// A link to another page.
///
/// A client gets the URL that the server sent, and follows it as it is ([RFC 8288](https://www.rfc-editor.org/rfc/rfc8288)). A server gives parameters,
/// and the URL is made from those and the URL of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link(Target);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Target {
    Url(String),
    Params(Vec<(String, String)>),
}

impl Link {
    /// A link to a whole URL.
    pub fn url(url: impl Into<String>) -> Self {
        Self(Target::Url(url.into()))
    }

    /// A link to the same operation with other parameters.
    pub fn params<K, V>(params: impl IntoIterator<Item = (K, V)>) -> Self
    where
        K: Into<String>,
        V: Into<String>,
    {
        let pairs = params.into_iter().map(|(key, value)| (key.into(), value.into()));
        Self(Target::Params(pairs.collect()))
    }

    /// The URL, where it is one.
    pub fn as_url(&self) -> Option<&str> {
        match &self.0 {
            Target::Url(url) => Some(url),
            Target::Params(_) => None,
        }
    }

    /// The parameters, where it is made of them.
    pub fn as_params(&self) -> Option<&[(String, String)]> {
        match &self.0 {
            Target::Url(_) => None,
            Target::Params(params) => Some(params),
        }
    }
}

macro_rules! slice_wrapper {
    ($type:ident { $($rest:ident)* }) => {
        impl<T> $type<T> {
            /// A list of these.
            pub fn new(items: impl IntoIterator<Item = T>) -> Self {
                Self::from(items.into_iter().collect::<Vec<_>>())
            }
        }

        impl<T> From<Vec<T>> for $type<T> {
            fn from(items: Vec<T>) -> Self {
                Self { items, rejected: Vec::new(), $($rest: None),* }
            }
        }

        impl<T> Default for $type<T> {
            fn default() -> Self {
                Self::from(Vec::new())
            }
        }

        impl<T> FromIterator<T> for $type<T> {
            fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
                Self::new(items)
            }
        }

        impl<T> Deref for $type<T> {
            type Target = [T];

            fn deref(&self) -> &[T] {
                &self.items
            }
        }

        impl<T> DerefMut for $type<T> {
            fn deref_mut(&mut self) -> &mut [T] {
                &mut self.items
            }
        }

        impl<T> IntoIterator for $type<T> {
            type Item = T;
            type IntoIter = std::vec::IntoIter<T>;

            fn into_iter(self) -> Self::IntoIter {
                self.items.into_iter()
            }
        }

        impl<'a, T> IntoIterator for &'a $type<T> {
            type Item = &'a T;
            type IntoIter = std::slice::Iter<'a, T>;

            fn into_iter(self) -> Self::IntoIter {
                self.items.iter()
            }
        }
    };
}

slice_wrapper!(List {});
slice_wrapper!(Page { next prev });

/// An answer without content: `{}`, or no body.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Empty;

impl Serialize for Empty {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_map(Some(0))?.end()
    }
}

/// Any value reads as empty: nothing of it is kept.
impl<'de> Deserialize<'de> for Empty {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        de::IgnoredAny::deserialize(deserializer).map(|_| Self)
    }
}

impl FromJson for Empty {
    fn blank() -> Self {
        Self
    }

    fn read(&mut self, input: &mut Input<'_>) -> Result<(), Fault> {
        let value = input.skip()?;
        if input.is_scored() {
            let inside = value.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
            let is_empty = value == "null" || inside.is_some_and(|inside| inside.trim().is_empty());
            return Err(input.end_score(usize::from(is_empty)));
        }
        Ok(())
    }

    fn read_plain(&mut self, _: &str) -> bool {
        true
    }
}

/// An answer that is not JSON: a file, a feed.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Raw {
    /// Its media type: `text/csv`.
    pub content_type: Option<String>,
    /// Its bytes.
    pub content: Vec<u8>,
}

impl Raw {
    /// An answer with a media type.
    pub fn new(content_type: impl Into<String>, content: impl Into<Vec<u8>>) -> Self {
        Self { content_type: Some(content_type.into()), content: content.into() }
    }
}

shown!(Raw, own => content_type, bytes = own.content.len());

/// An object whose keys are data.
pub type Map<T> = BTreeMap<String, T>;
