//! References in conditions: each parameter, value and place that a condition mentions exists.

use std::collections::BTreeSet;

use super::Checker;
use super::references::kind;
use crate::map::HashMap;
use crate::problems::NodePath;
use fedispec_model::api::{Api, Entity, Field, Item, Life, Operation, Param};
use fedispec_model::change::ChangedFact;
use fedispec_model::condition::{Clause, EntityLocation};
use fedispec_model::reach::{PLAIN_ERROR, entities_of};
use fedispec_model::suggest::did_you_mean;
use fedispec_since::Required;

/// What the operations of an API answer.
pub(super) struct Answers<'n> {
    /// Each operation, with the entities that its answers are made of, however deep.
    operations: Vec<(&'n Operation, BTreeSet<&'n str>)>,
    /// Each entity, with those that its fields hold.
    inside: HashMap<&'n str, BTreeSet<&'n str>>,
}

impl<'n> Answers<'n> {
    pub(super) fn of(api: &'n Api) -> Self {
        let mut inside: HashMap<&str, BTreeSet<&str>> = HashMap::default();
        for entity in &api.entities {
            let held = inside.entry(&entity.item.id).or_default();
            entity.fields.iter().for_each(|field| entities_of(api, &field.r#type, held));
        }
        let mut all = Self { operations: Vec::new(), inside };
        all.operations = api.operations.iter().map(|one| (one, all.answered(api, one))).collect();
        all
    }

    /// The entities that the answers of an operation are made of.
    fn answered(&self, api: &'n Api, operation: &'n Operation) -> BTreeSet<&'n str> {
        let mut seen = BTreeSet::new();
        entities_of(api, &operation.returns, &mut seen);
        let errors = || operation.errors.iter();
        errors().flat_map(|error| &error.returns).for_each(|ty| entities_of(api, ty, &mut seen));
        let mut seen = self.deep(seen);
        // An error without a body of its own holds nothing of what other operations add to theirs.
        seen.extend(errors().any(|error| error.returns.is_none()).then_some(PLAIN_ERROR));
        seen
    }

    /// Adds what entities are made of.
    fn deep(&self, mut seen: BTreeSet<&'n str>) -> BTreeSet<&'n str> {
        let mut next: Vec<&str> = seen.iter().copied().collect();
        while let Some(one) = next.pop() {
            let held = self.inside.get(one).into_iter().flatten();
            next.extend(held.copied().filter(|id| seen.insert(*id)));
        }
        seen
    }
}

impl<'a, 'n> Checker<'a, 'n> {
    pub(super) fn param_condition(&mut self, operation: &'n Operation, param: &Param) {
        let cases = param.required_when.as_ref().map_or(&[][..], |one| &one.0);
        for (number, case) in cases.iter().enumerate() {
            let place = self.case(&param.item, "required_when", number);
            self.adds(case, &cases[..number], place.as_ref());
            for clause in case {
                self.sent(clause, &[operation], place.as_ref());
            }
            self.can_hold(case, &param.item, place.as_ref());
        }
    }

    pub(super) fn field_condition(&mut self, entity: &Entity, field: &Field) {
        let item = &field.item;
        // The folder of a program that stands apart says when that one leaves it out.
        let programs = self.api.programs.iter().enumerate();
        let family = programs.filter(|(_, program)| !program.stands_apart());
        let mut own = family.filter_map(|(at, _)| field.own_presence(at));
        if field.when.is_some() && !field.optional && own.all(|own| !own.optional) {
            let message = format!("`{}` is never left out, and asks for no condition", item.id);
            let help = "mend `optional` or `presence`, or take `when` away";
            self.key("wrong-condition", &item.id, "when", message, help);
            self.with_fact(&item.id, "optional", "whether it may be left out");
        }
        let cases = field.when.as_ref().map_or(&[][..], |one| &one.0);
        for (number, case) in cases.iter().enumerate() {
            let place = self.case(item, "when", number);
            self.adds(case, &cases[..number], place.as_ref());
            if self.is_misplaced(entity, case, place.as_ref()) {
                continue;
            }
            let answers = self.answers(entity, case);
            self.can_hold(case, item, place.as_ref());
            for clause in case {
                self.sent(clause, &answers, place.as_ref());
                if let Clause::Field(id, values) = clause
                    && let Some(other) = self.field_of(id)
                {
                    self.values_are_of(&other.into(), values, place.as_ref());
                }
            }
        }
    }

    /// Reports a place of a case in which no answer has the entity.
    fn is_misplaced(
        &mut self,
        entity: &Entity,
        case: &[Clause],
        place: Option<&NodePath<'a>>,
    ) -> bool {
        let id = entity.item.id.as_str();
        // An entity that no operation answers by its type can be answered anywhere.
        let is_strange = |one: &&EntityLocation| self.is_answered(id) && !self.is_in(entity, one);
        let strange = case.iter().find_map(|clause| match clause {
            Clause::In(places) => Some(("in", places.iter().find(is_strange)?)),
            Clause::NotIn(places) => Some(("not_in", places.iter().find(is_strange)?)),
            _ => None,
        });
        let Some(((key, strange), place)) = strange.zip(place) else { return false };
        let message = format!("`{id}` is never answered in `{}`", strange.id());
        let help = "name an operation that answers it, or what stands around it";
        self.problems.value("wrong-condition", &place.then(key), message, help);
        if let EntityLocation::Operation(id) = strange {
            self.with_fact(id, "returns", "what it answers");
        }
        let mut operations = self.answers.operations.iter();
        if let Some((one, _)) = operations.find(|(_, held)| held.contains(id)) {
            self.with_fact(&one.item.id, "returns", "it is answered here");
        }
        true
    }

    /// Whether an entity may stand in a place.
    fn is_in(&self, entity: &Entity, place: &EntityLocation) -> bool {
        let mut around = BTreeSet::new();
        match place {
            EntityLocation::Operation(_) | EntityLocation::Group(_) => {
                return !self.answers(entity, &[Clause::In(vec![place.clone()])]).is_empty();
            }
            EntityLocation::Entity(id) => {
                around.extend(self.answers.inside.get(id.as_str()).into_iter().flatten());
            }
            EntityLocation::Field(id) => {
                if let Some(field) = self.field_of(id) {
                    entities_of(self.api, &field.r#type, &mut around);
                }
            }
        }
        self.answers.deep(around).contains(entity.item.id.as_str())
    }

    /// Reports a case that asks for the item itself, or for what it excludes.
    fn can_hold(&mut self, case: &[Clause], of: &Item, place: Option<&NodePath<'a>>) {
        let (is_of_type, _) = kind(&of.id);
        let itself = case.iter().find_map(|clause| match clause {
            Clause::Field(id, _) if *id == of.id => Some(("field", id)),
            Clause::Sent(name, _) if *name == of.wire && !is_of_type => Some(("sent", name)),
            Clause::NotSent(name) if *name == of.wire && !is_of_type => Some(("not_sent", name)),
            _ => None,
        });
        let both = case.iter().find_map(|clause| match clause {
            Clause::NotSent(name) => { case.iter() }
                .any(|other| matches!(other, Clause::Sent(sent, _) if sent == name))
                .then_some(("not_sent", name)),
            _ => None,
        });
        let mut excluded = case.iter().filter_map(|clause| match clause {
            Clause::NotIn(places) => Some(places),
            _ => None,
        });
        let nowhere = case.iter().any(|clause| match clause {
            Clause::In(places) => {
                let is_out = |one: &EntityLocation, others: &[EntityLocation]| match one {
                    EntityLocation::Operation(id) => others.iter().any(|other| match other {
                        EntityLocation::Group(group) => id.split('.').next() == Some(group),
                        other => one == other,
                    }),
                    one => others.contains(one),
                };
                excluded.any(|others| places.iter().all(|one| is_out(one, others)))
            }
            _ => false,
        });
        if let (true, Some(place)) = (nowhere, place) {
            let message = format!("`{}` is in no place that the condition leaves", of.id);
            let help = "mend `in` or `not_in`";
            self.problems.key("wrong-condition", &place.then("not_in"), message, help);
        }
        let (word, message) = match (itself, both) {
            (Some(word), _) => (word, format!("the condition of `{}` asks for itself", of.id)),
            (None, Some(word)) => (word, format!("`{}` cannot be sent and not sent", word.1)),
            (None, None) => return,
        };
        if let Some(place) = place {
            let help = "mend the condition, or take this part of it away";
            self.problems.word("wrong-condition", place, (word.0, word.1), message, help);
        }
    }

    /// Reports a case that adds nothing to one before it, or that holds wherever that one does not.
    fn adds(&mut self, case: &[Clause], before: &[Vec<Clause>], place: Option<&NodePath<'a>>) {
        let is_in = |one: &[Clause], other: &[Clause]| {
            one.iter().all(|wider| other.iter().any(|it| holds_with(wider, it)))
        };
        let contrary = |one: &[Clause], other: &[Clause]| match (one, other) {
            ([Clause::Sent(sent, values)], [Clause::NotSent(name)]) => {
                sent == name && values.is_empty()
            }
            _ => false,
        };
        let message = if before.iter().any(|one| is_in(one, case) || is_in(case, one)) {
            "one of two conditions holds wherever the other one does"
        } else if before.iter().any(|one| contrary(one, case) || contrary(case, one)) {
            "one of the two conditions always holds"
        } else {
            return;
        };
        if let Some(place) = place {
            let help = "mend it, or take one of the two away";
            self.problems.value("wrong-condition", place, message, help);
        }
    }

    /// Reports a parameter that is always sent, so that it decides nothing.
    fn decides(&mut self, (key, named): (&str, &[&Param]), place: Option<&NodePath<'a>>) {
        let is_always = |param: &&Param| {
            let of_it = ChangedFact::Required;
            let is_same = |life: &Life| {
                !life.facts.contains_key(&of_it) && life.changed.iter().all(|it| it.what != of_it)
            };
            param.required == Required::Always && param.item.life.iter().all(is_same)
        };
        if let ([param, ..], true, Some(place)) = (named, named.iter().all(is_always), place) {
            let message = format!("`{}` is always sent, and decides nothing", param.item.id);
            let help = "mend the condition, or take this part of it away";
            let word = (key, param.item.wire.as_str());
            self.problems.word("wrong-condition", place, word, message, help);
            self.with_fact(&param.item.id, "required", "it is required here");
        }
    }

    /// Finds the node of a case: the condition itself, or its element of that number.
    pub(super) fn case(
        &self,
        item: &Item,
        key: &'static str,
        number: usize,
    ) -> Option<NodePath<'a>> {
        let condition = self.place(&item.id, key)?;
        let case = condition.then(number.to_string());
        Some(if self.problems.stands(&case) { case } else { condition })
    }

    /// Finds a field of an entity by its id.
    pub(super) fn field_of(&self, id: &str) -> Option<&'n Field> {
        let fields = self.api.entities.iter().flat_map(|entity| &entity.fields);
        fields.rev().find(|field| field.item.id == id)
    }

    /// The operations that can answer the entity where the case holds.
    pub(super) fn answers(&self, entity: &Entity, case: &[Clause]) -> Vec<&'n Operation> {
        let locations = case.iter().filter_map(|clause| match clause {
            Clause::In(locations) => Some(locations),
            _ => None,
        });
        let locations: Vec<&EntityLocation> = locations.flatten().collect();
        let id = entity.item.id.as_str();
        // An entity that no operation answers by its type can be answered anywhere.
        let anywhere = !self.is_answered(id);
        let placed = |operation: &Operation, held: &BTreeSet<&str>| {
            locations.is_empty()
                || locations.iter().any(|location| match location {
                    EntityLocation::Operation(id) => operation.item.id == *id,
                    EntityLocation::Group(id) => operation.group == *id,
                    EntityLocation::Entity(id) => held.contains(id.as_str()),
                    EntityLocation::Field(id) => {
                        id.rsplit_once('.').is_some_and(|(owner, _)| held.contains(owner))
                    }
                })
        };
        let answers = self.answers.operations.iter();
        answers
            .filter(|(one, held)| placed(one, held) && (anywhere || held.contains(id)))
            .map(|(one, _)| *one)
            .collect()
    }

