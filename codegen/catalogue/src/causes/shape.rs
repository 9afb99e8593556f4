//! Slips of the hand: keys that nobody reads, that stand twice, or that are indented otherwise, and what follows from them.

use super::unread::{first_keys, may_follow};
use super::{Causes, Found, OUT_OF_ITEM, SECTIONS, is_missing, is_same};
use crate::diagnostic::Diagnostic;

impl<'c> Causes<'c> {
    /// Whether a key that is missing stands elsewhere in the file or under another name, or has a wrong value.
    pub(super) fn has_it_elsewhere(&self, one: &Found<'c>) -> bool {
        let missing = &one.problem.meant;
        self.beside(one).filter(|other| !is_same(other, one)).any(|other| {
            let key = other.keys.last();
            let is_it = key.is_some_and(|key| missing.contains(key));
            let is_gone = other.is_unread || other.keys.starts_with(&one.keys);
            is_it && is_gone || other.is_unread && other.problem.meant == *missing
        })
    }

    /// Whether a key of the item is unknown, which the fact that changed may be meant by.
    pub(super) fn has_an_unknown_key(&self, one: &Found<'c>) -> bool {
        self.beside(one).any(|other| {
            let is_around = |around| one.keys.starts_with(around);
            other.problem.code == "unknown-key" && other.around().is_some_and(is_around)
        })
    }

    /// Whether a fact stands beside the item, in this layer or in one above.
    pub(super) fn has_a_fact_beside_it(&self, one: &Found<'c>) -> bool {
        let mut beside = self.found.iter().filter(|other| other.problem.code == OUT_OF_ITEM);
        beside.any(|other| other.around().is_some_and(|section| one.keys.starts_with(section)))
    }

    /// Whether an item stands among unknown keys after another one: the line that they belong to is lost.
    pub(super) fn is_among_others(&self, one: &Found<'c>) -> bool {
        let is_item = |one: &Found<'c>| {
            let node = self.sources.node(one.problem.file, &one.keys);
            node.is_some_and(|node| node.map().is_some())
        };
        let mut before = self.alike_before(one);
        is_item(one)
            && before.any(|other| {
                other.around() == one.around()
                    && other.problem.help == one.problem.help
                    && is_item(other)
            })
    }

    /// Whether a key stands twice in what the problem is about, of which nobody knows which one holds.
    pub(super) fn is_beside_a_double(&self, one: &Found<'c>) -> bool {
        let mut double = self.found.iter().filter(|other| other.problem.code == "duplicate-key");
        let item = one.keys.get(..2).filter(|_| may_follow(one.problem));
        one.problem.code != "duplicate-key"
            && !one.is_empty
            && double.any(|other| {
                let is_around = |around: &[_]| around.len() > 1 && one.keys.starts_with(around);
                let of_it = || first_keys(self.sources, other.problem).get(..2) == item;
                other.is_of(one.problem.file) && other.around().is_some_and(is_around)
                    || item.is_some() && of_it()
            })
    }

    /// Whether a section is empty because its parts are indented too little.
    pub(super) fn is_emptied(&self, one: &Found<'c>) -> bool {
        let node = |one: &Found<'c>| self.sources.node(one.problem.file, &one.keys);
        let is_beside = |other: &Found<'c>| other.around() == one.around();
        let text = self.sources.text(one.problem.file);
        let is_next = |other: &Found<'c>| {
            let between = text.get(one.problem.span.end..other.problem.span.start);
            between.is_some_and(|between| between.trim_start_matches(':').trim().is_empty())
        };
        let is_part = |other: &Found<'c>| {
            other.problem.code == "unknown-key"
                && is_beside(other)
                && (is_next(other) || node(other).is_some_and(|node| node.map().is_some()))
        };
        one.is_unfilled() && self.beside(one).any(is_part)
    }

    /// Whether a key before it in the same map has no value, and what follows may belong to it, or not to what is around.
    pub(super) fn is_behind_an_empty_one(&self, one: &Found<'c>) -> bool {
        // Of several keys that are still to be filled in each is told.
        if one.is_unfilled() {
            return false;
        }
        let start = |one: &Found<'_>| one.problem.span.start;
        self.beside(one).filter(|other| other.is_empty).any(|empty| {
            let around = empty.around().filter(|around| !around.is_empty());
            let Some(around) = around else { return false };
            // Of the keys that belong to it the first is told.
            let mut behind = self
                .beside(one)
                .filter(|other| start(empty) < start(other) && other.keys.starts_with(around));
            let is_told = |other: &Found<'c>| {
                other.problem.code == "unknown-key" && start(other) < start(one)
            };
            start(empty) < start(one)
                && one.keys.starts_with(around)
                && (!self.is_emptied(empty) || behind.any(is_told))
        })
    }

    /// Whether a problem stands in what nobody reads, or tells that something is missing which has a name that is unknown.
    pub(super) fn is_unread(&self, one: &Found<'c>) -> bool {
        let Found { problem, keys, .. } = one;
        let mut here = self.unread().filter(|other| other.is_of(problem.file));
        let is_of_condition = matches!(problem.code, "wrong-condition" | "missing-condition");
        let around = keys.split_last().filter(|_| is_of_condition);
        if here.any(|other| {
            (!one.is_unread || keys.len() > other.keys.len()) && keys.starts_with(&other.keys)
                || around.is_some_and(|(_, around)| other.keys.starts_with(around))
        }) {
            return true;
        }
        let is_missing = is_missing(problem) && !keys.is_empty();
        let mut defaults = self.beside(one).filter(|other| other.keys.first() == Some(&"defaults"));
        is_missing
            && (defaults.next().is_some()
                || self.unread().any(|other| {
                    let inside = other.keys.strip_prefix(keys.as_slice()).map(<[_]>::first);
                    inside.is_some_and(|key| key.is_none_or(|key| !SECTIONS.contains(key)))
                }))
    }

    /// Whether a problem is about a text of which a part is wrong, or about a word that is told of already.
    pub(super) fn is_of_the_same_text(&self, one: &Found<'c>) -> bool {
        let problem = one.problem;
        let span = &problem.span;
        let is_word = !self.text(one).starts_with(['[', '{']);
        let is_first = |one: &Found<'c>| {
            one.is_unread || ["unknown-release", "unreleased-version"].contains(&one.problem.code)
        };
        // A version string that is misread has a cause, and is none.
        let is_none = |other: &Diagnostic| other.code == "misread-version";
        let mut is_before = true;
        !is_missing(problem)
            && self.beside(one).any(|other| {
                is_before &= !is_same(other, one);
                let there = &other.problem.span;
                if there == span {
                    let is_cause = is_first(other) && !is_first(one)
                        || is_before && is_first(other) == is_first(one);
                    let alike = is_word || other.problem.code == problem.code;
                    return alike && is_cause && !is_none(other.problem);
                }
                span.start <= there.start && there.end <= span.end && !is_none(other.problem)
            })
    }
}
