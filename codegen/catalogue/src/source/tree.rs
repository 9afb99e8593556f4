//! The tree of a YAML file, with the position of each node.

use std::ops::Range;

use serde::{Serialize, Serializer};

use super::Span;
use crate::map::IndexMap;

/// A value in a file, with its position.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct YamlNode {
    /// Its number in the file; a node has a lower number than everything inside it and after it.
    pub(crate) number: u32,
    /// Where it stands.
    pub(crate) span: Span,
    /// Its content.
    pub(crate) content: Content,
}

/// The content of a node.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Content {
    /// A scalar.
    Scalar(Scalar),
    /// A list.
    List(Vec<YamlNode>),
    /// A map. Keys that are not text, and repeated keys, are reported when the file is read and are not in it.
    Map(IndexMap<String, YamlNode>),
    /// An alias, which is reported when the file is read: nothing can be said about its value.
    Alias,
}

/// A scalar, typed as YAML types it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Scalar {
    /// `null`, `~`, or nothing at all.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A whole number above those that are [`Scalar::Integer`].
    Unsigned(u64),
    /// Any other number.
    Float(f64),
    /// Text, with its escapes resolved.
    Text(String),
}

impl YamlNode {
    /// The node under that key of a map, or with that number in a list.
    pub(crate) fn child(&self, key: &str) -> Option<&Self> {
        match &self.content {
            Content::Map(entries) => entries.get(key),
            Content::List(elements) => elements.get(key.parse::<usize>().ok()?),
            Content::Scalar(_) | Content::Alias => None,
        }
    }

    /// The entries, if it is a map.
    pub(crate) fn map(&self) -> Option<&IndexMap<String, Self>> {
        match &self.content {
            Content::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The entries to change, if it is a map.
    pub(crate) fn map_mut(&mut self) -> Option<&mut IndexMap<String, Self>> {
        match &mut self.content {
            Content::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The nodes inside it, those of a map with their keys.
    pub(crate) fn children(&self) -> impl Iterator<Item = (Option<&str>, &Self)> {
        let elements = match &self.content {
            Content::List(elements) => elements.as_slice(),
            _ => &[],
        };
        let entries =
            self.map().into_iter().flatten().map(|(key, node)| (Some(key.as_str()), node));
        let elements = elements.iter().map(|node| (None, node));
        entries.chain(elements)
    }

    /// The text that it is, if it is text.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Scalar(Scalar::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// Writes the content on one line: text as it is, everything else as JSON with the keys in the order of the file.
    pub(crate) fn one_line(&self) -> String {
        match self.text() {
            Some(text) => text.to_owned(),
            None => serde_json::to_string(self).unwrap_or_default(),
        }
    }

    /// Lists the leaves with the keys that lead to them: scalars, lists and empty maps.
    pub(crate) fn leaves<'n>(&'n self, keys: &[&'n str], to: &mut Vec<(Vec<&'n str>, &'n Self)>) {
        match self.map().filter(|map| !map.is_empty()) {
            Some(map) => {
                for (key, node) in map {
                    node.leaves(&[keys, &[key]].concat(), to);
                }
            }
            None => to.push((keys.to_vec(), self)),
        }
    }

    /// Finds the scalar that is that word, or that word in a list, under a key however deep inside.
    pub(crate) fn find(&self, under: &str, word: &str) -> Option<Range<usize>> {
        self.children().find_map(|(key, child)| {
            if key != Some(under) {
                return child.find(under, word);
            }
            let elements = child.children().map(|(_, element)| element);
            let mut scalars = std::iter::once(child).chain(elements);
            Some(scalars.find(|one| one.one_line() == word)?.span.content())
        })
    }

    /// Whether it is a key without a value, or an explicit null.
    pub(crate) fn is_null(&self) -> bool {
        self.content == Content::Scalar(Scalar::Null)
    }

    /// The nodes that lead from this one to the one of that number, both included, with the keys that they stand under.
    pub(crate) fn way_to(&self, number: u32) -> Vec<(Option<&str>, &Self)> {
        let mut way = vec![(None, self)];
        let mut node = self;
        while node.number != number {
            let next = match &node.content {
                Content::Map(entries) => {
                    let after = entries.as_slice().partition_point(|_, node| node.number <= number);
                    let entry = after.checked_sub(1).and_then(|at| entries.get_index(at));
                    entry.map(|(key, node)| (Some(key.as_str()), node))
                }
                Content::List(elements) => {
                    let after = elements.partition_point(|node| node.number <= number);
                    after.checked_sub(1).map(|at| (None, &elements[at]))
                }
                Content::Scalar(_) | Content::Alias => None,
            };
            let Some(next) = next else { break };
            way.push(next);
            node = next.1;
        }
        way
    }
}

impl Serialize for YamlNode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.content {
            Content::Map(entries) => serializer.collect_map(entries),
            Content::List(elements) => serializer.collect_seq(elements),
            Content::Scalar(scalar) => match scalar {
                Scalar::Null => serializer.serialize_unit(),
                Scalar::Bool(truth) => serializer.serialize_bool(*truth),
                Scalar::Integer(number) => serializer.serialize_i64(*number),
                Scalar::Unsigned(number) => serializer.serialize_u64(*number),
                Scalar::Float(number) => serializer.serialize_f64(*number),
                Scalar::Text(text) => serializer.serialize_str(text),
            },
            Content::Alias => serializer.serialize_unit(),
        }
    }
}

/// Where nothing stands.
pub(crate) const NOWHERE: Span = Span { key: None, value: Range { start: 0, end: 0 } };

#[cfg(test)]
mod tests {
    use super::*;

    fn node(number: u32, content: Content) -> YamlNode {
        YamlNode { number, span: NOWHERE, content }
    }

    #[test]
    fn nodes_are_found_by_key_and_by_number() {
        let word = |number| node(number, Content::Scalar(Scalar::Text("x".into())));
        let list = node(3, Content::List(vec![word(4), word(5)]));
        let entries = [("a", word(1)), ("b", list), ("c", word(7))];
        let entries = entries.map(|(key, node)| (key.to_owned(), node));
        let root = node(0, Content::Map(entries.into_iter().collect()));
        let element = root.child("b").and_then(|list| list.child("1"));
        assert_eq!(element.map(|one| one.number), Some(5));
        for missing in ["d", "0"] {
            assert_eq!(root.child(missing), None);
        }
        let way = |number| {
            let way = root.way_to(number);
            let keys = way.iter().map(|(key, _)| key.unwrap_or("-"));
            keys.collect::<Vec<_>>().join("/")
        };
        assert_eq!(way(0), "-");
        assert_eq!(way(5), "-/b/-");
        assert_eq!(way(7), "-/c");
        assert_eq!(root.one_line(), r#"{"a":"x","b":["x","x"],"c":"x"}"#);
        assert_eq!(word(1).one_line(), "x");
    }
}
