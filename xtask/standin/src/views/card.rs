//! Cards of the pages that statuses link to. No page is fetched, so that a card has what the address tells.

use fedispec::enums::PreviewCardType;

use super::prelude::*;
use crate::store::statuses::Draft;
use crate::text::{Piece, pieces};

impl View<'_> {
    /// The card of the first link of a text without a warning.
    pub(crate) fn card(&self, draft: &Draft) -> Option<entities::PreviewCard> {
        let is_made = draft.spoiler_text.is_empty() && !self.state.does(Habit::MakesNoCards);
        // Texts are taken apart only where there may be a link in them.
        if !is_made || !draft.text.contains("://") {
            return None;
        }
        pieces(&draft.text).into_iter().find_map(|piece| match piece {
            Piece::Link(url) => Some(card(url)),
            _ => None,
        })
    }
}

/// The part of an address behind its scheme, and the host.
pub(crate) fn parts(url: &str) -> (&str, &str) {
    let (_, rest) = url.split_once("://").unwrap_or_default();
    (rest, rest.split(['/', '?', '#']).next().unwrap_or_default())
}

/// The card of a page of which only the address is known.
pub(crate) fn card(url: &str) -> entities::PreviewCard {
    let (rest, host) = parts(url);
    current::PreviewCard {
        url: url.to_owned(),
        title: rest.to_owned(),
        description: String::new(),
        r#type: PreviewCardType::Link,
        author_name: String::new(),
        author_url: String::new(),
        provider_name: host.to_owned(),
        provider_url: String::new(),
        html: String::new(),
        width: 0,
        height: 0,
        authors: Vec::new(),
        image: None,
        embed_url: String::new(),
        blurhash: None,
        published_at: None,
        language: None,
        image_description: String::new(),
    }
    .into()
}
