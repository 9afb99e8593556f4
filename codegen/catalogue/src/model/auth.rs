//! The requirements of operations, as the catalogue writes them.

use std::fmt;

use serde::de::{self, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor, value};
use serde::{Deserialize, Deserializer};

use super::{Fact, PerProgram};
use fedispec_model::api::Auth;

/// Who may call an operation: `{token: user, scopes: [read]}` for every program, or that by program where they differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuthBy {
    /// The same in every program.
    Same(Auth),
    /// By program; what is not named is unknown.
    Each(PerProgram<Fact<Auth>>),
}

impl AuthBy {
    /// Returns the requirement of a program.
    pub(crate) fn of(&self, program: &str) -> Option<Fact<Auth>> {
        match self {
            Self::Same(auth) => Some(Fact::Known(auth.clone())),
            Self::Each(each) => each.get(program).cloned(),
        }
    }
}

/// The keys of [`Auth`].
const KEYS: [&str; 5] = ["token", "scopes", "all", "permissions", "unauthenticated"];

impl<'de> Deserialize<'de> for AuthBy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Either)
    }
}

struct Either;

impl<'de> Visitor<'de> for Either {
    type Value = AuthBy;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`{token: ..}`, or that by program")
    }

    /// The first key tells which of the two it is.
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<AuthBy, A::Error> {
        let first = match map.next_key::<String>()? {
            Some(key) if !KEYS.contains(&key.as_str()) => key,
            key => {
                let map = value::MapAccessDeserializer::new(Resumed { key, map });
                return Auth::deserialize(map).map(AuthBy::Same);
            }
        };
        let mut each = PerProgram::new();
        let mut program = Some(first);
        while let Some(key) = program {
            let auth = map.next_value_seed(OfProgram(&key))?;
            each.insert(key, auth);
            program = map.next_key::<ProgramKey>()?.map(|key| key.0);
        }
        Ok(AuthBy::Each(each))
    }
}

/// A map whose first key has been read.
struct Resumed<A> {
    key: Option<String>,
    map: A,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Resumed<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        match self.key.take() {
            Some(key) => seed.deserialize(key.into_deserializer()).map(Some),
            None => self.map.next_key_seed(seed),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

/// A key beside a program's.
struct ProgramKey(String);

impl<'de> Deserialize<'de> for ProgramKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let key = String::deserialize(deserializer)?;
        if KEYS.contains(&key.as_str()) {
            return Err(de::Error::custom(format!(
                "`{key}` stands beside a program; it belongs to one of them"
            )));
        }
        Ok(Self(key))
    }
}

/// The requirement of a program. A key with anything else is taken for a misspelt key of [`Auth`].
struct OfProgram<'k>(&'k str);

impl OfProgram<'_> {
    fn no_program<E: de::Error>(&self) -> E {
        E::unknown_field(self.0, &KEYS)
    }
}

impl<'de> DeserializeSeed<'de> for OfProgram<'_> {
    type Value = Fact<Auth>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Fact<Auth>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for OfProgram<'_> {
    type Value = Fact<Auth>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`{token: ..}` or `unknown`")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Fact<Auth>, E> {
        match text {
            "unknown" => Ok(Fact::Unknown),
            _ => Err(self.no_program()),
        }
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<Fact<Auth>, E> {
        Err(self.no_program())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<Fact<Auth>, A::Error> {
        Err(self.no_program())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Fact<Auth>, A::Error> {
        Auth::deserialize(value::MapAccessDeserializer::new(map)).map(Fact::Known)
    }
}

#[cfg(feature = "schema")]
mod schema {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::super::Fact;
    use super::{Auth, AuthBy, KEYS};

    impl JsonSchema for AuthBy {
        fn schema_name() -> Cow<'static, str> {
            "AuthByProgram".into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            json_schema!({
                "description": "Who may call it: in every program, or by program where they differ.",
                "anyOf": [generator.subschema_for::<Auth>(), {
                    "type": "object",
                    "additionalProperties": generator.subschema_for::<Fact<Auth>>(),
                    "propertyNames": {"not": {"enum": KEYS}},
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
        let read = crate::load::decoded::<AuthBy>;
        let auth = Auth::new;
        assert_eq!(read("{token: user}"), Ok(AuthBy::Same(auth(TokenKind::User))));
        assert_eq!(read("{scopes: [], token: client}"), Ok(AuthBy::Same(auth(TokenKind::Client))));
        let each = read("{mastodon: {token: optional}, gotosocial: unknown}").expect("by program");
        assert_eq!(each.of("mastodon"), Some(Fact::Known(auth(TokenKind::Optional))));
        assert_eq!(each.of("gotosocial"), Some(Fact::Unknown));
        assert_eq!(each.of("pleroma"), None);
    }

    #[test]
    fn a_mistake_has_its_place() {
        let read = |text: &str| {
            let (kind, node) = crate::load::decoded::<AuthBy>(text).expect_err(text);
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
