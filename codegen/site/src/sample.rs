//! A sample of an entity, made from its types.

use fedispec_model::api::{Entity, Type};
use fedispec_model::index::Index;
use serde_json::{Map, Value, json};

/// How many entities stand inside each other in a sample.
const DEEPEST: usize = 2;

/// The text of a sample, indented.
pub(crate) fn sample(index: &Index<'_>, entity: &Entity) -> String {
    serde_json::to_string_pretty(&object(index, entity, 0)).unwrap_or_default()
}

fn object(index: &Index<'_>, entity: &Entity, depth: usize) -> Value {
    let fields = entity.fields.iter();
    let fields = fields.map(|field| {
        let wire = field.item.wire.clone();
        // A nullable field is null in nested objects, and has a value at the top.
        let value = if field.nullable && depth > 0 {
            Value::Null
        } else {
            value(index, &field.r#type, field.format.as_deref(), depth)
        };
        (wire, value)
    });
    Value::Object(fields.collect::<Map<_, _>>())
}

/// A value of a type.
pub(crate) fn value(index: &Index<'_>, ty: &Type, format: Option<&str>, depth: usize) -> Value {
    match ty {
        Type::Json | Type::Empty => json!({}),
        Type::String | Type::File | Type::Cursor | Type::Events(_) => json!(match format {
            Some("uri") => "https://social.example/..",
            Some("html") => "<p>..</p>",
            Some("email") => "user@social.example",
            Some("language-code") => "en",
            Some("hex-color") => "#6364ff",
            Some("WxH") => "640x480",
            Some("integer" | "unix-timestamp") => "1728380400",
            _ => "..",
        }),
        Type::Integer => json!(7),
        Type::Number => json!(0.5),
        Type::Boolean => json!(false),
        Type::Timestamp if format == Some("date") => json!("2024-10-08"),
        Type::Timestamp => json!("2024-10-08T12:30:00.000Z"),
        Type::Id(_) => json!("113300000000000000"),
        Type::Enum(id) => {
            let listed = index.enumeration(id);
            let first = listed.and_then(|listed| listed.values.first());
            json!(first.map_or("..", |value| value.wire.as_str()))
        }
        Type::Entity(id) => match index.entity(id) {
            Some(entity) if depth < DEEPEST => object(index, entity, depth + 1),
            _ => json!({}),
        },
        // An empty list says as much as another of the same entity.
        Type::List(element) if depth + 1 >= DEEPEST && matches!(**element, Type::Entity(_)) => {
            json!([])
        }
        Type::List(element) => json!([value(index, element, format, depth)]),
        Type::Map(inner) => json!({"..": value(index, inner, format, depth)}),
        Type::OneOf(types) => {
            let first = types.first();
            first.map_or(Value::Null, |ty| value(index, ty, format, depth))
        }
    }
}
