//! Evidence: the proof of a fact.

use fedispec_since::Class;
use serde::{Deserialize, Serialize};

/// The proof of a fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// How much it proves.
    pub class: Class,
    /// The source's title, with its revision.
    pub source: String,
    /// The place in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// A remark about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The item or what contains it names it; else the defaults of its file do.
    #[serde(default, skip_serializing_if = "Own::is_default")]
    pub own: Own,
}

/// Whether evidence is an item's own and no default of its file. Evidence that proves the same compares equal, whoever
/// names it.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Own(pub bool);

impl Own {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
    fn is_default(&self) -> bool {
        !self.0
    }
}

impl PartialEq for Own {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Own {}
