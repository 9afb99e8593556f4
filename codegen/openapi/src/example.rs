//! Examples of bodies, made of their schemas.

use serde_json::{Map, Value, json};

use crate::document::{self, Schema};

/// How deep a schema is followed.
const DEEPEST: usize = 6;

/// A small value that a schema takes: the required members, or the first one where none is. `name` is that of the member.
pub(crate) fn of(
    name: &str,
    schema: &Schema,
    known: &document::Map<Schema>,
    depth: usize,
) -> Option<Value> {
    let next = |schema| of(name, schema, known, depth + 1);
    if depth > DEEPEST {
        return None;
    }
    if let Some((_, component)) = schema.reference.as_deref().and_then(|path| path.rsplit_once('/'))
    {
        return next(known.get(component)?);
    }
    if let Some(listed) = schema.values.first().or_else(|| schema.open_values.first()) {
        return Some(listed.clone());
    }
    if let Some(part) = schema.any_of.first().or_else(|| schema.all_of.first()) {
        return next(part);
    }
    Some(match (schema.r#type?.name, schema.format) {
        // A reader of YAML would take a text that is a date for one.
        ("string", Some("date" | "date-time")) => return None,
        ("string", Some("uri")) => json!("https://social.example/"),
        ("string", _) if name.ends_with("email") => json!("mona@social.example"),
        ("string", _) if name.ends_with("domain") => json!("other.example"),
        ("string", _) if name.trim_end_matches('s').ends_with("id") => json!("1"),
        ("string", _) if schema.other_format.as_deref() == Some("language-code") => json!("en"),
        ("string", _) => json!("text"),
        ("boolean", _) => json!(true),
        ("integer" | "number", _) => schema.bounds.get("minimum").cloned().unwrap_or(json!(1)),
        ("array", _) => {
            let least = schema.bounds.get("minItems").and_then(Value::as_u64).unwrap_or(1);
            let element = next(schema.items.as_deref()?)?;
            json!(vec![element; usize::try_from(least).unwrap_or(1).max(1)])
        }
        _ => {
            let first = schema.properties.keys().take(usize::from(schema.required.is_empty()));
            let members = schema.required.iter().chain(first).map(|name| {
                let member = schema.properties.get(name)?;
                Some((name.clone(), of(name, member, known, depth + 1)?))
            });
            Value::Object(members.collect::<Option<Map<_, _>>>()?)
        }
    })
}
