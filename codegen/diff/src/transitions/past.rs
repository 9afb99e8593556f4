//! The values that a fact had in earlier releases: where the two states of the catalogue differ in them, the difference is judged as
//! one of today's value, with the releases that it is about.

use fedispec_model::api::State;
use fedispec_model::auth;
use fedispec_model::change::{Change as InPlace, ChangedFact};
use fedispec_model::notation::type_text;
use fedispec_since::StableVersion;
use serde_json::json;

use super::super::change::{Cause, Change};
use super::super::in_place;
use super::super::index::IndexedItem;
use super::super::rules::Bump;
use super::super::stretch::between;
use super::held::is_one_of_all;
use super::life::Lifetime;

/// The states of a fact, each with the release since which it holds.
type States = Vec<(Option<StableVersion>, State)>;

impl Lifetime<'_, '_, '_> {
    /// Tells what earlier releases did otherwise than it was said, and of which facts.
    pub(super) fn past(&mut self) -> Vec<ChangedFact> {
        let (before, after) = (&self.old.changed, &self.new.changed);
        let mut moved: Vec<_> = { before.iter().filter(|one| !after.contains(one)) }
            .chain(after.iter().filter(|one| !before.contains(one)))
            .map(|change| change.what)
            // Words are no more than told.
            .filter(|what| *what != ChangedFact::Meaning)
            .collect();
        moved.sort_unstable();
        moved.dedup();
        moved.retain(|what| self.past_of(*what));
        moved
    }

    /// Whether any release that both states have looked at did a fact otherwise than was said.
    fn past_of(&mut self, what: ChangedFact) -> bool {
        // Before the item is there nothing was done.
        let Some(begin) = self.old.effective.max(self.new.effective).version() else {
            return false;
        };
        let [old, new] = self.histories(what);
        let mut releases: Vec<_> = old.iter().chain(&new).map(|(since, _)| *since).collect();
        releases.sort_unstable();
        releases.dedup();
        let mut told: Vec<(Option<StableVersion>, StableVersion, [&State; 2])> = Vec::new();
        for pair in releases.windows(2) {
            let &[since, Some(until)] = pair else { continue };
            let states = [at(&old, since), at(&new, since)];
            match told.last_mut() {
                Some((_, end, before)) if Some(*end) == since && *before == states => *end = until,
                _ => told.push((since, until, states)),
            }
        }
        told.retain(|(since, _, states)| {
            states[0] != states[1]
                && states.iter().all(|state| **state != State::Unknown)
                && *since <= Some(self.program.newest)
        });
        // The past of a field that is taken over, before its entity was there, is told of the field that it comes from.
        let is_known = !told.is_empty();
        told.retain(|(_, until, _)| begin < *until);
        let (context, program) = (self.pair.context, self.program);
        let is_unsupported = |until| context.is_below_the_floor(program, until);
        let mut alike: Vec<([&State; 2], Vec<_>)> = Vec::new();
        for (since, until, states) in told {
            let stretch = (since.filter(|since| begin < *since), until);
            match alike.iter_mut().find(|(known, _)| *known == states) {
                Some((_, stretches)) => stretches.push(stretch),
                None => alike.push((states, vec![stretch])),
            }
        }
        for (states, stretches) in alike {
            let when = stretches.iter().map(|(since, until)| match since {
                None => format!("before {until}"),
                Some(since) => format!("from {since} until {until}"),
            });
            let when = when.collect::<Vec<_>>().join(" and ");
            let releases =
                stretches.iter().filter_map(|(since, until)| between(*since, Some(*until)));
            let releases = releases.collect::<Vec<_>>().join(" || ");
            let is_unsupported = stretches.iter().all(|(_, until)| is_unsupported(*until));
            for said in self.differs(what, states.map(Clone::clone), Some(&when)) {
                // Rust is made of what holds today.
                let change = said.clone().without_code();
                let change = Change {
                    keys: vec!["changed".to_owned()],
                    versions: Some(releases.clone()),
                    bump: change.bump.min(Bump::Patch),
                    ..change
                };
                *said = if is_unsupported { change.below_the_floor() } else { change };
            }
        }
        is_known
    }

    /// Tells what changed of the item in another program and is said of this one as well, in which no change is recorded.
    pub(super) fn with_others(&mut self) {
        let has_it = [self.old, self.new].iter().all(|life| life.effective.version().is_some());
        if self.program.base().is_some() || !has_it || !is_one_of_all(self.old, self.new) {
            return;
        }
        let own = [&self.old.changed, &self.new.changed];
        let of_others = self.pair.out[..self.shape].iter().filter(|said| {
            let made = |program: &str| {
                let fits = |change: &InPlace| in_place::explains(change, said.rule);
                self.pair.last_recorded(program, fits)
            };
            let other = said.implementation.as_deref().filter(|_| said.of_all);
            let other = other.filter(|other| *other != self.program.key);
            let made = other.and_then(made);
            let moved = made.is_some_and(|(_, change)| {
                let [was, is] = self.today(change.what);
                was != is && was.is_some() && is.is_some()
            });
            moved && !own.into_iter().flatten().any(|change| in_place::explains(change, said.rule))
        });
        let told: Vec<_> = of_others
            .map(|said| Change {
                cause: Cause::Correction,
                implementation: Some(self.program.key.to_owned()),
                versions: None,
                of_all: false,
                // The types are those of all programs together.
                ..said.clone().without_code()
            })
            .collect();
        self.pair.out.extend(told);
    }

    /// Today's value of a fact in both states of the catalogue.
    fn today(&self, what: ChangedFact) -> [Option<State>; 2] {
        let sides = [(self.pair.old, self.program.old), (self.pair.new, self.program.new)];
        if auth::is_of(what) {
            return sides.map(|(node, place)| asked(node, place, what));
        }
        let [old, new] = sides.map(|(node, place)| shape(node, place, what));
        let [was, is] = self.states(what);
        [old.or(Some(was)), new.or(Some(is))]
    }

    /// The states of a fact in both states of the catalogue, which end at today's.
    fn histories(&self, what: ChangedFact) -> [States; 2] {
        let [old, new] = self.today(what);
        let of = |node: IndexedItem<'_>, place: Option<usize>, newest: Option<State>| {
            let Some(place) = place else { return Vec::new() };
            // A type is that of all programs together; what the last change ends at is the program's own.
            let life = node.item().life.get(place);
            let last = life.and_then(|life| life.changed.iter().rev().find(|one| one.what == what));
            let own = last.filter(|_| matches!(what, ChangedFact::Returns | ChangedFact::Type));
            let own = own.and_then(|last| last.to.clone()).map(State::Is);
            node.item().states(place, what, own.or(newest).unwrap_or(State::Unknown))
        };
        [of(self.pair.old, self.program.old, old), of(self.pair.new, self.program.new, new)]
    }
}

