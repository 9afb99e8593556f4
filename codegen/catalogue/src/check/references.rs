//! References to other items: each exists, and the id that an item was renamed from does not.

use crate::merge::Merged;
use crate::problems::Problems;
use fedispec_model::api::{Api, Enumeration, Field, Item, Operation, Param, Type};
use fedispec_model::index::Index;
use fedispec_model::suggest::did_you_mean;

pub(super) fn check<'a>(api: &Api, merged: &Merged<'a>, problems: &mut Problems<'a>) {
    let mut references = References {
        merged,
        problems,
        index: Index::new(api),
    };
    for operation in &api.operations {
        references.operation(operation);
    }
    for entity in &api.entities {
        references.item(&entity.item);
        entity
            .fields
            .iter()
            .for_each(|field| references.field(field));
    }
    for one in &api.enums {
        references.item(&one.item);
        for value in &one.values {
            references.item(value);
            references.on_older(one, value);
        }
    }
    let programs: Vec<_> = api.programs.iter().map(|one| one.key.as_str()).collect();
    let ids: Vec<_> = merged.ids.keys().map(String::as_str).collect();
    merged
        .disputes
        .report_unused(&ids, &programs, problems, |id| merged.ids.contains_key(id));
}

/// The words that `on_older` can be beside another value.
const INSTEAD: [&str; 2] = ["drop_element", "null"];

struct References<'a, 'm, 'p, 'n> {
    merged: &'m Merged<'a>,
    problems: &'p mut Problems<'a>,
    index: Index<'n>,
}

impl References<'_, '_, '_, '_> {
    fn operation(&mut self, operation: &Operation) {
        self.item(&operation.item);
        for param in &operation.params {
            self.item(&param.item);
            self.only(param);
            if let Some(id) = &param.limits.limit_from {
                self.exists(&param.item, "limit_from", id);
            }
        }
    }

    fn field(&mut self, field: &Field) {
        if field.inherited_from.is_none() {
            self.item(&field.item);
        }
        if let Some(entry) = &field.entry {
            self.field(entry);
        }
    }

    fn item(&mut self, item: &Item) {
        if let Some(id) = &item.replacement {
            self.exists(item, "replacement", id);
        }
        let Some(id) = item
            .renamed_from
            .as_deref()
            .filter(|id| self.merged.ids.contains_key(*id))
        else {
            return;
        };
        let Some(place) = self
            .merged
            .place_of(&item.id, &["renamed_from"], self.problems)
        else {
            return;
        };
        let message = format!(
            "`{}` cannot have been `{id}`, which is still there",
            item.id
        );
        let problem = self.problems.value("live-origin", &place, message);
        self.problems
            .push(problem.help("take the old item away, or `renamed_from`"));
    }

    fn exists(&mut self, item: &Item, fact: &'static str, id: &str) {
        if self.merged.ids.contains_key(id) {
            return;
        }
        let Some(place) = self.merged.place_of(&item.id, &[fact], self.problems) else {
            return;
        };
        let help = did_you_mean(
            id,
            self.merged.ids.keys().map(String::as_str),
            "write the id as `show` prints it",
        );
        let problem = self.problems.value(
            "unknown-reference",
            &place,
            format!("there is no item `{id}`"),
        );
        self.problems.push(problem.help(help));
    }

    /// Checks that older releases have the value that they are said to show.
    fn on_older(&mut self, one: &Enumeration, value: &Item) {
        let Some(instead) = &value.on_older else {
            return;
        };
        let other = one
            .values
            .iter()
            .any(|known| known.wire == *instead && known.wire != value.wire);
        if other || INSTEAD.contains(&instead.as_str()) {
            return;
        }
        let Some(place) = self
            .merged
            .place_of(&value.id, &["on_older"], self.problems)
        else {
            return;
        };
        let others = one.values.iter().filter(|known| known.wire != value.wire);
        let known = others.map(|known| known.wire.as_str()).chain(INSTEAD);
        let help = did_you_mean(
            instead,
            known,
            "write `drop_element`, `\"null\"`, or another value of the enumeration",
        );
        let message = format!(
            "`{}` cannot show `{instead}` instead of `{}`",
            one.item.id, value.wire
        );
        let problem = self.problems.value("unknown-reference", &place, message);
        self.problems.push(problem.help(help));
    }

    /// The only values that a parameter takes are values of its enumeration.
    fn only(&mut self, param: &Param) {
        if param.only.is_empty() {
            return;
        }
        let Some(place) = self
            .merged
            .place_of(&param.item.id, &["only"], self.problems)
        else {
            return;
        };
        let Some(list) = enumeration(&param.r#type).and_then(|id| self.index.enumeration(id))
        else {
            let message = format!(
                "`{}` takes only some values of no enumeration",
                param.item.id
            );
            let problem = self.problems.key("unknown-reference", &place, message);
            self.problems
                .push(problem.help("give it an enumeration as `type`, or take `only` away"));
            return;
        };
        if !list.values_known {
            return;
        }
        for value in &param.only {
            if list.values.iter().all(|known| known.wire != *value) {
                let known = list.values.iter().map(|known| known.wire.as_str());
                let help = did_you_mean(value, known, "add it to the enumeration");
                let message = format!("`{}` has no value `{value}`", list.item.id);
                let problem = self.problems.value("unknown-reference", &place, message);
                self.problems.push(problem.help(help));
            }
        }
    }
}

fn enumeration(ty: &Type) -> Option<&str> {
    match ty {
        Type::Enum(name) => Some(name),
        Type::List(inner) => enumeration(inner),
        _ => None,
    }
}
