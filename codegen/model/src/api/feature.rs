//! Features: what people ask for, made up of items.

use serde::{Deserialize, Serialize};

/// A feature. Since when a program has it is computed from its items, by [`Features`](crate::features::Features).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feature {
    /// Its identity: `edit_history`.
    pub id: String,
    /// A sentence about it.
    pub summary: String,
    /// Other names that people have for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub synonyms: Vec<String>,
    /// The ids of the items that it needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub all: Vec<String>,
    /// The ids of the items of which it needs one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub one_of: Vec<String>,
}

impl Feature {
    /// Its name: `edit history`.
    pub fn name(&self) -> String {
        self.id.replace('_', " ")
    }

    /// The name of its constant in Rust: `EDIT_HISTORY`.
    pub fn constant(&self) -> String {
        self.id.to_uppercase()
    }

    /// The ids of all its items.
    pub fn items(&self) -> impl Iterator<Item = &str> {
        self.all.iter().chain(&self.one_of).map(String::as_str)
    }

    /// Something of the feature, made up of the same of its items: the greatest of all, and the least of those of which one is needed.
    pub fn composed<T: Ord>(&self, of: impl Fn(&str) -> T) -> Option<T> {
        let of = |id: &String| of(id);
        fedispec_since::composed(self.all.iter().map(of), self.one_of.iter().map(of), Ord::cmp)
    }

    /// Whether a text is its id, its name or a synonym, whatever its case and however its words are joined.
    pub fn is_called(&self, text: &str) -> bool {
        let wanted = plain(text);
        std::iter::once(&self.id).chain(&self.synonyms).any(|name| plain(name) == wanted)
    }
}

/// A name as names are compared: its words in lower case with a space between them, so that `Local-only posts` and `local_only_posts`
/// are the same.
pub fn plain(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_has_several_names() {
        let feature = Feature {
            id: "local_only_posts".into(),
            summary: String::new(),
            synonyms: vec!["unfederated posts".into()],
            all: Vec::new(),
            one_of: Vec::new(),
        };
        assert_eq!(
            (feature.name(), feature.constant()),
            ("local only posts".into(), "LOCAL_ONLY_POSTS".into())
        );
        for name in
            ["local_only_posts", "Local-only posts", " local only  posts", "Unfederated Posts"]
        {
            assert!(feature.is_called(name), "{name}");
        }
        for name in ["", "posts", "local onlyposts"] {
            assert!(!feature.is_called(name), "{name}");
        }
    }
}
