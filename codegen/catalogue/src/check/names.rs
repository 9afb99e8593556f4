//! Rust names: no reserved one is used, and no two items beside each other have the same.

use std::collections::HashMap;

use heck::ToSnakeCase;

use crate::merge::Merged;
use crate::problems::{NodePath, Problems};
use fedispec_model::api::{Api, Entity, EntityRole, Item, Operation};
use fedispec_model::names::{NameRole, reserved};

pub(super) fn check<'a>(api: &Api, merged: &Merged<'a>, problems: &mut Problems<'a>) {
    let mut names = Names { merged, problems, taken: HashMap::with_capacity(2 * merged.ids.len()) };
    for group in &api.groups {
        let place = merged.groups.get(group.id.as_str()).map(|node| node.place.clone());
        let name = RustName { name: &group.rust, id: &group.id, role: NameRole::Type };
        names.allow(name, place.clone(), "give the group another name");
        names.take("group", "", &group.rust, &group.id, place);
    }
    for operation in &api.operations {
        if names.item("operation", &operation.group, &operation.item.rust, &operation.item) {
            names.item("method", &operation.group, &operation.rust_fn, &operation.item);
        }
        if names.allow_item(&operation.item.rust, &operation.item, NameRole::Type) {
            names.allow_item(&operation.rust_fn, &operation.item, NameRole::Method);
        }
        names.params(operation);
    }
    for entity in &api.entities {
        names.entity(entity);
    }
    for one in &api.enums {
        if names.item("enum", "", &one.item.rust, &one.item) {
            names.item("enum file", "", &one.item.rust.to_snake_case(), &one.item);
        }
        names.allow_item(&one.item.rust, &one.item, NameRole::Type);
        for value in &one.values {
            names.allow_item(&value.rust, value, NameRole::Variant);
            names.item("value", &one.item.id, &value.rust, value);
        }
    }
}

/// The names that are taken: by what they are for, where, and how they read; with the item and its place.
struct Names<'a, 'm, 'p, 'n> {
    merged: &'m Merged<'a>,
    problems: &'p mut Problems<'a>,
    taken: HashMap<(&'static str, &'n str, String), (&'n str, Option<NodePath<'a>>)>,
}

/// A Rust name, the item that has it, and what it is used for.
#[derive(Clone, Copy)]
struct RustName<'x> {
    name: &'x str,
    id: &'x str,
    role: NameRole,
}

impl<'a, 'n> Names<'a, '_, '_, 'n> {
    fn params(&mut self, operation: &'n Operation) {
        for param in &operation.params {
            let scope = param.parent.as_deref().unwrap_or(&operation.item.id);
            self.allow_item(&param.item.rust, &param.item, NameRole::Param);
            self.item("param", scope, &param.item.rust, &param.item);
        }
        for one in &operation.alternatives {
            let name = RustName { name: &one.rust, id: &operation.item.id, role: NameRole::Param };
            let place = self.place(&operation.item.id);
            self.allow(name, place, "give the alternative another name");
            let taken = ("param", operation.item.id.as_str(), one.rust.clone());
            let Some((param, _)) = self.taken.get(&taken) else {
                continue;
            };
            let message = format!(
                "the alternative `{}` of `{}` and the setter of `{param}` have the same Rust name",
                one.rust, operation.item.id
            );
            let place = self.merged.place_of(&operation.item.id, &["alternatives"], self.problems);
            let Some(place) = place else { continue };
            let problem =
                self.problems.key("same-rust-name", &place.then(one.rust.clone()), message);
            self.problems.push(problem.help("give the alternative another name"));
        }
    }

    fn entity(&mut self, entity: &'n Entity) {
        let owner = match &entity.role {
            EntityRole::Named => &entity.item.id,
            EntityRole::Nested(id)
            | EntityRole::Response(id)
            | EntityRole::Error(id, _)
            | EntityRole::Argument(id) => id,
        };
        let place = self.place(&entity.item.id).or_else(|| self.place(owner));
        self.allow_item(&entity.item.rust, &entity.item, NameRole::Type);
        let free = self.take("entity", "", &entity.item.rust, &entity.item.id, place.clone());
        if free && entity.role == EntityRole::Named {
            self.take("entity file", "", &entity.item.rust.to_snake_case(), &entity.item.id, place);
        }
        if !matches!(entity.role, EntityRole::Argument(_)) {
            for field in &entity.fields {
                self.allow_item(&field.item.rust, &field.item, NameRole::Field);
                self.item("field", &entity.item.id, &field.item.rust, &field.item);
            }
        }
    }

    fn place(&self, id: &str) -> Option<NodePath<'a>> {
        self.merged.ids.get(id).and_then(|places| places.first()).cloned()
    }

    /// Reports a reserved Rust name, and tells whether the name is allowed. The name that `rust` gives is underlined,
    /// or else
    /// the item, or the item that contains it.
    fn allow_item(&mut self, name: &str, item: &Item, role: NameRole) -> bool {
        let name = RustName { name, id: &item.id, role };
        let containers = std::iter::successors(Some(name.id), |id| Some(id.rsplit_once('.')?.0));
        let place = containers.into_iter().find_map(|id| self.place(id));
        self.allow(name, place, "give it another name with `rust`")
    }

    fn allow(&mut self, name: RustName<'_>, place: Option<NodePath<'a>>, help: &str) -> bool {
        let RustName { name, id, role } = name;
        let Some((why, place)) = reserved(name, role).zip(place) else {
            return true;
        };
        let message = format!("`{name}` cannot be the Rust name of `{id}`: {why}");
        let places = self.merged.ids.get(id).into_iter().flatten();
        let mut given = places.map(|place| place.then("rust"));
        let problem = match given.find(|given| self.problems.stands(given)) {
            Some(given) => self.problems.value("rust-name", &given, message),
            None => self.problems.key("rust-name", &place, message),
        };
        self.problems.push(problem.help(help));
        false
    }

    fn item(&mut self, kind: &'static str, scope: &'n str, rust: &str, item: &'n Item) -> bool {
        let place = self.place(&item.id);
        self.take(kind, scope, rust, &item.id, place)
    }

    /// Whether several items of that id have been reported already.
    fn is_twice(&self, id: &str) -> bool {
        self.merged.ids.get(id).is_some_and(|places| {
            places.iter().any(|place| self.problems.has("duplicate-id", place))
        })
    }

    /// Takes a name, and tells whether it was free.
    fn take(
        &mut self,
        kind: &'static str,
        scope: &'n str,
        rust: &str,
        id: &'n str,
        place: Option<NodePath<'a>>,
    ) -> bool {
        if rust.is_empty() {
            return false;
        }
        let before = self.taken.insert((kind, scope, rust.to_owned()), (id, place.clone()));
        let Some((other, before)) = before else {
            return true;
        };
        if id == other && self.is_twice(id) {
            return false;
        }
        let message = if kind.ends_with("file") {
            format!("`{id}` and `{other}` would stand in the same file, `{rust}.rs`")
        } else {
            format!("`{id}` and `{other}` have the same Rust name, `{rust}`")
        };
        let Some(place) = place.or_else(|| before.clone()) else {
            return false;
        };
        let mut problem = self.problems.key("same-rust-name", &place, message);
        if let Some(before) = before.filter(|before| *before != place) {
            let span = self.problems.key_span(&before);
            problem = problem.related(before.file, span, "the other one");
        }
        self.problems.push(problem.help("give one of them another name with `rust`"));
        false
    }
}
