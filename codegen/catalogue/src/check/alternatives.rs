//! Constructors: the ways of calling an operation mention its parameters and do not contradict each other, and the order of the
//! arguments names each of them.

use super::Checker;
use crate::map::{HashMap, HashSet};
use fedispec_model::api::{Alternative, Operation, Param, State};
use fedispec_model::change::ChangedFact;
use fedispec_model::condition::Clause;
use fedispec_model::constructors::{ValueSource, constructors};
use fedispec_model::suggest::did_you_mean;
use fedispec_since::{Location, Required};
use serde_json::json;

/// The parameters of an operation by their names on the wire.
type Params<'n> = HashMap<&'n str, &'n Param>;

pub(super) fn by_name(operation: &Operation) -> Params<'_> {
    operation.params.iter().map(|param| (param.item.wire.as_str(), param)).collect()
}

impl Checker<'_, '_> {
    pub(super) fn constructors(&mut self, operation: &Operation) {
        let params = by_name(operation);
        for (number, one) in operation.alternatives.iter().enumerate() {
            self.alternative(operation, one, &params);
            let asks = |one: &Alternative| {
                [&one.requires, &one.excludes]
                    .map(|names| names.iter().cloned().collect::<HashSet<_>>())
            };
            let is_same = |other: &&Alternative| other.sets == one.sets && asks(other) == asks(one);
            if let Some(other) = operation.alternatives[..number].iter().find(is_same)
                && let Some(place) = self.place(&operation.item.id, "alternatives")
            {
                let message = format!("`{}` and `{}` ask for the same", other.rust, one.rust);
                let help = "mend one of the two, or remove it";
                let [now, before] = [one, other].map(|one| place.then(one.rust.clone()));
                self.problems.key("contradictory-required", &now, message, help);
                self.problems.with_key(&before, "the other one");
            }
        }
        if !operation.arguments.is_empty() {
            self.arguments(operation, &params);
        }
        self.sometimes(operation);
    }

    /// Checks that the order of the arguments names what constructors take, once, and the path's parameters first.
    fn arguments(&mut self, operation: &Operation, params: &Params<'_>) {
        let id = &operation.item.id;
        let Some(place) = self.place(id, "arguments") else {
            return;
        };
        let taken = taken(operation);
        for (number, wire) in operation.arguments.iter().enumerate() {
            let (message, help) = if !params.contains_key(wire.as_str()) {
                let or_else = "name parameters as they go over the wire";
                let help = did_you_mean(wire, taken.iter().copied(), or_else);
                (format!("`{id}` has no parameter `{wire}`"), help)
            } else if !taken.contains(&wire.as_str()) {
                let message =
                    format!("no constructor of `{id}` takes `{wire}`, which is not required");
                (message, "leave it out: it has a setter".into())
            } else {
                continue;
            };
            let place = place.then(number.to_string());
            self.problems.value("wrong-arguments", &place, message, help);
        }
        let in_path = |wire: &&String| {
            params.get(wire.as_str()).is_some_and(|param| param.location == Location::Path)
        };
        let mut after_the_path = operation.arguments.iter().skip_while(in_path);
        if let Some(late) = after_the_path.find(in_path) {
            let message = format!("`{late}` is part of the path and does not stand first");
            let help = "list the parameters of the path before the others";
            self.problems.value("wrong-arguments", &place, message, help);
        }
        for wire in taken {
            if !operation.arguments.iter().any(|one| one == wire) {
                let message = format!("`{id}` requires `{wire}`, which its `arguments` leave out");
                let help = format!("put `{wire}` in its place");
                self.problems.value("wrong-arguments", &place, message, help);
            }
        }
    }

