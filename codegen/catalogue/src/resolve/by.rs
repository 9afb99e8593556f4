//! Facts that programs may differ in: each program's value, and what holds of all of them together.
//!
//! A value without a program holds in the programs that its evidence speaks of, and in those that it was held against as a whole
//! (`held_against` of the program). In any other it is unknown.

use std::rc::Rc;

use super::Resolver;
use crate::merge::{FactKey, FactValue, MergedItem, Provenance, SettledFact, Stated};
use crate::model::{By, Evidence as Proof, Fact, Implementations, Program};
use fedispec_model::api::{self, Evidence, Held, Life, Since, State};
use fedispec_model::change::ChangedFact;
use fedispec_since::{Effect, LeftOut, Paging, Required, SafeValues, Unset};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The state of a fact with a value: a limit, a default or another one that is null in JSON is none.
fn state(value: impl Serialize) -> State {
    match json!(value) {
        Value::Null => State::None,
        Value::Number(number) if number.is_f64() => {
            State::Is(number.as_f64().map(api::number).into())
        }
        value => State::Is(value),
    }
}

/// A statement of an item, with the fact as it states it.
type Said<'x, 'a, V> = (&'x Rc<Stated<'a>>, Option<Fact<By<V>>>);

impl<'a> Resolver<'a, '_, '_> {
    /// Resolves a fact: what holds of all programs together. What a program says otherwise goes into its life.
    pub(super) fn by<B, V: FactValue + Serialize>(
        &mut self,
        node: &MergedItem<'a, B>,
        what: ChangedFact,
        lives: &mut [Life],
        say: impl Fn(&'a B) -> Option<Fact<By<V>>>,
    ) -> State {
        self.refined_by(node, what, lives, |_, _| false, say)
    }

    /// The same, of a fact whose value may make that of a layer below precise.
    pub(super) fn refined_by<B, V: FactValue + Serialize>(
        &mut self,
        node: &MergedItem<'a, B>,
        what: ChangedFact,
        lives: &mut [Life],
        refines: fn(&V, &V) -> bool,
        say: impl Fn(&'a B) -> Option<Fact<By<V>>>,
    ) -> State {
        let said: Vec<Said<'_, 'a, V>> =
            node.statements.iter().map(|one| (&one.stated, say(one.body))).collect();
        if said.iter().all(|(_, said)| said.is_none()) && !self.facts.disputes.about(&node.id) {
            return State::Unknown;
        }
        for (stated, said) in &said {
            if let Some(Fact::Known(By::Each(each))) = said {
                self.keys_are_programs(each.keys(), &stated.place.then(what.name()));
            }
        }
        let programs = self.programs.clone().into_iter();
        let held: Vec<Held> = programs
            .map(|program| match self.in_one(node, what, program, refines, &said) {
                Some(settled) => {
                    let evidence = self.held_by(node, what, program, &settled.by);
                    let state = settled.known().map_or(State::Unknown, state);
                    Held { state, evidence }
                }
                None => Held { state: State::Unknown, evidence: None },
            })
            .collect();
        spread(what, held, lives, &self.counts)
    }

    /// Merges what the layers say of a fact in a program.
    fn in_one<B, V: FactValue>(
        &mut self,
        node: &MergedItem<'a, B>,
        what: ChangedFact,
        program: &'a str,
        refines: fn(&V, &V) -> bool,
        said: &[Said<'_, 'a, V>],
    ) -> Option<SettledFact<'a, V>> {
        let all = self.implementations;
        let held_against = all
            .programs
            .get(program)
            .is_some_and(|program| program.held_against.contains_key(&what));
        let is_named = |said: &Option<Fact<By<V>>>| match said {
            Some(Fact::Known(By::Each(each))) => each.contains_key(program),
            _ => false,
        };
        let is_held_against = held_against && !said.iter().any(|(_, said)| is_named(said));
        let mut said = said.iter().map(|(stated, said)| {
            let said = said.as_ref().and_then(|said| match said {
                Fact::Unknown => Some(Fact::Unknown),
                Fact::Known(By::Same(value)) => (is_held_against
                    || speaks_of(all, stated.proof(aspect(what)), program))
                .then(|| Fact::Known(value.clone())),
                Fact::Known(By::Each(each)) => each.get(program).cloned(),
            });
            (*stated, said)
        });
        let key = FactKey::in_program(what.name(), program);
        let settled = self.facts.settle(&node.id, key, None, refines, &mut said)?;
        self.facts.is_proven(node, key, &settled);
        Some(settled)
    }

    /// The proof of a program's value: that under `facts` and the program, that of the shape, or what all values were held against.
    fn held_by<B>(
        &self,
        node: &MergedItem<'a, B>,
        what: ChangedFact,
        program: &str,
        by: &Provenance<'a>,
    ) -> Option<Evidence> {
        let Some(stated) = by.stated() else {
            return self.evidence_by(node, "shape", by);
        };
        let all = self.implementations.programs.get(program)?.held_against.get(&what);
        let implementations = self.implementations;
        let apart = (aspect(what) != "shape").then(|| stated.proof(aspect(what))).flatten();
        let apart = apart.filter(|proof| speaks_of(implementations, Some(proof), program));
        let own = stated.proof(&format!("facts.{program}")).or(apart);
        self.evidence(own.or(all).or_else(|| stated.proof("shape"))?)
    }
}

/// The key of `evidence` that proves a fact in all programs.
fn aspect(what: ChangedFact) -> &'static str {
    if what == ChangedFact::LeftOut { what.name() } else { "shape" }
}

