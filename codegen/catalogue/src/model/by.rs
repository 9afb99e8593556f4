//! Facts in which programs may differ: one value for all, or one for each.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor, value};
use serde::{Deserialize, Deserializer};

use super::{Bound, Fact, Needed, PerProgram, TypeName};
use fedispec_model::api::Auth;
use fedispec_since::{LeftOut, Paging, Unset};

/// A fact by program: `20` for every program that its evidence speaks of, or `{mastodon: 20, gotosocial: 30}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By<T> {
    /// The same in every program that its evidence speaks of.
    Same(T),
    /// By program; what is not named is unknown.
    Each(PerProgram<Fact<T>>),
}

/// A value that can be stated by program.
pub trait ByProgram {
    /// The keys of the value, where it is a map itself.
    const KEYS: &'static [&'static str] = &[];

    /// Whether a word stands for a map.
    const IS_WORD: bool = false;
}

impl ByProgram for Auth {
    const KEYS: &'static [&'static str] =
        &["token", "scopes", "all", "permissions", "unauthenticated"];
}

impl ByProgram for LeftOut {
    const KEYS: &'static [&'static str] = &["effect", "so", "safe"];
    const IS_WORD: bool = true;
}

impl ByProgram for Needed {}
impl ByProgram for Paging {}
impl ByProgram for String {}
impl ByProgram for TypeName {}
impl ByProgram for Unset {}
impl ByProgram for serde_json::Value {}
impl ByProgram for Vec<u16> {}
impl<T> ByProgram for Bound<T> {}

/// The name under which a [`By`] asks the reader of the catalogue for a value, with the keys of one: a map of programs comes back as a map,
/// and a value as a newtype, so that an error in it keeps its place.
pub(crate) const BY: &str = "fedispec::By";

impl<'de, T: ByProgram + Deserialize<'de>> Deserialize<'de> for By<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct(BY, T::KEYS, Either(PhantomData))
    }
}

struct Either<T>(PhantomData<T>);

impl<'de, T: ByProgram + Deserialize<'de>> Visitor<'de> for Either<T> {
    type Value = By<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value, or values by program")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<By<T>, D::Error> {
        T::deserialize(value).map(By::Same)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<By<T>, A::Error> {
        let mut each = PerProgram::default();
        while let Some(program) = map.next_key_seed(ProgramKey(T::KEYS))? {
            let value = map.next_value_seed(OfProgram(&program, PhantomData))?;
            each.insert(program, value);
        }
        Ok(By::Each(each))
    }
}

/// A key beside a program's, which is none of the value's.
struct ProgramKey(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for ProgramKey {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        let key = String::deserialize(deserializer)?;
        if self.0.contains(&key.as_str()) {
            return Err(de::Error::custom(format!(
                "`{key}` stands beside a program; it belongs to one of them"
            )));
        }
        Ok(key)
    }
}

/// The value of a program. Where values are maps, a key with anything else is taken for a misspelt key of one.
struct OfProgram<'k, T>(&'k str, PhantomData<T>);

impl<T: ByProgram> OfProgram<'_, T> {
    fn no_program<E: de::Error>(&self) -> E {
        E::unknown_field(self.0, T::KEYS)
    }
}

impl<'de, T: ByProgram + Deserialize<'de>> DeserializeSeed<'de> for OfProgram<'_, T> {
    type Value = Fact<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Fact<T>, D::Error> {
        if T::KEYS.is_empty() {
            Fact::deserialize(deserializer)
        } else {
            deserializer.deserialize_any(self)
        }
    }
}

impl<'de, T: ByProgram + Deserialize<'de>> Visitor<'de> for OfProgram<'_, T> {
    type Value = Fact<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map of the value, or `unknown`")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Fact<T>, E> {
        match text {
            "unknown" => Ok(Fact::Unknown),
            _ if T::IS_WORD => T::deserialize(text.into_deserializer()).map(Fact::Known),
            _ => Err(self.no_program()),
        }
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<Fact<T>, E> {
        Err(self.no_program())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<Fact<T>, A::Error> {
        Err(self.no_program())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Fact<T>, A::Error> {
        T::deserialize(value::MapAccessDeserializer::new(map)).map(Fact::Known)
    }
}

#[cfg(feature = "schema")]
mod schema {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::super::Fact;
    use super::{By, ByProgram};

    impl<T: ByProgram + JsonSchema> JsonSchema for By<T> {
        fn schema_name() -> Cow<'static, str> {
            format!("{}ByProgram", T::schema_name()).into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            json_schema!({
                "description": "In every program that its evidence speaks of, or by program where they differ.",
                "anyOf": [generator.subschema_for::<T>(), {
                    "type": "object",
                    "additionalProperties": generator.subschema_for::<Fact<T>>(),
                    "propertyNames": {"not": {"enum": T::KEYS}},
                    "minProperties": 1,
                }],
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fedispec_since::TokenKind;

    #[test]
    fn one_for_all_or_one_for_each() {
        let read = crate::load::decoded::<By<Auth>>;
        let auth = Auth::new;
        assert_eq!(read("{token: user}"), Ok(By::Same(auth(TokenKind::User))));
        assert_eq!(read("{scopes: [], token: client}"), Ok(By::Same(auth(TokenKind::Client))));
        let each = read("{mastodon: {token: optional}, gotosocial: unknown}").expect("by program");
        let By::Each(each) = each else { panic!("{each:?}") };
        assert_eq!(each["mastodon"], Fact::Known(auth(TokenKind::Optional)));
        assert_eq!(each["gotosocial"], Fact::Unknown);
    }

    #[test]
    fn a_plain_value_by_program() {
        let read = crate::load::decoded::<Fact<By<Bound<u64>>>>;
        assert_eq!(read("unknown"), Ok(Fact::Unknown));
        assert_eq!(read("40"), Ok(Fact::Known(By::Same(Bound(Some(40))))));
        assert_eq!(read("none"), Ok(Fact::Known(By::Same(Bound(None)))));
        let Ok(Fact::Known(By::Each(each))) = read("{a: 40, b: none, c: unknown}") else {
            panic!("by program");
        };
        let [one, none] = [Some(40), None].map(|value| Fact::Known(Bound(value)));
        assert_eq!(each.into_values().collect::<Vec<_>>(), [one, none, Fact::Unknown]);
        for (text, node) in [("{a: many}", 1), ("{a: [1]}", 1), ("lots", 0), ("-1", 0)] {
            assert_eq!(read(text).map_err(|(_, node)| node), Err(Some(node)), "{text}");
        }
    }

    #[test]
    fn a_mistake_has_its_place() {
        let read = |text: &str| {
            let (kind, node) = crate::load::decoded::<By<Auth>>(text).expect_err(text);
            (format!("{kind:?}"), node)
        };
        for (text, told, node) in [
            ("{tokn: user}", "UnknownKey", 1),
            ("{scope: [read]}", "UnknownKey", 1),
            ("{token: user, scope: [read]}", "UnknownKey", 2),
            ("{mastodon: {token: user}, token: user}", "`token` stands beside", 3),
            ("{mastodon: {token: robot}}", "UnknownValue", 2),
            ("{mastodon: {}}", "MissingKey(\"token\")", 1),
            ("{}", "MissingKey(\"token\")", 0),
            ("user", "Type(Map)", 0),
        ] {
            let (kind, at) = read(text);
            assert!(kind.contains(told), "{text}: {kind}");
            assert_eq!(at, Some(node), "{text}: {kind}");
        }
    }
}
