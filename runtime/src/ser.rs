//! Encoding to JSON.
//!
//! Values are written by way of `dyn` [`ToJson`], so that the loop through an object's fields is compiled once, in this crate.

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

/// A note about what is written at a place, for rewriting the JSON by its types. It is small, as there is one for each key.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(feature = "server"), allow(dead_code, reason = "only a server rewrites JSON"))]
pub(crate) struct Mark {
    pub(crate) place: u32,
    pub(crate) kind: MarkKind,
    /// Whether a key is usually left out where it has no value or the one that absence means.
    pub(crate) leaves_out: bool,
    /// What a key that is left out so would have had.
    pub(crate) absent: Option<Absent>,
    /// Whether null is a value of a key's type.
    pub(crate) is_nullable: bool,
}

impl Mark {
    fn new(kind: MarkKind) -> Self {
        Self { place: 0, kind, leaves_out: false, absent: None, is_nullable: false }
    }
}

/// The part of the JSON that begins or ends at a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MarkKind {
    /// The start of an entity, whose table is the next of [`Marks::tables`]. A key follows for each of its table.
    Object,
    /// The separator before a key.
    Key,
    /// The start of a list or a map.
    List,
    /// The separator before an element of a list or a map.
    Element,
    /// The start of a value of an enumeration, whose name is that of the next table.
    Value,
    /// The closing bracket of an entity, a list or a map, or the end of a value of an enumeration.
    End,
}

/// The value of a key that is not written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Absent {
    None,
    EmptyList,
}

/// Notes about JSON, in the order of their places.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    pub(crate) list: Vec<Mark>,
    /// The tables of the entities in their order. An enumeration has a table without keys.
    pub(crate) tables: Vec<&'static Table>,
}

/// JSON while it is written.
#[derive(Debug, Default)]
pub struct Output {
    pub(crate) bytes: Vec<u8>,
    /// Notes with their places, if the JSON is to be rewritten. It then has the keys too whose values are what absence means.
    pub(crate) marks: Option<Marks>,
}

impl Output {
    /// Begins in an empty buffer.
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, marks: None }
    }

    /// Appends JSON as it is.
    pub fn push(&mut self, json: &[u8]) {
        self.bytes.extend_from_slice(json);
    }

    fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    fn len(&self) -> usize {
        self.bytes.len()
    }

    fn mark(&mut self, kind: MarkKind) {
        self.note(Mark::new(kind));
    }

    /// Adds a note about this place.
    fn note(&mut self, mark: Mark) {
        if let Some(marks) = &mut self.marks {
            let place = u32::try_from(self.bytes.len()).unwrap_or(u32::MAX);
            marks.list.push(Mark { place, ..mark });
        }
    }

    fn mark_table(&mut self, kind: MarkKind, table: &'static Table) {
        self.mark(kind);
        if let Some(marks) = &mut self.marks {
            marks.tables.push(table);
        }
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
    if to.marks.is_some() {
        return marked_object(to, table, values, as_read);
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
fn write_key(
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

/// Writes an object with notes. It stands apart, so that the loop of an ordinary one asks nothing of them.
#[inline(never)]
fn marked_object(
    to: &mut Output,
    table: &'static Table,
    values: &[&dyn ToJson],
    as_read: NonExhaustive,
) {
    to.mark_table(MarkKind::Object, table);
    let mut separator = b'{';
    for (place, (key, value)) in table.keys.iter().zip(values).enumerate() {
        if write_marked_key(to, separator, (key, *value), key.optional != as_read.is_odd(place)) {
            separator = b',';
        }
    }
    close(to, separator, b'{', b'}');
}

/// Notes a key, and writes it with its value unless there is none and the key is left out then.
fn write_marked_key(
    to: &mut Output,
    separator: u8,
    (key, value): (&Key, &dyn ToJson),
    leaves_out: bool,
) -> bool {
    let absent = match leaves_out {
        true if value.is_none() => Some(Absent::None),
        true if value.is_empty_list() => Some(Absent::EmptyList),
        _ => None,
    };
    let is_nullable = value.is_nullable();
    to.note(Mark { leaves_out, absent, is_nullable, ..Mark::new(MarkKind::Key) });
    if absent.is_none() {
        start_key(to, separator, key);
        value.write(to);
    }
    absent.is_none()
}

/// The derive macro sees to it that a key needs no escapes.
fn start_key(to: &mut Output, separator: u8, key: &Key) {
    let start = to.len();
    to.push(key.quoted.as_bytes());
    if let Some(first) = to.bytes.get_mut(start) {
        *first = separator;
    }
}

/// Writes a list.
pub(crate) fn list<'v>(to: &mut Output, values: impl Iterator<Item = &'v dyn ToJson>) {
    to.mark(MarkKind::List);
    let mut separator = b'[';
    for value in values {
        to.mark(MarkKind::Element);
        to.byte(separator);
        value.write(to);
        separator = b',';
    }
    close(to, separator, b'[', b']');
}

/// Writes a value of an enumeration, given by a table with its name.
pub(crate) fn value(to: &mut Output, enumeration: &'static Table, text: &str) {
    to.mark_table(MarkKind::Value, enumeration);
    string(to, text);
    to.mark(MarkKind::End);
}

/// Closes an object or a list. The separator still is the opening bracket where no element has been written.
fn close(to: &mut Output, separator: u8, start: u8, end: u8) {
    if separator == start {
        to.byte(start);
    }
    to.mark(MarkKind::End);
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
fn string(to: &mut Output, text: &str) {
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
        to.mark(MarkKind::List);
        let mut separator = b'{';
        for (key, value) in self {
            to.mark(MarkKind::Element);
            to.byte(separator);
            string(to, key);
            to.byte(b':');
            value.write(to);
            separator = b',';
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
