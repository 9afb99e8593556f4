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
    note = "the type of a field is one of Rust's or of the runtime's, or derives `Entity`; `Json` writes any value"
)]
pub trait ToJson {
    /// Appends the JSON of the value. A number that JSON cannot express, such as infinity, becomes null.
    fn write(&self, to: &mut Output<'_>);

    /// Whether there is no value, so that an optional key is left out.
    fn is_none(&self) -> bool {
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
}

impl<'c> Output<'c> {
    pub(crate) fn new(capacity: usize, cut: Option<&'c Cut>) -> Self {
        Self {
            bytes: Vec::with_capacity(capacity),
            cut,
            is_out: false,
        }
    }

    /// Appends JSON as it is.
    pub fn push(&mut self, json: &[u8]) {
        self.bytes.extend_from_slice(json);
    }

    /// The JSON; `None` where the whole value is out.
    #[cfg(any(feature = "server", test))]
    pub(crate) fn finish(self) -> Option<Vec<u8>> {
        (!self.is_out).then_some(self.bytes)
    }

    fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    fn mark(&self) -> usize {
        self.bytes.len()
    }

    /// Takes back what was written since a mark, if that is out.
    fn take_back(&mut self, mark: usize) -> bool {
        if self.is_out {
            self.bytes.truncate(mark);
            self.is_out = false;
            return true;
        }
        false
    }
}

/// The keys and values that are left out of what is written: those that the release which a server emulates does not have.
#[derive(Debug, Default)]
pub struct Cut {
    /// By the hash of an entity's name, the keys by their places as bits.
    keys: Vec<(u64, u128)>,
    /// By the hashes of an enumeration's name and of a value.
    values: Vec<((u64, u64), Instead)>,
}

/// What is written in place of a value that is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instead {
    /// Nothing: what it stands in is left out with it, up to an optional key or the element of a list.
    Nothing,
    /// `null`.
    Null,
    /// Another value.
    Value(&'static str),
}

impl Cut {
    /// Leaves keys of entities out, by their places as bits, and values of enumerations.
    pub fn new(
        keys: impl IntoIterator<Item = (&'static str, u128)>,
        values: impl IntoIterator<Item = (&'static str, &'static str, Instead)>,
    ) -> Self {
        let keys = keys.into_iter().filter(|(_, out)| *out != 0);
        let mut keys: Vec<_> = keys.map(|(name, out)| (hash(name), out)).collect();
        let values = values.into_iter();
        let mut values: Vec<_> = values
            .map(|(name, value, instead)| ((hash(name), hash(value)), instead))
            .collect();
        keys.sort_unstable_by_key(|(name, _)| *name);
        values.sort_unstable_by_key(|(names, _)| *names);
        Self { keys, values }
    }

    fn keys(&self, name: u64) -> u128 {
        let found = self.keys.binary_search_by_key(&name, |(name, _)| *name);
        let found = found.ok().and_then(|place| self.keys.get(place));
        found.map_or(0, |(_, out)| *out)
    }

    fn value(&self, name: u64, value: &str) -> Option<Instead> {
        let first = self.values.partition_point(|((own, _), _)| *own < name);
        let mut values = self.values.get(first..)?.iter();
        let value = hash(value);
        values
            .by_ref()
            .take_while(|((own, _), _)| *own == name)
            .find_map(|((_, own), instead)| (*own == value).then_some(*instead))
    }
}

/// The hash of a name.
#[doc(hidden)]
pub const fn hash(name: &str) -> u64 {
    crate::operation::hash(name).get()
}

/// Encodes a value as JSON.
pub fn bytes(value: &dyn ToJson) -> Vec<u8> {
    let mut output = Output::new(128, None);
    value.write(&mut output);
    output.bytes
}

/// Encodes a value as JSON text.
pub fn text(value: &dyn ToJson) -> String {
    String::from_utf8(bytes(value)).unwrap_or_default()
}

/// Writes an object: each key with the value at the same index. `name` is the hash of the entity's name. What is empty is written as it is usual for
/// its key, or as it was read.
#[doc(hidden)]
pub fn object(
    to: &mut Output<'_>,
    name: u64,
    keys: &[Key],
    values: &[&dyn ToJson],
    as_read: NonExhaustive,
) {
    if let Some(cut) = to.cut {
        return cut_object(to, cut.keys(name), keys, values, as_read);
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
    out: u128,
    keys: &[Key],
    values: &[&dyn ToJson],
    as_read: NonExhaustive,
) {
    let mut separator = b'{';
    let mut is_out = false;
    for (place, (key, value)) in keys.iter().zip(values).enumerate() {
        let lacked =
            u32::try_from(place).is_ok_and(|place| out.checked_shr(place).unwrap_or(0) & 1 == 1);
        let mark = to.mark();
        if lacked || !write_key(to, separator, (key, *value), as_read.is_odd(place)) {
            continue;
        }
        if to.take_back(mark) {
            is_out |= !key.optional;
        } else {
            separator = b',';
        }
    }
    close(to, separator, b'{', b'}');
    to.is_out = is_out;
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
    start_key(to, separator, key.wire);
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
fn start_key(to: &mut Output<'_>, separator: u8, key: &str) {
    to.byte(separator);
    to.byte(b'"');
    to.push(key.as_bytes());
    to.push(b"\":");
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
        None => scalar(to, text),
        Some(Instead::Value(other)) => scalar(to, other),
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

scalars!(bool, i64, u64, u32, f64, Json, Timestamp, Secret, Empty);

impl ToJson for String {
    #[inline]
    fn write(&self, to: &mut Output<'_>) {
        scalar(to, self.as_str());
    }

    fn as_body(&self) -> Option<&str> {
        Some(self)
    }
}

impl<T: ?Sized> ToJson for Id<T> {
    #[inline]
    fn write(&self, to: &mut Output<'_>) {
        scalar(to, self.as_str());
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
}

impl<T: ToJson + ?Sized> ToJson for Box<T> {
    #[inline]
    fn write(&self, to: &mut Output<'_>) {
        T::write(self, to);
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
            scalar(to, key.as_str());
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
            let key = |wire, optional| Key {
                wire,
                lenient: false,
                absent: None,
                optional,
                tag: [0, 0],
            };
            let keys = [key("a", false), key("b", true)];
            object(
                to,
                hash("Pair"),
                &keys,
                &[&self.0, &self.1],
                NonExhaustive::default(),
            );
        }
    }

    #[test]
    fn what_is_out_is_left_out_with_what_cannot_be_without_it() {
        let write = |cut: &Cut, value: &dyn ToJson| {
            let mut output = Output::new(0, Some(cut));
            value.write(&mut output);
            output
                .finish()
                .map(|json| String::from_utf8(json).expect("text"))
        };
        let (old, new) = (Kind("old"), Kind("new"));
        let pairs = vec![Pair(old, Some(new)), Pair(new, Some(old)), Pair(old, None)];
        let none = Cut::default();
        let all = r#"[{"a":"old","b":"new"},{"a":"new","b":"old"},{"a":"old"}]"#;
        assert_eq!(write(&none, &pairs).as_deref(), Some(all));
        let key = Cut::new([("Pair", 0b10), ("Other", 1)], []);
        let cut = r#"[{"a":"old"},{"a":"new"},{"a":"old"}]"#;
        assert_eq!(write(&key, &pairs).as_deref(), Some(cut));
        let first = Cut::new([("Pair", 1)], []);
        assert_eq!(write(&first, &pairs[2]).as_deref(), Some("{}"));
        let of = |instead| {
            Cut::new(
                [],
                [("Kind", "new", instead), ("Kind", "last", Instead::Null)],
            )
        };
        let cut = r#"[{"a":"old"},{"a":"old"}]"#;
        assert_eq!(write(&of(Instead::Nothing), &pairs).as_deref(), Some(cut));
        assert_eq!(write(&of(Instead::Nothing), &pairs[1]), None);
        assert_eq!(
            write(&of(Instead::Nothing), &vec![new, old]).as_deref(),
            Some(r#"["old"]"#)
        );
        let cut = r#"{"a":"old","b":null}"#;
        assert_eq!(write(&of(Instead::Null), &pairs[0]).as_deref(), Some(cut));
        let cut = r#"{"a":"old","b":"old"}"#;
        assert_eq!(
            write(&of(Instead::Value("old")), &pairs[1]).as_deref(),
            Some(cut)
        );
        let map = Map::from([("x".to_owned(), new), ("y".to_owned(), old)]);
        assert_eq!(
            write(&of(Instead::Nothing), &map).as_deref(),
            Some(r#"{"y":"old"}"#)
        );
    }
}
