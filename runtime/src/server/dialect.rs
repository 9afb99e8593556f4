//! How a release writes answers.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::{Arc, PoisonError, RwLock};

use super::written::{KeyRule, Way};
use crate::ser::{self, Fate, Output, Table, ToJson};
use crate::{Json, Key, NonExhaustive};

/// How the answers of a release differ from their types. A server that emulates the release rewrites its answers by it.
#[derive(Debug, Default)]
pub(super) struct Dialect {
    /// By the names of an entity and of its key.
    keys: HashMap<&'static str, BTreeMap<&'static str, KeyRule>>,
    /// By the names of an enumeration and of its value.
    values: HashMap<&'static str, BTreeMap<&'static str, Replacement>>,
    /// The rules of each entity that has been written, by the address of its table.
    tables: RwLock<HashMap<usize, Arc<TableRules>>>,
}

/// The rules of an entity's keys, in their order.
#[derive(Debug)]
struct TableRules {
    keys: Vec<Option<Box<KeyRule>>>,
    /// Whether the release has none of the keys, and so not the entity.
    is_gone: bool,
}

/// The text that a release writes in place of a value of an enumeration that it lacks.
#[derive(Debug)]
pub(super) enum Replacement {
    /// Nothing: what the value stands in is left out with it, up to an optional key or the element of a list.
    Nothing,
    /// This JSON.
    Json(String),
}

impl Dialect {
    /// Collects rules: `(entity, key, rule)` and `(enumeration, value, replacement)`.
    pub(super) fn new(
        keys: impl IntoIterator<Item = (&'static str, &'static str, KeyRule)>,
        values: impl IntoIterator<Item = (&'static str, &'static str, Replacement)>,
    ) -> Arc<Self> {
        let mut own = Self::default();
        for (entity, key, rule) in keys {
            let keys = own.keys.entry(entity).or_default();
            let rule = match keys.remove(key) {
                Some(other) => other.and(rule),
                None => rule,
            };
            keys.insert(key, rule);
        }
        for (enumeration, value, replacement) in values {
            own.values.entry(enumeration).or_default().insert(value, replacement);
        }
        Arc::new(own)
    }

    /// The replacement for a value of an enumeration; `None` where the release has the value.
    pub(super) fn replacement(&self, enumeration: &str, value: &str) -> Option<&Replacement> {
        self.values.get(enumeration)?.get(value)
    }

    fn rules(&self, table: &'static Table) -> Arc<TableRules> {
        let address = std::ptr::from_ref(table).addr();
        let known = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = known.get(&address) {
            return Arc::clone(rules);
        }
        drop(known);
        let rules = self.keys.get(table.name);
        let rule = |key: &Key| rules?.get(key.wire()).cloned().map(Box::new);
        let keys: Vec<_> = table.keys.iter().map(rule).collect();
        let is_out = |rule: &Option<Box<KeyRule>>| matches!(rule.as_deref(), Some(KeyRule::Out));
        let is_gone = !keys.is_empty() && keys.iter().all(is_out);
        let rules = Arc::new(TableRules { keys, is_gone });
        let mut known = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(address, Arc::clone(&rules));
        rules
    }
}

/// Encodes a value as JSON, in the dialect of a release if there is one. `None` where the release has no such value.
pub(super) fn encode(
    value: &dyn ToJson,
    dialect: Option<&Arc<Dialect>>,
    buffer: Vec<u8>,
) -> Option<Vec<u8>> {
    let mut output = Output::new(buffer);
    if let Some(dialect) = dialect {
        let rules = RefCell::default();
        output.dialect = Some(Rc::new(Speaker { dialect: Arc::clone(dialect), rules }));
    }
    value.write(&mut output);
    (output.fate == Fate::Kept).then_some(output.bytes)
}

