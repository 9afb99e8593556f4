//! Interaction policies of users. They are kept, and every interaction is let through.

use fedispec::entities::{DefaultInteractionPolicies, InteractionPolicy};
use fedispec::{interaction_policies, interaction_requests};

use super::prelude::*;
use crate::store::interactions::{Policy, Rules};

/// The policy that a request has for a visibility: for each act the parameters of those who may at once, and of those who have to ask.
macro_rules! policy {
    ($asked:ident: $($act:ident: $always:ident, $with_approval:ident;)+) => {
        Policy {
            $($act: Rules { always: $asked.$always, with_approval: $asked.$with_approval },)+
        }
    };
}

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|state, me, _: interaction_policies::Defaults, _| Ok(defaults(&state, me))))
        .on(by_user(|mut state, me, asked: interaction_policies::UpdateDefaults, _| {
            let given = [
                ("public", policy!(asked:
                    favourite: public_can_favourite_always, public_can_favourite_with_approval;
                    reply: public_can_reply_always, public_can_reply_with_approval;
                    reblog: public_can_reblog_always, public_can_reblog_with_approval;
                )),
                ("unlisted", policy!(asked:
                    favourite: unlisted_can_favourite_always, unlisted_can_favourite_with_approval;
                    reply: unlisted_can_reply_always, unlisted_can_reply_with_approval;
                    reblog: unlisted_can_reblog_always, unlisted_can_reblog_with_approval;
                )),
                ("private", policy!(asked:
                    favourite: private_can_favourite_always, private_can_favourite_with_approval;
                    reply: private_can_reply_always, private_can_reply_with_approval;
                    reblog: private_can_reblog_always, private_can_reblog_with_approval;
                )),
                ("direct", policy!(asked:
                    favourite: direct_can_favourite_always, direct_can_favourite_with_approval;
                    reply: direct_can_reply_always, direct_can_reply_with_approval;
                    reblog: direct_can_reblog_always, direct_can_reblog_with_approval;
                )),
            ];
            let own = state.interaction_policies.entry(me).or_default();
            for (visibility, policy) in given {
                // A policy that is not sent is the default again, as in GoToSocial.
                if policy == Policy::default() {
                    own.remove(visibility);
                } else {
                    own.insert(visibility.to_owned(), policy.completed());
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
    let own = state.interaction_policies.get(&me);
    let policy = |visibility: &str| {
        let own = own.and_then(|own| own.get(visibility)).cloned();
        InteractionPolicy::from(own.unwrap_or_else(|| Policy::of(visibility)))
    };
    current::DefaultInteractionPolicies {
        direct: policy("direct"),
        private: policy("private"),
        public: policy("public"),
        unlisted: policy("unlisted"),
    }
    .into()
}

impl From<Policy> for InteractionPolicy {
    fn from(policy: Policy) -> Self {
        let rules = |rules: Rules| {
            current::InteractionPolicyRules {
                always: rules.always,
                with_approval: rules.with_approval,
            }
            .into()
        };
        current::InteractionPolicy {
            can_favourite: rules(policy.favourite),
            can_reblog: rules(policy.reblog),
            can_reply: rules(policy.reply),
        }
        .into()
    }
}
