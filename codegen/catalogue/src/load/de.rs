//! A serde deserializer over the tree: values for the model's types, and errors with their kind and node.

use std::fmt;

use indexmap::map::Slice;
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use crate::model::{BY, FACT};
use crate::source::tree::{Content, Scalar, YamlNode};
use fedispec_model::suggest::nearest;
use fedispec_since::text::VERSION;

/// The nodes of a file that are not decoded, by number. Decoding is repeated without a node that caused an error.
#[derive(Debug, Default)]
pub(super) struct Omitted(Vec<bool>);

impl Omitted {
    pub(super) fn add(&mut self, node: &YamlNode) {
        let number = node.number as usize;
        if self.0.len() <= number {
            self.0.resize(number + 1, false);
        }
        self.0[number] = true;
    }

    /// Whether a node is left out; an alias always is.
    pub(super) fn has(&self, node: &YamlNode) -> bool {
        node.content == Content::Alias || self.0.get(node.number as usize).copied().unwrap_or(false)
    }
}

/// Why a value could not be decoded.
#[derive(Debug)]
pub(super) struct Error {
    pub(super) kind: Kind,
    /// The number of the node.
    pub(super) node: Option<u32>,
}

/// The kind of a mistake in a node.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// The node stands under a key that is not one of these.
    UnknownKey(&'static [&'static str]),
    /// The node stands under a key that should be a version.
    VersionKey,
    /// The map has no such key.
    MissingKey(&'static str),
    /// The word is not one of these.
    UnknownValue(&'static [&'static str]),
    /// The value is of another type.
    Type(Wanted),
    /// The list has another number of elements.
    Length(Wanted),
    /// There is a key and no value.
    Empty,
    /// There are more than that many errors in it.
    TooMany(usize),
    Other(String),
}

/// The type that a value should have.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Wanted {
    Text,
    Truth,
    /// A whole number up to the given one.
    Whole(u64),
    Number,
    Word,
    List,
    /// A list of that many elements.
    Tuple(usize),
    Map,
    /// The type in the model describes itself.
    Said(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.kind)
    }
}

impl std::error::Error for Error {}

impl Error {
    fn new(kind: Kind) -> Self {
        Self { kind, node: None }
    }

    /// The same at a node, unless a node inside that one is known already.
    fn at(mut self, node: &YamlNode) -> Self {
        self.node.get_or_insert(node.number);
        self
    }
}

impl de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(Kind::Other(message.to_string()))
    }

    fn invalid_type(_: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::new(Kind::Type(Wanted::Said(expected.to_string())))
    }

    fn invalid_value(_: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::new(Kind::Type(Wanted::Said(expected.to_string())))
    }

    fn invalid_length(_: usize, expected: &dyn de::Expected) -> Self {
        Self::new(Kind::Length(Wanted::Said(expected.to_string())))
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self::new(Kind::UnknownValue(expected))
    }

    fn unknown_field(_: &str, expected: &'static [&'static str]) -> Self {
        Self::new(Kind::UnknownKey(expected))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(Kind::MissingKey(field))
    }
}

/// A node to decode.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    node: &'a YamlNode,
    omitted: &'a Omitted,
}

impl<'a> Reader<'a> {
    pub(super) fn new(node: &'a YamlNode, omitted: &'a Omitted) -> Self {
        Self { node, omitted }
    }

    /// An error about the node itself.
    fn refused<T>(self, kind: Kind) -> Result<T, Error> {
        Err(Error::new(kind).at(self.node))
    }

    // A visitor is compiled for each way that it is called: what must be a map or a list is offered as nothing else.
    fn map<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Error> {
        let Content::Map(entries) = &self.node.content else {
            return self.refused(Kind::Type(Wanted::Map));
        };
        let entries = Entries { left: entries.as_slice(), omitted: self.omitted, value: None };
        visitor.visit_map(entries).map_err(|error| error.at(self.node))
    }

    fn list<V: Visitor<'a>>(self, wanted: Wanted, visitor: V) -> Result<V::Value, Error> {
        let Content::List(elements) = &self.node.content else {
            return self.refused(Kind::Type(wanted));
        };
        let elements = Elements { left: elements, omitted: self.omitted };
        visitor.visit_seq(elements).map_err(|error| error.at(self.node))
    }

    fn text<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Error> {
        let Some(text) = self.node.text() else {
            return self.refused(Kind::Type(Wanted::Text));
        };
        visitor.visit_borrowed_str(text).map_err(|error: Error| error.at(self.node))
    }

    /// Hands the node to a visitor that takes it as this type: an error about the node itself names the type.
    fn typed<V: Visitor<'a>>(self, wanted: Wanted, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_any(visitor).map_err(|mut error| {
            if error.node == Some(self.node.number) && matches!(error.kind, Kind::Type(_)) {
                error.kind = Kind::Type(wanted);
            }
            error
        })
    }
}

