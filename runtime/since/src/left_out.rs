//! The effect of leaving a parameter out, as text.

use std::fmt;

use serde::de::value::{SeqAccessDeserializer, StrDeserializer};
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::text::WordOr;
use crate::{Effect, LeftOut, SafeValues};

/// The map of a [`LeftOut`].
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Whole {
    /// How much is lost.
    effect: Effect,
    /// The effect, as a clause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    so: Option<String>,
    /// The values that mean the same as none.
    #[serde(default, skip_serializing_if = "SafeValues::is_empty")]
    safe: SafeValues,
}

impl<'de> Deserialize<'de> for LeftOut {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match WordOr::<Effect, Whole>::deserialize(deserializer)? {
            WordOr::Word(effect) => effect.into(),
            WordOr::Map(Whole { effect, so, safe }) => Self { effect, so, safe },
        })
    }
}

/// A word where nothing else is said of it.
impl Serialize for LeftOut {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if *self == Self::from(self.effect) {
            return self.effect.serialize(serializer);
        }
        let Self { effect, so, safe } = self.clone();
        Whole { effect, so, safe }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SafeValues {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOrMany)
    }
}

struct OneOrMany;

impl<'de> Visitor<'de> for OneOrMany {
    type Value = SafeValues;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value in quotes, a list of them, or `any`")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<SafeValues, E> {
        if text == "any" {
            return Ok(SafeValues::Any);
        }
        String::deserialize(StrDeserializer::new(text)).map(|one| SafeValues::Only(vec![one]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<SafeValues, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(SafeValues::Only)
    }
}

#[cfg(feature = "schema")]
mod schema {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{Effect, LeftOut, SafeValues, Whole};

    impl JsonSchema for LeftOut {
        fn schema_name() -> Cow<'static, str> {
            "LeftOut".into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let word = generator.subschema_for::<Effect>();
            let whole = generator.subschema_for::<Whole>();
            json_schema!({
                "description": "What happens without the parameter, compared with a server that heeds it.",
                "anyOf": [word, whole],
            })
        }
    }

    impl JsonSchema for SafeValues {
        fn schema_name() -> Cow<'static, str> {
            "SafeValues".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({
                "description": "A value, several, or `any` for every value.",
                "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}],
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_word_or_a_map() {
        let read = serde_json::from_str::<LeftOut>;
        assert_eq!(read(r#""harmless""#).unwrap(), Effect::Harmless.into());
        let whole = r#"{"effect": "changes_meaning", "so": "it is posted", "safe": ["1", "2"]}"#;
        let whole = read(whole).unwrap();
        assert_eq!(whole.effect, Effect::ChangesMeaning);
        assert_eq!(whole.safe.listed(), ["1", "2"]);
        let text = serde_json::to_string(&whole).unwrap();
        assert_eq!(read(&text).unwrap(), whole);
        for (safe, value, has) in
            [(r#""any""#, "x", true), (r#""1""#, "1", true), ("[]", "1", false)]
        {
            let safe: SafeValues = serde_json::from_str(safe).unwrap();
            assert_eq!(safe.has(value), has, "{safe:?}");
        }
        for wrong in
            [r#""deadly""#, r#"{"so": "x"}"#, r#"{"effect": "harmless", "safely": "x"}"#, "7"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