    fn alternative(&mut self, operation: &Operation, one: &Alternative, params: &Params<'_>) {
        let id = &operation.item.id;
        let Some(place) = self.place(id, "alternatives") else {
            return;
        };
        let place = place.then(one.rust.clone());
        let sets = || one.sets.iter().map(|(name, _)| name);
        let mut named: Vec<_> =
            sets().map(|name| (name, place.then("sets").then(name.clone()))).collect();
        for (list, names) in [("requires", &one.requires), ("excludes", &one.excludes)] {
            let list = place.then(list);
            let numbered = names.iter().enumerate();
            named.extend(numbered.map(|(number, name)| (name, list.then(number.to_string()))));
        }
        for (name, place) in named {
            if !params.contains_key(name.as_str())
                && !self.merged.is_lost(&format!("{id}.{name}"), &place, self.problems)
            {
                let or_else = "an alternative names parameters of its operation";
                let help = did_you_mean(name, params.keys().copied(), or_else);
                let message = format!("`{id}` has no parameter `{name}`");
                self.problems.key("unknown-reference", &place, message, help);
            }
        }
        let is_set = |name: &String| sets().any(|set| set == name);
        let always_required = |name: &String| {
            let param = params.get(name.as_str());
            // One that has a condition besides is told at that.
            param
                .filter(|param| param.required == Required::Always && param.required_when.is_none())
        };
        let required = one.requires.iter().enumerate().filter(|(_, name)| is_set(name));
        let required = required.map(|(number, name)| {
            ("requires", number, format!("sets `{name}` and asks for it too"), None)
        });
        let excluded = one.excludes.iter().enumerate().filter_map(|(number, name)| {
            let (why, param) = if is_set(name) {
                (format!("sets `{name}` and excludes it"), None)
            } else if one.requires.contains(name) {
                (format!("requires `{name}` and excludes it"), None)
            } else {
                let param = always_required(name)?;
                (format!("excludes `{name}`, which is always required"), Some(param))
            };
            Some(("excludes", number, why, param))
        });
        for (list, number, why, param) in required.chain(excluded) {
            let message = format!("the alternative `{}` of `{id}` {why}", one.rust);
            let help = "name each parameter once, and none that is always required";
            let place = place.then(list).then(number.to_string());
            self.problems.value("contradictory-required", &place, message, help);
            if let Some(required) = param.and_then(|param| self.place(&param.item.id, "required")) {
                self.problems.with_value(&required, "it is required here");
            }
        }
        for (name, value) in &one.sets {
            let at = place.then("sets").then(name.clone());
            if let Some(param) = params.get(name.as_str()) {
                self.values_are_of(&(*param).into(), std::slice::from_ref(value), Some(&at));
            }
            let asks = |case: &Vec<Clause>| {
                let [Clause::Sent(sent, values)] = &case[..] else { return false };
                sent == name && values.contains(value)
            };
            let named = |wire: &String| one.requires.contains(wire) || is_set(wire);
            let lost = operation.params.iter().find(|param| {
                let mut cases = param.required_when.iter().flat_map(|when| &when.0);
                cases.any(asks) && !named(&param.item.wire)
            });
            if let Some(param) = lost {
                let wire = &param.item.wire;
                let message = format!(
                    "the alternative `{}` of `{id}` sets `{name}` to `{value}`, and lacks `{wire}`, which is required then",
                    one.rust
                );
                let help = format!("add `{wire}` to its `requires`");
                let there = place.then("requires");
                let at = if self.problems.stands(&there) { &there } else { &place };
                self.problems.key("contradictory-required", at, message, help);
                self.with_fact(&param.item.id, "required_when", "when it is required");
            }
        }
    }

    /// Checks that a parameter which is sometimes required says when: in words, or by an alternative.
    fn sometimes(&mut self, operation: &Operation) {
        let alternatives = operation.alternatives.iter();
        let settled: HashSet<&String> = alternatives
            .flat_map(|one| one.requires.iter().chain(one.sets.iter().map(|(name, _)| name)))
            .collect();
        for param in &operation.params {
            let id = &param.item.id;
            let says_when = param.required_when.is_some();
            let sometimes = json!(Required::Sometimes);
            // In a program, or before it changed.
            let is_ever = param.item.life.iter().any(|life| {
                let own = life.facts.get(&ChangedFact::Required);
                let mut former =
                    life.changed.iter().filter(|change| change.what == ChangedFact::Required);
                own.is_some_and(|held| held.state == State::Is(sometimes.clone()))
                    || former.any(|change| change.from.as_ref() == Some(&sometimes))
            });
            match param.required {
                _ if is_ever && says_when => {}
                Required::Sometimes if !says_when && !settled.contains(&param.item.wire) => {
                    let message = format!("nobody says when `{id}` is required");
                    let help =
                        "say so under `required_when`, or list the `alternatives` of the operation";
                    self.value("missing-condition", id, "required", message, help);
                }
                Required::Always | Required::Never if says_when => {
                    let message = format!("`{id}` is not required sometimes, but always or never");
                    let help = "write `required: sometimes`, or take `required_when` away";
                    self.key("contradictory-required", id, "required_when", message, help);
                }
                _ => {}
            }
        }
    }
}

/// The names of the parameters that some constructor takes as an argument.
fn taken(operation: &Operation) -> Vec<&str> {
    let constructors = constructors(operation);
    let outer = operation.params.iter().filter(|param| param.parent.is_none());
    outer
        .filter(|param| constructors.iter().any(|one| one.source(param) == ValueSource::Argument))
        .map(|param| param.item.wire.as_str())
        .collect()
}
