//! All that is said by program, at each place of the API.

use std::collections::BTreeMap;

use crate::api::{Api, Item, Life, Since};

/// The places of a fork and of what it is based on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair {
    pub(crate) fork: usize,
    pub(crate) base: usize,
}

impl Api {
    /// Visits all that is said by program, but for what operations ask of their callers.
    pub(crate) fn visit(&mut self, mut each: impl FnMut(&mut dyn ByProgram)) {
        for operation in &mut self.operations {
            item(&mut operation.item, None, &mut each);
            let outer = operation.item.life.clone();
            for param in &mut operation.params {
                item(&mut param.item, Some(&outer), &mut each);
                each(&mut param.refused);
                each(&mut param.missing);
                each(&mut param.unlisted_values);
                each(&mut param.several);
            }
            for error in &mut operation.errors {
                each(&mut Lives { each: &mut error.life, outer: Some(&outer), may_be_empty: true });
                each(&mut error.text);
                each(&mut error.own_when);
            }
        }
        for entity in &mut self.entities {
            item(&mut entity.item, None, &mut each);
            let outer = entity.item.life.clone();
            for field in &mut entity.fields {
                let mut inner = Some(field);
                while let Some(field) = inner {
                    item(&mut field.item, Some(&outer), &mut each);
                    each(&mut field.presence);
                    inner = field.entry.as_deref_mut();
                }
            }
        }
        for one in &mut self.enums {
            item(&mut one.item, None, &mut each);
            let outer = one.item.life.clone();
            one.values.iter_mut().for_each(|value| item(value, Some(&outer), &mut each));
        }
    }
}

fn item(item: &mut Item, outer: Option<&[Life]>, each: &mut impl FnMut(&mut dyn ByProgram)) {
    each(&mut Lives { each: &mut item.life, outer, may_be_empty: false });
}

/// Facts that are stated by program.
pub(crate) trait ByProgram {
    /// Puts what the base says where the fork says nothing.
    fn fill(&mut self, pair: Pair);

    /// Takes away what the fork says as the base does.
    fn empty(&mut self, pair: Pair);

    /// Keeps what is said of the programs that are kept. What is empty says nothing of any.
    fn only(&mut self, kept: &[bool]);

    /// Ends a list before the programs of which nothing is said, and gives an item a life in every program, which notes whether the facts of
    /// that stand apart.
    fn complete(&mut self, apart: &[bool]);

    /// The lives, where it is these.
    fn lives(&mut self) -> &mut [Life] {
        &mut []
    }
}

/// Keeps the elements that are to be kept, by their places.
pub(crate) fn only<T>(each: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    each.retain(|_| kept.next().is_none_or(|kept| *kept));
}

impl<T: Clone + PartialEq> ByProgram for Vec<Option<T>> {
    fn fill(&mut self, Pair { fork, base }: Pair) {
        let Some(Some(other)) = self.get(base).cloned() else { return };
        if self.len() <= fork {
            self.resize(fork + 1, None);
        }
        self[fork].get_or_insert(other);
    }

    fn empty(&mut self, Pair { fork, base }: Pair) {
        if self.get(fork) == self.get(base)
            && let Some(own) = self.get_mut(fork)
        {
            *own = None;
        }
        self.complete(&[]);
    }

    fn only(&mut self, kept: &[bool]) {
        only(self, kept);
    }

    fn complete(&mut self, _: &[bool]) {
        let known = self.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        self.truncate(known);
    }
}

impl Life {
    /// The life of a fork, of which anything but its Since is said, where this is that of its base.
    fn filled(&self, said: Self) -> Self {
        let mut filled = self.clone();
        let is_said = |what| {
            said.facts.contains_key(&what) || said.changed.iter().any(|change| change.what == what)
        };
        filled.changed.retain(|change| !is_said(change.what));
        filled.changed.extend(said.changed);
        filled.facts.extend(said.facts);
        filled.works_since = said.works_since.or(filled.works_since);
        filled.stub = said.stub.or(filled.stub);
        filled.deprecated = said.deprecated.or(filled.deprecated);
        filled.removed = said.removed.or(filled.removed);
        if !said.absent.is_empty() {
            filled.absent = said.absent;
        }
        filled
    }
}

/// The lives of an item or of an error, and those of what contains it.
struct Lives<'a> {
    each: &'a mut Vec<Life>,
    outer: Option<&'a [Life]>,
    /// Whether no life at all means that it is wherever its operation is.
    may_be_empty: bool,
}

/// Nothing is said where the Since is unknown and stands nowhere. The facts of the base are also those of an item that is stated.
impl ByProgram for Lives<'_> {
    fn fill(&mut self, Pair { fork, base }: Pair) {
        let Some(other) = self.each.get(base).map(|base| Life { at: None, ..base.clone() }) else {
            return;
        };
        let Some(own) = self.each.get_mut(fork) else { return };
        // A container is as old as the oldest that it has, and it has what that of the base has.
        let is_container = self.outer.is_none();
        let is_older = matches!((other.since, own.since), (Since::Since(base), Since::Since(own)) if base < own);
        if own.at.is_none() && (own.since == Since::Unknown || is_container && is_older) {
            *own = other.filled(own.clone());
            return;
        }
        let around = self.outer.and_then(|outer| outer.get(fork)).map(|outer| outer.effective);
        own.effective = around.map_or(own.since, |around| own.since.max(around));
        for (fact, held) in other.facts {
            own.facts.entry(fact).or_insert(held);
        }
    }

    fn empty(&mut self, Pair { fork, base }: Pair) {
        let Some(other) = self.each.get(base).map(|base| Life { at: None, ..base.clone() }) else {
            return;
        };
        let Some(own) = self.each.get_mut(fork) else { return };
        let facts = own.facts.iter().filter(|(fact, held)| other.facts.get(fact) != Some(*held));
        let facts: BTreeMap<_, _> = facts.map(|(fact, held)| (*fact, held.clone())).collect();
        let unsaid = Life { facts, ..Life::new(Since::Unknown, Since::Unknown) };
        // Where the facts alone differ, they alone are said.
        if *own == (Life { apart: own.apart, ..other.filled(unsaid.clone()) }) {
            *own = Life { apart: own.apart, ..unsaid };
        } else {
            own.facts = unsaid.facts;
        }
    }

    fn only(&mut self, kept: &[bool]) {
        only(self.each, kept);
    }

    fn complete(&mut self, apart: &[bool]) {
        if !self.may_be_empty || !self.each.is_empty() {
            self.each.resize(apart.len(), Life::new(Since::Unknown, Since::Unknown));
            self.each.iter_mut().zip(apart).for_each(|(life, apart)| life.apart = *apart);
        }
    }

    fn lives(&mut self) -> &mut [Life] {
        self.each
    }
}
