//! Conditions as the catalogue writes them.

use std::fmt;

use serde::de::{self, MapAccess, SeqAccess, Visitor, value};
use serde::{Deserialize, Deserializer};

/// A condition: `{if: the account is suspended}`, or a list of such maps of which one is enough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct When(pub Vec<Case>);

/// Clauses that must all hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Case {
    /// Words that complete "when ..": `the account is suspended`.
    pub r#if: Option<String>,
    /// The owner of the token that the request carries: `user` (any user), or `owner` (the user whom the entity belongs to).
    pub token: Option<Whose>,
    /// A parameter that the request has; with `is`, one that has one of these values.
    pub sent: Option<String>,
    /// A parameter that the request lacks.
    pub not_sent: Option<String>,
    /// A field, by its id (`Poll.multiple`) or by the end of it (`multiple`, `source.privacy`) for one of the same entity, that
    /// has one of the values of `is`.
    pub field: Option<String>,
    /// The values of `field` or `sent`.
    pub is: Names,
    /// Where the entity is answered: operations, groups, entities around it, or fields, by id.
    pub r#in: Names,
    /// Where it is not.
    pub not_in: Names,
}

/// The owner of the token that a request carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Whose {
    /// A user's.
    User,
    /// The user whom the entity belongs to.
    Owner,
}

/// One name, or a list of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names(pub Vec<String>);

impl<'de> Deserialize<'de> for When {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Cases;

        impl<'de> Visitor<'de> for Cases {
            type Value = When;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a condition, as `{if: the account is suspended}`")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<When, A::Error> {
                let case = Case::deserialize(value::MapAccessDeserializer::new(map))?;
                Ok(When(vec![case]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<When, A::Error> {
                Vec::deserialize(value::SeqAccessDeserializer::new(seq)).map(When)
            }
        }

        deserializer.deserialize_any(Cases)
    }
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrMore;

        impl<'de> Visitor<'de> for OneOrMore {
            type Value = Names;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name or a list of names")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Names, E> {
                Ok(Names(vec![name.to_owned()]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Names, A::Error> {
                Vec::deserialize(value::SeqAccessDeserializer::new(seq)).map(Names)
            }
        }

        deserializer.deserialize_any(OneOrMore)
    }
}

#[cfg(feature = "schema")]
mod schema {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{Case, Names, When};

    impl JsonSchema for When {
        fn schema_name() -> Cow<'static, str> {
            "When".into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let case = generator.subschema_for::<Case>();
            json_schema!({
                "description": "A condition, all of which must be so, or a list of them of which one is enough.",
                "anyOf": [case, {"type": "array", "items": case, "minItems": 1}],
            })
        }
    }

    impl JsonSchema for Names {
        fn schema_name() -> Cow<'static, str> {
            "Names".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({
                "description": "A name, or a list of them.",
                "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}],
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_is_a_map_or_a_list_of_maps() {
        let read = crate::load::decoded::<When>;
        let one = read("{sent: sort, is: new}").unwrap();
        assert_eq!(one.0[0].sent.as_deref(), Some("sort"));
        assert_eq!(one.0[0].is.0, ["new"]);
        let two = read("[{token: owner}, {in: [accounts.get, Status]}]").unwrap();
        assert_eq!(two.0[0].token, Some(Whose::Owner));
        assert_eq!(two.0[1].r#in.0, ["accounts.get", "Status"]);
        for wrong in ["suspended", "{iff: it rains}", "{token: robot}", "{is: 1}"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
