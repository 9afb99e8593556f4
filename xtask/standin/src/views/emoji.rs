//! Custom emojis.

use super::prelude::*;
use crate::store::emojis::Emoji;

impl View<'_> {
    pub(crate) fn emoji(&self, emoji: &Emoji) -> entities::CustomEmoji {
        let url = self.state.file_url(emoji.file);
        entities::CustomEmoji {
            category: emoji.category.clone(),
            ..current::CustomEmoji {
                shortcode: emoji.shortcode.clone(),
                static_url: url.clone(),
                url,
                visible_in_picker: true,
            }
            .into()
        }
    }

    /// The custom emojis that a text uses.
    pub(crate) fn emojis(&self, text: &str) -> Vec<entities::CustomEmoji> {
        let all = self.state.emojis.values().filter(|emoji| !emoji.disabled);
        let used = all.filter(|emoji| text.contains(&format!(":{}:", emoji.shortcode)));
        used.map(|emoji| self.emoji(emoji)).collect()
    }

    /// An emoji as moderators see it.
    pub(crate) fn admin_emoji(&self, emoji: &Emoji) -> entities::AdminEmoji {
        let url = self.state.file_url(emoji.file);
        let file = self.state.files.get(&emoji.file);
        let id = self.id(emoji.id);
        entities::AdminEmoji {
            category: emoji.category.clone(),
            ..current::AdminEmoji {
                content_type: file.map(|file| file.content_type.clone()).unwrap_or_default(),
                disabled: emoji.disabled,
                uri: format!("{}/emoji/{id}", self.state.origin()),
                id,
                shortcode: emoji.shortcode.clone(),
                static_url: url.clone(),
                total_file_size: count(file.map_or(0, |file| file.bytes.len())),
                updated_at: time(emoji.updated_at),
                url,
                visible_in_picker: true,
            }
            .into()
        }
    }
}
