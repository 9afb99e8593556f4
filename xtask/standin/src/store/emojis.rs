//! Custom emojis.

use super::prelude::*;

/// A custom emoji of this server.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Emoji {
    pub(crate) id: Key,
    pub(crate) shortcode: String,
    pub(crate) category: Option<String>,
    pub(crate) file: Key,
    pub(crate) disabled: bool,
    pub(crate) updated_at: Millis,
}
