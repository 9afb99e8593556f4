//! Interaction policies of users. They are kept, and every interaction is let through.

use fedispec::entities::{DefaultInteractionPolicies, InteractionPolicy};
use fedispec::{interaction_policies, interaction_requests};

use super::prelude::*;
use crate::store::interactions::{Policy, Rules};

pub(super) fn handlers(server: Server<App>) -> Server<App> {
    server
        .on(by_user(|state, me, _: interaction_policies::Defaults, _| Ok(defaults(&state, me))))
        .on(by_user(|mut state, me, asked: interaction_policies::UpdateDefaults, _| {
            let given = [
                (
                    "public",
                    [
                        (
                            asked.public_can_favourite_always,
                            asked.public_can_favourite_with_approval,
                        ),
                        (asked.public_can_reply_always, asked.public_can_reply_with_approval),
                        (asked.public_can_reblog_always, asked.public_can_reblog_with_approval),
                    ],
                ),
                (
                    "unlisted",
                    [
                        (
                            asked.unlisted_can_favourite_always,
                            asked.unlisted_can_favourite_with_approval,
                        ),
                        (asked.unlisted_can_reply_always, asked.unlisted_can_reply_with_approval),
                        (asked.unlisted_can_reblog_always, asked.unlisted_can_reblog_with_approval),
                    ],
                ),
                (
                    "private",
                    [
                        (
                            asked.private_can_favourite_always,
                            asked.private_can_favourite_with_approval,
                        ),
                        (asked.private_can_reply_always, asked.private_can_reply_with_approval),
                        (asked.private_can_reblog_always, asked.private_can_reblog_with_approval),
                    ],
                ),
                (
                    "direct",
                    [
                        (
                            asked.direct_can_favourite_always,
                            asked.direct_can_favourite_with_approval,
                        ),
                        (asked.direct_can_reply_always, asked.direct_can_reply_with_approval),
                        (asked.direct_can_reblog_always, asked.direct_can_reblog_with_approval),
                    ],
                ),
            ];
            let own = state.interaction_policies.entry(me).or_default();
            for (visibility, rules) in given {
                let [favourite, reply, reblog] =
                    rules.map(|(always, with_approval)| Rules { always, with_approval });
                let policy = Policy { favourite, reply, reblog };
                // A policy that is not sent is the default again, as in GoToSocial.
                if policy == Policy::default() {
                    own.remove(visibility);
                } else {
                    own.insert(visibility.to_owned(), policy.completed());
                }
            }
            Ok(defaults(&state, me))
        }))
        .on(async |app: App, _: interaction_requests::List, call| {
            app.user(&call)?;
            Ok(Page::default())
        })
        .on(async |app: App, _: interaction_requests::Get, call| {
            app.user(&call)?;
            Err(Error::not_found())
        })
        .on(async |app: App, _: interaction_requests::Authorize, call| {
            app.user(&call)?;
            Err(Error::not_found())
        })
        .on(async |app: App, _: interaction_requests::Reject, call| {
            app.user(&call)?;
            Err(Error::not_found())
        })
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
