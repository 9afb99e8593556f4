//! Parts that stand in several places of a document and are written once, among its components.

use std::collections::HashMap;

use fedispec_model::api::Api;
use indexmap::IndexMap;
use serde::Serialize;

use crate::document::{Map, Operation, Parameter, Part, Response, Schema};
use crate::schema::{component, object, reference};

/// The operations of a document by path and method.
type Paths = Map<Map<Operation>>;

/// Takes the bodies out that an operation reads in several media types, or under several methods. Returns them by name.
pub(crate) fn bodies(paths: &mut Paths) -> Map<Schema> {
    let mut counts = HashMap::new();
    for (id, operation) in operations(paths) {
        for media in operation.request_body.iter().flat_map(|body| body.content.values()) {
            *counts.entry((id.clone(), text(&media.schema))).or_insert(0_usize) += 1;
        }
    }
    let mut shared = Map::new();
    for (id, operation) in operations(paths) {
        let contents = operation.request_body.iter_mut().map(|body| &mut body.content);
        for (kind, media) in contents.flatten() {
            if counts.get(&(id.clone(), text(&media.schema))).is_some_and(|count| *count > 1) {
                // Names of elements nest in JSON and stand in brackets in forms, which then are another body.
                let part = if kind == "application/json" { "request" } else { "form" };
                let own = std::mem::take(&mut media.schema);
                let request = format!("{id}.request");
                let name = if shared.get(&request) == Some(&own) {
                    request
                } else {
                    format!("{id}.{part}")
                };
                media.schema.reference = Some(format!("#/components/schemas/{name}"));
                shared.entry(name).or_insert(own);
            }
        }
    }
    shared
}

/// Refers to the entity of which another one has all members, and leaves the other one those that it adds.
pub(crate) fn members(api: &Api, schemas: &mut Map<Schema>) {
    let all = schemas.clone();
    for entity in &api.entities {
        let Some(own) = schemas.get_mut(&component(&entity.item.id)) else {
            continue;
        };
        let bases = entity.fields.iter().filter_map(|field| field.inherited_from.as_ref());
        let bases = bases.filter_map(|id| Some((id, all.get(&component(id))?)));
        let held = bases.filter(|(_, base)| {
            base.required.iter().all(|name| own.required.contains(name))
                && base.properties.iter().all(|(name, one)| own.properties.get(name) == Some(one))
        });
        let Some((id, base)) = held.max_by_key(|(_, base)| base.properties.len()) else {
            continue;
        };
        let mut added = object();
        added.properties = std::mem::take(&mut own.properties);
        added.properties.retain(|name, _| !base.properties.contains_key(name));
        added.required = std::mem::take(&mut own.required);
        added.required.retain(|name| !base.required.contains(name));
        own.r#type = None;
        own.all_of = vec![reference(id), added];
    }
}

/// Takes the parameters out that several operations have. Returns them by name.
pub(crate) fn parameters(paths: &mut Paths) -> Map<Parameter> {
    let all = paths.values_mut().flat_map(Map::values_mut);
    let all = all.flat_map(|operation| &mut operation.parameters);
    let named = all.map(|part| {
        let name = part.own().map(|own| component(own.name.trim_end_matches("[]")));
        (name.unwrap_or_default(), part)
    });
    alike("parameters", named, Map::new())
}

/// Takes the answers out that several operations give. Returns them by name, after those that stand there already.
pub(crate) fn answers(
    paths: &mut Paths,
    known: Map<Response>,
    name: impl Fn(u16, &Response) -> Option<String>,
) -> Map<Response> {
    let all = paths.values_mut().flat_map(Map::values_mut);
    let all = all.flat_map(|operation| &mut operation.responses);
    let named =
        all.filter_map(|(status, part)| Some((name(status.parse().ok()?, part.own()?)?, part)));
    alike("responses", named, known)
}

/// Takes the parts out that occur several times under a name. The others of that name get a number.
fn alike<'p, T: Clone + Serialize + 'p>(
    kind: &str,
    parts: impl Iterator<Item = (String, &'p mut Part<T>)>,
    mut shared: Map<T>,
) -> Map<T> {
    let mut groups: IndexMap<(String, String), Vec<&mut Part<T>>> = IndexMap::new();
    for (name, part) in parts.filter(|(_, part)| part.own().is_some()) {
        groups.entry((name, text(part))).or_default().push(part);
    }
    for ((base, _), parts) in groups.into_iter().filter(|(_, parts)| parts.len() > 1) {
        let mut free = (1..).map(|turn| match turn {
            1 => base.clone(),
            turn => format!("{base}{turn}"),
        });
        let name = free.find(|name| !shared.contains_key(name)).unwrap_or_default();
        for part in parts {
            if let Part::Own(own) = std::mem::replace(part, Part::shared(kind, &name)) {
                shared.entry(name.clone()).or_insert(own);
            }
        }
    }
    shared
}

/// The operations, each with the id that it shares with its twins.
fn operations(paths: &mut Paths) -> impl Iterator<Item = (String, &mut Operation)> {
    paths.values_mut().flat_map(Map::values_mut).map(|operation| {
        let id = operation.twin_of.as_ref().unwrap_or(&operation.operation_id);
        (id.clone(), operation)
    })
}

fn text(part: &impl Serialize) -> String {
    serde_json::to_string(part).unwrap_or_default()
}
