//! What an operation was in earlier releases of a program: it passes the checks that it passes as it is now.

use std::collections::BTreeSet;

use super::Checker;
use crate::diagnostic::Diagnostic;
use crate::problems::NodePath;
use crate::resolve::simple;
use fedispec_model::api::{Item, Operation, Param, State, Type};
use fedispec_model::change::{Change, ChangedFact};
use fedispec_model::notation::Notation;
use fedispec_since::{Location, Paging, StableVersion};

/// A change of an operation or of one of its parameters, with its place in the list.
type Changed<'n> = (&'n Item, usize, &'n Change);

impl<'a, 'n> Checker<'a, 'n> {
    pub(super) fn earlier(&mut self, operation: &'n Operation) {
        let api = self.api;
        // A fork was what its base was.
        let programs = api.programs.iter().enumerate().filter(|(_, one)| one.based_on.is_none());
        for (at, program) in programs {
            let Some(life) = operation.item.life.get(at) else { continue };
            let changed = changes(operation, at);
            let ends: BTreeSet<_> = changed.iter().map(|(_, _, change)| change.r#in).collect();
            let mut start = life.effective.version();
            for until in ends {
                let begin = start.replace(until).filter(|begin| *begin < until);
                let Some(begin) = begin.filter(|begin| life.lack_at(*begin).is_none()) else {
                    continue;
                };
                let before = self.problems.count();
                let then = self.then(operation, at, begin);
                self.as_it_is(&then);
                for param in &then.params {
                    self.bounds(param);
                    self.default_value(param);
                }
                let ending = changed.iter().filter(|(_, _, change)| change.r#in == until);
                if self.is_told_of_then(before, &program.key, &ending.copied().collect::<Vec<_>>())
                {
                    return;
                }
            }
        }
    }

    /// What is checked of an operation as a release has it.
    pub(super) fn as_it_is(&mut self, operation: &Operation) {
        self.successes(operation);
        self.pages_and_body(operation);
        for param in &operation.params {
            self.location_and_type(operation, param);
        }
    }

    /// Tells the first problem of earlier releases that is none of the newest one, at the change that ended it.
    fn is_told_of_then(&mut self, before: usize, program: &str, ending: &[Changed<'n>]) -> bool {
        let then = self.problems.split_off(before);
        let news = |one: &Diagnostic| !self.problems.says(&one.message);
        let Some(problem) = then.into_iter().find(news) else { return false };
        let is_named =
            |(item, ..): &&Changed<'n>| problem.message.contains(&format!("`{}`", item.id));
        let Some((item, number, change)) = ending.iter().find(is_named).or(ending.first()) else {
            return false;
        };
        if let Some(place) = self.former(&item.id, program, *number) {
            let message = format!("before {}: {}", change.r#in, problem.message);
            let help = "mend what it was then, or what stands beside it";
            self.problems.value(problem.code, &place, message, help);
            self.problems.with_span(problem.file, problem.span, "what is told of it");
        }
        true
    }

    /// Where a change of an item in a program says what was before it.
    pub(super) fn former(&self, id: &str, program: &str, number: usize) -> Option<NodePath<'a>> {
        let changed = self.merged.place_in(id, "changed", program, self.problems)?;
        Some(changed.then(number.to_string()).then("from"))
    }

    /// An operation as a release has it; a parameter that is not there yet stands anywhere.
    fn then(&self, operation: &Operation, program: usize, release: StableVersion) -> Operation {
        use ChangedFact as F;
        let mut then = operation.clone();
        let held = |what| operation.item.held(program, what, Some(release));
        if let Some(route) = &mut then.route {
            for (what, part) in [(F::Method, &mut route.method), (F::Path, &mut route.path)] {
                if let Some(State::Is(serde_json::Value::String(was))) = held(what) {
                    *part = was;
                }
            }
        }
        if let Some(body) = held(F::Body).and_then(State::read) {
            then.body = body;
        }
        if let Some(state) = held(F::Paging) {
            then.paging = state.read().unwrap_or(Paging::Unknown);
        }
        if let Some(state) = held(F::Success) {
            then.success = state.read().unwrap_or_default();
        }
        if let Some(state) = held(F::Returns) {
            let ty = self.type_of(state);
            then.returns_known = ty.is_some();
            then.returns = ty.unwrap_or(Type::Json);
        }
        for param in &mut then.params {
            let life = param.item.life.get(program);
            let is_there = life.is_none_or(|life| life.lack_at(release).is_none());
            self.param_then(param, program, release);
            // It may be the one that the method and the pages of then wait for.
            if !is_there {
                param.location = Location::Unknown;
            }
        }
        forget(&mut then.item);
        then
    }

    fn param_then(&self, param: &mut Param, program: usize, release: StableVersion) {
        let ty = param.item.held(program, ChangedFact::Type, Some(release));
        *param = param.at(program, Some(release));
        if let Some(state) = ty {
            let ty = self.type_of(state);
            param.type_known = ty.is_some();
            param.r#type = ty.unwrap_or(Type::Json);
        }
        forget(&mut param.item);
    }

    /// The type that a state writes; nothing where it writes none of the catalogue.
    pub(super) fn type_of(&self, state: State) -> Option<Type> {
        let State::Is(serde_json::Value::String(text)) = state else { return None };
        self.type_written(&Notation::parse(&text).ok()?)
    }

    fn type_written(&self, notation: &Notation<'_>) -> Option<Type> {
        let boxed = |inner| self.type_written(inner).map(Box::new);
        Some(match notation {
            Notation::Plain(plain) => simple(*plain),
            Notation::Object => Type::Json,
            Notation::Id(of) => Type::Id(of.map(ToOwned::to_owned)),
            Notation::Named(name) if self.index.enumeration(name).is_some() => {
                Type::Enum((*name).to_owned())
            }
            Notation::Named(name) => Type::Entity((*name).to_owned()),
            Notation::Events(name) => Type::Events((*name).to_owned()),
            Notation::List(inner) => Type::List(boxed(inner)?),
            Notation::Map(inner) => Type::Map(boxed(inner)?),
            Notation::Either(pair) => {
                let types: Option<_> = pair.iter().map(|one| self.type_written(one)).collect();
                Type::OneOf(types?)
            }
        })
    }
}

/// The changes of an operation and its parameters in a program.
fn changes(operation: &Operation, program: usize) -> Vec<Changed<'_>> {
    let items =
        std::iter::once(&operation.item).chain(operation.params.iter().map(|one| &one.item));
    items
        .flat_map(|item| {
            let changes = item.life.get(program).into_iter().flat_map(|life| &life.changed);
            changes.enumerate().map(move |(number, change)| (item, number, change))
        })
        .collect()
}

/// Takes away what an item says of other programs and releases.
fn forget(item: &mut Item) {
    for life in &mut item.life {
        life.facts.clear();
        life.changed.clear();
        life.apart = false;
    }
}
