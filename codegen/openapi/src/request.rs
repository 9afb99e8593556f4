//! Requests: parameters in path, query and headers, and bodies.

use fedispec_model::api::{EntityRole, Operation, Param, Type, number};
use fedispec_model::change::ChangedFact;
use fedispec_model::registered::Registered;
use fedispec_model::sentences;
use fedispec_model::wire::{Member, WireName, Wrap};
use fedispec_since::{BodyEncoding, Location, Required};
use indexmap::map::Entry;
use serde_json::{Value, json};

use crate::document::{Lives, MediaType, Parameter, RequestBody, Schema};
use crate::schema::{Schemas, list, object};
use crate::{Bodies, OpenApi};

pub(crate) const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";
pub(crate) const MULTIPART: &str = "multipart/form-data";

/// The parameters and the body of an operation.
pub(crate) struct Request {
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Option<RequestBody>,
    /// Files that the chosen body cannot carry.
    pub(crate) left_out: Vec<String>,
}

/// Whether an operation cannot be called without uploading a file.
pub(crate) fn needs_a_file(operation: &Operation) -> bool {
    let mut params = operation.params.iter();
    params.any(|param| is_file(param) && param.required == Required::Always)
}

/// Whether a parameter must be sent.
fn is_required(param: &Param) -> bool {
    param.required == Required::Always
}

pub(crate) fn is_file(param: &Param) -> bool {
    *param.r#type.innermost() == Type::File
}

