//! Presence of a field, and what its absence means.

use serde::{Deserialize, Deserializer, de};
use serde_json::Value;

use super::Evidence;

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
        let value = Value::deserialize(deserializer)?;
        // An empty map is the value of a map; no value has keys.
        if value.as_object().is_none_or(serde_json::Map::is_empty) {
            return Ok(Self { value, omitted: false, or_null: false, evidence: None });
        }
        let Whole { value, omitted, or_null, evidence } =
            Whole::deserialize(value).map_err(de::Error::custom)?;
        Ok(Self { value, omitted, or_null, evidence })
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
