//! An item in both states, with the differences that no rule has claimed yet and the changes that were said.

use super::change::{Cause, Change, Direction};
use super::code;
use super::context::Context;
use super::facts::Differing;
use super::in_place;
use super::index::IndexedItem;
use super::rules::{Audience, Bump, RuleId, Severity};

use fedispec_model::api::{EntityRole, Evidence};
use fedispec_model::change::Change as InPlace;
use fedispec_since::Class;

/// An item in both states.
pub(super) struct Pair<'c, 'a> {
    pub(super) context: &'c Context<'a>,
    pub(super) old: IndexedItem<'a>,
    pub(super) new: IndexedItem<'a>,
    pub(super) keys: Differing,
    pub(super) out: Vec<Change>,
    /// The direction of its values, for the changes reported next.
    pub(super) direction: Option<Direction>,
    /// Something of its shape differs.
    pub(super) shape: bool,
    /// Changes in place made by releases newer than the newest one that the base looked at.
    news: Vec<&'a InPlace>,
    /// The changes in place that only one state records, by program: a difference of shape that one of them explains is
    /// told as one with it.
    recorded: Vec<(&'a str, &'a InPlace)>,
}

impl<'c, 'a> Pair<'c, 'a> {
    pub(super) fn new(
        context: &'c Context<'a>,
        old: IndexedItem<'a>,
        new: IndexedItem<'a>,
    ) -> Self {
        let keys =
            Differing::between(old, &context.old.api.programs, new, &context.new.api.programs);
        let news = news(context, old, new);
        Self {
            context,
            old,
            new,
            keys,
            out: Vec::new(),
            direction: None,
            shape: false,
            news,
            recorded: recorded(context, old, new),
        }
    }

    /// Says that the item's shape changed.
    pub(super) fn say(
        &mut self,
        rule: RuleId,
        old: impl ToString,
        new: impl ToString,
        message: impl Into<String>,
    ) {
        let cause = self.cause(rule);
        let change = self.shaped(rule, cause, old, new, message);
        let evidence = [self.old, self.new].map(|node| node.item().evidence.as_ref());
        let proven = cause == Cause::Correction && better(evidence[0], evidence[1]);
        self.out.push(match rule.rule().proven.filter(|_| proven) {
            Some((severity, bump)) => Change {
                severity: severity.min(change.severity),
                bump: bump.min(change.bump),
                ..change
            },
            None => change,
        });
    }

    /// Says so of something whose cause is known.
    pub(super) fn say_because(
        &mut self,
        cause: Cause,
        rule: RuleId,
        old: impl ToString,
        new: impl ToString,
        message: impl Into<String>,
    ) {
        let change = self.shaped(rule, cause, old, new, message);
        self.out.push(change);
    }

    /// Reports a change of an optional fact: where it was not stated, it was not wrong.
    pub(super) fn say_stated(
        &mut self,
        rule: RuleId,
        stated: bool,
        old: impl ToString,
        new: impl ToString,
        message: impl Into<String>,
    ) {
        if stated || self.cause(rule) == Cause::Evolution {
            self.say(rule, old, new, message);
        } else {
            self.say_because(Cause::Coverage, rule, old, new, message);
        }
    }

    /// Says so of something that the identifier in Rust follows, whatever servers took.
    pub(super) fn say_with_identifier(
        &mut self,
        rule: RuleId,
        old: impl ToString,
        new: impl ToString,
        message: impl Into<String>,
    ) {
        let change = self.shaped(rule, self.cause(rule), old, new, message);
        let source = std::iter::once(Audience::Source);
        self.out.push(Change {
            breaks: source.chain(change.breaks.iter().copied()).collect(),
            severity: Severity::Breaking,
            bump: Bump::Major,
            ..change
        });
    }

    /// Reports a change that no program can observe.
    pub(super) fn note(
        &mut self,
        rule: RuleId,
        old: impl ToString,
        new: impl ToString,
        message: impl Into<String>,
    ) {
        let change = self.change(rule, Cause::Editorial, old, new, message);
        self.out.push(change);
    }

    /// Reports a fact that became known or unknown.
    pub(super) fn knowledge(&mut self, what: &str, old: Option<String>, new: Option<String>) {
        let unknown = format!("{what} unknown");
        match (old, new) {
            (None, Some(new)) => {
                let message = format!("{what} is known: {new}");
                self.say_because(Cause::Coverage, RuleId::FactBecameKnown, unknown, new, message);
            }
            (Some(old), None) => {
                let message = format!("{what} is no longer known, was {old}");
                self.say(RuleId::FactBecameUnknown, old, unknown, message);
            }
            _ => {}
        }
    }

