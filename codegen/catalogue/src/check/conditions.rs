//! References in conditions: each parameter, value and place that a condition mentions exists.

use std::collections::{BTreeSet, HashMap};

use crate::merge::Merged;
use crate::problems::Problems;
use fedispec_model::api::{Api, Entity, Field, Item, Operation, Type};
use fedispec_model::condition::{Clause, Condition, EntityLocation};
use fedispec_model::index::Index;
use fedispec_model::suggest::did_you_mean;

pub(super) fn check<'a>(api: &Api, merged: &Merged<'a>, problems: &mut Problems<'a>) {
    let mut conditions = Conditions::new(api, merged, problems);
    for operation in &api.operations {
        for param in &operation.params {
            for clause in clauses(param.required_when.as_ref()) {
                conditions.sent(clause, &[operation], &param.item, "required_when");
            }
        }
    }
    for entity in &api.entities {
        for field in &entity.fields {
            conditions.field(entity, field);
        }
    }
}

fn clauses(condition: Option<&Condition>) -> impl Iterator<Item = &Clause> {
    condition.into_iter().flat_map(|one| one.0.iter().flatten())
}

struct Conditions<'a, 'm, 'p, 'n> {
    merged: &'m Merged<'a>,
    problems: &'p mut Problems<'a>,
    index: Index<'n>,
    fields: HashMap<&'n str, &'n Field>,
    /// Each operation, with the entities that its answers are made of.
    answers: Vec<(&'n Operation, BTreeSet<&'n str>)>,
}

