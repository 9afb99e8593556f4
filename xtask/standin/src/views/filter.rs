//! Filters, and what they find in statuses.

use fedispec::enums::{FilterAction, FilterContext};

use super::prelude::*;
use crate::store::filters::{Filter, Keyword, Marked};
use crate::store::statuses::Status;

impl View<'_> {
    /// A filter of version 2.
    pub(crate) fn filter(&self, filter: &Filter) -> entities::Filter {
        let keywords = filter.keywords.iter().map(|keyword| self.keyword(keyword));
        let statuses = filter.statuses.iter().map(|marked| self.marked(marked));
        current::Filter {
            id: self.id(filter.id),
            title: filter.title.clone(),
            context: filter.context.clone(),
            filter_action: filter.action.clone(),
            keywords: keywords.collect(),
            statuses: statuses.collect(),
            expires_at: filter.expires_at.map(time),
        }
        .into()
    }

    /// A filter as it stands in a result: whole, as GoToSocial sends it; what Mastodon leaves out is cut from its answers.
    fn applied(&self, filter: &Filter) -> entities::AppliedFilter {
        let filter = self.filter(filter);
        entities::AppliedFilter {
            keywords: Some(filter.keywords.clone()),
            statuses: Some(filter.statuses.clone()),
            ..entities::AppliedFilter::from_filter(filter)
        }
    }

    /// A keyword as a filter of version 1.
    pub(crate) fn filter_v1(&self, filter: &Filter, keyword: &Keyword) -> entities::V1Filter {
        current::V1Filter {
            context: filter.context.clone(),
            id: self.id(keyword.id),
            irreversible: filter.action == FilterAction::Hide,
            whole_word: keyword.whole_word,
            phrase: keyword.text.clone(),
            expires_at: filter.expires_at.map(time),
        }
        .into()
    }

    pub(crate) fn keyword(&self, keyword: &Keyword) -> entities::FilterKeyword {
        current::FilterKeyword {
            id: self.id(keyword.id),
            keyword: keyword.text.clone(),
            whole_word: keyword.whole_word,
        }
        .into()
    }

    pub(crate) fn marked(&self, marked: &Marked) -> entities::FilterStatus {
        entities::FilterStatus {
            // GoToSocial has the id here.
            phrase: Some(self.id::<()>(marked.status).to_string()),
            ..current::FilterStatus { id: self.id(marked.id), status_id: self.id(marked.status) }
                .into()
        }
    }

    /// Whether a filter of the viewer hides a status of others from the home timeline.
    pub(crate) fn is_dropped(&self, status: &Status) -> bool {
        let boosted = status.reblog_of.and_then(|key| self.state.statuses.get(&key));
        let is_hidden = |found: entities::FilterResult| {
            found.filter.filter_action == FilterAction::Hide
                && found.filter.context.contains(&FilterContext::Home)
        };
        self.me != Some(status.account)
            && self.filtered(boosted.unwrap_or(status)).into_iter().any(is_hidden)
    }

    /// Returns the matches of the viewer's filters in a status.
    pub(crate) fn filtered(&self, status: &Status) -> Vec<entities::FilterResult> {
        let Some(viewer) = self.me else {
            return Vec::new();
        };
        let now = self.state.now();
        let active = self.state.filters_of(viewer);
        let active: Vec<_> = active.filter(|filter| !filter.is_expired(now)).collect();
        if active.is_empty() {
            return Vec::new();
        }
        let draft = &status.draft;
        let poll = draft.poll.iter().flat_map(|poll| poll.options.iter().map(String::as_str));
        let media = draft.media.iter().filter_map(|key| self.state.media.get(key));
        let media = media.filter_map(|medium| medium.description.as_deref());
        let texts: Vec<_> = [draft.spoiler_text.as_str(), &draft.text]
            .into_iter()
            .chain(poll)
            .chain(media)
            .collect();
        active
            .into_iter()
            .filter_map(|filter| {
                let found = filter.find(status.id, &texts)?;
                Some(
                    current::FilterResult {
                        filter: self.applied(filter),
                        keyword_matches: Some(found.keywords).filter(|words| !words.is_empty()),
                        status_matches: found.is_marked.then(|| vec![self.id(status.id)]),
                    }
                    .into(),
                )
            })
            .collect()
    }
}
