//! The keys of recorded answers, by operation.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

/// The keys of the objects at each place. A place is a path such as `status.account`; `*` is an element of a list.
pub(crate) type Shape = BTreeMap<String, BTreeSet<String>>;

/// The shapes of what each operation has answered with success.
pub(crate) fn of(files: &[&Path]) -> BTreeMap<String, Shape> {
    let routes = routes();
    let mut shapes: BTreeMap<String, Shape> = BTreeMap::new();
    for file in files {
        let text = std::fs::read_to_string(file).expect("it is there");
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).expect("JSON");
            let status = line["status"].as_u64();
            let is_success = status.is_some_and(|status| (200..300).contains(&status));
            let (method, path) = (line["method"].as_str(), line["path"].as_str());
            let (Some(method), Some(path), true) = (method, path, is_success) else {
                continue;
            };
            let path = path.split('?').next().unwrap_or_default();
            let mut fitting = routes.iter();
            let found = fitting.find(|(own, pattern, _)| own == method && fits(pattern, path));
            if let Some((_, _, id)) = found {
                let shape = shapes.entry(id.clone()).or_default();
                add(&line["body"], "", shape);
            }
        }
    }
    shapes
}

/// Method, path and id of every operation; those with fewer parameters first.
fn routes() -> Vec<(String, String, String)> {
    let api = fedispec_tests::catalogue::typed();
    let routes = api.operations.into_iter().filter_map(|operation| {
        let route = operation.route?;
        Some((route.method, route.path, operation.item.id))
    });
    let mut routes: Vec<_> = routes.collect();
    routes.sort_by_key(|(_, path, _)| path.matches(':').count());
    routes
}

fn fits(pattern: &str, path: &str) -> bool {
    let (mut wanted, mut given) = (pattern.split('/'), path.trim_end_matches('/').split('/'));
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return true,
            (Some(wanted), Some(given)) if wanted == given || wanted.starts_with(':') => {}
            _ => return false,
        }
    }
}

fn add(value: &Value, place: &str, to: &mut Shape) {
    match value {
        Value::Object(fields) => {
            let keys = to.entry(place.to_owned()).or_default();
            keys.extend(fields.keys().cloned());
            for (key, value) in fields {
                let below = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
                add(value, &below, to);
            }
        }
        Value::Array(items) => {
            for item in items {
                add(item, &format!("{place}*"), to);
            }
        }
        _ => {}
    }
}
