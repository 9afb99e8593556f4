//! Quotes, and who may make them.

use fedispec::enums::{ApprovalAudience, QuoteApprovalCurrentUser, QuotePolicy, QuoteState};
use fedispec::{current, entities};

use super::{View, count};
use crate::store::statuses::Status;

impl View<'_> {
    /// The status that a status quotes, as far as the viewer may see it.
    pub(crate) fn quote(&self, status: &Status) -> Option<Box<entities::Quote>> {
        let (state, key) = (self.state, status.draft.quote?);
        let told = |state| current::Quote { state, quoted_status: None }.into();
        let Some(quoted) = state.statuses.get(&key) else {
            return Some(Box::new(told(QuoteState::Deleted)));
        };
        let author = quoted.account;
        let hidden = if status.quote_revoked {
            Some(QuoteState::Revoked)
        } else if self.me.is_some_and(|me| state.blocks(me, author)) {
            Some(QuoteState::BlockedAccount)
        } else if self.me.is_some_and(|me| state.blocks_domain_of(me, author)) {
            Some(QuoteState::BlockedDomain)
        } else if self.me.is_some_and(|me| state.mute(me, author).is_some()) {
            Some(QuoteState::MutedAccount)
        } else if !state.can_see(self.me, quoted) {
            Some(QuoteState::Unauthorized)
        } else {
            None
        };
        let quote = match hidden {
            Some(hidden) => told(hidden),
            None => entities::Quote {
                quoted_status: Some(Box::new(self.shallow(quoted))),
                ..told(QuoteState::Accepted)
            },
        };
        Some(Box::new(quote))
    }

    /// A quoted status, which tells of its own quote the id alone.
    fn shallow(&self, quoted: &Status) -> entities::ShallowStatus {
        let quote = quoted.draft.quote.map(|key| {
            let state = QuoteState::Accepted;
            current::ShallowQuote { state, quoted_status_id: Some(self.id(key)) }.into()
        });
        let status = self.status_but_quote(quoted);
        entities::ShallowStatus::from_status(status, count(quoted.replies.len()), quote)
    }

    /// Says who may quote a status.
    pub(crate) fn quote_approval(&self, status: &Status) -> entities::QuoteApproval {
        let automatic = match status.draft.quote_policy {
            QuotePolicy::Public => vec![ApprovalAudience::Public],
            QuotePolicy::Followers => vec![ApprovalAudience::Followers],
            _ => Vec::new(),
        };
        let may = self.me.is_some_and(|me| self.state.may_quote(me, status));
        let approval = current::QuoteApproval {
            automatic,
            manual: Vec::new(),
            current_user: match (self.me, may) {
                (_, true) => QuoteApprovalCurrentUser::Automatic,
                (Some(_), false) => QuoteApprovalCurrentUser::Denied,
                (None, false) => QuoteApprovalCurrentUser::Unknown,
            },
        };
        approval.into()
    }
}
