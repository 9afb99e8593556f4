//! Encoding to JSON.
//!
//! Values are written by way of `dyn` [`ToJson`], so that the loop through an object's fields is compiled once, in this crate.

use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use serde::ser::Error as _;
use serde::{Serialize, Serializer};

use crate::{Empty, Id, Json, Key, Map, NonExhaustive, Secret, Timestamp};

/// A type that is written as JSON. The derive macro [`Entity`](macro@crate::Entity) and [`open_enum!`](crate::open_enum) implement it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as JSON",
    note = "the type of a field is one of Rust's or of the runtime's, or derives `Entity`; `Json` writes any value",
    note = "an operation that answers a stream of events is mounted with `Server::on_stream`"
)]
pub trait ToJson {
    /// Appends the JSON of the value. A number that JSON cannot express, such as infinity, becomes null.
    fn write(&self, to: &mut Output);

    /// Whether there is no value, so that an optional key is left out.
    fn is_none(&self) -> bool {
        false
    }

    /// Whether null stands for no value of the type.
    fn is_nullable(&self) -> bool {
        false
    }

    /// Whether it is what a list that was absent is read as.
    fn is_empty_list(&self) -> bool {
        false
    }

    /// The whole body that the value makes on its own, where that is not JSON.
    fn as_body(&self) -> Option<&str> {
        None
    }
}

/// An entity's name and the table of its keys. The derive macro [`Entity`](macro@crate::Entity) makes one for each entity.
#[doc(hidden)]
#[derive(Debug)]
pub struct Table {
    pub name: &'static str,
    pub keys: &'static [Key],
}

/// How entities and values of enumerations are written where that is not as their types say: by a server that emulates a release.
pub(crate) trait Dialect: fmt::Debug {
    /// Writes an entity, as [`object`] does.
    fn object(
        &self,
        to: &mut Output,
        table: &'static Table,
        values: &[&dyn ToJson],
        as_read: NonExhaustive,
    );

    /// Writes a value of an enumeration, as [`value`] does.
    fn value(&self, to: &mut Output, enumeration: &str, text: &str);
}

/// The fate of the value that was written last. In a dialect it may be one that there is not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(not(feature = "server"), allow(dead_code, reason = "only a server has a dialect"))]
pub(crate) enum Fate {
    #[default]
    Kept,
    /// There is no such entity: it is left out where it stands alone or in a list, and empty as the value of a key.
    Gone,
    /// It is left out, with what cannot be without it. Some of it may have been written.
    Out,
}

/// JSON while it is written.
#[derive(Debug, Default)]
pub struct Output {
    pub(crate) bytes: Vec<u8>,
    pub(crate) dialect: Option<Rc<dyn Dialect>>,
    pub(crate) fate: Fate,
}

impl Output {
    /// Begins in an empty buffer.
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, ..Self::default() }
    }

    /// Appends JSON as it is.
    pub fn push(&mut self, json: &[u8]) {
        self.bytes.extend_from_slice(json);
    }

    fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Takes back the element that was written last, from its separator on, if it is left out. It says whether the element was kept.
    fn keeps(&mut self, before: usize) -> bool {
        let is_kept = self.fate == Fate::Kept;
        if !is_kept {
            self.bytes.truncate(before);
            self.fate = Fate::Kept;
        }
        is_kept
    }
}

/// Encodes a value as JSON.
pub fn bytes(value: &dyn ToJson) -> Vec<u8> {
    let mut output = Output::new(Vec::with_capacity(128));
    value.write(&mut output);
    output.bytes
}

/// Encodes a value as JSON text.
pub fn text(value: &dyn ToJson) -> String {
    String::from_utf8(bytes(value)).unwrap_or_default()
}

/// Writes an object: each key with the value at the same index. What is empty is written as it is usual for its key, or as it was read.
#[doc(hidden)]
pub fn object(
    to: &mut Output,
    table: &'static Table,
    values: &[&dyn ToJson],
    as_read: NonExhaustive,
) {
    if let Some(dialect) = to.dialect.clone() {
        return dialect.object(to, table, values, as_read);
    }
    let mut separator = b'{';
    for (place, (key, value)) in table.keys.iter().zip(values).enumerate() {
        if write_key(to, separator, (key, *value), key.optional != as_read.is_odd(place)) {
            separator = b',';
        }
    }
    close(to, separator, b'{', b'}');
}

/// Writes a key with its value, unless it is left out: where there is no value, or the one that absence means, and that is usual for the key or was
/// so when it was read.
pub(crate) fn write_key(
    to: &mut Output,
    separator: u8,
    (key, value): (&Key, &dyn ToJson),
    leaves_out: bool,
) -> bool {
    if leaves_out && (value.is_none() || value.is_empty_list()) {
        return false;
    }
    let before = to.len();
    start_key(to, separator, key);
    let start = to.len();
    value.write(to);
    let means_absent = |value: &str| to.bytes.get(start..) == Some(value.as_bytes());
    if leaves_out && key.absent.is_some_and(means_absent) {
        to.bytes.truncate(before);
        return false;
    }
    true
}

/// The derive macro sees to it that a key needs no escapes.
pub(crate) fn start_key(to: &mut Output, separator: u8, key: &Key) {
    let start = to.len();
    to.push(key.quoted.as_bytes());
    if let Some(first) = to.bytes.get_mut(start) {
        *first = separator;
    }
}

/// Writes a list.
pub(crate) fn list<'v>(to: &mut Output, values: impl Iterator<Item = &'v dyn ToJson>) {
    let mut separator = b'[';
    for value in values {
        let before = to.len();
        to.byte(separator);
        value.write(to);
        if to.keeps(before) {
            separator = b',';
        }
    }
    close(to, separator, b'[', b']');
}

