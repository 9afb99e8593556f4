//! An item in both states, while its differences are being claimed.

use super::change::{Cause, Change, Direction};
use super::context::Context;
use super::facts::Differing;
use super::in_place;
use super::index::Node;
use super::rules::RuleId;
use fedispec_model::api::Class;
use fedispec_model::api::{Change as InPlace, Evidence};
use fedispec_model::release;

/// An item in both states.
pub(super) struct Pair<'c, 'a> {
    pub(super) context: &'c Context<'a>,
    pub(super) old: Node<'a>,
    pub(super) new: Node<'a>,
    pub(super) keys: Differing,
    pub(super) out: Vec<Change>,
    /// Something of its shape differs.
    pub(super) shape: bool,
    /// What releases that the base did not know changed in place.
    news: Vec<&'a InPlace>,
}

impl<'c, 'a> Pair<'c, 'a> {
    pub(super) fn new(context: &'c Context<'a>, old: Node<'a>, new: Node<'a>) -> Self {
        let keys = Differing::between(
            old,
            &context.old.api.programs,
            new,
            &context.new.api.programs,
        );
        let news = news(context, old, new);
        Self {
            context,
            old,
            new,
            keys,
            out: Vec::new(),
            shape: false,
            news,
        }
    }

    /// A change of the item's shape.
    pub(super) fn say(
        &mut self,
        rule: RuleId,
        old: impl ToString,
        new: impl ToString,
    ) -> &mut Change {
        self.shape = true;
        let cause = if self
            .news
            .iter()
            .any(|change| in_place::explains(change, rule))
        {
            Cause::Evolution
        } else {
            Cause::Correction
        };
        let proven = cause == Cause::Correction
            && better(
                self.old.item().evidence.as_ref(),
                self.new.item().evidence.as_ref(),
            );
        let change = self.begin(rule, cause, old, new);
        if let (Some((severity, bump)), true) = (rule.rule().proven, proven) {
            change.severity = severity;
            change.bump = bump;
        }
        change
    }

    /// The same, of something that nobody knew before.
    pub(super) fn learn(&mut self, rule: RuleId, what: &str, new: impl ToString) -> &mut Change {
        let change = self.say(rule, format!("{what} unknown"), new);
        change.cause = Cause::Coverage;
        change
    }

    /// The same, of something that nobody had to state: where nobody did, it was not wrong.
    pub(super) fn stated(
        &mut self,
        rule: RuleId,
        before: bool,
        old: impl ToString,
        new: impl ToString,
    ) -> &mut Change {
        let change = self.say(rule, old, new);
        if !before && change.cause == Cause::Correction {
            change.cause = Cause::Coverage;
        }
        change
    }

    /// A change that nobody's program sees.
    pub(super) fn note(
        &mut self,
        rule: RuleId,
        old: impl ToString,
        new: impl ToString,
    ) -> &mut Change {
        self.begin(rule, Cause::Editorial, old, new)
    }

    #[allow(
        clippy::needless_pass_by_value,
        reason = "what callers hand over was made for it"
    )]
    fn begin(
        &mut self,
        rule: RuleId,
        cause: Cause,
        old: impl ToString,
        new: impl ToString,
    ) -> &mut Change {
        let mut change = self.context.change(rule, Some(self.old), Some(self.new));
        change.cause = cause;
        change.old = Some(old.to_string());
        change.new = Some(new.to_string());
        self.push(change)
    }

    /// What became known, or is known no longer.
    pub(super) fn knowledge(&mut self, what: &str, old: Option<String>, new: Option<String>) {
        match (old, new) {
            (None, Some(new)) => {
                self.learn(RuleId::FactBecameKnown, what, &new).message =
                    format!("{what} is known: {new}");
            }
            (Some(old), None) => {
                let change = self.say(RuleId::FactBecameUnknown, &old, format!("{what} unknown"));
                change.message = format!("{what} is no longer known, was {old}");
            }
            _ => {}
        }
    }

    pub(super) fn push(&mut self, change: Change) -> &mut Change {
        let at = self.out.len();
        self.out.push(change);
        &mut self.out[at]
    }
}

/// What releases that the base did not know changed in place.
fn news<'a>(context: &Context<'a>, old: Node<'a>, new: Node<'a>) -> Vec<&'a InPlace> {
    let mut news = Vec::new();
    for program in &context.programs {
        let Some(life) = program.new_life(&new.item().life) else {
            continue;
        };
        let before = program.old_life(&old.item().life);
        let known =
            |change: &&InPlace| before.is_some_and(|before| before.changed.contains(change));
        let newer = |change: &&InPlace| release::parse(&change.r#in) > Some(program.newest);
        news.extend(
            life.changed
                .iter()
                .filter(|change| newer(change) && !known(change)),
        );
    }
    news
}

/// Whether there is new evidence that is the servers' own and proves no less than the old.
pub(super) fn better(old: Option<&Evidence>, new: Option<&Evidence>) -> bool {
    new.is_some_and(|new| {
        Some(new) != old
            && matches!(new.class, Class::A | Class::B)
            && old.is_none_or(|old| new.class <= old.class)
    })
}

/// Sets the direction of changes that were said since.
pub(super) fn directed(changes: &mut [Change], direction: Direction) {
    for change in changes {
        change.direction = Some(direction);
    }
}
