//! References in conditions: each parameter, value and place that a condition mentions exists.

use std::collections::{BTreeSet, HashMap};

use super::{Checker, element};
use fedispec_model::api::{Api, Entity, Field, Item, Operation, Param, Type};
use fedispec_model::condition::{Clause, EntityLocation};
use fedispec_model::reach::{PLAIN_ERROR, entities_of};
use fedispec_model::suggest::did_you_mean;

/// Each operation, with the entities that its answers are made of.
pub(super) type Answers<'n> = Vec<(&'n Operation, BTreeSet<&'n str>)>;

/// Lists what the operations of an API answer.
pub(super) fn answers(api: &Api) -> Answers<'_> {
    let mut inside: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for entity in &api.entities {
        let held = inside.entry(&entity.item.id).or_default();
        entity.fields.iter().for_each(|field| entities_of(api, &field.r#type, held));
    }
    api.operations.iter().map(|one| (one, answered(api, one, &inside))).collect()
}

impl<'n> Checker<'_, 'n> {
    pub(super) fn param_condition(&mut self, operation: &'n Operation, param: &Param) {
        let cases = param.required_when.iter().flat_map(|one| &one.0);
        for clause in cases.flatten() {
            self.sent(clause, &[operation], &param.item, "required_when");
        }
    }

    pub(super) fn field_condition(&mut self, entity: &Entity, field: &Field) {
        let item = &field.item;
        for case in field.when.iter().flat_map(|one| &one.0) {
            let answers = self.answers(entity, case);
            for clause in case {
                self.sent(clause, &answers, item, "when");
                if let Clause::Field(id, values) = clause
                    && let Some(other) = self.field_of(id)
                {
                    self.condition_values(&other.r#type, id, values, item, "when");
                }
            }
            let is_placed = case.iter().any(|clause| matches!(clause, Clause::In(_)));
            if answers.is_empty() && is_placed && self.is_answered(&entity.item.id) {
                let message = format!("`{}` is not answered there", entity.item.id);
                let help = "name an operation that answers it, or what stands around it";
                self.value("wrong-condition", &item.id, "when", message, help);
            }
        }
    }

    /// Finds a field of an entity by its id.
    fn field_of(&self, id: &str) -> Option<&'n Field> {
        let fields = self.api.entities.iter().flat_map(|entity| &entity.fields);
        fields.rev().find(|field| field.item.id == id)
    }

    /// The operations that can answer the entity where the case holds.
    fn answers(&self, entity: &Entity, case: &[Clause]) -> Vec<&'n Operation> {
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
        let answers = self.answers.iter();
        answers
            .filter(|(one, held)| placed(one, held) && (anywhere || held.contains(id)))
            .map(|(one, _)| *one)
            .collect()
    }

    fn is_answered(&self, id: &str) -> bool {
        self.answers.iter().any(|(_, held)| held.contains(id))
    }

    /// Checks that the parameter is one of an operation's, and takes the values.
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
        let params = || operations.iter().flat_map(|one| &one.params);
        if let Some(param) = params().find(|param| param.item.wire == *name) {
            return self.condition_values(&param.r#type, &param.item.id, values, item, key);
        }
        let known = params().map(|param| param.item.wire.as_str());
        let help = did_you_mean(name, known, "write its name on the wire, with brackets");
        let message = match operations {
            [one] => format!("`{}` has no parameter `{name}`", one.item.id),
            _ => format!("no operation that answers it has a parameter `{name}`"),
        };
        self.at_word("unknown-reference", &item.id, key, name, message, help);
    }

    /// Checks that the values that a condition mentions are ones of the type.
    fn condition_values(
        &mut self,
        ty: &Type,
        of: &str,
        values: &[String],
        item: &Item,
        key: &'static str,
    ) {
        let known = match element(ty) {
            Type::Enum(id) => self.values_of(id),
            Type::Boolean => Some(vec!["true", "false"]),
            Type::Integer => {
                if let Some(odd) = values.iter().find(|value| value.parse::<i64>().is_err()) {
                    let message = format!("`{of}` is a whole number, and never `{odd}`");
                    let help = "write a number in quotes";
                    self.at_word("unknown-value", &item.id, key, odd, message, help);
                }
                None
            }
            _ => None,
        };
        let Some(known) = known else { return };
        for value in values.iter().filter(|value| !known.contains(&value.as_str())) {
            let or_else = "write a value as it goes over the wire";
            let help = did_you_mean(value, known.iter().copied(), or_else);
            let message = format!("`{of}` has no value `{value}`");
            self.at_word("unknown-value", &item.id, key, value, message, help);
        }
    }
}

/// The entities that the answers of an operation are made of, however deep.
fn answered<'n>(
    api: &'n Api,
    operation: &'n Operation,
    inside: &HashMap<&'n str, BTreeSet<&'n str>>,
) -> BTreeSet<&'n str> {
    let mut seen = BTreeSet::new();
    entities_of(api, &operation.returns, &mut seen);
    for error in &operation.errors {
        match &error.returns {
            Some(ty) => entities_of(api, ty, &mut seen),
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
