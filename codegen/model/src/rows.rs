//! The rows: every item that can have a Since, in the order of the catalogue.
//!
//! The table, `export` and `coverage` all walk these, so that none of them can lose an item.

use std::borrow::Cow;

use crate::api::{Api, Entity, Enumeration, Field, Item, Operation, Param};
use crate::index::{Index, Root};
use fedispec_since::Kind;

/// The item that a row stands for, with its owner.
#[derive(Debug, Clone, Copy)]
pub enum RowSubject<'a> {
    /// An operation.
    Operation(&'a Operation),
    /// A parameter and its operation.
    Param(&'a Operation, &'a Param),
    /// A field of an answer or an error, and its operation; the status where it is an error's.
    Response(&'a Operation, Option<u16>, &'a Field),
    /// A field and the named entity that it hangs on.
    Field(&'a Entity, &'a Field),
    /// An enumeration.
    Enum(&'a Enumeration),
    /// A value and its enumeration.
    Value(&'a Enumeration, &'a Item),
}

/// An item that can have a Since.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// The item itself.
    pub item: &'a Item,
    /// The item with its owner.
    pub subject: RowSubject<'a>,
}

impl<'a> Row<'a> {
    /// The kind of the item.
    pub fn kind(&self) -> Kind {
        match self.subject {
            RowSubject::Operation(_) => Kind::Operation,
            RowSubject::Param(..) => Kind::Param,
            RowSubject::Response(..) => Kind::Response,
            RowSubject::Field(..) => Kind::Field,
            RowSubject::Enum(_) => Kind::Enum,
            RowSubject::Value(..) => Kind::Value,
        }
    }

    /// Whether the entity took the field over from another one.
    pub fn inherited(&self) -> bool {
        matches!(self.subject, RowSubject::Field(_, field) if field.inherited_from.is_some())
    }

    /// Names the owner as the documents write it: `U24`, `GET /api/v2/instance`, `Credential Account`, or nothing.
    pub fn owner(&self) -> Cow<'a, str> {
        match self.subject {
            RowSubject::Operation(operation)
            | RowSubject::Param(operation, _)
            | RowSubject::Response(operation, ..) => operation_key(operation),
            RowSubject::Field(entity, _) => Cow::Borrowed(documented(&entity.item)),
            RowSubject::Enum(_) => Cow::Borrowed(""),
            RowSubject::Value(enumeration, _) => Cow::Borrowed(documented(&enumeration.item)),
        }
    }

    /// Its name as the documents write it; an operation has none beside its key.
    pub fn name(&self) -> &'a str {
        match self.subject {
            RowSubject::Operation(_) => "",
            _ => documented(self.item),
        }
    }
}

/// The key of an operation in the documents, or its method and path.
pub fn operation_key(operation: &Operation) -> Cow<'_, str> {
    match (&operation.item.documented_as, &operation.route) {
        (Some(key), _) => Cow::Borrowed(key),
        (None, Some(route)) => Cow::Owned(format!("{} {}", route.method, route.path)),
        (None, None) => Cow::Borrowed(&operation.item.id),
    }
}

/// The documents' spelling of an item's name.
pub fn documented(item: &Item) -> &str {
    item.documented_as.as_deref().unwrap_or(&item.name)
}

/// Every row: operations with their parameters, fields of answers and errors, fields of entities, enumerations with
/// their values. An implied item has none.
pub fn rows(api: &Api) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    for operation in &api.operations {
        push(&mut rows, &operation.item, RowSubject::Operation(operation));
        for param in &operation.params {
            push(&mut rows, &param.item, RowSubject::Param(operation, param));
        }
    }
    let index = Index::new(api);
    let mut of_entities = Vec::new();
    for entity in &api.entities {
        match index.root(entity) {
            Some(Root::Answer(operation, status)) => {
                for field in entity.fields.iter().flat_map(Field::with_entries) {
                    push(&mut rows, &field.item, RowSubject::Response(operation, status, field));
                }
            }
            Some(Root::Named(named)) => {
                for field in entity.fields.iter().flat_map(Field::with_entries) {
                    push(&mut of_entities, &field.item, RowSubject::Field(named, field));
                }
            }
            // An argument's fields are rows of the operation's parameters.
            Some(Root::Argument(_)) | None => {}
        }
    }
    rows.append(&mut of_entities);
    for enumeration in &api.enums {
        push(&mut rows, &enumeration.item, RowSubject::Enum(enumeration));
        for value in &enumeration.values {
            push(&mut rows, value, RowSubject::Value(enumeration, value));
        }
    }
    rows
}

fn push<'a>(rows: &mut Vec<Row<'a>>, item: &'a Item, subject: RowSubject<'a>) {
    if !item.implied {
        rows.push(Row { item, subject });
    }
}
