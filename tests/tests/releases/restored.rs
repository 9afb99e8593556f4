//! Entities that were read from recorded answers are written with the same keys, and null where null was.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use fedispec::runtime::de::{self, FromJson};
use fedispec::runtime::ser::{self, ToJson};
use fedispec_model::api::{Api, Operation, Type};
use fedispec_tests::{catalogue, shared, skip};
use serde_json::Value;

/// Reads an object and writes it again; gives that, and the paths of the keys that were absent.
type Restored = fn(&str) -> (Value, Vec<String>);

fn restored<T: FromJson + ToJson>(body: &str) -> (Value, Vec<String>) {
    let mut value = Value::Null;
    let absent = de::absent_fields(|| {
        let read = de::read::<T>(body).unwrap_or_else(|error| panic!("{error} in {body}"));
        let written = ser::text(&read.value);
        value = serde_json::from_str(&written).expect("JSON");
    });
    (value, absent)
}

fn entities() -> BTreeMap<&'static str, Restored> {
    let all: Vec<(&str, Restored)> = include!(concat!(env!("OUT_DIR"), "/entities.rs"));
    all.into_iter().collect()
}

fn operation<'a>(api: &'a Api, method: &str, path: &str) -> Option<&'a Operation> {
    let path: Vec<&str> = path.trim_matches('/').split('/').collect();
    let fits = |operation: &&Operation| {
        operation.route.as_ref().is_some_and(|route| {
            let parts: Vec<&str> = route.path.trim_matches('/').split('/').collect();
            let mut pairs = parts.iter().zip(&path);
            route.method == method
                && parts.len() == path.len()
                && pairs.all(|(part, path)| part.starts_with(':') || part == path)
        })
    };
    let placeholders = |operation: &&Operation| {
        let route = operation.route.as_ref();
        route.map(|route| route.path.matches(':').count())
    };
    api.operations.iter().filter(fits).min_by_key(placeholders)
}

/// The objects in a body that are entities, each with its id.
fn objects<'b>(api: &Api, ty: &Type, body: &'b Value, into: &mut Vec<(String, &'b Value)>) {
    match (ty, body) {
        (Type::Entity(id), Value::Object(_)) => into.push((id.clone(), body)),
        (Type::List(ty), Value::Array(list)) => {
            for body in list {
                objects(api, ty, body, into);
            }
        }
        (Type::Map(ty), Value::Object(map)) => {
            for body in map.values() {
                objects(api, ty, body, into);
            }
        }
        (Type::OneOf(types), body) => {
            let keys = |ty: &&Type| match (ty, body) {
                (Type::Entity(id), Value::Object(map)) => {
                    let entity = api.entities.iter().find(|one| one.item.id == *id);
                    let fields = entity.into_iter().flat_map(|one| &one.fields);
                    fields.filter(|field| map.contains_key(&field.item.wire)).count()
                }
                (Type::List(_), Value::Array(_)) => 1,
                _ => 0,
            };
            let best = types.iter().filter(|ty| keys(ty) > 0).max_by_key(keys);
            if let Some(ty) = best {
                objects(api, ty, body, into);
            }
        }
        _ => {}
    }
}

/// Every key with whether it is null, by its path; a list as the keys of all its elements.
fn keys(value: &Value, path: &str, into: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let path = format!("{path}.{key}");
                let null = if value.is_null() { " is null" } else { "" };
                into.insert(format!("{path}{null}"));
                keys(value, &path, into);
            }
        }
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                keys(value, &format!("{path}[{index}]"), into);
            }
        }
        _ => {}
    }
}

/// A value that a program sends instead of null by a quirk is written as null: the name of a role where an object belongs (Mastodon 2.9.1), and empty texts
/// (GoToSocial).
fn stands_for_null(object: &Value, path: &str) -> bool {
    let path = path.trim_end_matches(" is null").trim_start_matches("$.");
    let path = path.replace(['.', '['], "/").replace(']', "");
    let value = object.pointer(&format!("/{path}"));
    value.is_some_and(|value| value == "" || (value.is_string() && path.ends_with("role")))
}

fn recordings() -> Vec<PathBuf> {
    let folders = [shared().join("corpus"), shared().join("corpus/live")];
    let entries = folders.iter().flat_map(fs::read_dir).flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    paths.sort();
    paths
}

#[test]
fn recorded_objects_keep_their_keys() {
    let recordings = recordings();
    if recordings.is_empty() {
        return skip::skipped(
            "recorded_objects_keep_their_keys",
            "no recordings are beside this checkout",
        );
    }
    let api = catalogue::whole();
    let entities = entities();
    let mut count = 0;
    let mut differing = BTreeMap::new();
    for path in recordings {
        let text = fs::read_to_string(&path).expect("a recording");
        for line in text.lines().filter(|line| !line.is_empty()) {
            let recorded: Value = serde_json::from_str(line).expect("JSON");
            let text = |key: &str| recorded[key].as_str().unwrap_or_default();
            if !matches!(recorded["status"].as_u64(), Some(200..300)) {
                continue;
            }
            let Some(operation) = operation(&api, text("method"), text("path")) else {
                continue;
            };
            let mut found = Vec::new();
            objects(&api, &operation.returns, &recorded["body"], &mut found);
            for (id, object) in found {
                let Some(restored) = entities.get(id.as_str()) else {
                    continue;
                };
                let (written, absent) = restored(&object.to_string());
                let (mut before, mut after) = (BTreeSet::new(), BTreeSet::new());
                keys(object, "$", &mut before);
                keys(&written, "$", &mut after);
                count += 1;
                let differ = before.symmetric_difference(&after);
                for key in differ.filter(|key| !stands_for_null(object, key)) {
                    let place = path.file_name().map(|name| name.display().to_string());
                    let which = if before.contains(key) { "lost" } else { "added" };
                    let generic = key.replace(|c: char| c.is_ascii_digit(), "");
                    *differing.entry(format!("{place:?} {id} {which} {generic}")).or_insert(0) += 1;
                }
                for path in absent {
                    assert!(!before.contains(&path), "{path} is not absent in {object}");
                }
            }
        }
    }
    assert!(count > 1000, "only {count} objects");
    assert_eq!(differing, BTreeMap::new());
}
