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
    pub from: Option<String>,
    /// The day of its commit.
    pub date: Option<String>,
    /// The number of the API that it publishes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api: Option<u32>,
    /// The facts.
    pub rows: Vec<Row>,
    /// Files that could not be read, and calls that could not be followed.
    pub unread: Vec<String>,
}

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
        self.sure && self.decide.is_none() && self.change != Change::Contradicts
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
    /// It stands at the end of a list, instead of under a key.
    pub append: bool,
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
            append: false,
        }
    }

    /// A further element of the list under a path of keys.
    pub fn append<K: Into<String>>(
        path: impl IntoIterator<Item = K>,
        value: impl Into<String>,
    ) -> Self {
        Self { append: true, ..Self::new(path, value) }
    }
}

/// The YAML of edits as a person would write it, in block style.
pub fn yaml(edits: &[Edit]) -> String {
    let mut text = String::new();
    let mut open: Vec<&str> = Vec::new();
    for edit in edits {
        let Some((last, parents)) = edit.path.split_last() else {
            continue;
        };
        let common = open.iter().zip(parents).take_while(|(a, b)| **a == b.as_str()).count();
        open.truncate(common);
        for parent in &parents[common..] {
            _ = writeln!(text, "{}{}:", "  ".repeat(open.len()), scalar(parent));
            open.push(parent);
        }
        let indent = "  ".repeat(open.len());
        if edit.append {
            _ = writeln!(text, "{indent}{}: [{}]", scalar(last), edit.value);
        } else {
            _ = writeln!(text, "{indent}{}: {}", scalar(last), edit.value);
        }
    }
    text
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
    }
}
