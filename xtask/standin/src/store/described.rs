//! The server's title, texts and picture, which GoToSocial lets its admins change.

use super::prelude::*;

/// Names, texts and the picture of the server.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Described {
    pub(crate) title: String,
    pub(crate) short_description: String,
    pub(crate) description: String,
    pub(crate) terms: String,
    pub(crate) email: String,
    /// The account that answers for the server, if that is not the owner's.
    pub(crate) contact: Option<Key>,
    /// A file of this server.
    pub(crate) thumbnail: Option<Key>,
    pub(crate) thumbnail_description: String,
    pub(crate) custom_css: String,
}

impl Default for Described {
    fn default() -> Self {
        let description = "A stand-in server of Fedispec, for tests.";
        Self {
            title: "Stand-in".to_owned(),
            short_description: description.to_owned(),
            description: description.to_owned(),
            terms: String::new(),
            email: "owner@example.org".to_owned(),
            contact: None,
            thumbnail: None,
            thumbnail_description: String::new(),
            custom_css: String::new(),
        }
    }
}
