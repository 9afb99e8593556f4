//! The items that `show` can show.

use fedispec_model::api::{Api, Entity, Item, Operation, Type};
use fedispec_model::rows::{Row, RowSubject, documented, rows};

/// An item to show: a row, or an entity.
pub(super) struct Subject<'a> {
    pub(super) item: &'a Item,
    what: What<'a>,
}

enum What<'a> {
    Row(Row<'a>),
    Entity(&'a Entity),
}

/// Lists every item that can be shown.
pub(super) fn subjects(api: &Api) -> Vec<Subject<'_>> {
    let rows = rows(api).into_iter().map(|row| Subject { item: row.item, what: What::Row(row) });
    let named =
        api.entities.iter().filter(|entity| entity.role == fedispec_model::api::EntityRole::Named);
    let entities = named.map(|entity| Subject { item: &entity.item, what: What::Entity(entity) });
    entities.chain(rows).collect()
}

impl<'a> Subject<'a> {
    /// All full names of the item, its id first.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names = vec![self.item.id.clone()];
        match &self.what {
            What::Entity(entity) => names.push(documented(&entity.item).to_owned()),
            What::Row(row) => {
                let (owner, name) = (row.owner(), row.name());
                match row.subject {
                    RowSubject::Operation(operation) => {
                        names.push(owner.into_owned());
                        if let Some(route) = &operation.route {
                            names.push(format!("{} {}", route.method, route.path));
                        }
                    }
                    RowSubject::Enum(_) => names.push(name.to_owned()),
                    _ => names.extend([format!("{owner}.{name}"), format!("{owner} {name}")]),
                }
                if let (RowSubject::Field(..), Some((container, _))) =
                    (row.subject, self.item.id.split_once('.'))
                {
                    names.push(format!("{container}.{}", self.item.name));
                }
            }
        }
        names
    }

    /// Its names without the owner: in the catalogue, on the wire, in the documents. Operations and containers have none besides
    /// [`Subject::names`], and an inherited field is found at its base.
    pub(super) fn bare_names(&self) -> Vec<&'a str> {
        match &self.what {
            What::Row(row)
                if !row.inherited()
                    && !matches!(row.subject, RowSubject::Operation(_) | RowSubject::Enum(_)) =>
            {
                vec![&self.item.name, &self.item.wire, documented(self.item)]
            }
            _ => Vec::new(),
        }
    }

    /// Its spelling on the wire; none where only the catalogue names it.
    pub(super) fn wire(&self) -> Option<&'a str> {
        let sent = matches!(&self.what, What::Row(row) if !matches!(row.subject, RowSubject::Operation(_) | RowSubject::Enum(_)));
        Some(self.item.wire.as_str()).filter(|wire| sent && !wire.is_empty())
    }

    /// The kind of the item, in one word.
    pub(super) fn kind(&self) -> &'static str {
        match &self.what {
            What::Entity(_) => "entity",
            What::Row(row) => row.kind().name(),
        }
    }

    /// The operation, where it is one.
    pub(super) fn operation(&self) -> Option<&'a Operation> {
        match &self.what {
            What::Row(Row { subject: RowSubject::Operation(operation), .. }) => Some(operation),
            _ => None,
        }
    }

    /// A description in one line.
    pub(super) fn title(&self) -> String {
        match &self.what {
            What::Entity(entity) => match &entity.includes {
                Some(base) => {
                    format!("entity · {} · with all fields of {base}", documented(&entity.item))
                }
                None => format!("entity · {}", documented(&entity.item)),
            },
            What::Row(row) => match row.subject {
                RowSubject::Operation(operation) => {
                    let mut title = format!("operation · {}", row.owner());
                    if let Some(route) =
                        operation.route.as_ref().filter(|_| operation.item.documented_as.is_some())
                    {
                        let route = format!("{} {}", route.method, route.path);
                        if route != row.owner() {
                            title.push_str(" · ");
                            title.push_str(&route);
                        }
                    }
                    title
                }
                RowSubject::Enum(_) => format!("enumeration · {}", row.name()),
                RowSubject::Response(_, Some(status), _) => {
                    format!("field `{}` of the {status} answer of {}", row.name(), row.owner())
                }
                RowSubject::Field(_, field) if field.inherited_from.is_some() => {
                    format!(
                        "field `{}` of {}, taken over from {}",
                        row.name(),
                        row.owner(),
                        field.inherited_from.as_deref().unwrap_or_default()
                    )
                }
                _ => format!("{} `{}` of {}", row.kind().name(), row.name(), row.owner()),
            },
        }
    }

    /// The path of keys to it in a layer's file.
    pub(super) fn path(&self) -> Vec<String> {
        let own = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect();
        let name = self.item.name.as_str();
        match &self.what {
            What::Entity(entity) => own(&["entities", &entity.item.id]),
            What::Row(row) => match row.subject {
                RowSubject::Operation(operation) => own(&["operations", &operation.item.id]),
                RowSubject::Param(operation, _) => {
                    own(&["operations", &operation.item.id, "params", name])
                }
                RowSubject::Response(operation, None, _) => {
                    own(&["operations", &operation.item.id, "response", name])
                }
                RowSubject::Response(operation, Some(status), _) => own(&[
                    "operations",
                    &operation.item.id,
                    "errors",
                    &status.to_string(),
                    "fields",
                    name,
                ]),
                RowSubject::Field(entity, field) => own(&[
                    "entities",
                    field.inherited_from.as_deref().unwrap_or(&entity.item.id),
                    "fields",
                    name,
                ]),
                RowSubject::Enum(enumeration) => own(&["enums", &enumeration.item.id]),
                RowSubject::Value(enumeration, _) => {
                    own(&["enums", &enumeration.item.id, "values", name])
                }
            },
        }
    }

    /// The keys that lead to what is said of it itself, which of a field that an entity takes over may be nothing.
    pub(super) fn own_path(&self) -> Vec<String> {
        let mut path = self.path();
        if let What::Row(Row { subject: RowSubject::Field(entity, _), .. }) = &self.what
            && let [_, owner, ..] = &mut path[..]
        {
            owner.clone_from(&entity.item.id);
        }
        path
    }

    /// Its parts, with their types where they have one.
    pub(super) fn parts(&self, api: &'a Api) -> Vec<(&'a Item, Option<&'a Type>)> {
        match &self.what {
            What::Entity(entity) => {
                entity.fields.iter().map(|field| (&field.item, Some(&field.r#type))).collect()
            }
            What::Row(row) => match row.subject {
                RowSubject::Operation(operation) => {
                    let params =
                        operation.params.iter().map(|param| (&param.item, Some(&param.r#type)));
                    let answered = rows(api).into_iter().filter_map(|row| match row.subject {
                        RowSubject::Response(of, _, field) if of.item.id == operation.item.id => {
                            Some((&field.item, Some(&field.r#type)))
                        }
                        _ => None,
                    });
                    params.chain(answered).collect()
                }
                RowSubject::Enum(enumeration) => {
                    enumeration.values.iter().map(|value| (value, None)).collect()
                }
                _ => Vec::new(),
            },
        }
    }

    /// The heading of the list of parts.
    pub(super) fn parts_title(&self) -> &'static str {
        match &self.what {
            What::Entity(_) => "Fields",
            What::Row(row) if matches!(row.subject, RowSubject::Enum(_)) => "Values",
            What::Row(_) => "Parameters and answered fields",
        }
    }
}
