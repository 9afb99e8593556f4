//! Types of the catalogue as schemas.

use std::fmt::Write as _;

use fedispec_model::api::{Entity, Enumeration, Field, Item, Type};
use fedispec_model::change::ChangedFact;
use fedispec_model::notation::{Notation, Plain};
use serde_json::{Value, json};

use crate::document::{Kind, Lives, Schema};
use crate::view::View;
use crate::{Enums, OpenApi};

/// Writes types in one version of OpenAPI.
#[derive(Clone, Copy)]
pub(crate) struct Schemas<'v, 'a> {
    pub(crate) view: &'v View<'a>,
    /// All releases, for what the view does not show and is asked for by name.
    pub(crate) all: Option<&'v View<'a>>,
    pub(crate) openapi: OpenApi,
    pub(crate) enums: Enums,
}

/// The name of an entity or enumeration among the components.
///
/// Generators join the parts of a name. The values of a map are called so, because they would else be called as the map is; an error is
/// not called by its status alone, because generators call their own types of answers so.
pub(crate) fn component(id: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let part = |part: &str| match part {
        "*" => "value".to_owned(),
        part if part.parse::<u16>().is_ok() => format!("error{part}"),
        part => part.chars().map(|c| if fits(c) { c } else { '_' }).collect(),
    };
    id.split('.').map(part).collect::<Vec<_>>().join(".")
}

