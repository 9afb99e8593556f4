//! Parameters: defaults and bounds that fit their types, and what a method, a body and pages ask of them.

use serde_json::Value;

use super::values::Enums;
use crate::merge::Merged;
use crate::problems::Problems;
use fedispec_model::api::{
    Api, Body, Limits, Location, Operation, Paging, Param, Required, Since, Type,
};

/// The parameters that move through a list by the ids of its elements.
const CURSORS: [&str; 3] = ["max_id", "since_id", "min_id"];

pub(super) fn check<'a>(api: &Api, merged: &Merged<'a>, problems: &mut Problems<'a>) {
    let mut params = Params { merged, problems, enums: Enums::of(api) };
    for operation in &api.operations {
        params.operation(operation);
        for param in &operation.params {
            params.stands(operation, param);
            params.several(api, param);
            params.unlisted_values(param);
            params.bounds(param);
            params.default(param);
        }
    }
}

struct Params<'a, 'm, 'p, 'n> {
    merged: &'m Merged<'a>,
    problems: &'p mut Problems<'a>,
    enums: Enums<'n>,
}

impl Params<'_, '_, '_, '_> {
    fn operation(&mut self, operation: &Operation) {
        let params = &operation.params;
        let id = &operation.item.id;
        let paged_by = |wire: &[&str]| {
            let mut params = params.iter();
            params.any(|one| one.r#type == Type::Cursor || wire.contains(&one.item.wire.as_str()))
        };
        // A second kind of page in the same list is the server's business: an offset that is sent as a link has one.
        if operation.paging == Paging::Link
            && !paged_by(&CURSORS)
            && !paged_by(&["offset"])
            && !has_pages(params)
        {
            let message = format!("`{id}` has pages, and no parameter that leads to the next");
            let help = "add its `max_id`, `since_id` or `min_id`, or write `paging: none`";
            self.value(id, "paging", "paging-without-cursor", message, help);
        }
        let sends =
            params.iter().any(|one| matches!(one.location, Location::Form | Location::Unknown));
        if !sends && operation.body != Body::None {
            let message = format!("`{id}` has a body, and no parameter that is sent in it");
            self.value(
                id,
                "body",
                "empty-body",
                message,
                "add a parameter `in: form`, or remove `body`",
            );
        }
    }

    /// Where a parameter stands, and what can be sent there.
    fn stands(&mut self, operation: &Operation, param: &Param) {
        let id = &param.item.id;
        let method = operation.route.as_ref().map(|route| route.method.as_str());
        if param.location == Location::Form && method == Some("GET") {
            let message = format!("`{id}` stands in the body, which GET has not");
            self.value(id, "in", "body-of-get", message, "write `in: query`, or mend the method");
        }
        let in_parts = param.location == Location::Form
            && matches!(operation.body, Body::Multipart | Body::None);
        if is_file(&param.r#type) && !in_parts && param.location != Location::Unknown {
            let message = format!("`{id}` is a file, which only a body in parts can hold");
            let help = "write `in: form`, and `body: multipart` where the operation states a body";
            self.value(id, "type", "file-outside-body", message, help);
        }
        if param.location == Location::Path && !is_text(&param.r#type) {
            let message =
                format!("`{id}` is a segment of the path, which holds one text or number");
            self.value(id, "type", "path-parameter", message, "give it such a type");
        }
        if param.r#type == Type::Empty {
            let message = format!("`{id}` is a parameter, and cannot be `empty`");
            self.value(id, "type", "wrong-type", message, "say what is sent");
        }
        if let Some(from) = &param.limits.limit_from
            && let Some(place) = self.merged.ids.get(from).and_then(|places| places.first())
            && place.path.first().is_none_or(|section| section != "entities")
        {
            let message = format!("`{from}` is no field, and tells no limit");
            let help =
                "name a field of an entity, as `Instance.configuration.statuses.max_characters`";
            self.value(id, "limit_from", "unknown-reference", message, help);
        }
    }

    /// A type of alternatives is one that can be sent: one value or a list of them, or one of two plain values. How several values
    /// go is said of the former, and of every program that has it.
    fn several(&mut self, api: &Api, param: &Param) {
        let id = &param.item.id;
        let one = param.one_of_several();
        if let Type::OneOf(types) = &param.r#type
            && !one.map_or_else(|| types.iter().all(Type::is_plain), Type::is_plain)
        {
            let message = format!("`{id}` can be two things that no request tells apart");
            let help = "write a plain type and its list, as `string|string[]`, or two plain types";
            self.value(id, "type", "wrong-type", message, help);
            return;
        }
        let lives = api.programs.iter().zip(&param.item.life).enumerate();
        for (place, (program, life)) in lives {
            let way = param.several.get(place).copied().flatten();
            let has = matches!(life.effective, Since::Since(_));
            if one.is_none() && way.is_some() {
                let message = format!("`{id}` takes no list beside one value");
                let help = "write such a type, as `string|string[]`, or remove `several`";
                self.value(id, "several", "wrong-several", message, help);
                return;
            }
            if one.is_some() && has && way.is_none() {
                let message =
                    format!("nobody says how {} takes several values of `{id}`", program.name);
                let help = format!(
                    "write the first releases, as `several: {{{}: {{lines: \"1.0.0\", list: \"2.0.0\"}}}}`, or `{{}}` where it takes one value",
                    program.key
                );
                self.value(id, "type", "missing-several", message, &help);
            }
        }
    }