/// A dialect while one answer is written.
#[derive(Debug)]
struct Speaker {
    dialect: Arc<Dialect>,
    /// The rules of the entities that have been written. There are few, and asking the dialect each time costs more.
    rules: RefCell<Vec<(&'static Table, Arc<TableRules>)>>,
}

impl Speaker {
    fn rules(&self, table: &'static Table) -> Arc<TableRules> {
        let mut rules = self.rules.borrow_mut();
        let known = rules.iter().find(|(known, _)| std::ptr::eq(*known, table));
        if let Some((_, rules)) = known {
            return Arc::clone(rules);
        }
        let own = self.dialect.rules(table);
        rules.push((table, Arc::clone(&own)));
        own
    }
}

impl ser::Dialect for Speaker {
    fn object(
        &self,
        to: &mut Output,
        table: &'static Table,
        values: &[&dyn ToJson],
        as_read: NonExhaustive,
    ) {
        let rules = self.rules(table);
        let mut separator = b'{';
        let members = table.keys.iter().zip(values).zip(&rules.keys).enumerate();
        for (place, ((key, value), rule)) in members {
            let before = to.len();
            let leaves_out = key.optional != as_read.is_odd(place);
            let mut is_written = match rule {
                None => ser::write_key(to, separator, (key, *value), leaves_out),
                Some(rule) => write_key(to, separator, (key, *value), leaves_out, rule),
            };
            if std::mem::take(&mut to.fate) == Fate::Out {
                to.bytes.truncate(before);
                if key.optional {
                    continue;
                }
                if !value.is_nullable() {
                    to.fate = Fate::Out;
                    return;
                }
                ser::start_key(to, separator, key);
                to.push(b"null");
                is_written = true;
            }
            if is_written {
                separator = b',';
            }
        }
        ser::close(to, separator, b'{', b'}');
        if rules.is_gone {
            to.fate = Fate::Gone;
        }
    }

