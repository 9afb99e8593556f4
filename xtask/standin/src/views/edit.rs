//! The versions of a status.

use super::prelude::*;
use crate::store::statuses::{Draft, Status};

impl View<'_> {
    /// The versions of a status, oldest first.
    pub(crate) fn edits(&self, status: &Status) -> Vec<entities::StatusEdit> {
        let before = status.edits.iter().map(|edit| (edit.at, &edit.draft));
        let now = (status.edited_at.unwrap_or(status.at), &status.draft);
        let versions = before.chain([now]);
        versions.map(|(at, draft)| self.edit(status, at, draft)).collect()
    }

    fn edit(&self, status: &Status, at: Millis, draft: &Draft) -> entities::StatusEdit {
        let poll = draft.poll.as_ref().map(|poll| {
            let options = poll.options.iter().map(|title| {
                let title = title.clone();
                current::StatusEditPollOptions { title }.into()
            });
            let options = options.collect();
            current::StatusEditPoll { options }.into()
        });
        entities::StatusEdit {
            poll,
            quote: self.quote(status).map(|quote| *quote),
            ..current::StatusEdit {
                content: self.html(draft),
                spoiler_text: draft.spoiler_text.clone(),
                sensitive: draft.sensitive,
                created_at: time(at),
                account: Some(self.account(status.account)),
                media_attachments: draft.media.iter().filter_map(|key| self.media(*key)).collect(),
                emojis: self.emojis(&draft.text),
            }
            .into()
        }
    }
}