/// Whether the source of a proof speaks of a program: it names it, or it names none and the program's facts do not stand apart.
pub(super) fn speaks_of(all: &Implementations, proof: Option<&Proof>, program: &str) -> bool {
    let source = proof.and_then(|proof| all.sources.get(&proof.source));
    match source.and_then(|source| source.programs.as_ref()) {
        Some(named) => named.iter().any(|one| one == program),
        None => !all.programs.get(program).is_some_and(Program::is_apart),
    }
}

/// Tells what holds of all programs that have the item, and puts what one says otherwise into its life. Only programs that types are made
/// for count.
fn spread(what: ChangedFact, held: Vec<Held>, lives: &mut [Life], counts: &[bool]) -> State {
    // Where facts stand apart, an item that nobody has looked for counts as one that is not there.
    let has = |life: &Life| match life.effective {
        Since::Since(_) => true,
        Since::Unknown => !life.apart,
        Since::Never => false,
    };
    // A program of which nothing is known tells nothing of the fact.
    let is_asked = |(life, held): (&Life, &Held)| {
        has(life) && (life.effective != Since::Unknown || held.state != State::Unknown)
    };
    let any = lives.iter().zip(&held).any(is_asked);
    // Where a program lacks a parameter, it matters most what happens without it.
    let counts_in = |life: &Life| !any || has(life) || what == ChangedFact::LeftOut;
    let is_any_counted = lives.iter().zip(counts).any(|(life, counts)| *counts && counts_in(life));
    let states: Vec<&State> = { held.iter().zip(&*lives).zip(counts) }
        .filter(|((_, life), counts)| (**counts || !is_any_counted) && counts_in(life))
        .map(|((held, _), _)| &held.state)
        .collect();
    let common = together(what, &states);
    for (held, life) in held.into_iter().zip(lives) {
        let is_known = held.state != State::Unknown;
        if life.apart {
            // A fork has its base's Since only later, and what is stated of it as unknown keeps the base's value from it.
            let may_have = counts_in(life) || life.effective == Since::Unknown;
            if may_have && (is_known || held.evidence.is_some()) {
                life.facts.insert(what, held);
            }
        } else if (!any || has(life) || counts_in(life) && is_known) && held.state != common {
            life.facts.insert(what, held);
        }
    }
    common
}

