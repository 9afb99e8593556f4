//! Attachments and custom emojis.

use fedispec::{entities, required};

use super::View;
use crate::store::Key;

impl View<'_> {
    /// The attachment of a key.
    pub(crate) fn media(&self, key: Key) -> Option<entities::MediaAttachment> {
        let medium = self.state.media.get(&key)?;
        let url = self.state.file_url(medium.file);
        Some(entities::MediaAttachment {
            url: Some(url.clone()),
            preview_url: Some(url),
            description: medium.description.clone(),
            ..required::MediaAttachment {
                id: self.id(key),
                r#type: medium.kind.clone(),
            }
            .into()
        })
    }

    /// The custom emojis that a text uses.
    #[allow(clippy::unused_self, reason = "the state has the emojis")]
    pub(crate) fn emojis(&self, _text: &str) -> Vec<entities::CustomEmoji> {
        Vec::new()
    }
}
