//! Pictures, videos and sounds.

use std::collections::BTreeMap;

use fedispec::enums::MediaAttachmentType;
use serde::{Deserialize, Serialize};

use super::Key;

/// An attachment, before and after it is posted.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Medium {
    pub(crate) id: Key,
    pub(crate) owner: Key,
    pub(crate) kind: MediaAttachmentType,
    pub(crate) file: Key,
    pub(crate) description: Option<String>,
    pub(crate) focus: Option<(f64, f64)>,
    /// The status that has it.
    pub(crate) status: Option<Key>,
}

/// The attachments by id.
pub(crate) type Media = BTreeMap<Key, Medium>;
