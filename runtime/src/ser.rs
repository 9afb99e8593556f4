//! Encoding to JSON.
//!
//! Values are written by way of `dyn` [`ToJson`], so that the loop through an object's fields is compiled once, in this crate.

use std::sync::Arc;

use serde::ser::Error as _;
use serde::{Serialize, Serializer};

use crate::cut::{Cut, CutEntity, Instead, KeyCut, NoneAs, ValueAs, bit};
use crate::{Empty, Id, Json, Key, Map, NonExhaustive, Secret, Timestamp};

/// A type that is written as JSON. The derive macro [`Entity`](macro@crate::Entity) and [`open_enum!`](crate::open_enum) implement it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written as JSON",
    note = "the type of a field is one of Rust's or of the runtime's, or derives `Entity`; `Json` writes any value"
)]
pub trait ToJson {
    /// Appends the JSON of the value. A number that JSON cannot express, such as infinity, becomes null.
    fn write(&self, to: &mut Output<'_>);

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

/// JSON while it is written, with what is to be left out of it.
#[derive(Debug, Default)]
pub struct Output<'c> {
    bytes: Vec<u8>,
    cut: Option<&'c Cut>,
    /// Whether the value just written stands for one that is out, so that what it stands in goes with it.
    is_out: bool,
    /// Whether it is an object that has lost all its keys: nothing where it stands alone or in a list, and empty as the value of a key.
    is_gone: bool,
}

impl<'c> Output<'c> {
    /// Begins in an empty buffer.
    pub(crate) fn new(bytes: Vec<u8>, cut: Option<&'c Cut>) -> Self {
        Self { bytes, cut, is_out: false, is_gone: false }
    }

    /// Appends JSON as it is.
    pub fn push(&mut self, json: &[u8]) {
        self.bytes.extend_from_slice(json);
    }

    /// The JSON; `None` where the whole value is out.
    #[cfg(any(feature = "server", test))]
    pub(crate) fn finish(self) -> Option<Vec<u8>> {
        (!self.is_out && !self.is_gone).then_some(self.bytes)
    }

    fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    fn mark(&self) -> usize {
        self.bytes.len()
    }

