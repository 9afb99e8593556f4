//! Rows: what a release brings, one fact each, with the YAML that says it.

use std::fmt::Write as _;

use serde::Serialize;

/// The version of the JSON form.
pub const SCHEMA: &str = "fedispec-propose/1";

/// A proposal.
#[derive(Debug, Serialize)]
pub struct Proposal {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The program's key.
    pub program: String,
    /// The release, as the catalogue will call it.
    pub version: String,
    /// The older release that it is compared with.
    pub from: String,
    /// The day of its commit.
    pub date: String,
    /// The number of the API that it publishes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api: Option<u32>,
    /// The facts.
    pub rows: Vec<Row>,
    /// Files that could not be read, and calls that could not be followed.
    pub unread: Vec<String>,
    /// The lines that a keeper has looked at before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread_decided: Vec<String>,
}

/// The words between a question and the place of the object that a parameter stands in.
pub(crate) const STANDS_WITH: &str = "; it stands with ";

/// A fact.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The change of the item.
    pub change: Change,
    /// The kind of the item.
    pub kind: ItemKind,
    /// The catalogue's id of the item, or the proposed one.
    pub id: String,
    /// The method of the operation.
    pub method: Option<String>,
    /// The path of the operation.
    pub path: Option<String>,
    /// The name on the wire; empty for an operation.
    pub name: String,
    /// The fact of the older release, or the catalogue's word.
    pub from: Option<String>,
    /// The fact of the newer release, or the source's word.
    pub to: Option<String>,
    /// Where the source says so: `FILE:LINE@TAG`.
    pub at: String,
    /// The source leaves no doubt.
    pub sure: bool,
    /// Its fingerprint, by which it is accepted.
    pub fp: String,
    /// The reason of a keeper who has decided it before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<String>,
    /// The question that is left to a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decide: Option<String>,
    /// The YAML to add.
    pub yaml: String,
    /// The file to add it to.
    pub file: String,
    /// The same, for `--write`.
    #[serde(skip)]
    pub edits: Vec<Edit>,
}

impl Row {
    /// A row about something that is there now.
    pub(crate) fn new(kind: ItemKind, id: &str, name: &str, at: String) -> Self {
        Self { kind, id: id.to_owned(), name: name.to_owned(), at, sure: true, ..Self::default() }
    }

    /// Whether it can be written down as it is.
    pub fn is_ready(&self) -> bool {
        self.sure
            && self.decide.is_none()
            && self.accepted.is_none()
            && self.change != Change::Contradicts
    }
}

/// The change of an item.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// The release has it, the older one had not.
    #[default]
    Added,
    /// The older one had it.
    Removed,
    /// It is otherwise now.
    Changed,
    /// A removed item and an added one are probably the same.
    Renamed,
    /// The catalogue says otherwise of the older release: a mistake of ours, or of this reading.
    Contradicts,
}

/// The kind of an item.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ItemKind {
    /// A method and a path.
    #[default]
    Operation,
    /// A parameter of an operation.
    Param,
    /// A field of an answer.
    Field,
    /// An enumeration.
    Enum,
    /// A value of an enumeration.
    Value,
    /// The token, scopes and role that an operation asks of a caller.
    Auth,
    /// Whether a field may be absent or null.
    Presence,
}

impl Change {
    /// Its name in JSON.
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

impl ItemKind {
    /// Its name in JSON.
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// A place in a file of the supplement, and what is to stand there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The keys from the root of the file.
    pub path: Vec<String>,
    /// The value in flow style.
    pub value: String,
    /// How it goes there.
    pub how: How,
}

/// How a value goes where it is to stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Where nothing is stated, or that nobody saw it yet.
    Fill,
    /// In place of what the catalogue states of the older release, which that source says too.
    Replace,
    /// At the end of a list.
    Append,
}

impl Edit {
    /// A value under a path of keys.
    pub fn new<K: Into<String>>(
        path: impl IntoIterator<Item = K>,
        value: impl Into<String>,
    ) -> Self {
        Self {
            path: path.into_iter().map(Into::into).collect(),
            value: value.into(),
            how: How::Fill,
        }
    }

