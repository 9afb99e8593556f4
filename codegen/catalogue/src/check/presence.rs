//! What a program has and what it answers: no operation answers, and no field holds, what that program never has.

use std::collections::HashMap;

use crate::merge::Merged;
use crate::problems::Problems;
use fedispec_model::api::{Api, Item, Life, Since, Type};

pub(super) fn check<'a>(api: &Api, merged: &Merged<'a>, problems: &mut Problems<'a>) {
    let entities = api.entities.iter().map(|one| &one.item);
    let enums = api.enums.iter().map(|one| &one.item);
    let mut presence = Presence {
        api,
        merged,
        problems,
        types: entities.chain(enums).map(|item| (item.id.as_str(), item)).collect(),
    };
    for operation in &api.operations {
        presence.has(&operation.item, &operation.returns, "returns", "answers");
        for param in &operation.params {
            presence.has(&param.item, &param.r#type, "type", "takes");
        }
    }
    for entity in &api.entities {
        for field in entity.fields.iter().filter(|field| field.inherited_from.is_none()) {
            let shown = !(field.nullable || field.optional);
            if shown {
                presence.has(&field.item, &field.r#type, "type", "holds");
            }
        }
    }
}

struct Presence<'a, 'm, 'p, 'n> {
    api: &'n Api,
    merged: &'m Merged<'a>,
    problems: &'p mut Problems<'a>,
    types: HashMap<&'n str, &'n Item>,
}

impl Presence<'_, '_, '_, '_> {
    fn has(&mut self, item: &Item, ty: &Type, key: &'static str, verb: &str) {
        for (at, program) in self.api.programs.iter().enumerate() {
            let Some(life) = item.life.get(at) else {
                continue;
            };
            let there = matches!(life.effective, Since::Since(_)) && life.removed.is_none();
            if !there || !self.is_never(ty, at, is_stub(life)) {
                continue;
            }
            let Some(place) = self.merged.place_of(&item.id, &[key], self.problems) else {
                continue;
            };
            let message =
                format!("{} has `{}`, which {verb} what it never has", program.name, item.id);
            let problem = self.problems.value("answer-never-there", &place, message);
            self.problems.push(problem.help(format!(
                "mend one of the two; where it only ever is empty, write `works_since: {{{}: never}}`",
                program.key
            )));
        }
    }

    /// Whether a program has no value of the type. A stub's list is always empty, whatever it is of.
    fn is_never(&self, ty: &Type, at: usize, stub: bool) -> bool {
        match ty {
            Type::Entity(id) | Type::Enum(id) | Type::Events(id) => {
                let item = self.types.get(id.as_str()).filter(|item| !item.implied);
                let life = item.and_then(|item| item.life.get(at));
                life.is_some_and(|life| life.since == Since::Never)
            }
            Type::List(inner) | Type::Map(inner) => !stub && self.is_never(inner, at, stub),
            Type::OneOf(types) => types.iter().all(|ty| self.is_never(ty, at, stub)),
            _ => false,
        }
    }
}

fn is_stub(life: &Life) -> bool {
    life.works_since == Some(Since::Never)
}
