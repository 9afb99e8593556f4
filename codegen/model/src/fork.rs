//! Programs that are based on another: a release has what the release of the same version of the other has, and more or less.
//!
//! The JSON form says of a fork only what differs, so that it grows with facts.

use crate::api::{Api, Auths, Item, Life, Since};

/// The places of a fork and of what it is based on.
#[derive(Debug, Clone, Copy)]
struct Pair {
    fork: usize,
    base: usize,
}

impl Api {
    /// Gives each fork what the other program has, wherever nothing is said of it.
    pub(crate) fn complete_forks(&mut self) {
        for pair in self.forks() {
            self.visit(|said| said.fill(pair));
        }
    }

    /// The API in which nothing is said of forks but where they differ; nothing where no program is a fork.
    #[must_use]
    pub fn without_repetition(&self) -> Option<Self> {
        let forks = self.forks();
        if forks.is_empty() {
            return None;
        }
        let mut api = self.clone();
        for pair in forks {
            api.visit(|said| said.empty(pair));
        }
        Some(api)
    }

    fn forks(&self) -> Vec<Pair> {
        let forks = self.programs.iter().enumerate();
        forks
            .filter_map(|(fork, program)| {
                let base = self.column(program.based_on.as_deref()?)?;
                Some(Pair { fork, base })
            })
            .collect()
    }

    /// Visits all that is said by program.
    fn visit(&mut self, mut each: impl FnMut(&mut dyn ByProgram)) {
        let count = self.programs.len();
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
                each(&mut Lives { lives: &mut error.life, outer: Some(&outer) });
                each(&mut error.text);
                each(&mut error.own_when);
            }
            if let Some(auths) = operation.auth.take() {
                let mut all: Vec<_> = (0..count).map(|one| auths.of(one).cloned()).collect();
                each(&mut all);
                all.resize(count, None);
                operation.auth = Auths::new(all);
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
    each(&mut Lives { lives: &mut item.life, outer });
}

/// What is said by program.
trait ByProgram {
    /// Puts what the base says where the fork says nothing.
    fn fill(&mut self, pair: Pair);

    /// Takes away what the fork says as the base does.
    fn empty(&mut self, pair: Pair);
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
        let known = self.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        self.truncate(known);
    }
}

/// The lives of an item, and those of what contains it.
struct Lives<'a> {
    lives: &'a mut [Life],
    outer: Option<&'a [Life]>,
}

/// Nothing is said where the Since is unknown and stands nowhere. The facts of the base are also those of an item that is stated.
impl ByProgram for Lives<'_> {
    fn fill(&mut self, Pair { fork, base }: Pair) {
        let Some(other) = self.lives.get(base).map(|base| Life { at: None, ..base.clone() }) else {
            return;
        };
        let Some(own) = self.lives.get_mut(fork) else { return };
        // A container is as old as the oldest that it has, and it has what that of the base has.
        let is_container = self.outer.is_none();
        let is_older = matches!((other.since, own.since), (Since::Since(base), Since::Since(own)) if base < own);
        if own.at.is_none() && (own.since == Since::Unknown || is_container && is_older) {
            *own = other;
            return;
        }
        let around = self.outer.and_then(|outer| outer.get(fork)).map(|outer| outer.effective);
        own.effective = around.map_or(own.since, |around| own.since.max(around));
        for (fact, held) in other.facts {
            own.facts.entry(fact).or_insert(held);
        }
    }

    fn empty(&mut self, Pair { fork, base }: Pair) {
        let Some(other) = self.lives.get(base).map(|base| Life { at: None, ..base.clone() }) else {
            return;
        };
        let Some(own) = self.lives.get_mut(fork) else { return };
        if *own == (Life { apart: own.apart, ..other.clone() }) {
            *own = Life { apart: own.apart, ..Life::new(Since::Unknown, Since::Unknown) };
        } else {
            own.facts.retain(|fact, held| other.facts.get(fact) != Some(held));
        }
    }
}
