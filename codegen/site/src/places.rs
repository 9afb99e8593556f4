//! Where each item stands on the site, and what uses each entity and enumeration.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use fedispec_model::api::{Api, Entity, EntityRole, Field, Operation, Type};
use fedispec_model::index::{Index, Root};

/// The page of each item with an anchor on it, from the top of the site.
pub(crate) fn places(api: &Api, index: &Index<'_>) -> HashMap<String, String> {
    let mut places = HashMap::new();
    for group in &api.groups {
        places.insert(group.id.clone(), format!("groups/{}/", group.id));
    }
    for operation in &api.operations {
        let page = format!("operations/{}/", operation.item.id);
        for param in operation.params.iter().filter(|param| !param.item.implied) {
            let id = &param.item.id;
            places.insert(id.clone(), format!("{page}#{}", anchor(id)));
        }
        places.insert(operation.item.id.clone(), page);
    }
    for enumeration in &api.enums {
        let page = format!("enums/{}/", enumeration.item.id);
        for value in &enumeration.values {
            places.insert(value.id.clone(), format!("{page}#{}", anchor(&value.id)));
        }
        places.insert(enumeration.item.id.clone(), page);
    }
    for entity in &api.entities {
        let id = &entity.item.id;
        let page = match index.root(entity) {
            Some(Root::Named(root)) => format!("entities/{}/", root.item.id),
            Some(Root::Answer(operation, _)) => format!("operations/{}/", operation.item.id),
            Some(Root::Argument(_)) | None => continue,
        };
        for field in entity.fields.iter().flat_map(Field::with_entries) {
            let id = &field.item.id;
            places.insert(id.clone(), format!("{page}#{}", anchor(id)));
        }
        let place = match entity.role {
            EntityRole::Named => page,
            _ => format!("{page}#{}", object_anchor(id)),
        };
        places.entry(id.clone()).or_insert(place);
    }
    places
}

/// The anchor of a parameter, field or value.
pub(crate) fn anchor(id: &str) -> String {
    // `*` is the key of a map, and no character of an address.
    id.replace('*', "-key-").replace(':', "-")
}

/// The anchor of an object that is no entity of its own.
pub(crate) fn object_anchor(id: &str) -> String {
    format!("object-{}", anchor(id))
}

/// The users of each entity and enumeration, by id.
pub(crate) struct Users<'a> {
    /// The operations that answer it, in its name or inside something else.
    pub(crate) answers: BTreeMap<&'a str, BTreeSet<&'a str>>,
    /// The parameters that take it.
    pub(crate) takes: BTreeMap<&'a str, BTreeSet<&'a str>>,
    /// The fields that hold it.
    pub(crate) holds: BTreeMap<&'a str, BTreeSet<&'a str>>,
}

impl<'a> Users<'a> {
    pub(crate) fn new(api: &'a Api, index: &Index<'a>) -> Self {
        let mut users =
            Self { answers: BTreeMap::new(), takes: BTreeMap::new(), holds: BTreeMap::new() };
        for operation in &api.operations {
            users.operation(operation, index);
        }
        for entity in &api.entities {
            for field in &entity.fields {
                for id in names(&field.r#type) {
                    let holds = users.holds.entry(id).or_default();
                    holds.insert(&field.item.id);
                }
            }
        }
        users
    }

    fn operation(&mut self, operation: &'a Operation, index: &Index<'a>) {
        let mut next = names(&operation.returns);
        let errors = operation.errors.iter();
        next.extend(errors.flat_map(|error| error.returns.iter().flat_map(names)));
        let mut seen = BTreeSet::new();
        while let Some(id) = next.pop() {
            if !seen.insert(id) {
                continue;
            }
            let answers = self.answers.entry(id).or_default();
            answers.insert(&operation.item.id);
            let fields = index.entity(id).map_or(&[][..], |entity: &Entity| &entity.fields);
            next.extend(fields.iter().flat_map(|field| names(&field.r#type)));
        }
        for param in operation.params.iter().filter(|param| !param.item.implied) {
            for id in names(&param.r#type).into_iter().chain(param.words.as_deref()) {
                let takes = self.takes.entry(id).or_default();
                takes.insert(&param.item.id);
            }
        }
    }
}

/// The entities and enumerations that a type names.
fn names(ty: &Type) -> Vec<&str> {
    let mut found = Vec::new();
    ty.names(&mut found);
    found
}