    /// Takes back what was written since a mark, if that is out.
    fn take_back(&mut self, mark: usize) -> bool {
        let is_out = self.is_out || self.is_gone;
        if is_out {
            self.bytes.truncate(mark);
            self.is_out = false;
            self.is_gone = false;
        }
        is_out
    }
}

/// Encodes a value as JSON.
pub fn bytes(value: &dyn ToJson) -> Vec<u8> {
    let mut output = Output::new(Vec::with_capacity(128), None);
    value.write(&mut output);
    output.bytes
}

/// Encodes a value as JSON text.
pub fn text(value: &dyn ToJson) -> String {
    String::from_utf8(bytes(value)).unwrap_or_default()
}

/// Writes an object: each key with the value at the same index. What is empty is written as it is usual for its key, or as it was read.
/// `name` is the hash of the entity's name, and `table` that of its keys.
#[doc(hidden)]
pub fn object(
    to: &mut Output<'_>,
    (name, table): (u64, u64),
    keys: &[Key],
    values: &[&dyn ToJson],
    as_read: NonExhaustive,
) {
    if let Some(cut) = to.cut {
        return cut_object(to, (cut.entity(name), table), keys, values, as_read);
    }
    let mut separator = b'{';
    for (place, (key, value)) in keys.iter().zip(values).enumerate() {
        if write_key(to, separator, (key, *value), as_read.is_odd(place)) {
            separator = b',';
        }
    }
    close(to, separator, b'{', b'}');
}

/// The same without some keys, and without those that have lost their value.
fn cut_object(
    to: &mut Output<'_>,
    (entity, table): (Option<&CutEntity>, u64),
    keys: &[Key],
    values: &[&dyn ToJson],
    as_read: NonExhaustive,
) {
    let other;
    let (mut out, mut changed, mut is_gone) = (0, [].as_slice(), false);
    if let Some(entity) = entity {
        let mut places = entity.places.get_or_init(|| entity.places(table, keys));
        if places.table != table {
            other = entity.places(table, keys);
            places = &other;
        }
        (out, changed, is_gone) = (places.out, places.changed.as_slice(), places.is_gone);
    }
    let mut separator = b'{';
    let mut is_out = false;
    for (place, (key, value)) in keys.iter().zip(values).enumerate() {
        if out & bit(place) != 0 {
            continue;
        }
        let mark = to.mark();
        let changed = changed.iter().find(|(other, _)| *other == place);
        let is_written = match changed {
            Some((_, changed)) => {
                let is_odd = as_read.is_odd(place);
                write_changed(to, separator, changed, (key, *value), is_odd)
            }
            None => write_key(to, separator, (key, *value), as_read.is_odd(place)),
        };
        if !is_written {
            continue;
        }
        to.is_gone = false;
        if to.take_back(mark) {
            if key.optional {
                continue;
            }
            if value.is_nullable() {
                start_key(to, separator, key);
                to.push(b"null");
            } else {
                is_out = true;
            }
        }
        separator = b',';
    }
    close(to, separator, b'{', b'}');
    to.is_out = is_out;
    to.is_gone = is_gone;
}

/// Writes a key as a release has it.
fn write_changed(
    to: &mut Output<'_>,
    separator: u8,
    changed: &KeyCut,
    (key, value): (&Key, &dyn ToJson),
    is_odd: bool,
) -> bool {
    let spelling = match changed {
        KeyCut::Out => return false,
        KeyCut::Constant(json) => {
            start_key(to, separator, key);
            to.push(json.as_bytes());
            return true;
        }
        KeyCut::Written(spelling) => spelling,
    };
    if value.is_none() {
        match spelling.none {
            Some(NoneAs::LeftOut | NoneAs::EmptyLeftOut) => return false,
            Some(NoneAs::Json(json)) => {
                start_key(to, separator, key);
                to.push(json.as_bytes());
                return true;
            }
            None => {}
        }
    }
    let mark = to.mark();
    let leaves_out = matches!(spelling.none, Some(NoneAs::LeftOut | NoneAs::EmptyLeftOut));
    let is_odd = if leaves_out { !key.optional } else { is_odd };
    if !write_key(to, separator, (key, value), is_odd) {
        return false;
    }
    let start = mark + key.quoted.len();
    let is_empty = |json: &[u8]| matches!(json, b"false" | b"0" | b"0.0" | b"\"\"" | b"[]");
    if spelling.none == Some(NoneAs::EmptyLeftOut) && to.bytes.get(start..).is_some_and(is_empty) {
        to.bytes.truncate(mark);
        return false;
    }
    if let Some(way) = spelling.value {
        respell(&mut to.bytes, start, way);
    }
    true
}

/// Writes the JSON from a place on in another way.
fn respell(bytes: &mut Vec<u8>, start: usize, way: ValueAs) {
    let Some(Ok(json)) = bytes.get(start..).map(serde_json::from_slice::<Json>) else {
        return;
    };
    let number = |json: Json| match json.as_str().map(str::parse::<i64>) {
        Some(Ok(number)) => number.into(),
        _ => json,
    };
    let json = match (way, json) {
        (ValueAs::Numbers, Json::Array(list)) => list.into_iter().map(number).collect(),
        (ValueAs::Numbers, json) => number(json),
        (ValueAs::Texts, json @ (Json::Bool(_) | Json::Number(_))) => json.to_string().into(),
        (ValueAs::Moments, Json::String(day)) if day.len() == "2024-01-01".len() => {
            format!("{day}T00:00:00.000Z").into()
        }
        (ValueAs::RoleName, Json::Object(role)) => match role.get("name").and_then(Json::as_str) {
            Some(name) if !name.is_empty() => name.to_lowercase().into(),
            _ => "user".into(),
        },
        (_, json) => json,
    };
    bytes.truncate(start);
    bytes.extend_from_slice(json.to_string().as_bytes());
}

/// Writes a key with its value, unless it is left out: where there is no value, or the one that absence means, and that is usual for the key or was
/// so when it was read.
fn write_key(
    to: &mut Output<'_>,
    separator: u8,
    (key, value): (&Key, &dyn ToJson),
    is_odd: bool,
) -> bool {
    let leaves_out = key.optional != is_odd;
    if leaves_out && (value.is_none() || value.is_empty_list()) {
        return false;
    }
    let mark = to.mark();
    start_key(to, separator, key);
    let start = to.mark();
    value.write(to);
    let means_absent = |value: &str| to.bytes.get(start..) == Some(value.as_bytes());
    if leaves_out && key.absent.is_some_and(means_absent) {
        to.bytes.truncate(mark);
        return false;
    }
    true
}

/// The derive macro sees to it that a key needs no escapes.
fn start_key(to: &mut Output<'_>, separator: u8, key: &Key) {
    let start = to.mark();
    to.push(key.quoted.as_bytes());
    if let Some(first) = to.bytes.get_mut(start) {
        *first = separator;
    }
}

/// Writes a list.
pub(crate) fn list<'v>(to: &mut Output<'_>, values: impl Iterator<Item = &'v dyn ToJson>) {
    let mut separator = b'[';
    for value in values {
        let mark = to.mark();
        to.byte(separator);
        value.write(to);
        if !to.take_back(mark) {
            separator = b',';
        }
    }
    close(to, separator, b'[', b']');
}

