//! The facts of an item as keys and values. Every difference must be claimed by a transition, or it is reported as
//! unclassified.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::index::IndexedItem;
use fedispec_model::api::Program;

/// The keys of an item that differ, with both values.
#[derive(Debug, Default)]
pub(super) struct Differing(BTreeMap<String, (Value, Value)>);

impl Differing {
    pub(super) fn between(
        old: IndexedItem<'_>,
        old_programs: &[Program],
        new: IndexedItem<'_>,
        new_programs: &[Program],
    ) -> Self {
        let mut old = facts(old, old_programs);
        let mut differing = BTreeMap::new();
        for (key, value) in facts(new, new_programs) {
            let before = old.remove(&key).unwrap_or(Value::Null);
            if before != value {
                differing.insert(key, (before, value));
            }
        }
        differing.extend(old.into_iter().map(|(key, before)| (key, (before, Value::Null))));
        Self(differing)
    }

    /// Takes a key: whether it differs.
    pub(super) fn claim(&mut self, key: &str) -> bool {
        self.0.remove(key).is_some()
    }

    /// Takes the keys that differ of these.
    pub(super) fn claim_all(&mut self, keys: &[&'static str]) -> Vec<&'static str> {
        keys.iter().copied().filter(|key| self.claim(key)).collect()
    }

    /// Takes the remaining facts of a program's life.
    pub(super) fn claim_life(&mut self, program: &str) {
        let prefix = format!("life.{program}.");
        self.0.retain(|key, _| !key.starts_with(&prefix));
    }

    /// Returns the facts that no transition took.
    pub(super) fn rest(self) -> BTreeMap<String, (Value, Value)> {
        self.0
    }
}

/// Returns the facts that a node states itself, without those of its parts.
fn facts(node: IndexedItem<'_>, programs: &[Program]) -> BTreeMap<String, Value> {
    let mut object = match node {
        IndexedItem::Operation(operation) => to_object(operation, &["params"]),
        IndexedItem::Param(_, param) => to_object(param, &[]),
        IndexedItem::Entity(entity) => to_object(entity, &["fields"]),
        IndexedItem::Field(_, field) => to_object(field, &["entry"]),
        IndexedItem::Enum(enumeration) => to_object(enumeration, &["values"]),
        IndexedItem::Value(_, item) => {
            let mut object = Map::new();
            object.insert("item".into(), Value::Object(to_object(item, &[])));
            object
        }
    };
    let mut facts = BTreeMap::new();
    if let Some(Value::Object(mut item)) = object.remove("item") {
        if let Some(Value::Array(lives)) = item.remove("life") {
            // The form of a life ends where nothing more is known.
            let lives = lives.into_iter().chain(std::iter::repeat_with(|| "unknown".into()));
            for (program, life) in programs.iter().zip(lives) {
                add_life(&mut facts, &program.key, life);
            }
        }
        facts.extend(item.into_iter().map(|(key, value)| (format!("item.{key}"), value)));
    }
    facts.extend(object);
    facts
}

fn add_life(facts: &mut BTreeMap<String, Value>, program: &str, life: Value) {
    let life = match life {
        Value::Object(life) => life,
        since => {
            ["since", "effective"].map(|key| (key.to_owned(), since.clone())).into_iter().collect()
        }
    };
    for (key, value) in life.into_iter().filter(|(key, _)| key != "stated") {
        facts.insert(format!("life.{program}.{key}"), value);
    }
}

fn to_object<T: Serialize>(part: &T, without: &[&str]) -> Map<String, Value> {
    match serde_json::to_value(part) {
        Ok(Value::Object(mut object)) => {
            for key in without {
                object.remove(*key);
            }
            object
        }
        _ => Map::new(),
    }
}
