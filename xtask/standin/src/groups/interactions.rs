//! Interaction policies of users. They are kept, and every interaction is let through.

use fedispec::entities::DefaultInteractionPolicies;
use fedispec::{interaction_policies, interaction_requests};

use super::prelude::*;
use crate::store::interactions::{completed, policy, rules};

/// The policy that a request has for each visibility: the parameters of those who may favourite, answer and boost at once, each before that of those
/// who have to ask.
macro_rules! policies {
    ($asked:ident: $($visibility:literal: $($always:ident $with_approval:ident),+;)+) => {
        [$(($visibility, policy($(rules($asked.$always, $asked.$with_approval)),+))),+]
    };
}

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|state, me, _: interaction_policies::Defaults, _| Ok(defaults(&state, me))))
        .on(by_user(|mut state, me, asked: interaction_policies::UpdateDefaults, _| {
            let given = policies!(asked:
                "public": public_can_favourite_always public_can_favourite_with_approval,
                    public_can_reply_always public_can_reply_with_approval,
                    public_can_reblog_always public_can_reblog_with_approval;
                "unlisted": unlisted_can_favourite_always unlisted_can_favourite_with_approval,
                    unlisted_can_reply_always unlisted_can_reply_with_approval,
                    unlisted_can_reblog_always unlisted_can_reblog_with_approval;
                "private": private_can_favourite_always private_can_favourite_with_approval,
                    private_can_reply_always private_can_reply_with_approval,
                    private_can_reblog_always private_can_reblog_with_approval;
                "direct": direct_can_favourite_always direct_can_favourite_with_approval,
                    direct_can_reply_always direct_can_reply_with_approval,
                    direct_can_reblog_always direct_can_reblog_with_approval;
            );
            let nobody = || rules(Vec::new(), Vec::new());
            let nothing = policy(nobody(), nobody(), nobody());
            let own = state.interaction_policies.entry(me).or_default();
            for (visibility, policy) in given {
                // A policy that is not sent is the default again, as in GoToSocial.
                if policy == nothing {
                    own.remove(visibility);
                } else {
                    own.insert(visibility.to_owned(), completed(policy));
                }
            }
            Ok(defaults(&state, me))
        }))
        .on(by_user(|_, _, _: interaction_requests::List, _| Ok(Page::default())))
        .on(by_user(|_, _, _: interaction_requests::Get, _| Err(Error::not_found())))
        .on(by_user(|_, _, _: interaction_requests::Authorize, _| Err(Error::not_found())))
        .on(by_user(|_, _, _: interaction_requests::Reject, _| Err(Error::not_found())))
}

fn defaults(state: &State, me: Key) -> DefaultInteractionPolicies {
    let policy = |visibility| state.interaction_policy(me, visibility);
    current::DefaultInteractionPolicies {
        direct: policy("direct"),
        private: policy("private"),
        public: policy("public"),
        unlisted: policy("unlisted"),
    }
    .into()
}
