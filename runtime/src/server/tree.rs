//! The parameters of a request as a tree, the same for all encodings.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess};

use super::text;
use crate::brackets::{Step, received};
use crate::param::Given;

pub(super) type Tree = BTreeMap<String, Given>;

/// Inserts a pair of a query or a form; `false` where its brackets are nested deeper than `deepest`.
pub(super) fn insert(tree: &mut Tree, key: &str, value: Given, deepest: usize) -> bool {
    let (name, steps) = received(key, deepest.saturating_add(1));
    if steps.len() > deepest {
        return false;
    }
    let place = tree.entry(name.to_owned()).or_insert(Given::Null);
    put(place, &steps, value);
    true
}

fn put(place: &mut Given, steps: &[Step<'_>], value: Given) {
    let Some((step, rest)) = steps.split_first() else {
        return repeat(place, value);
    };
    let Step::Key(key) = *step else {
        if !matches!(place, Given::List(_)) {
            *place = Given::List(Vec::new());
        }
        if let Given::List(items) = place {
            push(items, rest, value);
        }
        return;
    };
    if !matches!(place, Given::Object(_)) {
        *place = Given::Object(Tree::new());
    }
    if let Given::Object(fields) = place {
        let place = fields.entry(key.to_owned()).or_insert(Given::Null);
        put(place, rest, value);
    }
}

/// Inserts into a list of objects, `a[][b]`: into the last element, or into a new one if the last has the key.
fn push(items: &mut Vec<Given>, rest: &[Step<'_>], value: Given) {
    if let (Some(last @ Given::Object(_)), Some(_)) = (items.last_mut(), rest.first())
        && !has(last, rest)
    {
        return put(last, rest, value);
    }
    let mut item = Given::Null;
    put(&mut item, rest, value);
    items.push(item);
}

fn has(place: &Given, steps: &[Step<'_>]) -> bool {
    match (place, steps.split_first()) {
        // A list takes any number of values.
        (_, Some((Step::Next | Step::Number, _))) => false,
        (Given::Object(fields), Some((&Step::Key(key), rest))) => {
            fields.get(key).is_some_and(|place| has(place, rest))
        }
        _ => true,
    }
}

fn repeat(place: &mut Given, value: Given) {
    *place = match std::mem::replace(place, Given::Null) {
        Given::Null => value,
        Given::Repeated(mut values) => {
            values.push(value);
            Given::Repeated(values)
        }
        first => Given::Repeated(vec![first, value]),
    };
}

/// The elements of a list in any of its spellings: `a[]=`, `a[0]=`, a repeated `a=`, a single `a=`.
pub(super) fn into_list(given: Given) -> Vec<Given> {
    match given {
        Given::Null => Vec::new(),
        Given::List(items) | Given::Repeated(items) => items,
        Given::Object(fields) if fields.keys().all(|key| key.parse::<u32>().is_ok()) => {
            let mut numbered: Vec<_> = fields.into_iter().collect();
            numbered.sort_by_key(|(key, _)| key.parse::<u32>().unwrap_or_default());
            numbered.into_iter().map(|(_, item)| item).collect()
        }
        one => vec![one],
    }
}

/// Decodes a JSON body, an object or null, with limits on its depth and its number of values.
pub(super) fn json(text: &[u8], deepest: usize, most: usize) -> serde_json::Result<Tree> {
    let left = Cell::new(most);
    let mut reader = serde_json::Deserializer::from_slice(text);
    let seed = Seed { depth: deepest.saturating_add(1), left: &left };
    let given = seed.deserialize(&mut reader)?;
    reader.end()?;
    match given {
        Given::Object(tree) => Ok(tree),
        Given::Null => Ok(Tree::new()),
        _ => Err(de::Error::custom("the body must be an object")),
    }
}

fn plain<E: de::Error>(text: String) -> Result<String, E> {
    if text::is_plain(&text) { Ok(text) } else { Err(E::custom("a text has a NUL character")) }
}

/// The remaining depth and the remaining number of values.
#[derive(Clone, Copy)]
struct Seed<'c> {
    depth: usize,
    left: &'c Cell<usize>,
}

impl Seed<'_> {
    fn inside<E: de::Error>(self) -> Result<Self, E> {
        match self.depth.checked_sub(1) {
            Some(depth) => Ok(Self { depth, ..self }),
            None => Err(E::custom("it is nested too deeply")),
        }
    }

    fn count<E: de::Error>(self) -> Result<(), E> {
        let left = self.left.get().checked_sub(1);
        self.left.set(left.ok_or_else(|| E::custom("there are too many values"))?);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Given;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Given, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> de::Visitor<'de> for Seed<'_> {
    type Value = Given;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Given, E> {
        Ok(Given::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Given, E> {
        Ok(Given::Bool(value))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Given, E> {
        Ok(Given::Number(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Given, E> {
        Ok(Given::Number(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Given, E> {
        Ok(serde_json::Number::from_f64(number).map_or(Given::Null, Given::Number))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Given, E> {
        plain(text.to_owned()).map(Given::Text)
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Given, E> {
        plain(text).map(Given::Text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Given, A::Error> {
        let seed = self.inside()?;
        let mut items = Vec::new();
        while let Some(item) = elements.next_element_seed(seed)? {
            self.count()?;
            items.push(item);
        }
        Ok(Given::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Given, A::Error> {
        let seed = self.inside()?;
        let mut fields = Tree::new();
        while let Some(key) = entries.next_key()? {
            self.count()?;
            fields.insert(plain(key)?, entries.next_value_seed(seed)?);
        }
        Ok(Given::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tree(pairs: &str) -> serde_json::Value {
        let mut tree = Tree::new();
        for (key, value) in form_urlencoded::parse(pairs.as_bytes()) {
            insert(&mut tree, &key, Given::Text(value.into_owned()), 16);
        }
        crate::param::FromParam::from_param(Given::Object(tree)).expect("a tree")
    }

    #[test]
    fn reads_brackets() {
        for (pairs, json) in [
            ("acct=a", serde_json::json!({"acct": "a"})),
            ("id[]=1&id[]=2", serde_json::json!({"id": ["1", "2"]})),
            ("id=1&id=2&id=3", serde_json::json!({"id": ["1", "2", "3"]})),
            (
                "source[privacy]=p&source[note]=",
                serde_json::json!({"source": {"privacy": "p", "note": ""}}),
            ),
            (
                "f[0][name]=a&f[0][value]=b&f[10][name]=c&f[2][name]=d",
                serde_json::json!({"f": {"0": {"name": "a", "value": "b"}, "2": {"name": "d"}, "10": {"name": "c"}}}),
            ),
            (
                "k[][w]=a&k[][x]=1&k[][w]=b&k[][l][]=1&k[][l][]=2",
                serde_json::json!({"k": [{"w": "a", "x": "1"}, {"w": "b", "l": ["1", "2"]}]}),
            ),
            ("a=1&a[b]=2", serde_json::json!({"a": {"b": "2"}})),
            ("a[b=1&[c]=2&d]=3", serde_json::json!({"a[b": "1", "[c]": "2", "d]": "3"})),
            ("", serde_json::json!({})),
        ] {
            assert_eq!(tree(pairs), json, "{pairs}");
        }
    }

    #[test]
    fn brackets_have_a_depth() {
        let deep = format!("a{}", "[b]".repeat(1000));
        assert!(!insert(&mut Tree::new(), &deep, Given::Null, 16));
        assert!(insert(&mut Tree::new(), "a[b][c]", Given::Null, 2));
        assert!(!insert(&mut Tree::new(), "a[b][c]", Given::Null, 1));
    }

    #[test]
    fn json_is_limited_in_depth_and_values() {
        let read = |text: &str| json(text.as_bytes(), 2, 4).map_err(|error| error.to_string());
        assert!(read(r#"{"a": {"b": [1]}}"#).is_ok());
        let error = read(r#"{"a": {"b": [[1]]}}"#).expect_err("too deep");
        assert!(error.contains("too deeply"), "{error}");
        assert!(read(r#"{"a": [1, 2, 3]}"#).is_ok());
        let error = read(r#"{"a": [1, 2, 3, 4]}"#).expect_err("too many");
        assert!(error.contains("too many"), "{error}");
        assert!(read(&"[".repeat(100_000)).is_err());
        assert!(read("{} {}").is_err());
        assert_eq!(read("null"), Ok(Tree::new()));
    }

    #[test]
    fn lists_have_several_spellings() {
        let list = |pairs: &str| {
            let mut tree = Tree::new();
            for (key, value) in form_urlencoded::parse(pairs.as_bytes()) {
                insert(&mut tree, &key, Given::Text(value.into_owned()), 16);
            }
            into_list(tree.remove("a").unwrap_or(Given::Null))
                .into_iter()
                .map(|given| match given {
                    Given::Text(text) => text,
                    other => format!("{other:?}"),
                })
                .collect::<String>()
        };
        for (pairs, items) in [
            ("a[]=x&a[]=y", "xy"),
            ("a=x&a=y", "xy"),
            ("a=x", "x"),
            ("a[10]=z&a[0]=x&a[2]=y", "xyz"),
            ("b=x", ""),
        ] {
            assert_eq!(list(pairs), items, "{pairs}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(pairs in "[a-c\\[\\]=&0-9]{0,60}") {
            let _ = tree(&pairs);
        }
    }
}