/// Writes a value of an enumeration.
pub(crate) fn value(to: &mut Output<'_>, name: u64, text: &str) {
    match to.cut.and_then(|cut| cut.value(name, text)) {
        None => string(to, text),
        Some(Instead::Value(other)) => string(to, other),
        Some(Instead::Null) => to.push(b"null"),
        Some(Instead::Nothing) => {
            to.push(b"null");
            to.is_out = true;
        }
    }
}

/// Closes an object or a list. The separator still is the opening bracket where no element has been written.
fn close(to: &mut Output<'_>, separator: u8, start: u8, end: u8) {
    if separator == start {
        to.byte(start);
    }
    to.byte(end);
}

/// Writes a value by way of serde; null where serde cannot write it.
pub(crate) fn scalar<T: Serialize + ?Sized>(to: &mut Output<'_>, value: &T) {
    let start = to.mark();
    if serde_json::to_writer(&mut to.bytes, value).is_err() {
        to.bytes.truncate(start);
        to.push(b"null");
    }
}

/// Writes a text. Most need no escapes ([RFC 8259, 7](https://www.rfc-editor.org/rfc/rfc8259#section-7)), and are copied as they are.
fn string(to: &mut Output<'_>, text: &str) {
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
            fn write(&self, to: &mut Output<'_>) {
                scalar(to, self);
            }
        }
    )*};
}

scalars!(i64, u64, u32, f64, Json, Secret, Empty);

impl ToJson for bool {
    #[inline]
    fn write(&self, to: &mut Output<'_>) {
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
    fn write(&self, to: &mut Output<'_>) {
        match self.as_str() {
            Some(text) => string(to, text),
            None => scalar(to, self),
        }
    }
}

impl ToJson for String {
    #[inline]
    fn write(&self, to: &mut Output<'_>) {
        string(to, self);
    }

