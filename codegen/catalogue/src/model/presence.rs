//! Presence of a field, and what its absence means.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::Evidence;
use super::by::BY;

/// The meaning of a field's absence: a value (`false`, `""`, `[]`), or a map.
#[derive(Debug, Clone, PartialEq)]
pub struct AbsentMeans {
    /// The value, as JSON.
    pub value: Value,
    /// Servers leave the field out where it has this value.
    pub omitted: bool,
    /// Null means the same.
    pub or_null: bool,
    /// The proof of it, where `evidence.absent_means` has none.
    pub evidence: Option<Evidence>,
}

/// The map of an [`AbsentMeans`].
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Whole {
    /// The value.
    value: Value,
    /// Servers leave the field out where it has this value.
    #[serde(default)]
    omitted: bool,
    /// Null means the same.
    #[serde(default)]
    or_null: bool,
    /// The proof of it.
    #[serde(default)]
    evidence: Option<Evidence>,
}

impl<'de> Deserialize<'de> for AbsentMeans {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct(BY, &[], ValueOrMap)
    }
}

struct ValueOrMap;

impl<'de> Visitor<'de> for ValueOrMap {
    type Value = AbsentMeans;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value, or a map with it")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<AbsentMeans, D::Error> {
        let value = Value::deserialize(value)?;
        Ok(AbsentMeans { value, omitted: false, or_null: false, evidence: None })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<AbsentMeans, A::Error> {
        let whole = Whole::deserialize(MapAccessDeserializer::new(map))?;
        let Whole { value, omitted, or_null, evidence } = whole;
        Ok(AbsentMeans { value, omitted, or_null, evidence })
    }
}

#[cfg(feature = "schema")]
mod schema {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{AbsentMeans, Whole};

    impl JsonSchema for AbsentMeans {
        fn schema_name() -> Cow<'static, str> {
            "AbsentMeans".into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let whole = generator.subschema_for::<Whole>();
            json_schema!({
                "description": "What the absence of the field means: the value, or a map with it.",
                "anyOf": [
                    {"type": ["boolean", "number", "string", "array"]},
                    {"type": "object", "maxProperties": 0},
                    whole,
                ],
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn it_is_a_value_or_a_map() {
        let read = crate::load::decoded::<AbsentMeans>;
        for (yaml, value) in [
            ("false", json!(false)),
            ("0", json!(0)),
            ("\"\"", json!("")),
            ("public", json!("public")),
            ("[]", json!([])),
            ("{}", json!({})),
        ] {
            let said = read(yaml).expect(yaml);
            assert_eq!((said.value, said.omitted, said.or_null), (value, false, false));
        }
        let whole =
            read("{value: [], omitted: true, or_null: true, evidence: docs}").expect("a map");
        assert_eq!((whole.value, whole.omitted, whole.or_null), (json!([]), true, true));
        assert_eq!(whole.evidence.map(|one| one.source).as_deref(), Some("docs"));
        for wrong in ["{omitted: true}", "{value: 1, omits: true}", "{a: 1}"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
