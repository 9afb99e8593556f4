//! How a release writes answers, and the pass over encoded JSON that rewrites it so.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

use super::written::{KeyRule, Way};
use crate::ser::{Absent, Mark, MarkKind, Output, Table, ToJson};
use crate::{Json, Key};

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
    keys: Vec<Option<KeyRule>>,
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
    ) -> Self {
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
        own
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
        let rule = |key: &Key| rules?.get(key.wire()).cloned();
        let keys: Vec<_> = table.keys.iter().map(rule).collect();
        let is_out = |rule: &Option<KeyRule>| matches!(rule, Some(KeyRule::Out));
        let is_gone = !keys.is_empty() && keys.iter().all(is_out);
        let rules = Arc::new(TableRules { keys, is_gone });
        let mut known = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(address, Arc::clone(&rules));
        rules
    }
}

/// The greatest memory that a thread keeps for the JSON to rewrite, and as many notes.
const KEPT: usize = 256 * 1024;

thread_local! {
    /// Where JSON is written that is to be rewritten. New memory for each answer costs more than the pass.
    static DRAFT: Cell<Output> = Cell::new(Output::default());
}

/// Encodes a value as JSON, in the dialect of a release if there is one. `None` where the release has no such value.
pub(super) fn encode(
    value: &dyn ToJson,
    dialect: Option<&Dialect>,
    buffer: Vec<u8>,
) -> Option<Vec<u8>> {
    let Some(dialect) = dialect else {
        let mut output = Output::new(buffer);
        value.write(&mut output);
        return Some(output.bytes);
    };
    let mut draft = DRAFT.take();
    draft.marks.get_or_insert_default();
    value.write(&mut draft);
    let mut pass = Pass {
        dialect,
        json: &draft.bytes,
        marks: draft.marks.as_ref().map_or(&[], |marks| &marks.list),
        tables: draft.marks.as_ref().map_or(&[], |marks| &marks.tables),
        rules: Vec::new(),
        copied: 0,
        rewritten: buffer,
    };
    let fate = pass.value();
    pass.copy(draft.bytes.len());
    let rewritten = pass.rewritten;
    if draft.bytes.len() <= KEPT {
        draft.bytes.clear();
        if let Some(marks) = &mut draft.marks {
            marks.list.clear();
            marks.tables.clear();
        }
        DRAFT.set(draft);
    }
    (fate == Fate::Kept).then_some(rewritten)
}

/// The outcome for a value or a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Kept,
    /// A key is left out.
    LeftOut,
    /// The release lacks the entity: it is left out where it stands alone or in a list, and empty as the value of a key.
    Gone,
    /// The value is left out, with what cannot be without it.
    Out,
}

/// The pass over encoded JSON. The JSON is copied in pieces that are as long as possible.
struct Pass<'p> {
    dialect: &'p Dialect,
    json: &'p [u8],
    /// The notes that have not been passed.
    marks: &'p [Mark],
    /// The tables of entities and enumerations that have not been passed.
    tables: &'p [&'static Table],
    /// The rules of the entities that have been passed. There are few, and asking the dialect each time costs more.
    rules: Vec<(&'static Table, Arc<TableRules>)>,
    /// The end of what has been copied, or left out.
    copied: usize,
    rewritten: Vec<u8>,
}

