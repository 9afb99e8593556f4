//! Decoding that survives what servers send.
//!
//! A body is decoded straight into its type, at the speed of plain serde. Only if that fails it is decoded again, from a tree: lists
//! then set aside the elements that do not decode, and every fault is told with its JSON path.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserialize, DeserializeOwned, Deserializer, SeqAccess};

use crate::{Json, List, Rejected};

mod path;
pub(crate) mod shape;
mod tolerant;

/// A value that was decoded, and what was set aside on the way.
#[derive(Debug, Clone)]
pub struct Decoded<T> {
    /// The value.
    pub value: T,
    /// Elements of lists that were refused.
    pub rejected: Vec<Rejected>,
}

/// A field that a server sent and that the type it was read into does not have.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct UnknownField {
    /// Where in the body it is: `$[3].account.is_cat`.
    pub path: String,
    /// What it holds.
    pub value: Json,
}

/// Why a body was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    /// The JSON path of the fault: `$.account.id`. `$` alone where the body is no JSON.
    pub path: String,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

impl std::error::Error for Error {}

/// Decodes a body.
///
/// # Errors
///
/// When it is no JSON, or something outside of the lists does not fit.
pub fn read<T: DeserializeOwned>(body: &str) -> Result<Decoded<T>, Error> {
    match serde_json::from_str(body) {
        Ok(value) if !tolerant::is_listening() => Ok(Decoded {
            value,
            rejected: Vec::new(),
        }),
        first => tolerant::read(&tree(body, first.err().as_ref())?, T::deserialize),
    }
}

/// The fields that no type has, in the bodies that are read meanwhile. Reading is slower for it.
///
/// ```
/// # use fedispec_runtime::de;
/// #[derive(serde::Deserialize)]
/// struct Account { id: String }
///
/// let unknown = de::unknown_fields(|| drop(de::read::<Account>(r#"{"id": "1", "is_cat": true}"#)));
/// assert_eq!((unknown[0].path.as_str(), &unknown[0].value), ("$.is_cat", &true.into()));
/// ```
pub fn unknown_fields(read: impl FnOnce()) -> Vec<UnknownField> {
    tolerant::listen(read)
}

/// Decodes a body that is a list.
///
/// # Errors
///
/// When it is no JSON, or no list.
pub fn read_list<T: DeserializeOwned>(body: &str) -> Result<List<T>, Error> {
    match whole_list(body) {
        Ok(items) if !tolerant::is_listening() => Ok(items.into()),
        first => {
            let decoded = tolerant::read(&tree(body, first.err().as_ref())?, |tree| list(tree))?;
            Ok(List {
                items: decoded.value,
                rejected: decoded.rejected,
            })
        }
    }
}

fn whole_list<T: DeserializeOwned>(body: &str) -> serde_json::Result<Vec<T>> {
    let mut deserializer = serde_json::Deserializer::from_str(body);
    let items = list(&mut deserializer)?;
    deserializer.end()?;
    Ok(items)
}

fn tree(body: &str, first: Option<&serde_json::Error>) -> Result<Json, Error> {
    serde_json::from_str(body).map_err(|error| Error {
        path: "$".to_owned(),
        // The first error is the better one, unless it is about the type and not about the syntax.
        message: first
            .filter(|first| !first.is_data())
            .unwrap_or(&error)
            .to_string(),
    })
}

/// Reads a list as serde does, for `#[serde(default, deserialize_with = "fedispec_runtime::de::list")]`: null is empty, and in the second
/// pass an element that does not decode is set aside.
///
/// # Errors
///
/// When it is no list, or in the first pass when an element does not decode.
pub fn list<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    deserializer.deserialize_option(Lenient(PhantomData))
}

/// Reads a field that some servers send as another kind of value, for `#[serde(deserialize_with = "fedispec_runtime::de::lenient")]`: a
/// number as text, text as a number, and where the field may be missing, anything that does not fit as missing.
///
/// # Errors
///
/// When it does not fit either way.
pub fn lenient<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: DeserializeOwned,
    D: Deserializer<'de>,
{
    let value = Json::deserialize(deserializer)?;
    again(&value)
        .or_else(|error| match otherwise(&value) {
            Some(other) => again(&other).or(Err(error)),
            None => Err(error),
        })
        // Only what may be missing reads null.
        .or_else(|error| again(&Json::Null).map_err(|_| error))
        .map_err(de::Error::custom)
}

/// The same as another kind of value.
fn otherwise(value: &Json) -> Option<Json> {
    match value {
        Json::Number(number) => Some(Json::String(number.to_string())),
        Json::Bool(value) => Some(Json::String(value.to_string())),
        Json::String(text) => match serde_json::from_str(text.trim()) {
            Ok(scalar @ (Json::Number(_) | Json::Bool(_))) => Some(scalar),
            _ => None,
        },
        _ => None,
    }
}

/// Decodes a value that has been read already, as part of the second pass where there is one.
pub(crate) fn again<T: DeserializeOwned>(value: &Json) -> Result<T, serde_json::Error> {
    tolerant::attempt(value)
}

struct Lenient<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> de::Visitor<'de> for Lenient<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_none<E: de::Error>(self) -> Result<Vec<T>, E> {
        Ok(Vec::new())
    }

    fn visit_unit<E: de::Error>(self) -> Result<Vec<T>, E> {
        Ok(Vec::new())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<T>, D::Error> {
        deserializer.deserialize_seq(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Vec<T>, A::Error> {
        let mut items = Vec::new();
        let mut left = elements.size_hint();
        loop {
            match elements.next_element() {
                Ok(Some(item)) => items.push(item),
                Ok(None) => return Ok(items),
                Err(error) => {
                    let now = elements.size_hint();
                    // Only a deserializer over a tree has gone past the bad element and can go on.
                    let moved = matches!((left, now), (Some(left), Some(now)) if now < left);
                    if !moved || !tolerant::set_aside(&error) {
                        return Err(error);
                    }
                }
            }
            left = elements.size_hint();
        }
    }
}

#[cfg(test)]
mod tests;