    fn value(&self, to: &mut Output, enumeration: &str, text: &str) {
        match self.dialect.replacement(enumeration, text) {
            None => ser::string(to, text),
            Some(Replacement::Json(json)) => to.push(json.as_bytes()),
            Some(Replacement::Nothing) => to.fate = Fate::Out,
        }
    }
}

/// Writes a key by its rule, unless it is left out.
fn write_key(
    to: &mut Output,
    separator: u8,
    (key, value): (&Key, &dyn ToJson),
    leaves_out: bool,
    rule: &KeyRule,
) -> bool {
    let before = to.len();
    let (none, other) = match rule {
        KeyRule::Out => return false,
        KeyRule::Constant(json) => {
            ser::start_key(to, separator, key);
            to.push(json.as_bytes());
            return true;
        }
        KeyRule::Written { none, other } => (*none, *other),
    };
    ser::start_key(to, separator, key);
    let start = to.len();
    if other == Some(Way::RoleName) {
        // The release may lack what the name stands in.
        let dialect = to.dialect.take();
        value.write(to);
        to.dialect = dialect;
    } else {
        value.write(to);
    }
    let json = to.bytes.get(start..).unwrap_or_default();
    let is_absent = key.absent.is_some_and(|absent| absent.as_bytes() == json);
    let is_left_out = match (none, json) {
        (Some(Way::NoneAs(instead)), b"null") => {
            to.bytes.truncate(start);
            to.push(instead.as_bytes());
            return true;
        }
        (Some(Way::NoneLeftOut | Way::EmptyLeftOut), b"null" | b"[]")
        | (Some(Way::EmptyLeftOut), b"false" | b"0" | b"0.0" | b"\"\"") => true,
        (Some(Way::NoneLeftOut | Way::EmptyLeftOut), _) if is_absent => true,
        _ => leaves_out && (is_absent || value.is_none() || value.is_empty_list()),
    };
    if is_left_out {
        to.bytes.truncate(before);
    } else if let Some(way) = other {
        respell(&mut to.bytes, start, way);
    }
    !is_left_out
}

/// Writes the JSON from a place on in another way.
fn respell(bytes: &mut Vec<u8>, start: usize, way: Way) {
    let Some(Ok(json)) = bytes.get(start..).map(serde_json::from_slice::<Json>) else {
        return;
    };
    let number = |json: Json| match json.as_str().map(str::parse::<i64>) {
        Some(Ok(number)) => number.into(),
        _ => json,
    };
    let json = match (way, json) {
        (Way::Numbers, Json::Array(list)) => list.into_iter().map(number).collect(),
        (Way::Numbers, json) => number(json),
        (Way::Texts, json @ (Json::Bool(_) | Json::Number(_))) => json.to_string().into(),
        (Way::Moments, Json::String(day)) if day.len() == "2024-01-01".len() => {
            format!("{day}T00:00:00.000Z").into()
        }
        (Way::RoleName, Json::Object(role)) => match role.get("name").and_then(Json::as_str) {
            // Older releases have no role of owners: an owner is an administrator.
            Some("Owner") => "admin".into(),
            Some(name) if !name.is_empty() => name.to_lowercase().into(),
            _ => "user".into(),
        },
        (_, json) => json,
    };
    bytes.truncate(start);
    bytes.extend_from_slice(json.to_string().as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Map, NonExhaustive, ser};

    /// Two keys, of which the second may be left out, with values of an enumeration.
    struct Pair(Kind, Option<Kind>);

    #[derive(Clone, Copy)]
    struct Kind(&'static str);

    impl ToJson for Kind {
        fn write(&self, to: &mut Output) {
            ser::value(to, "Kind", self.0);
        }
    }

    const fn key(quoted: &'static str, optional: bool) -> Key {
        Key { quoted, lenient: false, absent: None, optional, tag: [0, 0] }
    }

    impl ToJson for Pair {
        fn write(&self, to: &mut Output) {
            static TABLE: Table =
                Table { name: "Pair", keys: &[key(",\"a\":", false), key(",\"b\":", true)] };
            ser::object(to, &TABLE, &[&self.0, &self.1], NonExhaustive::default());
        }
    }

    /// A key that may be left out, alone.
    struct Single(Option<Kind>);

    impl ToJson for Single {
        fn write(&self, to: &mut Output) {
            static TABLE: Table = Table { name: "Single", keys: &[key(",\"a\":", true)] };
            ser::object(to, &TABLE, &[&self.0], NonExhaustive::default());
        }
    }

    fn write(dialect: &Arc<Dialect>, value: &dyn ToJson) -> Option<String> {
        let json = encode(value, Some(dialect), Vec::new());
        json.map(|json| String::from_utf8(json).expect("text"))
    }

    #[test]
    fn what_a_release_always_sends_is_sent_in_place_of_nothing() {
        let constant = || KeyRule::Constant("1".into());
        let alone = Dialect::new([("Single", "a", constant())], []);
        for value in [None, Some(Kind("old"))] {
            let list = vec![Single(value), Single(value)];
            assert_eq!(write(&alone, &list).as_deref(), Some(r#"[{"a":1},{"a":1}]"#));
        }
        let none = || KeyRule::Written { none: Some(Way::NoneAs("null")), other: None };
        let null = Dialect::new([("Single", "a", none()), ("Pair", "b", none())], []);
        assert_eq!(write(&null, &Single(None)).as_deref(), Some(r#"{"a":null}"#));
        let pair = Pair(Kind("old"), None);
        assert_eq!(write(&null, &pair).as_deref(), Some(r#"{"a":"old","b":null}"#));
        let last = Dialect::new([("Pair", "a", KeyRule::Out), ("Pair", "b", constant())], []);
        assert_eq!(write(&last, &pair).as_deref(), Some(r#"{"b":1}"#));
        assert_eq!(write(&Arc::default(), &Single(None)).as_deref(), Some("{}"));
    }

    #[test]
    fn what_is_out_is_left_out_with_what_cannot_be_without_it() {
        let (old, new) = (Kind("old"), Kind("new"));
        let pairs = vec![Pair(old, Some(new)), Pair(new, Some(old)), Pair(old, None)];
        let none = Arc::default();
        let all = r#"[{"a":"old","b":"new"},{"a":"new","b":"old"},{"a":"old"}]"#;
        assert_eq!(write(&none, &pairs).as_deref(), Some(all));
        let out = |key| ("Pair", key, KeyRule::Out);
        let key = Dialect::new([out("b"), ("Other", "a", KeyRule::Out)], []);
        let cut = r#"[{"a":"old"},{"a":"new"},{"a":"old"}]"#;
        assert_eq!(write(&key, &pairs).as_deref(), Some(cut));
        let first = Dialect::new([out("a")], []);
        let last = r#"{"b":"new"}"#;
        assert_eq!(write(&first, &pairs[0]).as_deref(), Some(last));
        let both = Dialect::new([out("a"), out("b")], []);
        assert_eq!(write(&both, &pairs).as_deref(), Some("[]"));
        assert_eq!(write(&both, &Some(old)).as_deref(), Some(r#""old""#));
        let null = || Replacement::Json("null".to_owned());
        let of = |instead| Dialect::new([], [("Kind", "new", instead), ("Kind", "last", null())]);
        let cut = r#"[{"a":"old"},{"a":"old"}]"#;
        assert_eq!(write(&of(Replacement::Nothing), &pairs).as_deref(), Some(cut));
        assert_eq!(write(&of(Replacement::Nothing), &pairs[1]), None);
        assert_eq!(
            write(&of(Replacement::Nothing), &vec![new, old]).as_deref(),
            Some(r#"["old"]"#)
        );
        let cut = r#"{"a":"old","b":null}"#;
        assert_eq!(write(&of(null()), &pairs[0]).as_deref(), Some(cut));
        let cut = r#"{"a":"old","b":"old"}"#;
        assert_eq!(
            write(&of(Replacement::Json("\"old\"".to_owned())), &pairs[1]).as_deref(),
            Some(cut)
        );
        let map = Map::from([("x".to_owned(), new), ("y".to_owned(), old)]);
        assert_eq!(write(&of(Replacement::Nothing), &map).as_deref(), Some(r#"{"y":"old"}"#));
    }
}
