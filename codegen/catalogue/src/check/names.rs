//! Rust names: no reserved one is used, and no two items beside each other have the same.

use heck::ToSnakeCase;

use super::Checker;
use crate::merge::around;
use crate::problems::NodePath;
use fedispec_model::api::{Entity, EntityRole, Enumeration, Group, Item, Operation};
use fedispec_model::names::{NameRole, reserved};

/// A name that is taken: the kind of thing that has it, the item that it stands in, and the name in Rust or on the wire.
pub(super) type Taken<'n> = (&'static str, &'n str, String);

/// The kind of the names of values on the wire, of which two cannot be told apart either.
const WIRE: &str = "wire";

impl<'a, 'n> Checker<'a, 'n> {
    pub(super) fn group_name(&mut self, group: &'n Group) {
        let place = self.merged.groups.get(group.id.as_str()).map(|node| node.place.clone());
        let help = "give the group another name";
        self.allow(&group.rust, &group.id, NameRole::Type, place.clone(), help);
        self.take("group", "", &group.rust, &group.id, place);
    }

    pub(super) fn operation_names(&mut self, operation: &'n Operation) {
        let item = &operation.item;
        if self.take_item("operation", &operation.group, &item.rust, item) {
            self.take_item("method", &operation.group, &operation.rust_fn, item);
        }
        if self.allow_item(&item.rust, item, NameRole::Type) {
            self.allow_item(&operation.rust_fn, item, NameRole::Method);
        }
        for param in &operation.params {
            let scope = param.parent.as_deref().unwrap_or(&item.id);
            self.allow_item(&param.item.rust, &param.item, NameRole::Param);
            self.take_item("param", scope, &param.item.rust, &param.item);
        }
        for request in &operation.requests {
            let place = self.place(&item.id, "requests");
            self.take("operation", &operation.group, &request.rust, &request.rust, place);
        }
        for one in &operation.alternatives {
            let help = "give the alternative another name";
            self.allow(&one.rust, &item.id, NameRole::Param, self.place_of(&item.id), help);
            let taken = ("param", item.id.as_str(), one.rust.clone());
            if let Some((param, _)) = self.names.get(&taken)
                && let Some(place) = self.place(&item.id, "alternatives")
            {
                let message = format!(
                    "the alternative `{}` of `{}` and the setter of `{param}` have the same Rust name",
                    one.rust, item.id
                );
                let place = place.then(one.rust.clone());
                self.problems.key("same-rust-name", &place, message, help);
            }
        }
    }

    pub(super) fn entity_names(&mut self, entity: &'n Entity) {
        let item = &entity.item;
        let owner = match &entity.role {
            EntityRole::Named => &item.id,
            EntityRole::Nested(id)
            | EntityRole::Response(id)
            | EntityRole::Error(id, _)
            | EntityRole::Argument(id) => id,
        };
        let place = self.place_of(&item.id).or_else(|| self.place_of(owner));
        self.allow_item(&item.rust, item, NameRole::Type);
        let free = self.take("entity", "", &item.rust, &item.id, place.clone());
        if free && entity.role == EntityRole::Named {
            self.take("entity file", "", &item.rust.to_snake_case(), &item.id, place);
        }
        if !matches!(entity.role, EntityRole::Argument(_)) {
            for field in &entity.fields {
                self.allow_item(&field.item.rust, &field.item, NameRole::Field);
                self.take_item("field", &item.id, &field.item.rust, &field.item);
            }
        }
    }

    pub(super) fn enum_names(&mut self, one: &'n Enumeration) {
        let item = &one.item;
        if self.take_item("enum", "", &item.rust, item) {
            self.take_item("enum file", "", &item.rust.to_snake_case(), item);
        }
        self.allow_item(&item.rust, item, NameRole::Type);
        for value in &one.values {
            self.allow_item(&value.rust, value, NameRole::Variant);
            if value.wire.is_empty() || self.take_item(WIRE, &item.id, &value.wire, value) {
                self.take_item("value", &item.id, &value.rust, value);
            }
        }
    }

    fn place_of(&self, id: &str) -> Option<NodePath<'a>> {
        self.merged.place(id).cloned()
    }

    /// Reports a reserved Rust name, and tells whether the name is allowed. The name that `rust` gives is underlined,
    /// or else the item, or the item that contains it.
    fn allow_item(&mut self, name: &str, item: &Item, role: NameRole) -> bool {
        let place = around(&item.id).find_map(|id| self.place_of(id));
        self.allow(name, &item.id, role, place, "give it another name with `rust`")
    }

    fn allow(
        &mut self,
        name: &str,
        id: &str,
        role: NameRole,
        place: Option<NodePath<'a>>,
        help: &str,
    ) -> bool {
        let Some((why, place)) = reserved(name, role).zip(place) else {
            return true;
        };
        let message = format!("`{name}` cannot be the Rust name of `{id}`: {why}");
        let places = self.merged.ids.get(id).into_iter().flatten();
        let mut given = places.map(|one| one.place.then("rust"));
        match given.find(|given| self.problems.stands(given)) {
            Some(given) => self.problems.value("rust-name", &given, message, help),
            None => self.problems.key("rust-name", &place, message, help),
        };
        false
    }

    fn take_item(
        &mut self,
        kind: &'static str,
        scope: &'n str,
        rust: &str,
        item: &'n Item,
    ) -> bool {
        self.take(kind, scope, rust, &item.id, self.place_of(&item.id))
    }

    /// Whether several items of that id have been reported already.
    fn is_twice(&self, id: &str) -> bool {
        let mut places = self.merged.ids.get(id).into_iter().flatten();
        places.any(|one| self.problems.has("duplicate-id", &one.place))
    }

    /// Takes a name, and tells whether it was free.
    fn take(
        &mut self,
        kind: &'static str,
        scope: &'n str,
        name: &str,
        id: &'n str,
        place: Option<NodePath<'a>>,
    ) -> bool {
        if name.is_empty() {
            return false;
        }
        let before = self.names.insert((kind, scope, name.to_owned()), (id, place.clone()));
        let Some((other, before)) = before else {
            return true;
        };
        let Some(place) = place.or_else(|| before.clone()) else {
            return false;
        };
        if id == other && self.is_twice(id) {
            return false;
        }
        let help = "give one of them another name with `rust`";
        let (code, message, help) = if kind == WIRE {
            let message = format!("`{id}` and `{other}` are the same on the wire, `{name}`");
            ("same-wire-name", message, "mend one of the two, or make them one")
        } else if kind.ends_with("file") {
            let message = format!("`{id}` and `{other}` would stand in the same file, `{name}.rs`");
            ("same-rust-name", message, help)
        } else {
            let message = format!("`{id}` and `{other}` have the same Rust name, `{name}`");
            ("same-rust-name", message, help)
        };
        let problem = self.problems.key(code, &place, message, help);
        if let Some(before) = before.filter(|before| *before != place) {
            problem.with_key(&before, "the other one");
        }
        false
    }
}
