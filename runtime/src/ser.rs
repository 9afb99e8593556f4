//! Encoding to JSON.
//!
//! Values are written by way of `dyn` [`ToJson`], so that the loop through an object's fields is compiled once, in this crate.

use serde::ser::Error as _;
use serde::{Serialize, Serializer};

use crate::{Empty, Id, Json, Key, Map, Secret, Timestamp};

/// A type that is written as JSON. The derive macro [`Entity`](macro@crate::Entity) and [`open_enum!`](crate::open_enum) implement it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as JSON",
    note = "the type of a field is one of Rust's or of the runtime's, or derives `Entity`; `Json` writes any value"
)]
pub trait ToJson {
    /// Appends the JSON of the value. A number that JSON cannot express, such as infinity, becomes null.
    fn write(&self, to: &mut Vec<u8>);

    /// Whether there is no value, so that an optional key is left out.
    fn is_none(&self) -> bool {
        false
    }

    /// The whole body that the value makes on its own, where that is not JSON.
    fn as_body(&self) -> Option<&str> {
        None
    }
}

/// Encodes a value as JSON.
pub fn bytes(value: &dyn ToJson) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(128);
    value.write(&mut bytes);
    bytes
}

/// Encodes a value as JSON text.
pub fn text(value: &dyn ToJson) -> String {
    String::from_utf8(bytes(value)).unwrap_or_default()
}

/// Writes an object: each key with the value at the same index.
#[doc(hidden)]
pub fn object(to: &mut Vec<u8>, keys: &[Key], values: &[&dyn ToJson]) {
    let mut separator = b'{';
    for (key, value) in keys.iter().zip(values) {
        if key.optional && value.is_none() {
            continue;
        }
        to.push(separator);
        separator = b',';
        scalar(to, key.wire);
        to.push(b':');
        value.write(to);
    }
    close(to, separator, b'{', b'}');
}

/// Writes a list.
pub(crate) fn list<'v>(to: &mut Vec<u8>, values: impl Iterator<Item = &'v dyn ToJson>) {
    let mut separator = b'[';
    for value in values {
        to.push(separator);
        separator = b',';
        value.write(to);
    }
    close(to, separator, b'[', b']');
}

/// Closes an object or a list. The separator still is the opening bracket where no element has been written.
fn close(to: &mut Vec<u8>, separator: u8, start: u8, end: u8) {
    if separator == start {
        to.push(start);
    }
    to.push(end);
}

/// Writes a value by way of serde; null where serde cannot write it.
pub(crate) fn scalar<T: Serialize + ?Sized>(to: &mut Vec<u8>, value: &T) {
    let start = to.len();
    if serde_json::to_writer(&mut *to, value).is_err() {
        to.truncate(start);
        to.extend_from_slice(b"null");
    }
}

/// Writes by way of serde, into any format; called by the derive macro `Entity`.
#[doc(hidden)]
pub fn serialize<S: Serializer>(value: &dyn ToJson, serializer: S) -> Result<S::Ok, S::Error> {
    let tree: Json = serde_json::from_slice(&bytes(value)).map_err(S::Error::custom)?;
    tree.serialize(serializer)
}

macro_rules! scalars {
    ($($type:ty),*) => {$(
        impl ToJson for $type {
            #[inline]
            fn write(&self, to: &mut Vec<u8>) {
                scalar(to, self);
            }
        }
    )*};
}

scalars!(bool, i64, u64, u32, f64, Json, Timestamp, Secret, Empty);

impl ToJson for String {
    #[inline]
    fn write(&self, to: &mut Vec<u8>) {
        scalar(to, self.as_str());
    }

    fn as_body(&self) -> Option<&str> {
        Some(self)
    }
}

impl<T: ?Sized> ToJson for Id<T> {
    #[inline]
    fn write(&self, to: &mut Vec<u8>) {
        scalar(to, self.as_str());
    }
}

impl<T: ToJson> ToJson for Option<T> {
    #[inline]
    fn write(&self, to: &mut Vec<u8>) {
        match self {
            Some(value) => value.write(to),
            None => to.extend_from_slice(b"null"),
        }
    }

    fn is_none(&self) -> bool {
        self.is_none()
    }
}

impl<T: ToJson + ?Sized> ToJson for Box<T> {
    #[inline]
    fn write(&self, to: &mut Vec<u8>) {
        T::write(self, to);
    }
}

impl<T: ToJson> ToJson for [T] {
    #[inline]
    fn write(&self, to: &mut Vec<u8>) {
        list(to, self.iter().map(|value| value as &dyn ToJson));
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    #[inline]
    fn write(&self, to: &mut Vec<u8>) {
        self.as_slice().write(to);
    }
}

impl<T: ToJson> ToJson for Map<T> {
    #[inline]
    fn write(&self, to: &mut Vec<u8>) {
        let mut separator = b'{';
        for (key, value) in self {
            to.push(separator);
            separator = b',';
            scalar(to, key.as_str());
            to.push(b':');
            value.write(to);
        }
        close(to, separator, b'{', b'}');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_what_serde_writes() {
        let map = Map::from([("a\"b".to_owned(), vec![Some(1.5), None])]);
        assert_eq!(text(&map), serde_json::to_string(&map).expect("JSON"));
        let empty = (Vec::<bool>::new(), Map::<bool>::new());
        assert_eq!(
            (text(&empty.0), text(&empty.1)),
            ("[]".to_owned(), "{}".to_owned())
        );
        assert_eq!(text(&"\u{1}\"é".to_owned()), r#""\u0001\"é""#);
        assert_eq!(text(&f64::INFINITY), "null");
    }
}
