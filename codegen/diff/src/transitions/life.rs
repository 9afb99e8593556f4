//! When each program has an item, and what became of it there.

use super::super::change::{Cause, Change};
use super::super::context::{ProgramPair, proof};
use super::super::gate;
use super::super::in_place;
use super::super::index::Node;
use super::super::pair::Pair;
use super::super::rules::{Fact, RuleId};
use super::item;
use fedispec_model::api::{Change as InPlace, EntityRole, Life, Since};
use fedispec_model::release::{self, Release};

pub(super) fn lives(pair: &mut Pair<'_, '_>) {
    let context = pair.context;
    // The object behind a field or an answer lives as that does.
    let shape = pair.out.len();
    let told = !matches!(pair.new, Node::Entity(entity) if entity.role != EntityRole::Named);
    for program in &context.programs {
        let old = program.old_life(&pair.old.item().life);
        let new = program.new_life(&pair.new.item().life);
        match (old, new) {
            (Some(old), Some(new)) if told => Lifetime {
                pair: &mut *pair,
                shape,
                program,
                old,
                new,
            }
            .compare(),
            // The column itself came or went.
            _ => pair.keys.claim_life(program.key),
        }
    }
}

/// The life of an item in a program, in both states.
struct Lifetime<'p, 'c, 'a> {
    pair: &'p mut Pair<'c, 'a>,
    /// How many of its changes are of its shape.
    shape: usize,
    program: &'p ProgramPair<'a>,
    old: &'a Life,
    new: &'a Life,
}

