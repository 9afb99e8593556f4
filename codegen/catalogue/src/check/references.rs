//! References to other items: each exists, and the id that an item was renamed from does not.

use std::collections::HashMap;

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
        replaced: replaced(api),
        renamed: HashMap::new(),
    };
    for operation in &api.operations {
        references.operation(operation);
    }
    for entity in &api.entities {
        references.item(&entity.item);
        entity.fields.iter().for_each(|field| references.field(field));
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
    merged.disputes.report_unused(&ids, &programs, problems, |id| merged.ids.contains_key(id));
}

fn replaced(api: &Api) -> HashMap<&str, &str> {
    let operations = api.operations.iter();
    let operations = operations.flat_map(|one| {
        let params = one.params.iter().map(|param| &param.item);
        std::iter::once(&one.item).chain(params)
    });
    let entities = api.entities.iter();
    let entities = entities.flat_map(|one| {
        let fields = one.fields.iter().map(|field| &field.item);
        std::iter::once(&one.item).chain(fields)
    });
    let enums = api.enums.iter();
    let enums = enums.flat_map(|one| std::iter::once(&one.item).chain(&one.values));
    let items = operations.chain(entities).chain(enums);
    items.filter_map(|item| Some((item.id.as_str(), item.replacement.as_deref()?))).collect()
}

/// The words that `on_older` can be beside another value.
const INSTEAD: [&str; 2] = ["drop_element", "null"];

struct References<'a, 'm, 'p, 'n> {
    merged: &'m Merged<'a>,
    problems: &'p mut Problems<'a>,
    index: Index<'n>,
    /// The replacements by the id of what they replace.
    replaced: HashMap<&'n str, &'n str>,
    /// The items by the id that each was renamed from.
    renamed: HashMap<&'n str, &'n str>,
}

impl<'n> References<'_, '_, '_, 'n> {
    fn operation(&mut self, operation: &'n Operation) {
        self.item(&operation.item);
        for param in &operation.params {
            self.item(&param.item);
            self.only(param);
            if let Some(id) = &param.limits.limit_from {
                self.exists(&param.item, "limit_from", id);
            }
        }
    }

    fn field(&mut self, field: &'n Field) {
        if field.inherited_from.is_none() {
            self.item(&field.item);
        }
        if let Some(entry) = &field.entry {
            self.field(entry);
        }
    }

    fn item(&mut self, item: &'n Item) {
        if let Some(id) = &item.replacement {
            self.exists(item, "replacement", id);
            self.is_another(item, id);
        }
        if let Some(id) = &item.renamed_from {
            self.origin(item, id);
        }
    }

    /// What an item was renamed from is gone, was there, was of the same kind, and became one item.
    fn origin(&mut self, item: &'n Item, id: &'n str) {
        let Some(place) = self.merged.place_of(&item.id, &["renamed_from"], self.problems) else {
            return;
        };
        let was_there = self.merged.former.is_none_or(|ids| ids.contains(id));
        let other = self.renamed.insert(id, &item.id);
        let (code, message, help) = if self.merged.ids.contains_key(id) {
            let message = format!("`{}` cannot have been `{id}`, which is still there", item.id);
            ("live-origin", message, "take the old item away, or `renamed_from`".to_owned())
        } else if let Some(other) = other.filter(|other| *other != item.id) {
            let message = format!("both `{other}` and `{}` are renamed from `{id}`", item.id);
            (
                "live-origin",
                message,
                "one item has one name after another; keep one of the two".to_owned(),
            )
        } else if kind(id) != kind(&item.id) {
            let message =
                format!("`{}` cannot have been `{id}`, which is no id of its kind", item.id);
            ("unknown-reference", message, "write the id that it had".to_owned())
        } else if !was_there && !self.merged.tombstones.contains_key(id) {
            let ids = self.merged.former.into_iter().flatten().map(String::as_str);
            let gone = ids.filter(|id| !self.merged.ids.contains_key(*id));
            let message = format!("there never was an item `{id}`");
            let help = did_you_mean(
                id,
                gone,
                "write the id that it had, remove `renamed_from`, or leave a tombstone of that id",
            );
            ("unknown-reference", message, help)
        } else {
            return;
        };
        let problem = self.problems.value(code, &place, message);
        self.problems.push(problem.help(help));
    }

    /// A replacement is another item, and is not replaced by this one in its turn.
    fn is_another(&mut self, item: &Item, id: &str) {
        let back = self.replaced.get(id).is_some_and(|back| *back == item.id);
        let message = if *id == item.id {
            format!("`{id}` cannot be its own replacement")
        } else if back {
            format!("`{}` and `{id}` replace each other", item.id)
        } else {
            return;
        };
        let place = self.merged.place_of(&item.id, &["replacement"], self.problems);
        let Some(place) = place else { return };
        let problem = self.problems.value("unknown-reference", &place, message);
        self.problems.push(problem.help("name what came after it, or remove `replacement`"));
    }

    fn exists(&mut self, item: &Item, fact: &'static str, id: &str) {
        if self.merged.ids.contains_key(id) {
            return;
        }
        let Some(place) = self.merged.place_of(&item.id, &[fact], self.problems) else {
            return;
        };
        let help = match self.merged.meant(id, &item.id) {
            Some(meant) => format!("write `{meant}`: an id is whole, with dots for brackets"),
            None => did_you_mean(
                id,
                self.merged.ids.keys().map(String::as_str),
                "write the id as `show` prints it",
            ),
        };
        let problem =
            self.problems.value("unknown-reference", &place, format!("there is no item `{id}`"));
        self.problems.push(problem.help(help));
    }

    /// Checks that older releases have the value that they are said to show.
    fn on_older(&mut self, one: &Enumeration, value: &Item) {
        let Some(instead) = &value.on_older else {
            return;
        };
        let other =
            one.values.iter().any(|known| known.wire == *instead && known.wire != value.wire);
        if other || INSTEAD.contains(&instead.as_str()) {
            return;
        }
        let Some(place) = self.merged.place_of(&value.id, &["on_older"], self.problems) else {
            return;
        };
        let others = one.values.iter().filter(|known| known.wire != value.wire);
        let known = others.map(|known| known.wire.as_str()).chain(INSTEAD);
        let help = did_you_mean(
            instead,
            known,
            "write `drop_element`, `\"null\"`, or another value of the enumeration",
        );
        let message =
            format!("`{}` cannot show `{instead}` instead of `{}`", one.item.id, value.wire);
        let problem = self.problems.value("unknown-reference", &place, message);
        self.problems.push(problem.help(help));
    }

    /// The only values that a parameter takes are values of its enumeration.
    fn only(&mut self, param: &Param) {
        if param.only.is_empty() {
            return;
        }
        let Some(place) = self.merged.place_of(&param.item.id, &["only"], self.problems) else {
            return;
        };
        let Some(list) = enumeration(&param.r#type).and_then(|id| self.index.enumeration(id))
        else {
            let message = format!("`{}` takes only some values of no enumeration", param.item.id);
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

/// What an id tells of its item: whether it stands below an operation's group, and whether it is inside another item.
fn kind(id: &str) -> (bool, bool) {
    let first = id.split('.').next().unwrap_or_default();
    let is_type = first.starts_with(|c: char| c.is_ascii_uppercase());
    (is_type, id.contains('.'))
}

fn enumeration(ty: &Type) -> Option<&str> {
    match ty {
        Type::Enum(name) => Some(name),
        Type::List(inner) => enumeration(inner),
        _ => None,
    }
}
