//! What a condition, a way of calling or a limit names is there in one release at least together with the item, in some program.

use super::{Checker, element};
use crate::map::IndexMap;
use crate::problems::NodePath;
use fedispec_model::api::{Entity, Field, Item, Life, Operation, Param, Since, Type};
use fedispec_model::condition::Clause;
use fedispec_since::StableVersion;

/// An item that names others, of which one has to meet it.
struct Meeting<'a, 'n> {
    item: &'n Item,
    others: Vec<&'n Item>,
    place: Option<NodePath<'a>>,
}

impl<'a, 'n> Checker<'a, 'n> {
    pub(super) fn meetings(&mut self) {
        let mut all = Vec::new();
        for operation in &self.api.operations {
            self.of_ways_of_calling(operation, &mut all);
            for param in &operation.params {
                self.of_param(operation, param, &mut all);
            }
        }
        for entity in &self.api.entities {
            let own = entity.fields.iter().filter(|field| field.inherited_from.is_none());
            own.for_each(|field| self.of_field(entity, field, &mut all));
        }
        let mut missed: IndexMap<&str, Vec<(&Item, NodePath<'a>)>> = IndexMap::default();
        for Meeting { item, others, place } in all {
            if !item.life.iter().any(|life| life.effective.version().is_some()) {
                continue;
            }
            let Some((place, other)) = place.zip(others.last()) else { continue };
            let meets = |other: &&Item| meet(&[&item.life, &other.life], Life::is_there_at);
            if !others.iter().any(meets) {
                missed.entry(other.id.as_str()).or_default().push((item, place));
            }
        }
        // What several name and none meets is one mistake.
        for (other, named) in missed {
            let [(item, place), more @ ..] = &named[..] else { continue };
            let message = match more.len() {
                0 => format!("no release of any program has both `{}` and `{other}`", item.id),
                more => format!(
                    "no release of any program has `{other}` and any of the {} that name it, as `{}`",
                    more + 1,
                    item.id
                ),
            };
            let help = "name what is there together with it, or mend a Since";
            self.problems.value("never-together", place, message, help);
            let mut programs = self.api.programs.iter().map(|one| &one.key);
            let since = programs.find_map(|key| self.merged.since_of(other, key, self.problems));
            if let Some(since) = since {
                self.problems.with_value(&since, "since when that is there");
            }
        }
    }

    fn of_ways_of_calling(&self, operation: &'n Operation, all: &mut Vec<Meeting<'a, 'n>>) {
        let id = &operation.item.id;
        let param = |wire: &String| operation.params.iter().find(|one| one.item.wire == *wire);
        for one in &operation.alternatives {
            let place = self.place(id, "alternatives").map(|place| place.then(one.rust.clone()));
            let required: Vec<_> = one.requires.iter().filter_map(param).collect();
            for (number, item) in required.iter().enumerate() {
                let list = place.as_ref().map(|place| place.then("requires"));
                all.extend(required[..number].iter().map(|other| Meeting {
                    item: &item.item,
                    others: vec![&other.item],
                    place: list.as_ref().map(|list| list.then(number.to_string())),
                }));
            }
            for (wire, value) in &one.sets {
                let Some(set) = param(wire) else { continue };
                let place = place.as_ref().map(|place| place.then("sets").then(wire.clone()));
                all.extend(self.value_of(&set.r#type, value).map(|value| Meeting {
                    item: required.first().map_or(&set.item, |first| &first.item),
                    others: vec![value],
                    place,
                }));
            }
        }
        for request in &operation.requests {
            let Type::Entity(name) = element(&request.returns) else { continue };
            if let Some(sends) = param(&request.sends)
                && let Some(answer) = self.item(name)
            {
                let place = self.place(id, "requests");
                all.push(Meeting { item: &sends.item, others: vec![answer], place });
            }
        }
    }