    /// A value in place of the one under a path of keys.
    pub fn replace<K: Into<String>>(
        path: impl IntoIterator<Item = K>,
        value: impl Into<String>,
    ) -> Self {
        Self { how: How::Replace, ..Self::new(path, value) }
    }

    /// A further element of the list under a path of keys.
    pub fn append<K: Into<String>>(
        path: impl IntoIterator<Item = K>,
        value: impl Into<String>,
    ) -> Self {
        Self { how: How::Append, ..Self::new(path, value) }
    }
}

/// The YAML of edits as a person would write it, in block style, with each key once.
pub fn yaml<'e>(edits: impl IntoIterator<Item = &'e Edit>) -> String {
    let mut root = Block::default();
    for edit in edits {
        let block = edit.path.iter().fold(&mut root, |block, key| block.at(key));
        let is_list = edit.how == How::Append;
        if is_list || block.values.is_empty() {
            block.values.push(&edit.value);
        } else {
            block.values = vec![&edit.value];
        }
        block.is_list = is_list;
    }
    let mut text = String::new();
    root.write(0, &mut text);
    text
}

/// The content of a key: a value, the elements of a list, or further keys.
#[derive(Default)]
struct Block<'e> {
    values: Vec<&'e str>,
    is_list: bool,
    inside: Vec<(&'e str, Self)>,
}

impl<'e> Block<'e> {
    fn at(&mut self, key: &'e str) -> &mut Self {
        let place = self.inside.iter().position(|(known, _)| *known == key);
        let place = place.unwrap_or_else(|| {
            self.inside.push((key, Self::default()));
            self.inside.len() - 1
        });
        &mut self.inside[place].1
    }

    fn write(&self, depth: usize, text: &mut String) {
        for (key, block) in &self.inside {
            let values = block.values.join(", ");
            let value = match (block.is_list, values.is_empty()) {
                (true, _) => format!(" [{values}]"),
                (false, false) => format!(" {values}"),
                (false, true) => String::new(),
            };
            _ = writeln!(text, "{}{}:{value}", "  ".repeat(depth), scalar(key));
            block.write(depth + 1, text);
        }
    }
}

/// A text as a scalar of YAML, quoted where it needs to be.
pub fn scalar(text: &str) -> String {
    let words = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let plain = text.starts_with(|first: char| first.is_ascii_alphabetic() || "_/".contains(first))
        && text.chars().all(|one| one.is_ascii_alphanumeric() || "_-./<> ".contains(one))
        && !text.ends_with(' ')
        && !words.contains(&text.to_ascii_lowercase().as_str());
    if plain { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}

#[cfg(test)]
mod tests {
    use super::{Edit, scalar, yaml};

    #[test]
    fn what_yaml_would_misread_is_quoted() {
        assert_eq!(scalar("read"), "read");
        for text in ["read:lists", "no", "4.3", "a: b", "types[]", "", "x #y", "-", "é"] {
            assert!(scalar(text).starts_with('"'), "{text}: {}", scalar(text));
        }
    }

    #[test]
    fn keys_are_written_once() {
        let edits = [
            Edit::new(["operations", "lists.get", "since", "gotosocial"], "\"0.20.0\""),
            Edit::new(["operations", "lists.get", "params", "types[]"], "{in: query}"),
            Edit::append(["operations", "lists.list", "errors"], "404"),
        ];
        let text = "operations:\n  lists.get:\n    since:\n      gotosocial: \"0.20.0\"\n    params:\n      \"types[]\": {in: query}\n  lists.list:\n    errors: [404]\n";
        assert_eq!(yaml(&edits), text);
        // Edits of the same map are put together, also where others came between them.
        let edits = [0, 2, 1, 2].map(|at: usize| edits[at].clone());
        assert_eq!(yaml(&edits), text.replace("[404]", "[404, 404]"));
    }
}
