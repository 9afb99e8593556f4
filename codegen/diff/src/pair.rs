//! An item in both states, with the differences that no rule has claimed yet and the changes that were said.

use super::change::{Cause, Change, Direction};
use super::code;
use super::context::{Context, ProgramPair};
use super::facts::Differing;
use super::in_place;
use super::index::IndexedItem;
use super::rules::RuleId;

use fedispec_model::api::{EntityRole, Evidence, Life, Since};
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
    /// The only program that the changes reported next are about.
    pub(super) program: Option<String>,
    /// The only releases that the changes reported next are about.
    pub(super) versions: Option<String>,
    /// Something of its shape differs.
    pub(super) shape: bool,
    /// The changes in place that only one state records, by program: a difference that one of them explains is told as
    /// one with it.
    recorded: Vec<Recorded<'c, 'a>>,
}

/// A change in place, with the program that made it.
pub(super) type Recorded<'c, 'a> = (&'c ProgramPair<'a>, &'a InPlace);

/// The words of a change in a report: the old state, the new one, and a sentence.
pub(super) struct Words {
    pub(super) old: String,
    pub(super) new: String,
    pub(super) message: String,
}

impl<Old: ToString, New: ToString, Message: Into<String>> From<(Old, New, Message)> for Words {
    fn from((old, new, message): (Old, New, Message)) -> Self {
        Self { old: old.to_string(), new: new.to_string(), message: message.into() }
    }
}

impl<'c, 'a> Pair<'c, 'a> {
    pub(super) fn new(
        context: &'c Context<'a>,
        old: IndexedItem<'a>,
        new: IndexedItem<'a>,
    ) -> Self {
        let keys =
            Differing::between(old, &context.old.api.programs, new, &context.new.api.programs);
        Self {
            context,
            old,
            new,
            keys,
            out: Vec::new(),
            direction: None,
            program: None,
            versions: None,
            shape: false,
            recorded: recorded(context, old, new),
        }
    }

    /// The programs that both states know, with the place of each in the old one and in the new one. Where a program got or lost the item, its
    /// Since says so, and whatever is said of the item there comes and goes with it.
    pub(super) fn both(
        &self,
    ) -> impl Iterator<Item = (&'c ProgramPair<'a>, usize, usize)> + use<'c, 'a> {
        let [old, new] = [self.old, self.new].map(|node| &node.item().life);
        let lacks = |life: &[Life], at: usize| {
            life.get(at).is_some_and(|life| life.effective == Since::Never)
        };
        let both = self.context.programs.iter();
        let both = both.filter_map(|program| Some((program, program.old?, program.new?)));
        both.filter(move |(_, was, is)| lacks(old, *was) == lacks(new, *is))
    }

    /// Reports a change of the item's shape.
    pub(super) fn say(&mut self, rule: RuleId, words: impl Into<Words>) {
        let cause = self.cause(rule);
        let change = self.shaped(rule, cause, words.into());
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

    /// Reports a change of the item's shape that stays the same on the wire.
    pub(super) fn say_code(&mut self, rule: RuleId, words: impl Into<Words>) {
        let change = self.shaped(rule, self.cause(rule), words.into());
        self.out.push(change.only_code());
    }

    /// Reports such a change with a known cause.
    pub(super) fn say_because(&mut self, cause: Cause, rule: RuleId, words: impl Into<Words>) {
        let change = self.shaped(rule, cause, words.into());
        self.out.push(change);
    }

    /// Reports a change of an optional fact: where it was not stated, it was not wrong.
    pub(super) fn say_stated(&mut self, rule: RuleId, stated: bool, words: impl Into<Words>) {
        if stated || self.cause(rule) == Cause::Evolution {
            self.say(rule, words);
        } else {
            self.say_because(Cause::Coverage, rule, words);
        }
    }

    /// Reports a change that no program can observe.
    pub(super) fn note(&mut self, rule: RuleId, words: impl Into<Words>) {
        let change = self.change(rule, Cause::Editorial, words.into());
        self.out.push(change);
    }

    /// Reports a fact that became known or unknown.
    pub(super) fn knowledge(&mut self, what: &str, old: Option<String>, new: Option<String>) {
        match knowledge(what, old, new) {
            Some((rule @ RuleId::FactBecameKnown, words)) => {
                self.say_because(Cause::Coverage, rule, words);
            }
            Some((rule, words)) => self.say(rule, words),
            None => {}
        }
    }

    /// A change of shape, with the release that a recorded change in place gives it.
    pub(super) fn shaped(&mut self, rule: RuleId, cause: Cause, words: Words) -> Change {
        self.shape = true;
        let explained = self.explained(rule);
        let change = self.change(rule, cause, words);
        let program = explained.map(|(program, _)| program.key.to_owned());
        let of_all = change.implementation.is_none() && program.is_some();
        let implementation = change.implementation.clone().or(program);
        let versions = self.versions.clone().or(explained.map(since));
        let change = Change { implementation, versions, of_all, ..change };
        if code::is_same(self.context, rule, self.old, self.new) {
            change.without_code()
        } else {
            change
        }
    }

    /// Names the keys that lead from the item to what was said since then.
    pub(super) fn stand_at(&mut self, from: usize, keys: &[&str]) {
        for said in &mut self.out[from..] {
            said.keys = keys.iter().map(|key| (*key).to_owned()).collect();
        }
    }

    fn change(&self, rule: RuleId, cause: Cause, words: Words) -> Change {
        let change =
            self.context.change(rule, cause, words.message, Some(self.old), Some(self.new));
        Change {
            direction: self.direction,
            implementation: self.program.clone(),
            old: Some(words.old),
            new: Some(words.new),
            // The evidence of the whole item proves nothing of one program.
            evidence: if self.program.is_none() { change.evidence } else { Vec::new() },
            ..change
        }
    }

    /// Returns the cause of a difference: `Evolution` if a newer release made the change, otherwise `Correction`,
    /// because the base was wrong.
    pub(super) fn cause(&self, rule: RuleId) -> Cause {
        made_by(self.explained(rule))
    }

    /// Finds the recorded change that explains a difference: the last one of the first program.
    fn explained(&self, rule: RuleId) -> Option<Recorded<'c, 'a>> {
        let only = self.program.as_deref();
        let (program, _) = self.recorded.iter().find(|(program, change)| {
            only.is_none_or(|only| only == program.key) && in_place::explains(change, rule)
        })?;
        self.last_recorded(program.key, |change| in_place::explains(change, rule))
    }

    /// Finds the last recorded change of a program that fits.
    pub(super) fn last_recorded(
        &self,
        program: &str,
        fits: impl Fn(&InPlace) -> bool,
    ) -> Option<Recorded<'c, 'a>> {
        let of_program = self.recorded.iter().copied();
        let of_program = of_program.filter(|(of, change)| of.key == program && fits(change));
        of_program.max_by_key(|(_, change)| change.r#in)
    }

    /// Ends what changes in place explain.
    pub(super) fn end_shape(&mut self) {
        self.direction = None;
        self.recorded.clear();
    }
}

/// The rule for a fact that became known or unknown, and the words for it; nothing where it is known in both states or in none.
pub(super) fn knowledge(
    what: &str,
    old: Option<String>,
    new: Option<String>,
) -> Option<(RuleId, Words)> {
    let unknown = format!("{what} unknown");
    match (old, new) {
        (None, Some(new)) => {
            let message = format!("{what} is known: {new}");
            Some((RuleId::FactBecameKnown, (unknown, new, message).into()))
        }
        (Some(old), None) => {
            let message = format!("{what} is no longer stated, was {old}");
            Some((RuleId::FactBecameUnknown, (old, unknown, message).into()))
        }
        _ => None,
    }
}

/// The cause of a difference that a change in place explains, or that none does.
pub(super) fn made_by(explained: Option<Recorded<'_, '_>>) -> Cause {
    let is_newer = explained.is_some_and(|(program, change)| change.r#in > program.newest);
    if is_newer { Cause::Evolution } else { Cause::Correction }
}

/// The releases that a change in place is about, from the end of its last gap.
pub(super) fn since((_, change): Recorded<'_, '_>) -> String {
    let ends = change.absent.iter().map(|(_, end)| *end);
    format!(">={}", ends.max().unwrap_or(change.r#in))
}

/// The changes in place that only one state records, program by program.
fn recorded<'c, 'a>(
    context: &'c Context<'a>,
    old: IndexedItem<'a>,
    new: IndexedItem<'a>,
) -> Vec<Recorded<'c, 'a>> {
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
        recorded.extend(came.chain(went).map(|change| (program, change)));
    }
    recorded
}

/// Whether an item has a life of its own: the object behind a field or an answer has that one's.
pub(super) fn has_own_life(node: IndexedItem<'_>) -> bool {
    !matches!(node, IndexedItem::Entity(entity) if entity.role != EntityRole::Named)
}

/// Whether there is new evidence that is the servers' own and proves no less than the old.
pub(super) fn better(old: Option<&Evidence>, new: Option<&Evidence>) -> bool {
    new.is_some_and(|new| {
        Some(new) != old
            && matches!(new.class, Class::A | Class::B)
            && old.is_none_or(|old| new.class <= old.class)
    })
}
