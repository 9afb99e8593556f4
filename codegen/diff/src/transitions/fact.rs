//! A fact of an item as a row of a table: how it is read in words, and what a change of it means.

use super::super::change::{Cause, Change};
use super::super::pair::Pair;
use super::super::rules::{RuleId, Severity};
use super::super::stretch::{Stretch, between, differing};
use super::held::only_program;
use fedispec_model::change::ChangedFact;

/// A fact of items of the type `T`, all of whose changes are reported alike.
pub(super) struct Fact<T: 'static> {
    /// The key under which an item has it.
    key: &'static str,
    /// Puts the fact into words; `None` where nobody states it.
    read: fn(&T) -> Option<String>,
    unstated: Unstated,
    judge: Judge<T>,
    /// The sentence of the report, with `{old}` and `{new}` for the words of both states.
    message: &'static str,
    /// Whether a change is not reported here, because another finding tells it.
    told_elsewhere: fn(&Pair<'_, '_>, &T, &T) -> bool,
    /// The releases in which it holds.
    releases: fn(&T) -> Option<Stretch>,
    /// The fact under which a program says otherwise, if one can.
    held: Option<ChangedFact>,
    /// The parts of both states that differ, where it has parts.
    apart: Option<fn(&T, &T) -> [T; 2]>,
}

/// The meaning of a fact that nobody states.
pub(super) enum Unstated {
    /// It is unknown: the fact by name, and the words for not knowing it.
    Unknown(&'static str, &'static str),
    /// It is as these words say.
    Is(&'static str),
}

/// The rule for a change.
pub(super) enum Judge<T: 'static> {
    Always(RuleId),
    /// The rule depends on both states; where there is none, the fact became known or unknown.
    By(fn(&T, &T) -> Option<RuleId>),
}

impl<T> Fact<T> {
    pub(super) const fn new(
        key: &'static str,
        read: fn(&T) -> Option<String>,
        unstated: Unstated,
        judge: Judge<T>,
        message: &'static str,
    ) -> Self {
        Self {
            key,
            read,
            unstated,
            judge,
            message,
            told_elsewhere: |_, _, _| false,
            releases: |_| None,
            held: None,
            apart: None,
        }
    }

    /// Leaves a change unreported where another finding tells it.
    pub(super) const fn unless(self, told_elsewhere: fn(&Pair<'_, '_>, &T, &T) -> bool) -> Self {
        Self { told_elsewhere, ..self }
    }

    /// Names the releases for which a change of it matters.
    pub(super) const fn holding_in(self, releases: fn(&T) -> Option<Stretch>) -> Self {
        Self { releases, ..self }
    }

    /// Names the only program that it differs in.
    pub(super) const fn held(self, what: ChangedFact) -> Self {
        Self { held: Some(what), ..self }
    }

    /// Shows no more than the parts that differ.
    pub(super) const fn apart(self, apart: fn(&T, &T) -> [T; 2]) -> Self {
        Self { apart: Some(apart), ..self }
    }

    /// Claims the fact, and reports its change.
    pub(super) fn compare(&self, pair: &mut Pair<'_, '_>, old: &T, new: &T) {
        if pair.keys.claim(self.key) && !(self.told_elsewhere)(pair, old, new) {
            self.tell(pair, old, new);
        }
    }

    /// Reports the change of a fact that differs.
    pub(super) fn tell(&self, pair: &mut Pair<'_, '_>, old: &T, new: &T) {
        let [was, is] = [old, new].map(self.read);
        let stated = was.is_some();
        let (unknown, words) = match self.unstated {
            Unstated::Unknown(what, words) => (Some(what), words),
            Unstated::Is(words) => (None, words),
        };
        let rule = match self.judge {
            Judge::Always(rule) => (unknown.is_none() || (stated && is.is_some())).then_some(rule),
            Judge::By(judge) => judge(old, new),
        };
        let Some(rule) = rule else {
            return pair.knowledge(unknown.unwrap_or(self.key), was, is);
        };
        // Parts in another order are shown as they stand.
        let apart = self.apart.map(|apart| apart(old, new));
        let apart = apart.filter(|both| both.each_ref().map(self.read) != [None, None]);
        let [old, new] = apart.as_ref().map_or([old, new], <[_; 2]>::each_ref);
        let [was, is] = [old, new].map(|one| (self.read)(one).unwrap_or_else(|| words.into()));
        let message = self.message.replace("{old}", &was).replace("{new}", &is);
        let releases = differing((self.releases)(old), (self.releases)(new));
        pair.versions = releases.and_then(|(since, until)| between(since, until));
        let from = pair.out.len();
        let program = pair.program.clone();
        let only = self.held.and_then(|what| only_program(pair, what));
        pair.program = program.clone().or(only);
        if rule.rule().severity == Severity::Docs {
            pair.note(rule, (was, is, message));
        } else if unknown.is_some() && !stated {
            pair.say_because(Cause::Coverage, rule, (was, is, message));
        } else {
            pair.say_stated(rule, stated, (was, is, message));
        }
        let mut programs = pair.context.programs.iter();
        let of = programs.find(|one| program.as_deref() == Some(one.key));
        let end = releases.and_then(|(_, until)| until);
        if of.zip(end).is_some_and(|(of, end)| pair.context.is_below_the_floor(of, end)) {
            let said = pair.out.drain(from..).collect::<Vec<_>>();
            pair.out.extend(said.into_iter().map(Change::below_the_floor));
        }
        pair.versions = None;
        pair.program = program;
    }
}

impl<V: PartialEq + 'static> Fact<Option<V>> {
    /// Claims a fact that each program has by itself, and reports its change in those that both states know.
    pub(super) fn compare_each(
        &self,
        pair: &mut Pair<'_, '_>,
        old: &[Option<V>],
        new: &[Option<V>],
    ) {
        if !pair.keys.claim(self.key) {
            return;
        }
        for (program, before, after) in pair.both() {
            let (was, is) = (old.get(before).unwrap_or(&None), new.get(after).unwrap_or(&None));
            if was != is {
                pair.program = Some(program.key.to_owned());
                self.tell(pair, was, is);
            }
        }
        pair.program = None;
    }
}

/// Claims the facts of a table, and reports those that changed.
pub(super) fn compare<T>(pair: &mut Pair<'_, '_>, facts: &[Fact<T>], old: &T, new: &T) {
    for fact in facts {
        fact.compare(pair, old, new);
    }
}

/// `to: from` of each part of what an item becomes.
pub(super) fn made_of(parts: &[(String, String)]) -> Option<String> {
    joined(parts.iter().map(|(to, from)| format!("{to}: {from}")), ", ")
}

/// Joins words, if there are any.
pub(super) fn joined(words: impl Iterator<Item = String>, separator: &str) -> Option<String> {
    let words: Vec<_> = words.collect();
    (!words.is_empty()).then(|| words.join(separator))
}
