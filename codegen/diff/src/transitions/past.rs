//! What earlier releases did of a fact that changed in place: where the two states of the catalogue differ in that, the difference is judged as
//! one of today's value, with the releases that it is about.

use fedispec_model::api::{Item, State};
use fedispec_model::auth::is_of;
use fedispec_model::change::{Change, ChangedFact};
use fedispec_since::StableVersion;
use serde_json::{Value, json};

use super::super::change::{Cause, Change as Told};
use super::super::index::IndexedItem;
use super::held::text;
use super::life::Lifetime;

/// The facts of earlier releases that a client or a server is told, and acts by.
const PAST: [ChangedFact; 17] = [
    ChangedFact::Default,
    ChangedFact::LeftOut,
    ChangedFact::Max,
    ChangedFact::MaxItems,
    ChangedFact::MaxLength,
    ChangedFact::MediaType,
    ChangedFact::Min,
    ChangedFact::MinItems,
    ChangedFact::Paging,
    ChangedFact::Permissions,
    ChangedFact::Required,
    ChangedFact::Returns,
    ChangedFact::Scopes,
    ChangedFact::Success,
    ChangedFact::Token,
    ChangedFact::Unauthenticated,
    ChangedFact::Unset,
];

/// The states of a fact, each with the release since which it holds.
type States = Vec<(Option<StableVersion>, State)>;

impl Lifetime<'_, '_, '_> {
    /// Tells what earlier releases did otherwise than it was said, and of which facts.
    pub(super) fn past(&mut self) -> Vec<ChangedFact> {
        let (before, after) = (&self.old.changed, &self.new.changed);
        let mut moved: Vec<_> = { before.iter().filter(|one| !after.contains(one)) }
            .chain(after.iter().filter(|one| !before.contains(one)))
            .map(|change| change.what)
            .filter(|what| PAST.contains(what))
            .collect();
        moved.sort_unstable();
        moved.dedup();
        moved.retain(|what| self.past_of(*what));
        moved
    }

    /// Whether any release did a fact otherwise, in which both states say what it did.
    fn past_of(&mut self, what: ChangedFact) -> bool {
        let [old, new] = self.histories(what);
        let mut releases: Vec<_> = old.iter().chain(&new).map(|(since, _)| *since).collect();
        releases.sort_unstable();
        releases.dedup();
        let mut told: Vec<(Option<StableVersion>, Option<StableVersion>, [&State; 2])> = Vec::new();
        for pair in releases.windows(2) {
            let (since, until) = (pair[0], pair[1]);
            let states = [at(&old, since), at(&new, since)];
            match told.last_mut() {
                Some((_, end, before)) if *end == since && *before == states => *end = until,
                _ => told.push((since, until, states)),
            }
        }
        // Before the item is there nothing was done.
        let begin = self.old.since.version().min(self.new.since.version());
        told.retain(|(_, until, [was, is])| {
            was != is
                && ![was, is].contains(&&&State::Unknown)
                && until.is_none_or(|until| begin.is_none_or(|begin| begin < until))
        });
        for (since, until, states) in &told {
            let [was, is] = states.map(|state| text(what, state));
            let when = match (since, until) {
                (None, Some(until)) => format!("before {until}"),
                (Some(since), Some(until)) => format!("from {since} until {until}"),
                _ => continue,
            };
            let [from, to] = states.map(value);
            let change = Change { r#in: StableVersion::FIRST, absent: Vec::new(), what, from, to };
            let message = format!("{what} in {} {when} is {is}, was {was}", self.program.key);
            let is_new = self.old.changed.iter().all(|change| change.what != what);
            let cause = if is_new { Cause::Coverage } else { Cause::Correction };
            let first = self.pair.out.len();
            self.say(self.rule(&change), cause, (was, is, message));
            let bounds =
                [since.map(|since| format!(">={since}")), until.map(|until| format!("<{until}"))];
            let versions = bounds.into_iter().flatten().collect::<Vec<_>>().join(", ");
            self.pair.out[first] =
                Told { versions: Some(versions), ..self.pair.out[first].clone() };
        }
        !told.is_empty()
    }

    /// The states of a fact in both states of the catalogue, which end at today's.
    fn histories(&self, what: ChangedFact) -> [States; 2] {
        let [old, new] = match is_of(what) {
            true => [(self.pair.old, self.program.old), (self.pair.new, self.program.new)]
                .map(|(node, place)| asked(node, place, what).unwrap_or(State::Unknown)),
            false => self.states(what),
        };
        let of = |item: &Item, place: Option<usize>, newest| {
            place.map_or_else(Vec::new, |place| item.states(place, what, newest))
        };
        [
            of(self.pair.old.item(), self.program.old, old),
            of(self.pair.new.item(), self.program.new, new),
        ]
    }
}

/// What an operation asks for today in a program.
fn asked(node: IndexedItem<'_>, place: Option<usize>, what: ChangedFact) -> Option<State> {
    let IndexedItem::Operation(operation) = node else { return None };
    let auth = operation.auth.as_ref()?.of(place?)?;
    Some(State::Is(match what {
        ChangedFact::Token => json!(auth.token),
        ChangedFact::Scopes => json!(auth.scopes),
        ChangedFact::Permissions => json!(auth.permissions),
        _ => json!(auth.unauthenticated),
    }))
}

/// The state at a release; `None` is before the first change.
fn at(states: &States, release: Option<StableVersion>) -> &State {
    let reached = states.iter().rev().find(|(since, _)| *since <= release);
    reached.map_or(&State::Unknown, |(_, state)| state)
}

fn value(state: &State) -> Option<Value> {
    match state {
        State::Is(value) => Some(value.clone()),
        State::None | State::Unknown => None,
    }
}
