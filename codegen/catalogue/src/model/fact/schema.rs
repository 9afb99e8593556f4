//! The JSON Schema of the scalars; the rest is derived.

use std::borrow::Cow;

use fedispec_since::Class;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{Bound, Evidence, Fact, Needed, TypeName};

/// One or two alternatives; whether the brackets match is for the resolver to say.
const TYPE: &str = concat!(
    r"^(map<)*\(?[A-Za-z][A-Za-z0-9]*(\.[a-z0-9_]+)*(<[A-Za-z][A-Za-z0-9]*>)?(\[\]|>)*",
    r"(\|(map<)*[A-Za-z][A-Za-z0-9]*(\.[a-z0-9_]+)*(<[A-Za-z][A-Za-z0-9]*>)?(\[\]|>)*)?\)?(\[\]|>)*$",
);

impl JsonSchema for TypeName {
    fn schema_name() -> Cow<'static, str> {
        "Type".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": TYPE,
            "description": "A type: `string`, `Account[]`, `id<Account>`, `map<string[]>`, `Status|ScheduledStatus`.",
        })
    }
}

impl JsonSchema for Needed {
    fn schema_name() -> Cow<'static, str> {
        "Required".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"description": "Whether it must be sent.", "enum": [true, false, "sometimes"]})
    }
}

impl<T: JsonSchema> JsonSchema for Bound<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("LimitOf{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A limit, or `none` where there is none.",
            "anyOf": [generator.subschema_for::<T>(), {"const": "none"}],
        })
    }
}

impl JsonSchema for Evidence {
    fn schema_name() -> Cow<'static, str> {
        "Evidence".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "What proves it: the name of a source in implementations.yaml, or that with a place in it.",
            "anyOf": [{"type": "string"}, {
                "type": "object",
                "properties": {
                    "source": {"type": "string", "description": "A key of `sources` in implementations.yaml."},
                    "at": {"type": "string", "description": "The place in it: a file, a heading, a tag."},
                    "class": generator.subschema_for::<Class>(),
                    "note": {"type": "string", "description": "What to know about it."},
                },
                "required": ["source"],
                "additionalProperties": false,
            }],
        })
    }
}

impl<T: JsonSchema> JsonSchema for Fact<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("FactOf{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"anyOf": [generator.subschema_for::<T>(), {"const": "unknown"}]})
    }
}