impl<'a, 'm, 'p, 'n> Conditions<'a, 'm, 'p, 'n> {
    fn new(api: &'n Api, merged: &'m Merged<'a>, problems: &'p mut Problems<'a>) -> Self {
        let mut fields = HashMap::new();
        let mut inside: HashMap<&str, BTreeSet<&str>> = HashMap::new();
        for entity in &api.entities {
            for field in &entity.fields {
                fields.insert(field.item.id.as_str(), field);
                let held = inside.entry(&entity.item.id).or_default();
                entities(api, &field.r#type, held);
            }
        }
        Self {
            merged,
            problems,
            index: Index::new(api),
            fields,
            answers: api.operations.iter().map(|one| (one, answered(api, one, &inside))).collect(),
        }
    }

    fn field(&mut self, entity: &'n Entity, field: &Field) {
        if field.inherited_from.is_some() {
            return;
        }
        for case in field.when.iter().flat_map(|one| &one.0) {
            let answers = self.answers(entity, case);
            for clause in case {
                self.sent(clause, &answers, &field.item, "when");
                if let Clause::Field(id, values) = clause {
                    let ty = self.fields.get(id.as_str()).map(|other| &other.r#type);
                    self.values(ty, id, values, &field.item, "when");
                }
            }
            if answers.is_empty() && is_placed(case) && self.is_answered(&entity.item.id) {
                let message = format!("`{}` is not answered there", entity.item.id);
                let help = "name an operation that answers it, or what stands around it";
                self.push("wrong-condition", &field.item, "when", message, help);
            }
        }
        if let Some(entry) = &field.entry {
            self.field(entity, entry);
        }
    }

    /// The operations that can answer the entity where the case holds.
    fn answers(&self, entity: &Entity, case: &[Clause]) -> Vec<&'n Operation> {
        let locations: Vec<&EntityLocation> = case
            .iter()
            .filter_map(|clause| match clause {
                Clause::In(locations) => Some(locations),
                _ => None,
            })
            .flatten()
            .collect();
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
        self.answers
            .iter()
            .filter(|(one, held)| placed(one, held) && (anywhere || held.contains(id)))
            .map(|(one, _)| *one)
            .collect()
    }

    fn is_answered(&self, id: &str) -> bool {
        self.answers.iter().any(|(_, held)| held.contains(id))
    }

    /// The parameter is one of an operation's, and takes the values.
    fn sent(
        &mut self,
        clause: &Clause,
        operations: &[&'n Operation],
        item: &Item,
        key: &'static str,
    ) {
        let (name, values): (_, &[String]) = match clause {
            Clause::Sent(name, values) => (name, values),
            Clause::NotSent(name) => (name, &[]),
            _ => return,
        };
        let mut params = operations.iter().flat_map(|one| &one.params);
        if let Some(param) = params.clone().find(|param| param.item.wire == *name) {
            self.values(Some(&param.r#type), &param.item.id, values, item, key);
            return;
        }
        let known = params.by_ref().map(|param| param.item.wire.as_str());
        let help = did_you_mean(name, known, "write its name on the wire, with brackets");
        let message = match operations {
            [one] => format!("`{}` has no parameter `{name}`", one.item.id),
            _ => format!("no operation that answers it has a parameter `{name}`"),
        };
        self.push("unknown-reference", item, key, message, &help);
    }

    fn values(
        &mut self,
        ty: Option<&Type>,
        of: &str,
        values: &[String],
        item: &Item,
        key: &'static str,
    ) {
        let Some(ty) = ty else { return };
        let known: Vec<&str> = match element(ty) {
            Type::Enum(id) => match self.index.enumeration(id) {
                Some(one) if one.values_known => {
                    one.values.iter().map(|value| value.wire.as_str()).collect()
                }
                _ => return,
            },
            Type::Boolean => vec!["true", "false"],
            Type::Integer => {
                let odd = values.iter().find(|value| value.parse::<i64>().is_err());
                if let Some(odd) = odd {
                    let message = format!("`{of}` is a whole number, and never `{odd}`");
                    self.push("unknown-value", item, key, message, "write a number in quotes");
                }
                return;
            }
            _ => return,
        };
        for value in values {
            if !known.contains(&value.as_str()) {
                let message = format!("`{of}` has no value `{value}`");
                let help = did_you_mean(
                    value,
                    known.iter().copied(),
                    "write a value as it goes over the wire",
                );
                self.push("unknown-value", item, key, message, &help);
            }
        }
    }

    fn push(
        &mut self,
        code: &'static str,
        item: &Item,
        key: &'static str,
        message: String,
        help: &str,
    ) {
        let Some(place) = self.merged.place_of(&item.id, &[key], self.problems) else {
            return;
        };
        let problem = self.problems.value(code, &place, message);
        self.problems.push(problem.help(help));
    }
}

/// The entity of an error whose body the catalogue does not name.
const PLAIN_ERROR: &str = "Error";

/// The entities that the answers of an operation are made of, however deep.
fn answered<'n>(
    api: &'n Api,
    operation: &'n Operation,
    inside: &HashMap<&'n str, BTreeSet<&'n str>>,
) -> BTreeSet<&'n str> {
    let mut seen = BTreeSet::new();
    entities(api, &operation.returns, &mut seen);
    for error in &operation.errors {
        match &error.returns {
            Some(ty) => entities(api, ty, &mut seen),
            None => drop(seen.insert(PLAIN_ERROR)),
        }
    }
    let mut next: Vec<&str> = seen.iter().copied().collect();
    while let Some(one) = next.pop() {
        let held = inside.get(one).into_iter().flatten();
        next.extend(held.filter(|id| seen.insert(*id)));
    }
    seen
}

fn is_placed(case: &[Clause]) -> bool {
    case.iter().any(|clause| matches!(clause, Clause::In(_)))
}

fn element(ty: &Type) -> &Type {
    match ty {
        Type::List(inner) => element(inner),
        other => other,
    }
}

/// The entities that a type names.
fn entities<'n>(api: &'n Api, ty: &'n Type, to: &mut BTreeSet<&'n str>) {
    match ty {
        Type::Entity(id) => {
            to.insert(id);
        }
        Type::List(inner) | Type::Map(inner) => entities(api, inner, to),
        Type::OneOf(types) => types.iter().for_each(|inner| entities(api, inner, to)),
        Type::Events(id) => {
            let events = api.enums.iter().filter(|one| one.item.id == *id);
            for payload in
                events.flat_map(|one| &one.values).filter_map(|value| value.payload.as_ref())
            {
                entities(api, payload, to);
            }
        }
        _ => {}
    }
}