/// The part of its shape that an item has today in a program, as far as all programs have it alike.
fn shape(node: IndexedItem<'_>, place: Option<usize>, what: ChangedFact) -> Option<State> {
    use ChangedFact as F;
    let format = |format: &Option<String>| {
        format.as_ref().map_or(State::None, |format| State::Is(json!(format)))
    };
    Some(State::Is(match (node, what) {
        (IndexedItem::Operation(operation), F::Body) => json!(operation.body),
        (IndexedItem::Operation(operation), F::Method) => json!(operation.route.as_ref()?.method),
        (IndexedItem::Operation(operation), F::Path) => json!(operation.route.as_ref()?.path),
        (IndexedItem::Param(_, param), F::In) => json!(param.location),
        (IndexedItem::Param(_, param), F::Nullable) => json!(param.nullable),
        (IndexedItem::Param(_, param), F::Format) => return Some(format(&param.format)),
        (IndexedItem::Param(_, param), F::Type) => json!(type_text(&param.r#type)),
        (IndexedItem::Field(_, field), F::Presence) => json!(field.presence_in(place?).name()),
        (IndexedItem::Field(_, field), F::Nullable) => json!(field.nullable),
        (IndexedItem::Field(_, field), F::Format) => return Some(format(&field.format)),
        (IndexedItem::Field(_, field), F::Type) => json!(type_text(&field.r#type)),
        _ => return None,
    }))
}

/// Today's value of a requirement of an operation in a program.
fn asked(node: IndexedItem<'_>, place: Option<usize>, what: ChangedFact) -> Option<State> {
    let IndexedItem::Operation(operation) = node else { return None };
    auth::get(what, operation.auth.as_ref()?.of(place?)?).map(State::Is)
}

/// The state at a release; `None` is before the first change.
fn at(states: &States, release: Option<StableVersion>) -> &State {
    let reached = states.iter().rev().find(|(since, _)| *since <= release);
    reached.map_or(&State::Unknown, |(_, state)| state)
}