    fn of_param(&self, operation: &'n Operation, param: &'n Param, all: &mut Vec<Meeting<'a, 'n>>) {
        let item = &param.item;
        for (number, case) in param.required_when.iter().flat_map(|one| &one.0).enumerate() {
            let place = self.case(item, "required_when", number);
            for clause in case {
                self.of_clause(item, clause, &[operation], place.as_ref(), all);
            }
        }
        let place = |fact| self.place(&item.id, fact);
        let from = param.limits.limit_from.as_ref().and_then(|id| self.item(id));
        all.extend(from.map(|from| Meeting {
            item,
            others: vec![from],
            place: place("limit_from"),
        }));
        let safe = param.left_out.iter().flat_map(|left_out| left_out.safe.listed());
        let safe = safe.map(|value| ("left_out", value));
        for (fact, value) in safe.chain(param.only.iter().map(|value| ("only", value))) {
            let value = self.value_of(&param.r#type, value);
            all.extend(value.map(|value| Meeting {
                item,
                others: vec![value],
                place: place(fact),
            }));
        }
    }

    fn of_field(&self, entity: &'n Entity, field: &'n Field, all: &mut Vec<Meeting<'a, 'n>>) {
        for (number, case) in field.when.iter().flat_map(|one| &one.0).enumerate() {
            let place = self.case(&field.item, "when", number);
            let answers = self.answers(entity, case);
            for clause in case {
                self.of_clause(&field.item, clause, &answers, place.as_ref(), all);
            }
        }
    }

    /// What a part of a condition names, and its values, of which one has to meet the item.
    fn of_clause(
        &self,
        item: &'n Item,
        clause: &Clause,
        operations: &[&'n Operation],
        place: Option<&NodePath<'a>>,
        all: &mut Vec<Meeting<'a, 'n>>,
    ) {
        let meeting = |others| Meeting { item, others, place: place.cloned() };
        let (others, values): (Vec<(&Item, &Type)>, &[String]) = match clause {
            Clause::Sent(name, values) => (sent(operations, name).collect(), values),
            Clause::NotSent(name) => (sent(operations, name).collect(), &[]),
            Clause::Field(id, values) => {
                let other = self.field_of(id);
                (other.map(|other| (&other.item, &other.r#type)).into_iter().collect(), values)
            }
            Clause::If(_) | Clause::Token(_) | Clause::In(_) | Clause::NotIn(_) => return,
        };
        let known = others
            .iter()
            .flat_map(|(_, ty)| values.iter().filter_map(move |value| self.value_of(ty, value)));
        all.push(meeting(known.collect()));
        all.push(meeting(others.iter().map(|(other, _)| *other).collect()));
    }

    /// A value of the enumeration that a type is, or whose values it lists.
    fn value_of(&self, ty: &Type, wire: &str) -> Option<&'n Item> {
        let Type::Enum(list) = element(ty) else { return None };
        self.listed(list, wire)
    }
}

/// The parameters of that name.
fn sent<'n, 's>(
    operations: &'s [&'n Operation],
    name: &'s str,
) -> impl Iterator<Item = (&'n Item, &'n Type)> + use<'n, 's> {
    let params = operations.iter().flat_map(|one| &one.params);
    let named = params.filter(move |param| param.item.wire == name);
    named.map(|param| (&param.item, &param.r#type))
}

/// Whether a release of some program has all of the items as it is asked, as far as anyone knows.
pub(super) fn meet(lives: &[&[Life]], has: fn(&Life, StableVersion) -> bool) -> bool {
    let programs = lives.iter().map(|lives| lives.len()).min().unwrap_or_default();
    let meet_in = |program: usize| {
        let all: Vec<&Life> = lives.iter().map(|lives| &lives[program]).collect();
        // Of a program that stands apart little is said.
        let is_open = all.iter().all(|life| !life.apart && life.effective != Since::Never)
            && all.iter().any(|life| life.effective == Since::Unknown);
        let mut turns = all.iter().flat_map(|life| life.turns());
        is_open || turns.any(|release| all.iter().all(|life| has(life, release)))
    };
    { 0..programs }.any(meet_in)
}
