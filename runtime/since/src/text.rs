//! Versions, lives and words in serde's formats: each is a text.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer, StrDeserializer};
use serde::de::{self, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Availability, FixedError, Life, StableVersion, Version};

/// The words for a version in messages.
pub const VERSION: &str = "a version of three numbers in quotes, like \"4.3.0\"";

/// The words for a Since in messages.
pub const SINCE: &str = "a version of three numbers in quotes, `unknown` or `never`";

/// Reads one of the names of a kind.
pub(crate) fn word<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    find: fn(&str) -> Option<T>,
    names: &'static [&'static str],
) -> Result<T, D::Error> {
    deserializer.deserialize_str(Word(find, names))
}

struct Word<T>(fn(&str) -> Option<T>, &'static [&'static str]);

impl<T> Visitor<'_> for Word<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<T, E> {
        (self.0)(name).ok_or_else(|| E::unknown_variant(name, self.1))
    }
}

/// Reads text alone: in YAML an unquoted `4.3` is a number.
struct Text<T>(&'static str, PhantomData<T>);

impl<T: FromStr> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
    }
}

macro_rules! as_text {
    ($($type:ty: $name:expr;)+) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = Text($name, PhantomData);
                // A format that is not for people, such as bincode, has to be told the type.
                if deserializer.is_human_readable() {
                    deserializer.deserialize_any(text)
                } else {
                    deserializer.deserialize_str(text)
                }
            }
        }
    )+};
}

as_text! {
    Version: "a version, like \"4.3.0\" or \"0.20.0-rc1\"";
    StableVersion: VERSION;
    Availability<StableVersion>: SINCE;
    Life: "a life, such as `4.3.0 removed 4.6.0`";
}

/// A word, or a map that says more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WordOr<W, M> {
    /// The word.
    Word(W),
    /// The map.
    Map(M),
}

impl<W: Serialize, M: Serialize> Serialize for WordOr<W, M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Word(word) => word.serialize(serializer),
            Self::Map(map) => map.serialize(serializer),
        }
    }
}

impl<'de, W: Deserialize<'de>, M: Deserialize<'de>> Deserialize<'de> for WordOr<W, M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WordOrMap(PhantomData))
    }
}

struct WordOrMap<W, M>(PhantomData<(W, M)>);

impl<'de, W: Deserialize<'de>, M: Deserialize<'de>> Visitor<'de> for WordOrMap<W, M> {
    type Value = WordOr<W, M>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a word, or a map that says more")
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<WordOr<W, M>, E> {
        W::deserialize(StrDeserializer::new(word)).map(WordOr::Word)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<WordOr<W, M>, A::Error> {
        M::deserialize(MapAccessDeserializer::new(map)).map(WordOr::Map)
    }
}

/// One value, or a list of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OneOrMore<T>(pub Vec<T>);

impl<T> OneOrMore<T> {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A value that may stand alone in place of a list.
pub trait Alone {
    /// The form of it, as a message tells what was expected.
    const FORM: &'static str;
}

impl Alone for String {
    const FORM: &'static str = "a text in quotes, or a list of them";
}

impl Alone for FixedError {
    const FORM: &'static str = "an answer, as `{status: 422, text: Unprocessable Entity}`";
}

impl<T: Serialize> Serialize for OneOrMore<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &*self.0 {
            [one] => one.serialize(serializer),
            all => all.serialize(serializer),
        }
    }
}

impl<'de, T: Deserialize<'de> + Alone> Deserialize<'de> for OneOrMore<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AloneOrList(PhantomData))
    }
}

struct AloneOrList<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Alone> Visitor<'de> for AloneOrList<T> {
    type Value = OneOrMore<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::FORM)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<OneOrMore<T>, E> {
        let one = T::deserialize(StrDeserializer::<E>::new(text));
        let misfit = |_| E::invalid_type(Unexpected::Str(text), &self);
        one.map(|one| OneOrMore(vec![one])).map_err(misfit)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<OneOrMore<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(|one| OneOrMore(vec![one]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<OneOrMore<T>, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(OneOrMore)
    }
}

#[cfg(feature = "schema")]
mod schema {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{OneOrMore, WordOr};
    use crate::{Availability, StableVersion};

    const PATTERN: &str = r"^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$";

    impl JsonSchema for StableVersion {
        fn schema_name() -> Cow<'static, str> {
            "Version".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({"type": "string", "pattern": PATTERN, "description": "A version in quotes: \"4.3.0\"."})
        }
    }

    impl JsonSchema for Availability<StableVersion> {
        fn schema_name() -> Cow<'static, str> {
            "Since".into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            json_schema!({
                "description": "The first release that has it, `unknown` (nobody says) or `never`.",
                "anyOf": [generator.subschema_for::<StableVersion>(), {"type": "string", "enum": ["unknown", "never"]}],
            })
        }
    }

    impl<W: JsonSchema, M: JsonSchema> JsonSchema for WordOr<W, M> {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            format!("{}Or{}", W::schema_name(), M::schema_name()).into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            json_schema!({"anyOf": [generator.subschema_for::<W>(), generator.subschema_for::<M>()]})
        }
    }

    impl<T: JsonSchema> JsonSchema for OneOrMore<T> {
        fn schema_name() -> Cow<'static, str> {
            format!("OneOrMore{}", T::schema_name()).into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let one = generator.subschema_for::<T>();
            json_schema!({"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]})
        }
    }
}