impl Pass<'_> {
    /// Copies the JSON up to a place.
    fn copy(&mut self, end: usize) {
        self.rewritten.extend_from_slice(self.json.get(self.copied..end).unwrap_or_default());
        self.copied = end;
    }

    fn next_if(&mut self, is_wanted: impl FnOnce(MarkKind) -> bool) -> Option<Mark> {
        let (next, rest) = self.marks.split_first()?;
        let is_wanted = is_wanted(next.kind);
        is_wanted.then(|| {
            self.marks = rest;
            *next
        })
    }

    fn next_table(&mut self) -> Option<&'static Table> {
        let (next, rest) = self.tables.split_first()?;
        self.tables = rest;
        Some(*next)
    }

    fn rules(&mut self, table: &'static Table) -> Arc<TableRules> {
        let known = self.rules.iter().find(|(known, _)| std::ptr::eq(*known, table));
        if let Some((_, rules)) = known {
            return Arc::clone(rules);
        }
        let rules = self.dialect.rules(table);
        self.rules.push((table, Arc::clone(&rules)));
        rules
    }

    /// The place of the next mark, where the member or the value just passed ends.
    fn place(&self) -> usize {
        self.marks.first().map_or(self.json.len(), |mark| mark.place as usize)
    }

    /// Whether the value that comes next has marks of its own.
    fn is_nested(&self) -> bool {
        self.marks.first().is_some_and(|mark| mark.kind.is_start())
    }

    fn value(&mut self) -> Fate {
        let Some(mark) = self.next_if(MarkKind::is_start) else {
            return Fate::Kept;
        };
        let start = mark.place as usize;
        let table = if mark.kind == MarkKind::List { None } else { self.next_table() };
        match table {
            Some(table) if mark.kind == MarkKind::Object => self.object(start, table),
            Some(enumeration) => self.enumeration(start, enumeration.name),
            None => self.list(start),
        }
    }

    fn enumeration(&mut self, start: usize, enumeration: &str) -> Fate {
        let end = self.place();
        self.next_if(|_| true);
        let text = self.json.get(start + 1..end.saturating_sub(1));
        let text = text.and_then(|text| std::str::from_utf8(text).ok()).unwrap_or_default();
        match self.dialect.replacement(enumeration, text) {
            None => Fate::Kept,
            Some(Replacement::Nothing) => Fate::Out,
            Some(Replacement::Json(json)) => {
                self.copy(start);
                self.rewritten.extend_from_slice(json.as_bytes());
                self.copied = end;
                Fate::Kept
            }
        }
    }

    /// Passes a list, or a map.
    fn list(&mut self, start: usize) -> Fate {
        let mut separator = self.json.get(start).copied().unwrap_or_default();
        while let Some(element) = self.next_if(|kind| kind == MarkKind::Element) {
            let element = element.place as usize;
            let before = self.before();
            self.separate(element, separator);
            if self.value() == Fate::Kept {
                separator = b',';
            } else {
                self.take_back(before, element);
            }
        }
        self.close(start, separator);
        Fate::Kept
    }

    fn object(&mut self, start: usize, table: &'static Table) -> Fate {
        let rules = self.rules(table);
        let mut separator = b'{';
        let mut fate = if rules.is_gone { Fate::Gone } else { Fate::Kept };
        for (key, rule) in table.keys.iter().zip(&rules.keys) {
            let Some(mark) = self.next_if(|kind| kind == MarkKind::Key) else {
                continue;
            };
            let may_go = mark.leaves_out && key.absent.is_some();
            match rule {
                None | Some(KeyRule::Out) if mark.absent.is_some() => continue,
                None if !may_go && !self.is_nested() => {
                    self.separate(mark.place as usize, separator);
                    separator = b',';
                    continue;
                }
                _ => {}
            }
            match self.key(mark, separator, key, rule.as_ref()) {
                Fate::LeftOut => {}
                Fate::Out => fate = Fate::Out,
                Fate::Kept | Fate::Gone => separator = b',',
            }
        }
        self.close(start, separator);
        fate
    }

    fn key(&mut self, mark: Mark, separator: u8, key: &Key, rule: Option<&KeyRule>) -> Fate {
        let start = mark.place as usize;
        let value = start + key.quoted.len();
        let (none, other) = match rule {
            Some(KeyRule::Written { none, other }) => (none.as_ref(), *other),
            _ => (None, None),
        };
        let forced = matches!(none, Some(Way::NoneLeftOut | Way::EmptyLeftOut));
        let leaves_out = mark.leaves_out || forced;
        let written = || match self.json.get(value..)? {
            [b'n', ..] => Some(Absent::None),
            [b'[', b']', ..] => Some(Absent::EmptyList),
            _ => None,
        };
        let empty = mark.absent.or_else(written);
        let constant = match (rule, none) {
            (Some(KeyRule::Constant(json)), _) => Some(&**json),
            (_, Some(Way::NoneAs(json))) if empty == Some(Absent::None) => Some(*json),
            _ => None,
        };
        let is_out = matches!(rule, Some(KeyRule::Out));
        if is_out || constant.is_none() && (mark.absent.is_some() || forced && empty.is_some()) {
            if mark.absent.is_none() {
                self.copy(start);
                self.skip();
            }
            return Fate::LeftOut;
        }
        let is_omitted = |json: &[u8]| {
            let is_empty = matches!(json, b"false" | b"0" | b"0.0" | b"\"\"" | b"[]");
            let is_absent = key.absent.is_some_and(|absent| absent.as_bytes() == json);
            leaves_out && is_absent || matches!(none, Some(Way::EmptyLeftOut)) && is_empty
        };
        let before = self.before();
        if let Some(json) = constant {
            self.copy(start);
            self.skip();
            self.member(separator, key, json);
            return Fate::Kept;
        }
        if !self.is_nested() && other.is_none() {
            let end = self.place();
            if is_omitted(self.json.get(value..end).unwrap_or_default()) {
                self.copy(start);
                self.copied = end;
                return Fate::LeftOut;
            }
            self.separate(start, separator);
            return Fate::Kept;
        }
        self.separate(start, separator);
        let is_looked_at = rule.is_some() || leaves_out && key.absent.is_some();
        if is_looked_at {
            self.copy(value);
        }
        let from = self.rewritten.len();
        let fate = self.value();
        if is_looked_at {
            let end = self.place();
            self.copy(end);
            if is_omitted(self.rewritten.get(from..).unwrap_or_default()) {
                self.take_back(before, start);
                return Fate::LeftOut;
            }
            if let Some(way) = other {
                if way == Way::RoleName {
                    // The release may lack what the name stands in.
                    self.rewritten.truncate(from);
                    self.rewritten.extend_from_slice(self.json.get(value..end).unwrap_or_default());
                }
                respell(&mut self.rewritten, from, way);
            }
        }
        if fate != Fate::Out {
            return Fate::Kept;
        }
        self.take_back(before, start);
        self.without(mark, separator, key)
    }

    /// A key whose value the release does not have.
    fn without(&mut self, mark: Mark, separator: u8, key: &Key) -> Fate {
        if key.optional {
            return Fate::LeftOut;
        }
        if mark.is_nullable {
            self.member(separator, key, "null");
            return Fate::Kept;
        }
        Fate::Out
    }

    /// Writes a member.
    fn member(&mut self, separator: u8, key: &Key, json: &str) {
        self.rewritten.push(separator);
        self.rewritten.extend_from_slice(key.quoted.get(1..).unwrap_or_default().as_bytes());
        self.rewritten.extend_from_slice(json.as_bytes());
    }

    /// Passes the rest of a member without copying it.
    fn skip(&mut self) {
        let mut depth = 0_usize;
        while let Some(mark) = self.next_if(|kind| depth > 0 || kind.is_start()) {
            match mark.kind {
                MarkKind::End => depth -= 1,
                MarkKind::List => depth += 1,
                MarkKind::Object | MarkKind::Value => {
                    depth += 1;
                    self.next_table();
                }
                MarkKind::Key | MarkKind::Element => {}
            }
        }
        self.copied = self.place();
    }

    /// Writes the separator before a member, where another one stands there.
    fn separate(&mut self, start: usize, separator: u8) {
        if self.json.get(start) != Some(&separator) {
            self.copy(start);
            self.rewritten.push(separator);
            self.copied = start + 1;
        }
    }

    /// The lengths that have been written and copied before a member.
    fn before(&self) -> (usize, usize) {
        (self.rewritten.len(), self.copied)
    }

    /// Takes back a member that has been passed.
    fn take_back(&mut self, (written, copied): (usize, usize), start: usize) {
        self.rewritten.truncate(written);
        self.copied = copied;
        self.copy(start);
        self.copied = self.place();
    }

    /// Passes the closing bracket. An opening one is the separator of the first member, and missing where no member was kept.
    fn close(&mut self, start: usize, separator: u8) {
        let end = self.place();
        if separator != b',' && self.copied > start {
            self.rewritten.push(separator);
        } else if separator == b',' && end == start + 1 {
            // All that was kept was written here, after a bracket.
            self.copied = end;
        }
        self.next_if(|_| true);
    }
}

impl MarkKind {
    fn is_start(self) -> bool {
        matches!(self, Self::Object | Self::List | Self::Value)
    }
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
            ser::value(to, &Table { name: "Kind", keys: &[] }, self.0);
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

    fn write(dialect: &Dialect, value: &dyn ToJson) -> Option<String> {
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
        assert_eq!(write(&Dialect::default(), &Single(None)).as_deref(), Some("{}"));
    }

    #[test]
    fn what_is_out_is_left_out_with_what_cannot_be_without_it() {
        let (old, new) = (Kind("old"), Kind("new"));
        let pairs = vec![Pair(old, Some(new)), Pair(new, Some(old)), Pair(old, None)];
        let none = Dialect::default();
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
