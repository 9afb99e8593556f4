//! Interaction policies of a user's statuses.

use fedispec::current;
use fedispec::entities::{InteractionPolicy, InteractionPolicyRules};

use super::{Key, State};

/// The rules of who may do something at once, and of who has to ask.
pub(crate) fn rules(always: Vec<String>, with_approval: Vec<String>) -> InteractionPolicyRules {
    current::InteractionPolicyRules { always, with_approval }.into()
}

/// The policy of what may be done with a status.
pub(crate) fn policy(
    can_favourite: InteractionPolicyRules,
    can_reply: InteractionPolicyRules,
    can_reblog: InteractionPolicyRules,
) -> InteractionPolicy {
    current::InteractionPolicy { can_favourite, can_reblog, can_reply }.into()
}

/// The policy of a visibility unless the user sets another, as GoToSocial has them.
fn default_of(visibility: &str) -> InteractionPolicy {
    let (interact, reblog): (&[&str], &[&str]) = match visibility {
        "private" => (&["author", "followers", "mentioned"], &["author"]),
        "direct" => (&["author", "mentioned"], &["author"]),
        _ => (&["public"], &["public"]),
    };
    let let_in =
        |groups: &[&str]| rules(groups.iter().map(|one| (*one).to_owned()).collect(), Vec::new());
    policy(let_in(interact), let_in(interact), let_in(reblog))
}

impl State {
    /// The policy of an account's statuses of a visibility: its own, or else the default one.
    pub(crate) fn interaction_policy(&self, author: Key, visibility: &str) -> InteractionPolicy {
        let own = self.interaction_policies.get(&author).and_then(|own| own.get(visibility));
        own.cloned().unwrap_or_else(|| default_of(visibility))
    }
}

/// Adds a group to those that may at once, unless everybody may.
fn let_always(rules: &mut InteractionPolicyRules, group: &str) {
    if !rules.always.iter().any(|one| one == "public" || one == group) {
        rules.always.push(group.to_owned());
    }
}

/// The policy as GoToSocial keeps it: the author may always, and those that a status mentions may answer it.
pub(crate) fn completed(mut policy: InteractionPolicy) -> InteractionPolicy {
    for rules in [&mut policy.can_favourite, &mut policy.can_reply, &mut policy.can_reblog] {
        let_always(rules, "author");
    }
    let_always(&mut policy.can_reply, "mentioned");
    policy
}

/// The policy of a status as its viewer reads it, who is `me` where they may at once.
pub(crate) fn told_to(mut policy: InteractionPolicy, is_author: bool) -> InteractionPolicy {
    for rules in [&mut policy.can_favourite, &mut policy.can_reply, &mut policy.can_reblog] {
        if is_author || rules.always.iter().any(|one| one == "public") {
            rules.always.push("me".to_owned());
        }
    }
    policy
}