    /// What is done with unlisted values is said where values are listed.
    fn unlisted_values(&mut self, param: &Param) {
        let is_said = !param.unlisted_values.is_empty();
        if is_said && param.type_known && !is_listed(&param.r#type) {
            let id = &param.item.id;
            let message = format!("`{id}` takes any value, as its type is no enumeration");
            let help = "give it an enumeration as its type, or remove `unlisted_values`";
            self.value(id, "unlisted_values", "wrong-unlisted-values", message, help);
        }
    }

    /// Bounds that nothing can keep, or that bound another kind of value.
    fn bounds(&mut self, param: &Param) {
        let Limits { min, max, max_length, min_items, max_items, .. } = &param.limits;
        let id = &param.item.id;
        if let (Some(min), Some(max)) = (min, max)
            && min > max
        {
            let message = format!("the least value of `{id}`, {min}, is above the greatest, {max}");
            self.value(id, "min", "wrong-bounds", message, "mend `min` or `max`");
        }
        if let (Some(min), Some(max)) = (min_items, max_items)
            && min > max
        {
            let message = format!("`{id}` has at least {min} elements and at most {max}");
            let help = "mend `min_items` or `max_items`";
            self.value(id, "min_items", "wrong-bounds", message, help);
        }
        if !param.type_known {
            return;
        }
        let element = element(&param.r#type);
        let is_list = matches!(param.r#type, Type::List(_) | Type::Map(_));
        let bounded = [
            ("min", min.is_some(), is_number(element), "a number"),
            ("max", max.is_some(), is_number(element), "a number"),
            ("max_length", max_length.is_some(), is_words(element), "text"),
            ("min_items", min_items.is_some(), is_list, "a list"),
            ("max_items", max_items.is_some(), is_list, "a list"),
        ];
        for (key, stated, fits, wanted) in bounded {
            if stated && !fits && *element != Type::Json {
                let message = format!("`{key}` bounds {wanted}, which `{id}` is not");
                self.value(id, key, "wrong-bounds", message, "mend its type, or remove the bound");
            }
        }
        for (key, bound) in [("max_length", max_length), ("max_items", max_items)] {
            if *bound == Some(0) {
                let message = format!("`{key}` of `{id}` leaves nothing to send");
                self.value(
                    id,
                    key,
                    "wrong-bounds",
                    message,
                    "write a greater number, or remove it",
                );
            }
        }
    }

    /// A default that is no value of the type, or lies outside the bounds.
    fn default(&mut self, param: &Param) {
        let Some(default) = &param.default else {
            return;
        };
        let id = &param.item.id;
        if param.location == Location::Path {
            let message = format!("`{id}` is part of the path and has no default");
            self.value(id, "default", "wrong-default", message, "remove it");
            return;
        }
        if param.nullable && default.is_null() {
            return;
        }
        match self.enums.fits(default, &param.r#type, &param.only) {
            Ok(()) => {}
            Err(help) => {
                let message = format!("{} is no value of `{id}`", shown(default));
                self.value(id, "default", "wrong-default", message, &help);
                return;
            }
        }
        let bounds = (param.limits.min, param.limits.max, default.as_f64());
        if let (min, max, Some(number)) = bounds
            && (min.is_some_and(|min| number < min) || max.is_some_and(|max| number > max))
        {
            let message = format!("{number} is outside the bounds of `{id}`");
            self.value(id, "default", "wrong-default", message, "mend it, or the bound");
        }
        if let (Some(most), Some(text)) = (param.limits.max_length, default.as_str())
            && text.chars().count() as u64 > most
        {
            let message = format!("the default of `{id}` is longer than {most} characters");
            self.value(id, "default", "wrong-default", message, "mend it, or `max_length`");
        }
    }

    fn value(
        &mut self,
        id: &str,
        key: &'static str,
        code: &'static str,
        message: String,
        help: &str,
    ) {
        let Some(place) = self.merged.place_of(id, &[key], self.problems) else {
            return;
        };
        let problem = self.problems.value(code, &place, message);
        self.problems.push(problem.help(help));
    }
}

/// Whether pages are asked for by a range of names, as `max_shortcode_domain` does.
fn has_pages(params: &[Param]) -> bool {
    let mut params = params.iter().filter(|param| param.required != Required::Always);
    params.any(|param| {
        let wire = &param.item.wire;
        wire.starts_with("max_") || wire.starts_with("min_")
    })
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("`{text}`"),
        other => format!("`{other}`"),
    }
}

fn element(ty: &Type) -> &Type {
    match ty {
        Type::List(inner) => element(inner),
        ty => ty,
    }
}

fn is_file(ty: &Type) -> bool {
    *element(ty) == Type::File
}

/// Whether an enumeration lists its values.
fn is_listed(ty: &Type) -> bool {
    match ty {
        Type::Enum(_) => true,
        Type::OneOf(types) => types.iter().any(is_listed),
        Type::List(element) | Type::Map(element) => is_listed(element),
        _ => false,
    }
}

fn is_number(ty: &Type) -> bool {
    match ty {
        Type::Integer | Type::Number => true,
        Type::OneOf(types) => types.iter().any(is_number),
        _ => false,
    }
}

fn is_words(ty: &Type) -> bool {
    match ty {
        Type::String | Type::Id(_) | Type::Cursor => true,
        Type::OneOf(types) => types.iter().any(is_words),
        _ => false,
    }
}

/// Whether a value of the type is one text or number.
fn is_text(ty: &Type) -> bool {
    match ty {
        Type::Empty
        | Type::File
        | Type::Entity(_)
        | Type::List(_)
        | Type::Map(_)
        | Type::Events(_) => false,
        Type::OneOf(types) => types.iter().all(is_text),
        _ => true,
    }
}
