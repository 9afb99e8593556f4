//! The effect of leaving a parameter out.

use std::fmt;

use serde::de::{self, MapAccess, Visitor, value};
use serde::{Deserialize, Deserializer};

use super::{Evidence, Names, PerProgram};
use fedispec_since::Effect;

/// The effect of leaving a parameter out, compared with a server that heeds it: a word (`harmless`), or a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The class of the effect.
    pub effect: Effect,
    /// The effect, as a clause: `the status is posted at once`.
    pub so: Option<String>,
    /// The values that mean the same as none, by program; `all` stands for every program, and the value `any` for all values.
    pub safe: PerProgram<Names>,
    /// The proof of it, where it is another than that of the parameter's shape.
    pub evidence: Option<Evidence>,
}

/// The map of a [`LeftOut`].
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Whole {
    /// How much is lost.
    effect: Effect,
    /// The effect, as a clause.
    #[serde(default)]
    so: Option<String>,
    /// The values that mean the same as none, by program or for `all`.
    #[serde(default)]
    safe: PerProgram<Names>,
    /// The proof of it.
    #[serde(default)]
    evidence: Option<Evidence>,
}

impl<'de> Deserialize<'de> for LeftOut {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WordOrMap;

        impl<'de> Visitor<'de> for WordOrMap {
            type Value = LeftOut;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "`harmless`, or a map as `{effect: changes_meaning, so: the status is posted at once}`",
                )
            }

            fn visit_str<E: de::Error>(self, word: &str) -> Result<LeftOut, E> {
                let word: value::StrDeserializer<'_, E> =
                    de::IntoDeserializer::into_deserializer(word);
                Ok(LeftOut {
                    effect: Effect::deserialize(word)?,
                    so: None,
                    safe: PerProgram::new(),
                    evidence: None,
                })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<LeftOut, A::Error> {
                let Whole { effect, so, safe, evidence } =
                    Whole::deserialize(value::MapAccessDeserializer::new(map))?;
                Ok(LeftOut { effect, so, safe, evidence })
            }
        }

        deserializer.deserialize_any(WordOrMap)
    }
}

#[cfg(feature = "schema")]
mod schema {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{Effect, LeftOut, Whole};

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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_word_or_a_map() {
        let read = crate::load::decoded::<LeftOut>;
        assert_eq!(read("harmless").unwrap().effect, Effect::Harmless);
        let whole = read(
            "{effect: changes_meaning, so: it is posted, safe: {all: \"false\", gotosocial: [\"1\", \"2\"]}}",
        )
        .unwrap();
        assert_eq!(whole.effect, Effect::ChangesMeaning);
        assert_eq!(whole.safe["gotosocial"].0, ["1", "2"]);
        for wrong in ["deadly", "{so: x}", "{effect: harmless, safely: x}", "7"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