/// Writes a value of an enumeration.
pub(crate) fn value(to: &mut Output, enumeration: &str, text: &str) {
    match to.dialect.clone() {
        Some(dialect) => dialect.value(to, enumeration, text),
        None => string(to, text),
    }
}

/// Closes an object or a list. The separator still is the opening bracket where no element has been written.
pub(crate) fn close(to: &mut Output, separator: u8, start: u8, end: u8) {
    if separator == start {
        to.byte(start);
    }
    to.byte(end);
}

/// Writes a value by way of serde; null where serde cannot write it.
pub(crate) fn scalar<T: Serialize + ?Sized>(to: &mut Output, value: &T) {
    let start = to.len();
    if serde_json::to_writer(&mut to.bytes, value).is_err() {
        to.bytes.truncate(start);
        to.push(b"null");
    }
}

/// Writes a text. Most need no escapes ([RFC 8259, 7](https://www.rfc-editor.org/rfc/rfc8259#section-7)), and are copied as they are.
pub(crate) fn string(to: &mut Output, text: &str) {
    if has_escapes(text.as_bytes()) {
        return scalar(to, text);
    }
    to.bytes.reserve(text.len() + 2);
    to.byte(b'"');
    to.push(text.as_bytes());
    to.byte(b'"');
}

/// Whether one of the bytes is written in another way. They are looked through in blocks, each at once; the last block overlaps the one before.
fn has_escapes(text: &[u8]) -> bool {
    fn within<const N: usize>(text: &[u8]) -> bool {
        let is_escaped = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
        let blocks = text.as_chunks::<N>().0.iter();
        blocks.chain(text.last_chunk::<N>()).any(|block| {
            let bytes = block.iter();
            bytes.fold(false, |has, &byte| has | is_escaped(byte))
        })
    }
    match text.len() {
        16.. => within::<16>(text),
        8.. => within::<8>(text),
        _ => within::<1>(text),
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
            fn write(&self, to: &mut Output) {
                scalar(to, self);
            }
        }
    )*};
}

scalars!(i64, u64, u32, f64, Json, Secret, Empty);

impl ToJson for bool {
    #[inline]
    fn write(&self, to: &mut Output) {
        // Each is copied as one word.
        if *self {
            to.push(b"true");
        } else {
            to.push(b"false");
        }
    }
}

impl ToJson for Timestamp {
    #[inline]
    fn write(&self, to: &mut Output) {
        match self.as_str() {
            Some(text) => string(to, text),
            None => scalar(to, self),
        }
    }
}

impl ToJson for String {
    #[inline]
    fn write(&self, to: &mut Output) {
        string(to, self);
    }

    fn as_body(&self) -> Option<&str> {
        Some(self)
    }
}

impl<T: ?Sized> ToJson for Id<T> {
    #[inline]
    fn write(&self, to: &mut Output) {
        string(to, self.as_str());
    }
}

impl<T: ToJson> ToJson for Option<T> {
    #[inline]
    fn write(&self, to: &mut Output) {
        match self {
            Some(value) => value.write(to),
            None => to.push(b"null"),
        }
    }

    fn is_none(&self) -> bool {
        self.is_none()
    }

    fn is_nullable(&self) -> bool {
        true
    }
}

impl<T: ToJson + ?Sized> ToJson for Box<T> {
    #[inline]
    fn write(&self, to: &mut Output) {
        T::write(self, to);
    }

    fn is_nullable(&self) -> bool {
        T::is_nullable(self)
    }
}

impl<T: ToJson> ToJson for [T] {
    #[inline]
    fn write(&self, to: &mut Output) {
        list(to, self.iter().map(|value| value as &dyn ToJson));
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    #[inline]
    fn write(&self, to: &mut Output) {
        self.as_slice().write(to);
    }

    fn is_empty_list(&self) -> bool {
        self.is_empty()
    }
}

impl<T: ToJson> ToJson for Map<T> {
    #[inline]
    fn write(&self, to: &mut Output) {
        let mut separator = b'{';
        for (key, value) in self {
            let before = to.len();
            to.byte(separator);
            string(to, key);
            to.byte(b':');
            value.write(to);
            if to.keeps(before) {
                separator = b',';
            }
        }
        close(to, separator, b'{', b'}');
    }
}

macro_rules! pointers {
    ($($type:ty),*) => {$(
        impl<T: ToJson + ?Sized> ToJson for $type {
            #[inline]
            fn write(&self, to: &mut Output) {
                T::write(self, to);
            }

            fn is_nullable(&self) -> bool {
                T::is_nullable(self)
            }

            fn is_none(&self) -> bool {
                T::is_none(self)
            }

            fn as_body(&self) -> Option<&str> {
                T::as_body(self)
            }
        }
    )*};
}

pointers!(&T, Arc<T>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_what_serde_writes() {
        let map = Map::from([("a\"b".to_owned(), vec![Some(1.5), None])]);
        assert_eq!(text(&map), serde_json::to_string(&map).expect("JSON"));
        let empty = (Vec::<bool>::new(), Map::<bool>::new());
        assert_eq!((text(&empty.0), text(&empty.1)), ("[]".to_owned(), "{}".to_owned()));
        assert_eq!(text(&"\u{1}\"é".to_owned()), r#""\u0001\"é""#);
        assert_eq!(text(&f64::INFINITY), "null");
    }

    #[test]
    fn escapes_are_seen_at_every_place() {
        for length in 0..40 {
            for place in 0..length {
                for sign in ['"', '\\', '\u{1f}', '\u{7f}', 'é'] {
                    let mut sent = "a".repeat(length);
                    sent.replace_range(place..=place, sign.encode_utf8(&mut [0; 4]));
                    assert_eq!(text(&sent), serde_json::to_string(&sent).expect("JSON"));
                }
            }
        }
    }
}
