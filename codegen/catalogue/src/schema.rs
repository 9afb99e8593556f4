//! The JSON Schema of the format, for editors and validators. It is made from the model that reads the files.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use crate::model::{Features, File, Implementations};

/// The schema of the files of a layer.
pub fn layer() -> Value {
    of::<File>("A file of a layer of the Fedispec catalogue")
}

/// The schema of `implementations.yaml`.
pub fn implementations() -> Value {
    of::<Implementations>("The programs and sources of the Fedispec catalogue")
}

/// The schema of `features.yaml`.
pub fn features() -> Value {
    of::<Features>("The features of the Fedispec catalogue")
}

/// All by file name, as they stand in the catalogue's `schema/`.
pub fn schemas() -> serde_json::Result<Vec<(String, String)>> {
    let text = |schema| serde_json::to_string_pretty(&schema).map(|text| text + "\n");
    Ok(vec![
        ("layer.json".into(), text(layer())?),
        ("implementations.json".into(), text(implementations())?),
        ("features.json".into(), text(features())?),
    ])
}

fn of<T: JsonSchema>(title: &str) -> Value {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>();
    RecursiveTransform(tidy).transform(&mut schema);
    schema.insert("title".into(), title.into());
    sorted(schema.to_value())
}

/// Takes out what the model has and the files have not: nulls, which the reader refuses, and Rust's defaults and sizes.
fn tidy(schema: &mut Schema) {
    schema.remove("default");
    if schema.get("type").is_some_and(|kind| *kind != "string") {
        schema.remove("format");
    }
    if let Some(Value::Array(kinds)) = schema.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [kind] = kinds.as_slice() {
            let kind = kind.clone();
            schema.insert("type".into(), kind);
        }
    }
    let Some(Value::Array(mut choices)) = schema.remove("anyOf") else {
        return;
    };
    choices.retain(|choice| choice.get("type").is_none_or(|kind| kind != "null"));
    match choices.as_slice() {
        [Value::Object(only)] => {
            for (key, value) in only {
                schema.insert(key.clone(), value.clone());
            }
            // The schema that was lifted may be such a choice itself.
            tidy(schema);
        }
        _ if choices.contains(&Value::Bool(true)) => {}
        _ => {
            schema.insert("anyOf".into(), choices.into());
        }
    }
}

/// The same with the keys of every object in order, whatever keeps them.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> =
                map.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            entries.sort_by(|(a, _), (b, _)| a.cmp(b));
            Value::Object(entries.into_iter().collect())
        }
        Value::Array(elements) => Value::Array(elements.into_iter().map(sorted).collect()),
        other => other,
    }
}