/// The state of several programs together: it allows every value that any of them takes, and demands only what each of them demands. Where
/// nobody knows the limit of one, there is none.
fn together(what: ChangedFact, states: &[&State]) -> State {
    use ChangedFact as F;
    let states = states.iter().copied();
    let states: Vec<_> =
        states.filter(|state| what.is_limit() || **state != State::Unknown).collect();
    let Some((first, others)) = states.split_first() else {
        return State::Unknown;
    };
    if others.iter().all(|other| other == first) {
        return (*first).clone();
    }
    let values: Option<Vec<&Value>> = { states.iter() }
        .map(|state| if let State::Is(value) = state { Some(value) } else { None })
        .collect();
    let Some(values) = values else {
        return State::None;
    };
    let by_size = |one: &&&Value, other: &&&Value| {
        let [one, other] = [one, other].map(|value| value.as_f64().unwrap_or_default());
        one.total_cmp(&other)
    };
    let common = match what {
        F::Required => {
            let never = json!(Required::Never);
            let is_free = values.contains(&&never);
            Some(if is_free { never } else { json!(Required::Sometimes) })
        }
        // A parameter that one program resets counts as reset in all of them.
        F::Unset => Some(json!(Unset::Reset)),
        F::Returns => {
            let mut all: Vec<&str> = Vec::new();
            for alternative in
                values.iter().filter_map(|one| one.as_str()).flat_map(|one| one.split('|'))
            {
                if !all.contains(&alternative) {
                    all.push(alternative);
                }
            }
            // It stands last: what else is answered is a type.
            all.sort_by_key(|alternative| *alternative == "empty");
            Some(json!(all.join("|")))
        }
        F::LeftOut => most_lost(&values),
        F::Min | F::MinItems => values.iter().min_by(by_size).map(|least| (*least).clone()),
        F::Max | F::MaxLength | F::MaxItems => {
            values.iter().max_by(by_size).map(|most| (*most).clone())
        }
        // Where one program cuts a list into pages, a caller has to ask for the next one.
        F::Paging => values
            .iter()
            .find(|value| ***value != json!(Paging::None))
            .map(|value| (*value).clone()),
        F::Success => {
            let mut all: Vec<u64> = Vec::new();
            for status in values.iter().filter_map(|one| one.as_array()).flatten() {
                all.extend(status.as_u64().filter(|status| !all.contains(status)));
            }
            Some(json!(all))
        }
        _ => None,
    };
    common.into()
}

/// The worst of several effects; only what is safe in all of them is.
fn most_lost(values: &[&Value]) -> Option<Value> {
    let each: Vec<LeftOut> =
        values.iter().filter_map(|value| LeftOut::deserialize(*value).ok()).collect();
    // A refusal is an error that the caller sees.
    let worst = |one: &&LeftOut| match one.effect {
        Effect::Harmless => 0,
        Effect::Fails => 1,
        Effect::ChangesMeaning => 2,
    };
    let mut worst = each.iter().rev().max_by_key(worst)?.clone();
    for other in &each {
        worst.safe = match (worst.safe, &other.safe) {
            (SafeValues::Any, safe) => safe.clone(),
            (safe, SafeValues::Any) => safe,
            (SafeValues::Only(safe), SafeValues::Only(others)) => {
                SafeValues::Only(safe.into_iter().filter(|one| others.contains(one)).collect())
            }
        };
    }
    Some(json!(worst))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_any_takes_and_what_each_demands() {
        use ChangedFact as F;
        let is = |value: Value| State::Is(value);
        for (what, one, other, both) in [
            (F::Required, is(json!("always")), is(json!("never")), is(json!("never"))),
            (F::Required, is(json!("always")), is(json!("sometimes")), is(json!("sometimes"))),
            (F::Default, is(json!(20)), is(json!(30)), State::None),
            (F::Max, is(json!(40)), is(json!(80)), is(json!(80))),
            (F::Max, is(json!(40)), State::None, State::None),
            (F::Min, is(json!(5)), is(json!(2.5)), is(json!(2.5))),
            (F::Unset, is(json!("keep")), is(json!("reset")), is(json!("reset"))),
            (F::Paging, is(json!("none")), is(json!("link")), is(json!("link"))),
            (F::Success, is(json!([200, 206])), is(json!([200])), is(json!([200, 206]))),
        ] {
            assert_eq!(together(what, &[&one, &other]), both, "{what}");
            assert_eq!(together(what, &[&one, &one]), one, "{what}");
        }
        assert_eq!(together(F::Max, &[]), State::Unknown);
        let (known, unknown) = (is(json!(true)), State::Unknown);
        assert_eq!(together(F::Default, &[&known, &unknown]), known);
        assert_eq!(together(F::Max, &[&is(json!(1)), &unknown]), State::None);
    }
}
