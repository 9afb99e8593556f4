//! Quotes, and who may make them.

use fedispec::enums::{ApprovalAudience, QuoteApprovalCurrentUser, QuotePolicy, QuoteState};

use super::prelude::*;
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
        let is = |does: &dyn Fn(Key) -> bool| self.me.is_some_and(does);
        let reasons = [
            (status.quote_revoked, QuoteState::Revoked),
            (is(&|me| state.blocks(me, author)), QuoteState::BlockedAccount),
            (is(&|me| state.blocks_domain_of(me, author)), QuoteState::BlockedDomain),
            (is(&|me| state.mute(me, author).is_some()), QuoteState::MutedAccount),
            (!state.can_see(self.me, quoted), QuoteState::Unauthorized),
        ];
        let hidden = reasons.into_iter().find(|(applies, _)| *applies).map(|(_, reason)| reason);
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