/// Methods of [`Deserializer`] for a type of scalar or container.
macro_rules! typed {
    ($($method:ident() => $wanted:expr;)*) => {$(
        fn $method<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Error> {
            self.typed($wanted, visitor)
        }
    )*};
}

impl<'a> Deserializer<'a> for Reader<'a> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Error> {
        match &self.node.content {
            Content::Scalar(scalar) => match scalar {
                Scalar::Null => visitor.visit_unit(),
                Scalar::Bool(truth) => visitor.visit_bool(*truth),
                Scalar::Integer(number) => visitor.visit_i64(*number),
                Scalar::Unsigned(number) => visitor.visit_u64(*number),
                Scalar::Float(number) => visitor.visit_f64(*number),
                Scalar::Text(text) => visitor.visit_borrowed_str(text),
            },
            Content::List(_) => return self.list(Wanted::List, visitor),
            Content::Map(_) => return self.map(visitor),
            Content::Alias => visitor.visit_unit(),
        }
        .map_err(|error: Error| error.at(self.node))
    }

    fn deserialize_option<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.node.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'a>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name == FACT && self.node.text() == Some("unknown") {
            visitor.visit_unit()
        } else {
            visitor.visit_newtype_struct(self)
        }
    }

    /// Of a [`By`] the first key tells whether the map is a value or one of programs.
    fn deserialize_struct<V: Visitor<'a>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name != BY {
            return self.map(visitor);
        }
        let keys = || self.node.children().filter(|(_, node)| !self.omitted.has(node));
        let is_field = |(key, _): (Option<&str>, _)| key.is_some_and(|key| fields.contains(&key));
        // A misspelt key of a value stands beside others of it or is like one, and holds no map.
        let is_like = |key: Option<&str>| {
            key.is_some_and(|key| nearest(key, fields.iter().copied()).is_some())
        };
        let is_of_value = keys().next().is_none_or(|first| {
            is_field(first) || first.1.map().is_none() && (keys().any(is_field) || is_like(first.0))
        });
        // An empty map is the value of a map; no value has keys.
        let is_map = self.node.map().is_some_and(|map| !map.is_empty());
        if is_map && (fields.is_empty() || !is_of_value) {
            self.map(visitor)
        } else {
            visitor.visit_newtype_struct(self)
        }
    }

    fn deserialize_enum<V: Visitor<'a>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.node.text() {
            Some(word) => visitor.visit_enum(BorrowedStrDeserializer::new(word)),
            None => Err(Error::new(Kind::Type(Wanted::Word))),
        }
        .map_err(|error: Error| error.at(self.node))
    }

    fn deserialize_tuple<V: Visitor<'a>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        if let Content::List(elements) = &self.node.content
            && elements.iter().filter(|one| !self.omitted.has(one)).count() != length
        {
            return self.refused(Kind::Length(Wanted::Tuple(length)));
        }
        self.list(Wanted::Tuple(length), visitor)
    }

    fn deserialize_map<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Error> {
        self.map(visitor)
    }

    fn deserialize_seq<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Error> {
        self.list(Wanted::List, visitor)
    }

    fn deserialize_str<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Error> {
        self.text(visitor)
    }

    fn deserialize_string<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Error> {
        self.text(visitor)
    }

    typed! {
        deserialize_bool() => Wanted::Truth;
        deserialize_u8() => Wanted::Whole(u8::MAX.into());
        deserialize_u16() => Wanted::Whole(u16::MAX.into());
        deserialize_u32() => Wanted::Whole(u32::MAX.into());
        deserialize_u64() => Wanted::Whole(u64::MAX);
        deserialize_f64() => Wanted::Number;
    }

    forward_to_deserialize_any! {
        <V: Visitor<'a>>
        i8 i16 i32 i64 i128 u128 f32 char bytes byte_buf unit unit_struct tuple_struct identifier ignored_any
    }
}

/// The elements of a list, one after the other.
struct Elements<'a> {
    left: &'a [YamlNode],
    omitted: &'a Omitted,
}

