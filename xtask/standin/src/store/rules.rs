//! The rules of the server.

use super::prelude::*;

/// A rule, and when it was last written.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Rule {
    pub(crate) text: String,
    pub(crate) at: Millis,
}

/// The rules by id.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Rules(pub(crate) BTreeMap<Key, Rule>);

/// One rule, so that a report can name it.
impl Default for Rules {
    fn default() -> Self {
        let rule = Rule { text: "Test kindly.".to_owned(), at: 0 };
        Self([(Key(1), rule)].into())
    }
}