impl Schemas<'_, '_> {
    pub(crate) fn request(self, operation: &Operation, bodies: Bodies) -> Request {
        // A list of objects has no name of its own on the wire: the members of its objects have.
        let params: Vec<_> =
            { operation.params.iter() }.map(|param| self.view.param(param)).collect();
        let params = params.iter().map(AsRef::as_ref);
        let shown = params.filter(|param| {
            !param.item.implied
                && !self.holds_members(&param.r#type)
                && self.view.shows(&param.item)
        });
        let (body, others): (Vec<&Param>, Vec<&Param>) =
            shown.partition(|param| param.location == Location::Form);
        let files = body.iter().filter(|param| is_file(param));
        let left_out = match bodies {
            Bodies::One => files.map(|param| param.item.id.clone()).collect(),
            Bodies::All => Vec::new(),
        };
        Request {
            parameters: { others.iter() }.filter_map(|param| self.parameter(param)).collect(),
            body: self.body(operation, &body, bodies),
            left_out,
        }
    }

    /// Whether it is a list of objects whose members are parameters.
    fn holds_members(self, ty: &Type) -> bool {
        let Type::Entity(id) = ty.innermost() else {
            return false;
        };
        let entity = self.view.index.entity(id);
        entity.is_some_and(|entity| matches!(entity.role, EntityRole::Argument(_)))
    }

    fn parameter(self, param: &Param) -> Option<Parameter> {
        let location = param.location;
        if matches!(location, Location::Form | Location::Unknown) {
            return None;
        }
        Some(Parameter {
            name: param.item.wire.clone(),
            r#in: location.name(),
            description: self.text(param).unwrap_or_default(),
            required: location == Location::Path || is_required(param),
            deprecated: self.view.is_deprecated(&param.item),
            schema: self.bounded(param),
            lives: self.view.lives(&param.item),
        })
    }

    fn text(self, param: &Param) -> Option<String> {
        let view = self.view;
        let item = &param.item;
        let mut parts: Vec<String> = view.summary(item).into_iter().collect();
        let required = param.required_when.as_ref().and_then(|when| view.condition(when));
        parts.extend(required.and_then(|when| view.text(&when.requirement())));
        parts.extend(item.notes.iter().filter_map(|note| view.text(note)));
        let limit = param.limits.limit_from.as_ref();
        parts.extend(limit.map(|from| format!("The server states its limit in `{from}`.")));
        parts.extend(match &view.release {
            Some(release) => self.of_release(param, release),
            None => self.of_programs(param),
        });
        parts.extend(self.words(param));
        parts.extend(sentences::keeps(param));
        (!parts.is_empty()).then(|| parts.join(" "))
    }

    /// The words that the text understands.
    fn words(self, param: &Param) -> Option<String> {
        let words = self.view.index.enumeration(param.words.as_deref()?)?;
        let shown = words.values.iter().filter(|value| self.view.shows(value));
        let shown: Vec<_> = shown.map(|value| format!("`{}`", value.wire)).collect();
        (!shown.is_empty()).then(|| format!("The text understands the words {}.", shown.join(", ")))
    }

    /// The way of a release with several values, and the values that it refuses.
    fn of_release(self, param: &Param, release: &Registered<'_>) -> Vec<String> {
        let way = param.several.get(release.place).copied().flatten();
        let takes_lines =
            way.and_then(|way| way.lines).is_some_and(|lines| lines <= release.version);
        let lines = takes_lines.then(|| "Several are taken as the lines of one text.".to_owned());
        let refused = param.refused.get(release.place).and_then(Option::as_ref);
        let refused = refused.filter(|refused| self.view.refuses(release.place, refused));
        let refused = refused
            .map(|refused| format!("The server answers {} where it is sent.", refused.status));
        lines.into_iter().chain(refused).collect()
    }

    /// The same of all programs, and the facts that they differ in.
    fn of_programs(self, param: &Param) -> Vec<String> {
        let programs = &self.view.api.programs;
        let refused = programs.iter().zip(&param.refused).filter_map(|(program, refused)| {
            let refused = refused.as_ref()?;
            let until = { refused.until }.map_or(String::new(), |until| format!(" until {until}"));
            Some(format!(
                "{} answers {} where it is sent, from {}{until}.",
                program.name, refused.status, refused.since
            ))
        });
        let refused = param.several_values(programs).into_iter().chain(refused);
        refused.chain(sentences::held(programs, &param.item)).collect()
    }

    /// The type that the release takes: one value where it takes no list beside it.
    fn taken(self, param: &Param) -> &Type {
        let lacks_list = self.view.release.as_ref().is_some_and(|release| {
            let way = param.several.get(release.place).copied().flatten();
            let list = way.map(|way| way.list);
            list.is_some_and(|list| list.is_none_or(|since| release.version < since))
        });
        match param.one_of_several() {
            Some(one) if lacks_list => one,
            _ => &param.r#type,
        }
    }

    /// The type of a parameter and what bounds it, without any text.
    fn bounded(self, param: &Param) -> Schema {
        let item = &param.item;
        let mut schema = match self.view.changed(item, ChangedFact::Type) {
            Some(text) => self.written(&text, &param.r#type),
            None if param.type_known => self.of(self.taken(param), param.format.as_deref()),
            None => Schema::default(),
        };
        if !param.only.is_empty() {
            let only = param.only.iter().map(|value| json!(value)).collect();
            schema = Schema { values: only, ..crate::schema::string() };
        }
        let limits = &param.limits;
        if schema.reference.is_none() {
            let least = limits.min_items.or_else(|| least_elements(param, &schema));
            let bounds = [
                ("minimum", limits.min.map(number)),
                ("maximum", limits.max.map(number)),
                ("minLength", self.refuses_empty(param, &schema).then(|| json!(1))),
                ("maxLength", limits.max_length.map(Value::from)),
                ("minItems", least.filter(|least| *least > 0).map(Value::from)),
                ("maxItems", limits.max_items.map(Value::from)),
            ];
            let bounds = bounds.into_iter().filter_map(|(name, bound)| Some((name, bound?)));
            schema.bounds.extend(bounds);
            schema.limit_from.clone_from(&limits.limit_from);
        }
        let default = param.default.clone();
        if default.is_some() {
            schema = self.told(schema, None, false, Lives::default());
            if self.openapi == OpenApi::V3_0 && schema.reference.is_some() {
                schema = Schema { all_of: vec![schema], ..Schema::default() };
            }
            schema.default = default.filter(|default| !default.is_null());
        }
        if param.nullable { self.or_null(schema) } else { schema }
    }

    /// Whether a text must not be empty: servers tell no empty one from a missing one where they answer an error of its own to that.
    fn refuses_empty(self, param: &Param, schema: &Schema) -> bool {
        let is_text = schema.r#type.is_some_and(|kind| kind.name == "string");
        let answers: Vec<_> = self.view.of_programs(&param.missing).collect();
        let answers_it = !answers.is_empty() && answers.iter().all(|answer| answer.is_some());
        answers_it && is_text && is_required(param) && schema.values.is_empty()
    }

    /// A parameter as a member of a body.
    fn member(self, param: &Param) -> Schema {
        self.told(
            self.bounded(param),
            self.text(param),
            self.view.is_deprecated(&param.item),
            self.view.lives(&param.item),
        )
    }

    fn body(self, operation: &Operation, params: &[&Param], bodies: Bodies) -> Option<RequestBody> {
        if params.is_empty() || operation.body == BodyEncoding::None {
            return None;
        }
        let plain: Vec<&Param> =
            { params.iter().copied() }.filter(|param| !is_file(param)).collect();
        let has_files = plain.len() < params.len();
        let json = self.json(&plain);
        let form = |params| {
            let whole = self.form(params, true);
            if whole == json { whole } else { self.form(params, false) }
        };
        let schemas = match (bodies, operation.body) {
            (Bodies::One, _) if plain.is_empty() => return None,
            (Bodies::All, _) if needs_a_file(operation) => {
                vec![(MULTIPART, self.form(params, true))]
            }
            (Bodies::One, _) | (Bodies::All, BodyEncoding::Json) => vec![(JSON, json)],
            (Bodies::All, _) => {
                let forms = [
                    (FORM, form(&plain)),
                    (MULTIPART, form(if has_files { params } else { &plain })),
                ];
                [(JSON, json)].into_iter().chain(forms).collect()
            }
        };
        Some(RequestBody {
            required: params.iter().any(|param| param.parent.is_none() && is_required(param)),
            content: { schemas.into_iter() }
                .map(|(kind, schema)| (kind.to_owned(), MediaType { schema, example: None }))
                .collect(),
        })
    }

    /// The members of a form: each parameter under its whole name, as servers read it. What they mean is `told`, or stands at the JSON body.
    fn form(self, params: &[&Param], told: bool) -> Schema {
        let mut form = object();
        form.description =
            (!told).then(|| "The texts stand at the members of the JSON body.".to_owned());
        for param in params {
            let name = &param.item.wire;
            let is_element = param.parent.is_some();
            let mut member = self.member(param);
            if !told && !is_file(param) {
                member.description = None;
            }
            // In a form `a[][b]` stands once for each element.
            if is_element && !name.contains("[:") && member.items.is_none() {
                member = Schema {
                    description: member.description.take(),
                    lives: std::mem::take(&mut member.lives),
                    deprecated: std::mem::take(&mut member.deprecated),
                    ..list(member)
                };
            }
            if !is_element && is_required(param) {
                form.required.push(name.clone());
            }
            match (pattern(name), self.openapi) {
                (Some(pattern), OpenApi::V3_1) => {
                    // The elements are numbered in their names, so that each has one value.
                    let member = element_of(member, is_element);
                    form.pattern_properties.insert(pattern, member);
                }
                (Some(_), OpenApi::V3_0) => {
                    let first = numbered(name);
                    form.properties.insert(first, element_of(member, is_element));
                }
                (None, _) => {
                    form.properties.insert(name.clone(), member);
                }
            }
        }
        form
    }

    /// The members of a JSON body: objects and lists as the names nest them.
    fn json(self, params: &[&Param]) -> Schema {
        let mut body = object();
        for param in params {
            let Ok(name) = WireName::parse(&param.item.wire) else {
                continue;
            };
            self.put(&mut body, &name.members, param);
        }
        body
    }

    /// Puts a parameter into an object, with the objects and lists around it.
    fn put(self, into: &mut Schema, members: &[Member<'_>], param: &Param) {
        let Some((member, rest)) = members.split_first() else {
            return;
        };
        let key = member.key.to_owned();
        // Inside a list, what is required is so for each element.
        let listed = rest.is_empty() || member.wraps.is_empty();
        if listed && is_required(param) && !into.required.contains(&key) {
            into.required.push(key.clone());
        }
        if rest.is_empty() {
            into.properties.insert(key, self.member(param));
            return;
        }
        let inner = match into.properties.entry(key) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let around = |inner, _: &Wrap<'_>| list(inner);
                new.insert(member.wraps.iter().fold(object(), around))
            }
        };
        let mut inner = inner;
        while inner.items.is_some() {
            match &mut inner.items {
                Some(items) => inner = items,
                None => return,
            }
        }
        self.put(inner, rest, param);
    }
}

/// The least number of elements of a list without a limit: a required list of several values cannot be sent without one.
fn least_elements(param: &Param, schema: &Schema) -> Option<u64> {
    let is_list = schema.items.is_some() && param.location != Location::Path;
    (is_list && is_required(param)).then_some(1)
}

/// The value under the name of one element.
fn element_of(member: Schema, is_element: bool) -> Schema {
    match member.items {
        Some(ref items) if !is_element => Schema {
            description: member.description.clone(),
            lives: member.lives.clone(),
            ..(**items).clone()
        },
        _ => member,
    }
}

/// The regular expression of a name with numbered elements: `a[:index][b]`.
fn pattern(name: &str) -> Option<String> {
    let (before, rest) = name.split_once("[:")?;
    let (_, after) = rest.split_once(']')?;
    let escaped = |text: &str| text.replace('[', "\\[").replace(']', "\\]");
    Some(format!("^{}\\[\\d+\\]{}$", escaped(before), escaped(after)))
}

/// The name of the first of numbered elements.
fn numbered(name: &str) -> String {
    match name.split_once("[:").and_then(|(before, rest)| Some((before, rest.split_once(']')?.1))) {
        Some((before, after)) => format!("{before}[0]{after}"),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{numbered, pattern};

    #[test]
    fn numbered_elements_are_a_pattern() {
        let name = "fields_attributes[:index][name]";
        assert_eq!(pattern(name).as_deref(), Some("^fields_attributes\\[\\d+\\]\\[name\\]$"));
        assert_eq!(numbered(name), "fields_attributes[0][name]");
        assert_eq!(pattern("types[]"), None);
    }
}