    fn is_answered(&self, id: &str) -> bool {
        self.answers.operations.iter().any(|(_, held)| held.contains(id))
    }

    /// Checks that the parameter is one of an operation's, and takes the values.
    fn sent(
        &mut self,
        clause: &Clause,
        operations: &[&'n Operation],
        place: Option<&NodePath<'a>>,
    ) {
        let (key, name, values): (_, _, &[String]) = match clause {
            Clause::Sent(name, values) => ("sent", name, values),
            Clause::NotSent(name) => ("not_sent", name, &[]),
            _ => return,
        };
        let params = || operations.iter().flat_map(|one| &one.params);
        let named: Vec<_> = params().filter(|param| param.item.wire == *name).collect();
        if let [param, ..] = *named {
            // Another operation that answers it may lack it.
            if values.is_empty() && named.len() == operations.len() {
                self.decides((key, &named), place);
            }
            return self.values_are_of(&param.into(), values, place);
        }
        let mut ids = operations.iter().map(|one| format!("{}.{name}", one.item.id));
        if place.is_some_and(|place| ids.any(|id| self.merged.is_lost(&id, place, self.problems))) {
            return;
        }
        let known = params().map(|param| param.item.wire.as_str());
        let help = did_you_mean(name, known, "write its name on the wire, with brackets");
        let message = match operations {
            [one] => format!("`{}` has no parameter `{name}`", one.item.id),
            _ => format!("no operation that answers it has a parameter `{name}`"),
        };
        if let Some(place) = place {
            self.problems.word("unknown-reference", place, (key, name), message, help);
        }
    }
}

/// Whether one part of a condition holds wherever another one does.
fn holds_with(wider: &Clause, other: &Clause) -> bool {
    let is_within = |some: &[String], all: &[String]| {
        !some.is_empty() && some.iter().all(|it| all.contains(it))
    };
    match (wider, other) {
        (Clause::Sent(name, all), Clause::Sent(other, some)) => {
            name == other && (all.is_empty() || is_within(some, all))
        }
        (Clause::Field(id, all), Clause::Field(other, some)) => id == other && is_within(some, all),
        (one, other) => one == other,
    }
}
