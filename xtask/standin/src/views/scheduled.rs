//! Statuses that will be posted later.

use fedispec::entities::ScheduledStatusParamsPoll;

use super::prelude::*;
use crate::store::scheduled::Scheduled;

impl View<'_> {
    /// A status that will be posted later, by its key.
    pub(crate) fn scheduled(&self, key: Key, one: &Scheduled) -> entities::ScheduledStatus {
        let draft = &one.draft;
        let media: Vec<_> = draft.media.iter().map(|key| self.id(*key)).collect();
        let poll = draft.poll.as_ref().map(|poll| ScheduledStatusParamsPoll {
            multiple: poll.multiple,
            hide_totals: poll.hide_totals,
            ..current::ScheduledStatusParamsPoll {
                options: poll.options.clone(),
                expires_in: poll.seconds,
            }
            .into()
        });
        let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let parent = draft.in_reply_to.map(|key| i64::try_from(key.0).unwrap_or(i64::MAX));
        let app = draft.app.map_or_else(|| "0".into(), |app| self.id(app));
        let params = current::ScheduledStatusParams {
            text: text(&draft.text),
            application_id: app,
            poll,
            media_ids: Some(media).filter(|media| !media.is_empty()),
            sensitive: Some(draft.sensitive),
            spoiler_text: text(&draft.spoiler_text),
            visibility: Some(draft.visibility.clone()),
            in_reply_to_id: parent,
            language: draft.language.clone(),
            with_rate_limit: false,
            quoted_status_id: draft.quote.map(|key| self.id(key)),
            quote_approval_policy: draft.quote_policy.clone(),
            scheduled_at: None,
            idempotency: None,
            allowed_mentions: None,
        }
        .into();
        current::ScheduledStatus {
            id: self.id(key),
            params,
            media_attachments: draft.media.iter().filter_map(|key| self.media(*key)).collect(),
            scheduled_at: time(one.at),
        }
        .into()
    }
}
