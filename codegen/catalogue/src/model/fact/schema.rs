//! The JSON Schema of the scalars; the rest is derived.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{Bound, Fact, Needed, TypeName};

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
