//! Parts that stand in several places of a document and are written once, among its components.

use std::collections::HashMap;

use serde::Serialize;

use crate::document::{Map, Operation, Response, Schema};

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

/// Takes the errors out that several operations answer. Returns them by name, after those that stand there already.
pub(crate) fn errors(
    paths: &mut Paths,
    known: Map<Response>,
    name: impl Fn(u16) -> String,
) -> Map<Response> {
    let is_error = |status: &str| status.parse::<u16>().ok().filter(|status| *status >= 400);
    let mut counts = HashMap::new();
    for (_, operation) in operations(paths) {
        for (status, response) in &operation.responses {
            if is_error(status).is_some() && response.reference.is_none() {
                *counts.entry((status.clone(), text(response))).or_insert(0_usize) += 1;
            }
        }
    }
    let (mut shared, mut names) = (known, HashMap::new());
    for (_, operation) in operations(paths) {
        for (status, response) in &mut operation.responses {
            let key = (status.clone(), text(response));
            let Some(number) =
                is_error(status).filter(|_| counts.get(&key).is_some_and(|count| *count > 1))
            else {
                continue;
            };
            let name: &String = names.entry(key).or_insert_with(|| {
                let base = name(number);
                let mut free = (1..).map(|turn| match turn {
                    1 => base.clone(),
                    turn => format!("{base}{turn}"),
                });
                let name = free.find(|name| !shared.contains_key(name)).unwrap_or_default();
                shared.insert(name.clone(), response.clone());
                name
            });
            let reference = Some(format!("#/components/responses/{name}"));
            *response = Response { reference, ..Response::default() };
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