impl<'a> SeqAccess<'a> for Elements<'a> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'a>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        while let Some((node, left)) = self.left.split_first() {
            self.left = left;
            if !self.omitted.has(node) {
                return seed.deserialize(Reader::new(node, self.omitted)).map(Some);
            }
        }
        Ok(None)
    }
}

/// The entries of a map, one after the other.
struct Entries<'a> {
    left: &'a Slice<String, YamlNode>,
    omitted: &'a Omitted,
    value: Option<&'a YamlNode>,
}

impl<'a> MapAccess<'a> for Entries<'a> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'a>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        while let Some(((key, node), left)) = self.left.split_first() {
            self.left = left;
            if !self.omitted.has(node) {
                self.value = Some(node);
                let key = seed.deserialize(BorrowedStrDeserializer::new(key));
                return key.map(Some).map_err(|mut error: Error| {
                    // The word that is not listed is the key itself.
                    error.kind = match error.kind {
                        Kind::UnknownValue(known) => Kind::UnknownKey(known),
                        Kind::Type(Wanted::Said(said)) if said == VERSION => Kind::VersionKey,
                        kind => kind,
                    };
                    error.at(node)
                });
            }
        }
        Ok(None)
    }

    fn next_value_seed<S: DeserializeSeed<'a>>(&mut self, seed: S) -> Result<S::Value, Error> {
        match self.value.take() {
            Some(node) => seed.deserialize(Reader::new(node, self.omitted)),
            None => Err(de::Error::custom("a value is read before its key")),
        }
    }
}

/// Decodes a text of YAML, for tests of the model's types.
#[cfg(test)]
pub(crate) fn decoded<T: de::DeserializeOwned>(text: &str) -> Result<T, (Kind, Option<u32>)> {
    let file = crate::source::FileId(0);
    let root = super::scan::scan(file, text, "").root.expect("YAML");
    let read = T::deserialize(Reader::new(&root, &Omitted::default()));
    read.map_err(|error| (error.kind, error.node))
}

#[cfg(test)]
mod tests {

    use fedispec_since::Class;
    use serde::Deserialize;

    use super::{decoded as read, *};
    use crate::model::{Evidence, Fact, Needed};
    use fedispec_since::Required;

    #[test]
    fn facts_read_unknown_and_hand_on_the_rest() {
        assert_eq!(read("unknown"), Ok(Fact::<Needed>::Unknown));
        assert_eq!(read("true"), Ok(Fact::Known(Needed(Required::Always))));
        assert_eq!(read("sometimes"), Ok(Fact::Known(Needed(Required::Sometimes))));
        assert_eq!(read("[200]"), Ok(Fact::Known(vec![200u16])));
        assert!(read::<Fact<Needed>>("maybe").is_err());
        let error = read::<Fact<Vec<u16>>>("[200, 70000]");
        assert_eq!(error, Err((Kind::Type(Wanted::Whole(u16::MAX.into())), Some(2))));
    }

    #[test]
    fn evidence_is_a_name_or_a_map() {
        assert_eq!(read::<Evidence>("tags").map(|one| one.source), Ok("tags".into()));
        let class = read::<Evidence>("{source: tags, class: D}").map(|one| one.class);
        assert_eq!(class, Ok(Some(Class::D)));
    }

    #[test]
    fn an_error_has_a_kind_and_the_innermost_node() {
        #[derive(Debug, PartialEq, Deserialize)]
        #[serde(deny_unknown_fields)]
        struct One {
            pair: (u8, String),
        }
        let read = read::<Vec<One>>;
        assert_eq!(read("- pair: [1, 'a']\n"), Ok(vec![One { pair: (1, "a".into()) }]));
        for (text, kind, node) in [
            ("- {}\n", Kind::MissingKey("pair"), 1),
            ("- {a: 1}\n", Kind::UnknownKey(&["pair"]), 2),
            ("- {pair: [1]}\n", Kind::Length(Wanted::Tuple(2)), 2),
            ("- {pair: [1, a, b]}\n", Kind::Length(Wanted::Tuple(2)), 2),
            ("- {pair: [1, 2]}\n", Kind::Type(Wanted::Text), 4),
            ("- {pair: [-1, a]}\n", Kind::Type(Wanted::Whole(255)), 3),
            ("- 1\n", Kind::Type(Wanted::Map), 1),
            ("{}\n", Kind::Type(Wanted::List), 0),
            ("\"\"\n", Kind::Type(Wanted::List), 0),
        ] {
            assert_eq!(read(text), Err((kind, Some(node))), "{text}");
        }
    }
}