    fn as_body(&self) -> Option<&str> {
        Some(self)
    }
}

impl<T: ?Sized> ToJson for Id<T> {
    #[inline]
    fn write(&self, to: &mut Output<'_>) {
        string(to, self.as_str());
    }
}

impl<T: ToJson> ToJson for Option<T> {
    #[inline]
    fn write(&self, to: &mut Output<'_>) {
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
    fn write(&self, to: &mut Output<'_>) {
        T::write(self, to);
    }

    fn is_nullable(&self) -> bool {
        T::is_nullable(self)
    }
}

impl<T: ToJson> ToJson for [T] {
    #[inline]
    fn write(&self, to: &mut Output<'_>) {
        list(to, self.iter().map(|value| value as &dyn ToJson));
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    #[inline]
    fn write(&self, to: &mut Output<'_>) {
        self.as_slice().write(to);
    }

    fn is_empty_list(&self) -> bool {
        self.is_empty()
    }
}

impl<T: ToJson> ToJson for Map<T> {
    #[inline]
    fn write(&self, to: &mut Output<'_>) {
        let mut separator = b'{';
        for (key, value) in self {
            let mark = to.mark();
            to.byte(separator);
            string(to, key);
            to.byte(b':');
            value.write(to);
            if !to.take_back(mark) {
                separator = b',';
            }
        }
        close(to, separator, b'{', b'}');
    }
}

impl<T: ToJson + ?Sized> ToJson for &T {
    #[inline]
    fn write(&self, to: &mut Output<'_>) {
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

impl<T: ToJson + ?Sized> ToJson for Arc<T> {
    #[inline]
    fn write(&self, to: &mut Output<'_>) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cut::hash;

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

    /// Two keys, of which the second may be left out, with values of an enumeration.
    struct Pair(Kind, Option<Kind>);

    #[derive(Clone, Copy)]
    struct Kind(&'static str);

    impl ToJson for Kind {
        fn write(&self, to: &mut Output<'_>) {
            value(to, hash("Kind"), self.0);
        }
    }

    impl ToJson for Pair {
        fn write(&self, to: &mut Output<'_>) {
            let key = |quoted, optional| Key {
                quoted,
                lenient: false,
                absent: None,
                optional,
                tag: [0, 0],
            };
            let keys = [key(",\"a\":", false), key(",\"b\":", true)];
            object(to, (hash("Pair"), 0), &keys, &[&self.0, &self.1], NonExhaustive::default());
        }
    }

    #[test]
    fn what_is_out_is_left_out_with_what_cannot_be_without_it() {
        let write = |cut: &Cut, value: &dyn ToJson| {
            let mut output = Output::new(Vec::new(), Some(cut));
            value.write(&mut output);
            output.finish().map(|json| String::from_utf8(json).expect("text"))
        };
        let (old, new) = (Kind("old"), Kind("new"));
        let pairs = vec![Pair(old, Some(new)), Pair(new, Some(old)), Pair(old, None)];
        let none = Cut::default();
        let all = r#"[{"a":"old","b":"new"},{"a":"new","b":"old"},{"a":"old"}]"#;
        assert_eq!(write(&none, &pairs).as_deref(), Some(all));
        let out = |key| ("Pair", key, KeyCut::Out);
        let key = Cut::new([out("b"), ("Other", "a", KeyCut::Out)], []);
        let cut = r#"[{"a":"old"},{"a":"new"},{"a":"old"}]"#;
        assert_eq!(write(&key, &pairs).as_deref(), Some(cut));
        let first = Cut::new([out("a")], []);
        let last = r#"{"b":"new"}"#;
        assert_eq!(write(&first, &pairs[0]).as_deref(), Some(last));
        let both = Cut::new([out("a"), out("b")], []);
        assert_eq!(write(&both, &pairs).as_deref(), Some("[]"));
        assert_eq!(write(&both, &Some(old)).as_deref(), Some(r#""old""#));
        let of =
            |instead| Cut::new([], [("Kind", "new", instead), ("Kind", "last", Instead::Null)]);
        let cut = r#"[{"a":"old"},{"a":"old"}]"#;
        assert_eq!(write(&of(Instead::Nothing), &pairs).as_deref(), Some(cut));
        assert_eq!(write(&of(Instead::Nothing), &pairs[1]), None);
        assert_eq!(write(&of(Instead::Nothing), &vec![new, old]).as_deref(), Some(r#"["old"]"#));
        let cut = r#"{"a":"old","b":null}"#;
        assert_eq!(write(&of(Instead::Null), &pairs[0]).as_deref(), Some(cut));
        let cut = r#"{"a":"old","b":"old"}"#;
        assert_eq!(write(&of(Instead::Value("old")), &pairs[1]).as_deref(), Some(cut));
        let map = Map::from([("x".to_owned(), new), ("y".to_owned(), old)]);
        assert_eq!(write(&of(Instead::Nothing), &map).as_deref(), Some(r#"{"y":"old"}"#));
    }
}