    /// Says so of something that is the same on the wire.
    pub(super) fn say_of_code(
        &mut self,
        cause: Cause,
        rule: RuleId,
        old: impl ToString,
        new: impl ToString,
        message: impl Into<String>,
    ) {
        let change = self.shaped(rule, cause, old, new, message);
        self.out.push(change.only_code());
    }

    /// A change of shape, with the release that a recorded change in place gives it.
    fn shaped(
        &mut self,
        rule: RuleId,
        cause: Cause,
        old: impl ToString,
        new: impl ToString,
        message: impl Into<String>,
    ) -> Change {
        self.shape = true;
        let (implementation, versions) = self.explained(rule, None).unzip();
        let change =
            Change { implementation, versions, ..self.change(rule, cause, old, new, message) };
        if code::is_same(self.context, rule, self.old, self.new) {
            change.without_code()
        } else {
            change
        }
    }

    /// A change of what one program sends.
    pub(super) fn say_of_program(
        &mut self,
        (program, cause): (&str, Cause),
        rule: RuleId,
        old: impl ToString,
        new: impl ToString,
        message: impl Into<String>,
    ) {
        let explained = self.explained(rule, Some(program));
        let change = Change {
            implementation: Some(program.to_owned()),
            versions: explained.map(|(_, versions)| versions),
            ..self.shaped(rule, cause, old, new, message)
        };
        self.out.push(change);
    }

    #[allow(clippy::needless_pass_by_value, reason = "what callers hand over was made for it")]
    fn change(
        &self,
        rule: RuleId,
        cause: Cause,
        old: impl ToString,
        new: impl ToString,
        message: impl Into<String>,
    ) -> Change {
        let nodes = (Some(self.old), Some(self.new));
        Change {
            direction: self.direction,
            old: Some(old.to_string()),
            new: Some(new.to_string()),
            ..self.context.change(rule, cause, message.into(), nodes.0, nodes.1)
        }
    }

    /// Returns the cause of a difference: `Evolution` if a newer release made the change, otherwise `Correction`,
    /// because the base was wrong.
    pub(super) fn cause(&self, rule: RuleId) -> Cause {
        let mut news = self.news.iter();
        if news.any(|change| in_place::explains(change, rule)) {
            Cause::Evolution
        } else {
            Cause::Correction
        }
    }

    /// Finds the recorded change that explains a difference: the last one of the first program.
    fn explained(&self, rule: RuleId, of: Option<&str>) -> Option<(String, String)> {
        let fits = |(program, change): &&(&str, &InPlace)| {
            of.is_none_or(|of| of == *program) && in_place::explains(change, rule)
        };
        let (program, _) = self.recorded.iter().find(fits)?;
        let of_program = self.recorded.iter().rev().filter(fits);
        let (_, change) = of_program.into_iter().find(|(key, _)| key == program)?;
        Some(((*program).to_owned(), format!(">={}", change.r#in)))
    }

    /// Ends the changes of the item's shape: later ones are not explained by changes in place.
    pub(super) fn end_shape(&mut self) {
        self.direction = None;
        self.recorded.clear();
    }
}

/// The changes in place that only one state records, program by program.
fn recorded<'a>(
    context: &Context<'a>,
    old: IndexedItem<'a>,
    new: IndexedItem<'a>,
) -> Vec<(&'a str, &'a InPlace)> {
    let mut recorded = Vec::new();
    if !has_own_life(new) {
        return recorded;
    }
    for program in &context.programs {
        let old = program.old_life(&old.item().life);
        let new = program.new_life(&new.item().life);
        let (Some(old), Some(new)) = (old, new) else {
            continue;
        };
        let came = new.changed.iter().filter(|one| !old.changed.contains(one));
        let went = old.changed.iter().filter(|one| !new.changed.contains(one));
        recorded.extend(came.chain(went).map(|change| (program.key, change)));
    }
    recorded
}

/// Whether an item has a life of its own: the object behind a field or an answer has that one's.
pub(super) fn has_own_life(node: IndexedItem<'_>) -> bool {
    !matches!(node, IndexedItem::Entity(entity) if entity.role != EntityRole::Named)
}

/// Collects the changes in place made by releases newer than the newest one that the base looked at.
fn news<'a>(context: &Context<'a>, old: IndexedItem<'a>, new: IndexedItem<'a>) -> Vec<&'a InPlace> {
    let mut news = Vec::new();
    for program in &context.programs {
        let Some(life) = program.new_life(&new.item().life) else {
            continue;
        };
        let before = program.old_life(&old.item().life);
        let known =
            |change: &&InPlace| before.is_some_and(|before| before.changed.contains(change));
        let newer = |change: &&InPlace| change.r#in > program.newest;
        news.extend(life.changed.iter().filter(|change| newer(change) && !known(change)));
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
