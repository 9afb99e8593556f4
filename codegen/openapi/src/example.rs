//! Examples of bodies and entities, made of their schemas.

use fedispec_model::api::{Api, Entity, Operation};
use serde_json::{Map, Value, json};

use crate::document::{self, Schema};
use crate::request::{JSON, MULTIPART, is_file};
use crate::schema::{Schemas, component};
use crate::view::View;
use crate::{Bodies, Enums, OpenApi};

/// How to make values that schemas take.
#[derive(Clone, Copy)]
pub(crate) struct Maker<'k> {
    /// The components.
    pub(crate) known: &'k document::Map<Schema>,
    /// All members of objects and not just the required ones, or the first where none is.
    pub(crate) is_whole: bool,
    /// Texts that are dates, which some readers of YAML take for no text.
    pub(crate) has_dates: bool,
}

impl Maker<'_> {
    /// A value of a schema inside that many objects. `name` is that of the member.
    pub(crate) fn of(self, name: &str, schema: &Schema, depth: usize) -> Option<Value> {
        let at = schema.reference.as_deref().and_then(|at| at.rsplit_once('/'));
        if let Some((_, component)) = at {
            return self.of(name, self.known.get(component)?, depth);
        }
        if let Some(listed) = schema.values.first().or_else(|| schema.open_values.first()) {
            return Some(listed.clone());
        }
        if let Some(part) = schema.any_of.first().or_else(|| schema.all_of.first()) {
            return self.of(name, part, depth);
        }
        let text = match schema.other_format.as_deref() {
            _ if schema.content_media_type.is_some() => "@picture.png",
            Some("html") => "<p>text</p>",
            Some("language-code") => "en",
            _ if name.ends_with("email") => "mona@social.example",
            _ if name.ends_with("domain") => "other.example",
            _ if name.trim_end_matches('s').ends_with("id") => "1",
            _ => "text",
        };
        Some(match (schema.r#type?.name, schema.format) {
            ("string", Some("date" | "date-time")) if !self.has_dates => return None,
            ("string", Some("date")) => json!("2024-10-08"),
            ("string", Some("date-time")) => json!("2024-10-08T12:30:00.000Z"),
            ("string", Some("uri")) => json!("https://social.example/"),
            ("string", _) => json!(text),
            ("boolean", _) => json!(!self.is_whole),
            ("integer" | "number", _) => schema.bounds.get("minimum").cloned().unwrap_or(json!(1)),
            ("array", _) => {
                let least = schema.bounds.get("minItems").and_then(Value::as_u64).unwrap_or(1);
                match self.of(name, schema.items.as_deref()?, depth)? {
                    Value::Object(cut) if self.is_whole && cut.is_empty() => json!([]),
                    element => json!(vec![element; usize::try_from(least).unwrap_or(1).max(1)]),
                }
            }
            _ => self.object(schema, depth)?,
        })
    }

    fn object(self, schema: &Schema, depth: usize) -> Option<Value> {
        // How many objects stand inside each other.
        const DEEPEST: (usize, usize) = (3, 6);
        if depth >= if self.is_whole { DEEPEST.0 } else { DEEPEST.1 } {
            return self.is_whole.then(|| json!({}));
        }
        let all = schema.properties.keys();
        let mut names: Vec<_> =
            if self.is_whole { all.collect() } else { schema.required.iter().collect() };
        if names.is_empty() {
            names.extend(schema.properties.keys().next());
        }
        let mut object = Map::new();
        for name in names {
            let schema = schema.properties.get(name)?;
            let is_null =
                |one: &Schema| one.r#type.is_some_and(|kind| kind.or_null || kind.name == "null");
            let may_be_null = is_null(schema) || schema.any_of.iter().any(is_null);
            let value = if may_be_null && self.is_whole && depth > 0 {
                Some(Value::Null)
            } else {
                self.of(name, schema, depth + 1).or(self.is_whole.then(|| json!({})))
            };
            object.insert(name.clone(), value?);
        }
        if let Some(values) = schema.additional_properties.as_deref().filter(|_| self.is_whole) {
            object.insert("..".to_owned(), self.of("", values, depth + 1)?);
        }
        Some(Value::Object(object))
    }
}

/// Examples of what all releases together take and answer.
pub struct Examples<'a> {
    view: View<'a>,
    known: document::Map<Schema>,
}

impl<'a> Examples<'a> {
    /// Makes the schemas that examples are of.
    pub fn new(api: &'a Api) -> Self {
        let mut made = Self { view: View::new(api, None), known: document::Map::new() };
        let schemas = made.schemas();
        let entities = api.entities.iter().map(|one| (&one.item.id, schemas.entity(one)));
        let enums = api.enums.iter().map(|one| (&one.item.id, schemas.enumeration(one)));
        made.known = entities.chain(enums).map(|(id, schema)| (component(id), schema)).collect();
        made
    }

    fn schemas(&self) -> Schemas<'_, 'a> {
        Schemas { view: &self.view, all: None, openapi: OpenApi::V3_1, enums: Enums::Open }
    }

    fn maker(&self, is_whole: bool) -> Maker<'_> {
        Maker { known: &self.known, is_whole, has_dates: true }
    }

    /// An entity with all of its fields.
    pub fn entity(&self, entity: &Entity) -> Value {
        let schema = self.known.get(&component(&entity.item.id));
        schema.and_then(|schema| self.maker(true).of("", schema, 0)).unwrap_or_default()
    }

    /// The query of a request with what is required, and its body: JSON, or where files can be uploaded a form with the first of them, as `@` and
    /// its name. `true` stands by a form.
    pub fn request(&self, operation: &Operation) -> (Map<String, Value>, Option<(bool, Value)>) {
        let (maker, request) = (self.maker(false), self.schemas().request(operation, Bodies::All));
        let query = { request.parameters.iter() }.filter(|one| one.required && one.r#in == "query");
        let query =
            query.filter_map(|one| Some((one.name.clone(), maker.of(&one.name, &one.schema, 0)?)));
        let body = request.body.and_then(|mut body| {
            let file = operation.params.iter().find(|one| is_file(one) && one.parent.is_none());
            let form = file.and_then(|file| Some((file, body.content.get_mut(MULTIPART)?)));
            if let Some((file, form)) = form {
                form.schema.required.push(file.item.wire.clone());
                return Some((true, maker.of("", &form.schema, 0)?));
            }
            Some((false, maker.of("", &body.content.get(JSON)?.schema, 0)?))
        });
        (query.collect(), body)
    }
}