impl Lifetime<'_, '_, '_> {
    fn compare(&mut self) {
        let from = self.pair.out.len();
        let since = self.claim("since");
        // Where only this differs, the container's Since does, and is told there.
        if since || self.container_moved() {
            self.claim("effective");
        }
        if since && !self.inherited() {
            self.since();
        }
        if self.claim("works_since") {
            let (old, new) = (
                when(self.old.works_since.as_ref()),
                when(self.new.works_since.as_ref()),
            );
            let cause = self.cause(
                self.old.works_since.is_none(),
                version(self.new.works_since.as_ref()),
            );
            self.say(RuleId::WorksSinceChanged, &old, &new, cause)
                .message = format!("works since {new}, was {old}");
        }
        self.deprecated();
        self.removed();
        if self.claim("absent") {
            let text = |life: &Life| {
                let holes: Vec<_> = life
                    .absent
                    .iter()
                    .map(|(from, until)| format!("{from} to {until}"))
                    .collect();
                if holes.is_empty() {
                    "nowhere".into()
                } else {
                    holes.join(", ")
                }
            };
            let (old, new) = (text(self.old), text(self.new));
            let latest = self
                .new
                .absent
                .iter()
                .filter_map(|(from, _)| release::parse(from))
                .max();
            let cause = self.cause(self.old.absent.is_empty(), latest);
            self.say(RuleId::AbsenceChanged, &old, &new, cause).message =
                format!("is missing {new}, was {old}");
        }
        self.changed();
        self.evidence(since || self.pair.out.len() > from);
    }

    fn claim(&mut self, key: &str) -> bool {
        self.pair
            .keys
            .claim(&format!("life.{}.{key}", self.program.key))
    }

    fn say(&mut self, rule: RuleId, old: &str, new: &str, cause: Cause) -> &mut Change {
        let context = self.pair.context;
        let moves = matches!(rule.fact(), Fact::Since | Fact::Removed | Fact::Absence);
        let gate = moves
            .then(|| gate::moved(self.program, Some(self.old), Some(self.new)))
            .flatten();
        let mut change = context.change(rule, Some(self.pair.old), Some(self.pair.new));
        change.implementation = Some(self.program.key.to_owned());
        change.old = Some(old.to_owned());
        change.new = Some(new.to_owned());
        change.cause = cause;
        change.gate = gate;
        change.evidence = self.new.evidence.as_ref().map(proof).into_iter().collect();
        change.base_at = context.old_place(self.old.at).or(change.base_at);
        change.head_at = context.new_place(self.new.at).or(change.head_at);
        let change = self.pair.push(change).clone();
        self.frozen(&change);
        let at = self
            .pair
            .out
            .iter()
            .rposition(|other| other.rule == rule)
            .unwrap_or_default();
        &mut self.pair.out[at]
    }

    /// What was released is rewritten only with proof.
    fn frozen(&mut self, change: &Change) {
        let Some(freeze) = self.program.freeze else {
            return;
        };
        let frozen = change
            .old
            .as_deref()
            .and_then(release::parse)
            .is_some_and(|release| release <= freeze);
        if !frozen || change.cause == Cause::Editorial {
            return;
        }
        let proven =
            super::super::pair::better(self.old.evidence.as_ref(), self.new.evidence.as_ref());
        let mut frozen = Change {
            rule: RuleId::FrozenFactChanged,
            ..change.clone()
        };
        frozen.severity = if proven {
            change.severity
        } else {
            change.severity.worse()
        };
        frozen.gate = None;
        frozen.message = format!(
            "a version at or below the freeze line of {} changed {}",
            self.program.key,
            if proven {
                "with new evidence"
            } else {
                "without new evidence"
            }
        );
        self.pair.push(frozen);
    }

    fn cause(&self, unknown: bool, fact: Option<Release>) -> Cause {
        match fact {
            Some(release) if release > self.program.newest => Cause::Evolution,
            Some(_) if unknown => Cause::Coverage,
            _ => Cause::Correction,
        }
    }

    fn since(&mut self) {
        let (old, new) = (&self.old.since, &self.new.since);
        let fact = version(Some(new));
        let (rule, cause) = match (old, new) {
            (Since::Unknown, Since::Never) => (RuleId::SinceBecameKnown, Cause::Coverage),
            (Since::Unknown, _) => (RuleId::SinceBecameKnown, self.cause(true, fact)),
            (_, Since::Unknown) => (RuleId::SinceBecameUnknown, Cause::Correction),
            (Since::Never, _) => (RuleId::SinceBecameSupported, self.cause(false, fact)),
            (_, Since::Never) => (RuleId::SinceBecameUnsupported, Cause::Correction),
            (old, _) if fact < version(Some(old)) => (RuleId::SinceMovedEarlier, Cause::Correction),
            _ => (RuleId::SinceMovedLater, self.cause(false, fact)),
        };
        let (old, new) = (when(Some(old)), when(Some(new)));
        let program = self.program.key;
        let message = format!("{program} since {new}, was {old}");
        self.say(rule, &old, &new, cause).message = message;
    }

    fn deprecated(&mut self) {
        if !self.claim("deprecated") {
            return;
        }
        let (old, new) = (
            self.old.deprecated.as_deref(),
            self.new.deprecated.as_deref(),
        );
        let (rule, cause) = match (old, new) {
            (None, Some(new)) => (
                RuleId::DeprecatedAdded,
                self.cause(true, release::parse(new)),
            ),
            (_, None) => (RuleId::DeprecatedWithdrawn, Cause::Correction),
            (_, Some(new)) => (
                RuleId::DeprecatedMoved,
                self.cause(false, release::parse(new)),
            ),
        };
        let program = self.program.key;
        let message = match (old, new) {
            (_, Some(new)) => format!(
                "{program} discourages it since {new}{}",
                instead(self.pair.new)
            ),
            _ => format!("{program} does not discourage it"),
        };
        self.say(rule, old.unwrap_or("not"), new.unwrap_or("not"), cause)
            .message = message;
    }

    fn removed(&mut self) {
        if !self.claim("removed") {
            return;
        }
        let (old, new) = (self.old.removed.as_deref(), self.new.removed.as_deref());
        let (rule, cause) = match (old, new) {
            (None, Some(new)) => {
                let noticed = self.new.deprecated.is_some();
                let rule = if noticed {
                    RuleId::RemovedAdded
                } else {
                    RuleId::RemovedAddedUndeprecated
                };
                (rule, self.cause(true, release::parse(new)))
            }
            (_, None) => (RuleId::RemovedWithdrawn, Cause::Correction),
            (Some(old), Some(new)) if release::parse(new) < release::parse(old) => {
                (RuleId::RemovedMovedEarlier, Cause::Correction)
            }
            (Some(_), Some(new)) => (
                RuleId::RemovedMovedLater,
                self.cause(false, release::parse(new)),
            ),
        };
        let program = self.program.key;
        let message = match new {
            Some(new) => format!("{program} dropped it in {new}{}", instead(self.pair.new)),
            None => format!("{program} did not drop it"),
        };
        self.say(rule, old.unwrap_or("not"), new.unwrap_or("not"), cause)
            .message = message;
    }

    fn changed(&mut self) {
        if !self.claim("changed") {
            return;
        }
        let text = |change: &fedispec_model::api::Change| {
            let part = |part: &Option<String>| part.clone().unwrap_or_else(|| "?".into());
            format!(
                "{} in {}: {} to {}",
                change.what,
                change.r#in,
                part(&change.from),
                part(&change.to)
            )
        };
        let program = self.program.key;
        for change in self
            .new
            .changed
            .iter()
            .filter(|change| !self.old.changed.contains(change))
        {
            if self.explains(change) {
                continue;
            }
            let cause = self.cause(true, release::parse(&change.r#in));
            self.say(RuleId::ChangeRecorded, "nothing", &text(change), cause)
                .message = format!("{program} changed {}", text(change));
        }
        for change in self
            .old
            .changed
            .iter()
            .filter(|change| !self.new.changed.contains(change))
        {
            if self.explains(change) {
                continue;
            }
            self.say(
                RuleId::ChangeWithdrawn,
                &text(change),
                "nothing",
                Cause::Correction,
            )
            .message = format!("{program} did not change {}", text(change));
        }
        if self.old.changed.len() == self.new.changed.len()
            && self
                .old
                .changed
                .iter()
                .all(|change| self.new.changed.contains(change))
        {
            self.say(RuleId::OrderOnlyChanged, "", "", Cause::Editorial)
                .message = "its changes in place stand in another order".into();
        }
    }

    /// A difference of shape that the recorded change tells of is one finding with it, of that program and those releases.
    fn explains(&mut self, change: &InPlace) -> bool {
        let mut explained = false;
        for told in &mut self.pair.out[..self.shape] {
            let mine = told
                .implementation
                .as_deref()
                .is_none_or(|program| program == self.program.key);
            if told.cause != Cause::Editorial && mine && in_place::explains(change, told.rule) {
                told.implementation = Some(self.program.key.to_owned());
                told.versions = Some(format!(">={}", change.r#in));
                explained = true;
            }
        }
        explained
    }

    /// Proof is told by itself only where the facts stay.
    fn evidence(&mut self, moved: bool) {
        let (old, new) = (self.old.evidence.as_ref(), self.new.evidence.as_ref());
        if !self.claim("evidence")
            || (moved && new.is_some())
            || self.inherited_evidence()
            || self.ownerless()
        {
            return;
        }
        let rule = item::judge(old, new);
        let what = format!("Since in {}", self.program.key);
        self.say(rule, &item::text(old), &item::text(new), Cause::Editorial)
            .message = item::message(rule, &what, old, new);
    }

    /// A part that states no Since of its own goes with what it hangs on.
    fn inherited(&self) -> bool {
        if self.old.at.is_some() || self.new.at.is_some() {
            return false;
        }
        let (old, new) = (self.pair.old, self.pair.new);
        if made_of_parts(old) && made_of_parts(new) {
            return true;
        }
        let (Some(old), Some(new)) = (self.old_container(), self.new_container()) else {
            return false;
        };
        let told = old.1.at.is_some()
            || new.1.at.is_some()
            || !(made_of_parts(old.0) && made_of_parts(new.0));
        told && old.1.since == self.old.since && new.1.since == self.new.since
    }

    /// What only its parts date has no proof of its own.
    fn ownerless(&self) -> bool {
        (self.old.at.is_none() && made_of_parts(self.pair.old))
            || (self.new.at.is_none() && made_of_parts(self.pair.new))
    }

    /// The proof is that of what it hangs on, in both states, and is told there.
    fn inherited_evidence(&self) -> bool {
        let (Some(old), Some(new)) = (self.old_container(), self.new_container()) else {
            return false;
        };
        let dated = |(node, life): &(Node<'_>, &Life)| life.at.is_some() || !made_of_parts(*node);
        dated(&old)
            && dated(&new)
            && old.1.evidence == self.old.evidence
            && new.1.evidence == self.new.evidence
    }

    fn old_container(&self) -> Option<(Node<'_>, &Life)> {
        let context = self.pair.context;
        let node = context.old.above(self.pair.old)?;
        Some((node, self.program.old_life(&node.item().life)?))
    }

    fn new_container(&self) -> Option<(Node<'_>, &Life)> {
        let context = self.pair.context;
        let node = context.new.above(self.pair.new)?;
        Some((node, self.program.new_life(&node.item().life)?))
    }

    fn container_moved(&self) -> bool {
        let effective = |life: Option<&[Life]>, at: Option<usize>| {
            at.and_then(|at| life.and_then(|life| life.get(at)))
                .map(|life| life.effective.clone())
        };
        let old = effective(self.pair.old.container(), self.program.old);
        old != effective(self.pair.new.container(), self.program.new) || self.pair.new.derived()
    }
}

/// Its Since is the earliest of its parts', or that of the field which it is the object of.
fn made_of_parts(node: Node<'_>) -> bool {
    node.derived() || node.item().implied
}

/// A Since for a person.
pub(crate) fn when(since: Option<&Since>) -> String {
    since.map_or_else(|| "its Since".into(), |since| since.clone().into())
}

fn version(since: Option<&Since>) -> Option<Release> {
    match since {
        Some(Since::Version(text)) => release::parse(text),
        _ => None,
    }
}

fn instead(node: Node<'_>) -> String {
    node.item()
        .replacement
        .as_ref()
        .map(|id| format!("; use {id}"))
        .unwrap_or_default()
}
