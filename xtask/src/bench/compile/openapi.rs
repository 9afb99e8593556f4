//! The catalogue as an OpenAPI document, for comparison with OpenAPI generators.
//!
//! It has what a generator needs for a client of the same size, and no more.

use fedispec_model::api::{Api, Entity, Location, Operation, Param, Required, Type};
use serde_json::{Map, Value, json};

/// Every operation with a route, every entity and every enumeration.
pub(super) fn document(api: &Api) -> Value {
    let mut paths = Map::new();
    for operation in &api.operations {
        if let Some(route) = &operation.route {
            let template = template(&route.path);
            let path = paths.entry(template).or_insert_with(|| json!({}));
            path[route.method.to_lowercase()] = described(operation, &route.path);
        }
    }
    let mut schemas = Map::new();
    for entity in &api.entities {
        schemas.insert(name(&entity.item.id), object(entity));
    }
    for enumeration in &api.enums {
        let values: Vec<&str> = enumeration.values.iter().map(|v| v.wire.as_str()).collect();
        let schema = if values.is_empty() {
            json!({"type": "string"})
        } else {
            json!({"type": "string", "enum": values})
        };
        schemas.insert(name(&enumeration.item.id), schema);
    }
    json!({
        "openapi": "3.0.3",
        "info": {"title": "Mastodon client API", "version": "1.0.0"},
        "paths": paths,
        "components": {"schemas": schemas},
    })
}

/// Converts a path to a template: `/api/v1/accounts/{id}`.
fn template(path: &str) -> String {
    let segment = |segment: &str| match segment.strip_prefix(':') {
        Some(name) => format!("{{{name}}}"),
        None => segment.to_owned(),
    };
    path.split('/').map(segment).collect::<Vec<_>>().join("/")
}

fn described(operation: &Operation, path: &str) -> Value {
    let own = || {
        let params = operation.params.iter();
        params.filter(|param| param.parent.is_none() && !param.item.implied)
    };
    let parameters: Vec<Value> = own().filter_map(|param| parameter(param, path)).collect();
    let form: Vec<&Param> = own()
        .filter(|param| param.location == Location::Form)
        .collect();
    let mut described = json!({
        "operationId": name(&operation.item.id),
        "summary": operation.item.summary,
        "parameters": parameters,
        "responses": {"200": answer(&operation.returns)},
    });
    if !form.is_empty() && operation.route.as_ref().is_some_and(|r| r.method != "GET") {
        let properties = form
            .iter()
            .map(|p| (p.item.wire.clone(), schema(&p.r#type)));
        let required = form.iter().filter(|p| p.required == Required::Always);
        let required: Vec<&str> = required.map(|p| p.item.wire.as_str()).collect();
        let mut body = json!({"type": "object", "properties": properties.collect::<Map<_, _>>()});
        if !required.is_empty() {
            body["required"] = required.into();
        }
        described["requestBody"] =
            json!({"required": true, "content": {"application/json": {"schema": body}}});
    }
    described
}

fn parameter(param: &Param, path: &str) -> Option<Value> {
    let wire = &param.item.wire;
    let place = match param.location {
        Location::Path
            if path
                .split('/')
                .any(|part| part.strip_prefix(':') == Some(wire)) =>
        {
            "path"
        }
        Location::Query => "query",
        Location::Header => "header",
        Location::Path | Location::Form | Location::Unknown => return None,
    };
    let required = place == "path" || param.required == Required::Always;
    let schema = match &param.r#type {
        Type::Entity(_) | Type::Json | Type::OneOf(_) => json!({"type": "string"}),
        ty => schema(ty),
    };
    Some(json!({"name": wire, "in": place, "required": required, "schema": schema}))
}

fn answer(returns: &Type) -> Value {
    match returns {
        Type::Empty | Type::File | Type::String => json!({"description": "It is done."}),
        ty => json!({
            "description": "The answer.",
            "content": {"application/json": {"schema": schema(ty)}},
        }),
    }
}

fn object(entity: &Entity) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in &entity.fields {
        let mut schema = schema(&field.r#type);
        if field.nullable && schema.get("$ref").is_none() {
            schema["nullable"] = true.into();
        }
        properties.insert(field.item.wire.clone(), schema);
        if field.presence_known && !field.optional && !field.nullable {
            required.push(field.item.wire.as_str());
        }
    }
    let mut object = json!({"type": "object", "properties": properties});
    if let Some(summary) = &entity.item.summary {
        object["description"] = summary.as_str().into();
    }
    if !required.is_empty() {
        object["required"] = required.into();
    }
    object
}

fn schema(ty: &Type) -> Value {
    match ty {
        Type::Json | Type::Empty | Type::OneOf(_) | Type::Events(_) => json!({}),
        Type::String | Type::Timestamp | Type::File | Type::Cursor | Type::Id(_) => {
            json!({"type": "string"})
        }
        Type::Integer => json!({"type": "integer", "format": "int64"}),
        Type::Number => json!({"type": "number"}),
        Type::Boolean => json!({"type": "boolean"}),
        Type::Entity(id) | Type::Enum(id) => {
            json!({"$ref": format!("#/components/schemas/{}", name(id))})
        }
        Type::List(element) => json!({"type": "array", "items": schema(element)}),
        Type::Map(value) => json!({"type": "object", "additionalProperties": schema(value)}),
    }
}

/// An id as an OpenAPI name, without `.` and other characters.
fn name(id: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    id.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_templates() {
        assert_eq!(
            template("/api/v1/accounts/:id/statuses"),
            "/api/v1/accounts/{id}/statuses"
        );
        assert_eq!(
            name("Instance.configuration.polls"),
            "Instance_configuration_polls"
        );
        assert_eq!(
            schema(&Type::List(Box::new(Type::Entity("A.b".into())))),
            json!({"type": "array", "items": {"$ref": "#/components/schemas/A_b"}})
        );
    }
}