fn plain(name: &'static str) -> Schema {
    let or_null = false;
    Schema { r#type: Some(Kind { name, or_null }), ..Schema::default() }
}

fn text(format: Option<&'static str>) -> Schema {
    Schema { format, ..plain("string") }
}

pub(crate) fn object() -> Schema {
    plain("object")
}

pub(crate) fn string() -> Schema {
    text(None)
}

pub(crate) fn list(items: Schema) -> Schema {
    Schema { items: Some(Box::new(items)), ..plain("array") }
}

fn any_of(any_of: Vec<Schema>) -> Schema {
    Schema { any_of, ..Schema::default() }
}

/// One of several schemas, or the only one.
fn one_of(mut several: Vec<Schema>) -> Schema {
    match several.pop() {
        Some(only) if several.is_empty() => only,
        Some(last) => {
            several.push(last);
            any_of(several)
        }
        None => Schema::default(),
    }
}

fn map(values: Schema) -> Schema {
    Schema { additional_properties: Some(Box::new(values)), ..object() }
}

/// A schema with another bound.
pub(crate) fn bounded(name: &'static str, bound: impl Into<Value>, mut schema: Schema) -> Schema {
    schema.bounds.insert(name, bound.into());
    schema
}

/// An object without members.
fn empty() -> Schema {
    bounded("maxProperties", 0, object())
}

fn timestamp(format: Option<&str>) -> Schema {
    text(Some(if format == Some("date") { "date" } else { "date-time" }))
}

/// The formats of OpenAPI among those of the catalogue.
const FORMATS: [(&str, &str); 3] = [("uri", "uri"), ("email", "email"), ("password", "password")];

/// An entity or enumeration among the components.
pub(crate) fn reference(id: &str) -> Schema {
    Schema {
        reference: Some(format!("#/components/schemas/{}", component(id))),
        ..Schema::default()
    }
}

impl Schemas<'_, '_> {
    /// The same of a view that shows an item.
    pub(crate) fn that_show(self, item: &Item) -> Self {
        let view = self.all.filter(|_| !self.view.shows(item)).unwrap_or(self.view);
        Self { view, ..self }
    }

    /// A type, with what its text holds.
    pub(crate) fn of(self, ty: &Type, format: Option<&str>) -> Schema {
        match ty {
            Type::Json => Schema::default(),
            Type::Empty => empty(),
            Type::String => {
                let known = FORMATS.iter().find(|(ours, _)| Some(*ours) == format);
                let mut text = text(known.map(|(_, theirs)| *theirs));
                if known.is_none() {
                    text.other_format = format.map(str::to_owned);
                }
                text
            }
            Type::Integer => plain("integer"),
            Type::Number => plain("number"),
            Type::Boolean => plain("boolean"),
            Type::Timestamp => timestamp(format),
            Type::File => self.file(),
            Type::Cursor | Type::Id(_) => string(),
            Type::Events(id) => Schema { events: Some(Box::new(reference(id))), ..string() },
            Type::Entity(id) | Type::Enum(id) => reference(id),
            Type::List(element) => list(self.of(element, format)),
            Type::Map(value) => map(self.of(value, format)),
            Type::OneOf(types) => {
                let shown = types.iter().filter(|ty| self.view.shows_type(ty));
                one_of(shown.map(|ty| self.of(ty, format)).collect())
            }
        }
    }

    /// Bytes.
    pub(crate) fn file(self) -> Schema {
        match self.openapi {
            OpenApi::V3_1 => {
                Schema { content_media_type: Some("application/octet-stream"), ..string() }
            }
            OpenApi::V3_0 => text(Some("binary")),
        }
    }

    /// A type in the catalogue's notation, as a change in place tells it. `now` is today's, in which the members of an object are listed.
    pub(crate) fn written(self, text: &Value, now: &Type) -> Schema {
        let notation = text.as_str().and_then(|text| Notation::parse(text).ok());
        notation.map_or_else(Schema::default, |notation| self.notation(&notation, now))
    }

    fn notation(self, notation: &Notation<'_>, now: &Type) -> Schema {
        match notation {
            Notation::Plain(word) => match word {
                Plain::Json => Schema::default(),
                Plain::Empty => empty(),
                Plain::String | Plain::Cursor => string(),
                Plain::Integer => plain("integer"),
                Plain::Number => plain("number"),
                Plain::Boolean => plain("boolean"),
                Plain::Datetime => timestamp(None),
                Plain::Date => timestamp(Some("date")),
                Plain::File => self.file(),
            },
            Notation::Object => match now {
                Type::Entity(id) => reference(id),
                _ => object(),
            },
            Notation::Id(_) | Notation::Events(_) => string(),
            Notation::Named(id) => {
                let index = &self.view.index;
                if index.entity(id).is_some() || index.enumeration(id).is_some() {
                    reference(id)
                } else {
                    Schema::default()
                }
            }
            Notation::List(element) => list(self.notation(element, inner(now))),
            Notation::Map(value) => map(self.notation(value, inner(now))),
            Notation::Either(both) => {
                let shown = both.iter().filter(|one| self.shows_notation(one));
                one_of(shown.map(|one| self.notation(one, now)).collect())
            }
        }
    }

    fn shows_notation(self, notation: &Notation<'_>) -> bool {
        let Notation::Named(id) = notation else {
            return true;
        };
        let (view, index) = (self.view, &self.view.index);
        let entity = index.entity(id).map(|entity| &entity.item);
        let item = entity.or_else(|| index.enumeration(id).map(|enumeration| &enumeration.item));
        item.is_none_or(|item| view.shows(item))
    }

    /// The same schema, with null.
    pub(crate) fn or_null(self, schema: Schema) -> Schema {
        if schema == Schema::default() {
            return schema;
        }
        match self.openapi {
            OpenApi::V3_1 => match schema.r#type {
                Some(kind) if schema.values.is_empty() => {
                    Schema { r#type: Some(Kind { or_null: true, ..kind }), ..schema }
                }
                _ => any_of(vec![schema, plain("null")]),
            },
            OpenApi::V3_0 => self.nullable(schema),
        }
    }

    /// In 3.0 `nullable` counts only beside a type, which a reference has not.
    fn nullable(self, schema: Schema) -> Schema {
        if schema.r#type.is_some() {
            return Schema { nullable: true, ..schema };
        }
        let kind = match &schema.reference {
            Some(reference) => self.referred_kind(reference),
            None => "object",
        };
        if schema.reference.is_some() {
            return Schema { nullable: true, all_of: vec![schema], ..plain(kind) };
        }
        let mut any = schema;
        any.any_of.push(Schema { nullable: true, values: vec![Value::Null], ..plain(kind) });
        any
    }

    fn referred_kind(self, reference: &str) -> &'static str {
        let mut enums = self.view.api.enums.iter();
        let is_enum =
            enums.any(|one| reference.ends_with(&format!("/{}", component(&one.item.id))));
        if is_enum { "string" } else { "object" }
    }

    /// A schema with text and extensions beside it; 3.0 has none of these beside a reference.
    pub(crate) fn told(
        self,
        schema: Schema,
        description: Option<String>,
        deprecated: bool,
        lives: Lives,
    ) -> Schema {
        let is_bare = description.is_none() && !deprecated && lives == Lives::default();
        if is_bare {
            return schema;
        }
        let schema = if self.openapi == OpenApi::V3_0 && schema.reference.is_some() {
            Schema { all_of: vec![schema], ..Schema::default() }
        } else {
            schema
        };
        Schema { description, deprecated, lives, ..schema }
    }

    /// An entity, with every field that is shown.
    pub(crate) fn entity(self, entity: &Entity) -> Schema {
        let mut schema = object();
        for field in entity.fields.iter().filter(|field| self.view.shows(&field.item)) {
            let presence = self.view.presence(entity, field);
            let mut value = self.field(field);
            if presence.nullable {
                value = self.or_null(value);
            }
            let value = self.told(
                value,
                self.field_text(entity, field),
                self.view.is_deprecated(&field.item),
                self.view.lives(&field.item),
            );
            if presence.required {
                schema.required.push(field.item.wire.clone());
            }
            schema.properties.insert(field.item.wire.clone(), value);
        }
        schema.description = self.view.summary(&entity.item);
        schema.lives = self.view.lives(&entity.item);
        schema
    }

    /// A field's description: its summary, when it is there, and notes.
    fn field_text(self, entity: &Entity, field: &Field) -> Option<String> {
        let view = self.view;
        let when = field.when.as_ref().and_then(|when| view.condition(when));
        let of = field.inherited_from.as_ref().unwrap_or(&entity.item.id);
        let when = when.map(|when| when.presence(of));
        let more = when.iter().chain(&field.item.notes).filter_map(|text| view.text(text));
        let texts: Vec<String> = view.summary(&field.item).into_iter().chain(more).collect();
        (!texts.is_empty()).then(|| texts.join(" "))
    }

    /// Whether a text may be empty, and not only of the format that it has otherwise.
    fn may_be_empty(self, field: &Field) -> bool {
        let means = field.absent_means.as_ref();
        means.is_some_and(|means| means.value == "") || { self.view.quirks(field) }
            .any(|quirk| quirk.sends == "empty_string")
    }

    /// The value of a field, as what is shown sends it.
    fn field(self, field: &Field) -> Schema {
        let mut own = match self.view.changed(&field.item, ChangedFact::Type) {
            Some(text) => self.written(&text, &field.r#type),
            None if field.type_known => self.of(&field.r#type, field.format.as_deref()),
            None => Schema::default(),
        };
        if self.may_be_empty(field) {
            // An empty text has no format, such as that of an address.
            own.other_format = own.format.take().map(str::to_owned).or(own.other_format);
        }
        let sent = self.view.quirks(field).filter_map(|quirk| {
            Some(match quirk.sends.as_str() {
                "string" => string(),
                "integer" => plain("integer"),
                "object" | "empty_object" | "unwrapped" => object(),
                "empty_array" => bounded("maxItems", 0, list(Schema::default())),
                _ => return None,
            })
        });
        let mut sent: Vec<Schema> = sent.filter(|sent| *sent != own).collect();
        if sent.is_empty() && self.enums == Enums::Closed && self.may_be_empty(field) {
            // Beside the listed values; an open enumeration takes it anyway.
            let empty = bounded("maxLength", 0, string());
            return match own.reference {
                Some(_) => any_of(vec![own, empty]),
                None => own,
            };
        }
        if sent.is_empty() || own == Schema::default() {
            return own;
        }
        sent.dedup();
        // All releases together send both, a release one of them.
        if let (Some(_), [one]) = (&self.view.release, sent.as_slice()) {
            return one.clone();
        }
        sent.insert(0, own);
        Schema {
            // Named, because generators else name it like an object inside the entity.
            title: Some(format!("{}.sent", component(&field.item.id))),
            ..any_of(sent)
        }
    }

    /// An enumeration, with every value that is shown.
    pub(crate) fn enumeration(self, enumeration: &Enumeration) -> Schema {
        let shown = || {
            let values = enumeration.values.iter();
            values.filter(|value| self.view.shows(value))
        };
        let listed =
            Schema { values: shown().map(|value| json!(value.wire)).collect(), ..string() };
        let is_open = self.enums == Enums::Open || !enumeration.values_known;
        let mut schema = match listed.values.is_empty() {
            true => string(),
            // Generators that read 3.0 make a struct of two texts.
            false if is_open && self.openapi == OpenApi::V3_0 => {
                Schema { open_values: listed.values, ..string() }
            }
            false if is_open => any_of(vec![listed, string()]),
            false => listed,
        };
        let lives = shown().map(|value| (value.wire.clone(), self.view.lives(value)));
        schema.value_lives = { lives.filter(|(_, lives)| *lives != Lives::default()) }.collect();
        let payloads = shown().filter_map(|value| {
            let payload = self.of(value.payload.as_ref()?, None);
            Some((value.wire.clone(), payload))
        });
        schema.payloads = payloads.collect();
        let mut text = self.view.summary(&enumeration.item).unwrap_or_default();
        for value in shown() {
            if let Some(summary) = self.view.summary(value) {
                let _ = write!(text, "\n- `{}`: {summary}", value.wire);
            }
        }
        schema.description = (!text.is_empty()).then_some(text);
        schema.lives = self.view.lives(&enumeration.item);
        schema
    }
}

/// Returns the element type of a list or a map, and any other type as it is.
fn inner(ty: &Type) -> &Type {
    match ty {
        Type::List(inner) | Type::Map(inner) => inner,
        other => other,
    }
}
