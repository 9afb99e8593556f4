//! Parameters: defaults and bounds that fit their types, and what a method, a body and pages ask of them.

use super::values::broken_bounds;
use super::{Checker, element};
use crate::map::HashMap;
use fedispec_model::api::{Item, Limits, Operation, Param, Since, State, Type};
use fedispec_model::change::{ChangedFact, Subject, plain};
use fedispec_model::names::QUERY;
use fedispec_model::notation::type_text;
use fedispec_since::{BodyEncoding, Location, Paging, Required};
use serde_json::Value;

/// The parameters that lead to the next page: the ids of elements, or a number of them. A second kind of page in the same
/// list is the server's business: an offset that is sent as a link has one.
const CURSORS: [&str; 4] = ["max_id", "since_id", "min_id", "offset"];

impl Checker<'_, '_> {
    /// Checks that an operation with pages or a body has parameters for them.
    pub(super) fn pages_and_body(&mut self, operation: &Operation) {
        let id = &operation.item.id;
        if operation.paging == Paging::Link && !operation.params.iter().any(leads_on) {
            let message = format!("`{id}` has pages, and no parameter that leads to the next");
            let help = "add its `max_id`, `since_id` or `min_id`, or write `paging: none`";
            self.value("paging-without-cursor", id, "paging", message, help);
        }
        let has_parts = !matches!(operation.returns, Type::Empty | Type::File | Type::Events(_));
        let has_pages = matches!(operation.paging, Paging::Link | Paging::Offset);
        if has_pages && operation.returns_known && !has_parts {
            let ty = type_text(&operation.returns);
            let message = format!("`{id}` answers `{ty}`, of which there are no pages");
            self.value("wrong-paging", id, "paging", message, "mend `paging` or `returns`");
            self.with_fact(id, "returns", "what it answers");
        }
        let is_read = operation.route.as_ref().is_none_or(|route| route.method == "GET");
        let returns_events = matches!(operation.returns, Type::Events(_));
        for (key, stands, what) in
            [("paging", has_pages, "pages"), ("returns", returns_events, "events")]
        {
            if stands && !is_read {
                let message = format!("`{id}` changes something, and has no {what} to read");
                self.value("wrong-method", id, key, message, "mend one of the two");
                self.with_fact(id, "method", "its method");
            }
        }
        match &*in_body_of_get(operation) {
            [] => {}
            [param] => {
                let id = &param.item.id;
                let message = format!("`{id}` stands in the body, which GET has not");
                let help = "write `in: query`, or mend the method";
                self.value("body-of-get", id, "in", message, help);
                self.with_fact(&operation.item.id, "method", "the method");
            }
            [_, others @ ..] => {
                let message = format!(
                    "GET has no body, in which {} parameters of `{id}` stand",
                    others.len() + 1
                );
                let help = "mend the method, or write `in: query` for each";
                self.value("body-of-get", id, "method", message, help);
            }
        }
        if *element(&operation.returns) == Type::Cursor {
            let message = format!("`{id}` answers a cursor, which is sent alone");
            self.value("wrong-type", id, "returns", message, "write what it answers");
        }
        let is_form = |param: &Param| param.location == Location::Form;
        if operation.body == BodyEncoding::None
            && in_body_of_get(operation).is_empty()
            && let Some(param) = operation.params.iter().find(|param| is_form(param))
        {
            let message = format!("`{id}` has no body, in which `{}` stands", param.item.wire);
            let help = "write how the body is sent, or take `body` away";
            self.value("empty-body", id, "body", message, help);
        }
        let is_sent = |param: &Param| matches!(param.location, Location::Form | Location::Unknown);
        if operation.body != BodyEncoding::None && !operation.params.iter().any(is_sent) {
            let message = format!("`{id}` has a body, and no parameter that is sent in it");
            let help = "add a parameter `in: form`, or remove `body`";
            self.value("empty-body", id, "body", message, help);
        }
    }

    /// Checks that a value can have the format. A list and alternatives have that of their texts.
    pub(super) fn format(&mut self, item: &Item, ty: &Type, format: Option<&str>) {
        let (is, wanted): (fn(&Type) -> bool, _) = match format {
            None => return,
            Some("seconds") => (is_number, "a number"),
            Some("unix-timestamp") => {
                (|ty| is_number(ty) || *ty == Type::String, "a number or text")
            }
            Some("date" | "datetime") => {
                (|ty| matches!(ty, Type::Timestamp | Type::String), "a time or text")
            }
            Some(_) => (|ty| *ty == Type::String, "text"),
        };
        if !holds(ty, is) && !holds(ty, |ty| *ty == Type::Json) {
            let message =
                format!("the format of `{}` is one of {wanted}, which it is not", item.id);
            self.value("wrong-format", &item.id, "format", message, "mend `format` or `type`");
        }
    }

    /// A stub reads a list, and is there before it works.
    pub(super) fn stub(&mut self, operation: &Operation) {
        let id = &operation.item.id;
        self.each_program(&operation.item, |checker, place, life| {
            let program = &checker.api.programs[place];
            let Some(stub) = life.stub else { return };
            // A fork's stub that comes from its base is told of the base.
            if checker.merged.place_in(id, "stub", &program.key, checker.problems).is_none() {
                return;
            }
            let is_read = operation.route.as_ref().is_some_and(|route| route.method == "GET");
            let reads_none = !is_read || !matches!(operation.returns, Type::List(_));
            let (message, help) = if reads_none {
                (
                    format!("`{id}` reads no list, so that it cannot answer an empty one"),
                    "remove `stub`; `works_since` says since when it does something".to_owned(),
                )
            } else if Since::Since(stub) < life.since {
                (
                    format!("`{id}` answers before {} has it", program.name),
                    format!("write {} or a later release", life.since),
                )
            } else if let Some(removed) = life.removed.filter(|removed| *removed <= stub) {
                (
                    format!(
                        "`{id}` answers an empty list since {stub}, and is removed in {removed}"
                    ),
                    "mend one of the two".to_owned(),
                )
            } else if life.works_since.is_some_and(|works| works <= life.since) {
                // This mistake is reported where the order of a life is checked.
                return;
            } else if let Some(works) =
                life.works_since.filter(|works| *works <= Since::Since(stub))
            {
                (
                    format!(
                        "`{id}` answers an empty list in {} since {stub}, and works since {works}",
                        program.name
                    ),
                    "mend one of the two, or remove `stub`".to_owned(),
                )
            } else if life.works_since.is_none() {
                (
                    format!(
                        "nobody says until when `{id}` answers an empty list in {}",
                        program.name
                    ),
                    format!(
                        "write the release under `works_since`, as `works_since: {{{}: never}}`",
                        program.key
                    ),
                )
            } else {
                return;
            };
            checker.value("wrong-stub", id, "stub", message, help);
            if reads_none {
                checker.with_fact(id, "returns", "what it answers");
            }
        });
    }

    /// Checks that a value of the parameter's type can be sent at its location.
    pub(super) fn location_and_type(&mut self, operation: &Operation, param: &Param) {
        let id = &param.item.id;
        let in_parts = param.location == Location::Form
            && matches!(operation.body, BodyEncoding::Multipart | BodyEncoding::None);
        // A file in the path is told as no segment of it.
        let is_open = matches!(param.location, Location::Unknown | Location::Path);
        if is_file(&param.r#type) && !in_parts && !is_open {
            let message = format!("`{id}` is a file, which only a body in parts can hold");
            let help = "write `in: form`, and `body: multipart` where the operation states a body";
            self.value("file-outside-body", id, "in", message, help);
        }
        if param.location == Location::Path && !is_text(&param.r#type) {
            let message =
                format!("`{id}` is a segment of the path, which holds one text or number");
            self.value("path-parameter", id, "type", message, "give it such a type");
        }
        if param.nullable && matches!(param.location, Location::Path | Location::Header) {
            let message = format!("`{id}` stands in the path or a header, which holds no null");
            self.value("wrong-type", id, "nullable", message, "remove `nullable`, or mend `in`");
        }
        if param.r#type == Type::Empty {
            let message = format!("`{id}` is a parameter, and cannot be `empty`");
            self.value("wrong-type", id, "type", message, "say what is sent");
        }
        if param.limits.limit_from.is_some()
            && param.type_known
            && matches!(param.r#type, Type::Boolean | Type::Timestamp | Type::Enum(_) | Type::Id(_))
        {
            let message = format!("`{id}` is a `{}`, and has no limit", type_text(&param.r#type));
            self.value("wrong-bounds", id, "limit_from", message, "mend its type, or remove it");
        }
        if let Some(from) = &param.limits.limit_from
            && self.merged.ids.contains_key(from.as_str())
            && !self.numbers.contains(from.as_str())
        {
            let message = format!("`{from}` is no field with a number, and tells no limit");
            let help =
                "name a field of an entity, as `Instance.configuration.statuses.max_characters`";
            self.value("unknown-reference", id, "limit_from", message, help);
        }
    }

    /// A type of alternatives is one that can be sent: one value or a list of them, or one of two plain values. How several values
    /// go is said of the former, and of every program that has it.
    pub(super) fn several(&mut self, param: &Param) {
        let id = &param.item.id;
        let one = param.one_of_several();
        if let Type::OneOf(types) = &param.r#type
            && !one.map_or_else(|| types.iter().all(Type::is_plain), Type::is_plain)
        {
            let message = format!("`{id}` can be two things that no request tells apart");
            let help = "write a plain type and its list, as `string|string[]`, or two plain types";
            self.value("wrong-type", id, "type", message, help);
            return;
        }
        let lives = self.api.programs.iter().zip(&param.item.life).enumerate();
        let mut silent = Vec::new();
        for (place, (program, life)) in lives {
            let way = param.several.get(place).copied().flatten();
            let has = matches!(life.effective, Since::Since(_));
            if one.is_none() && way.is_some() {
                let message = format!("`{id}` takes no list beside one value");
                let help = "write such a type, as `string|string[]`, or remove `several`";
                self.value("wrong-several", id, "several", message, help);
                return;
            }
            let ways = way.map(|way| [("lines", way.lines), ("list", way.list)]);
            let begins = ways.into_iter().flatten();
            let early = begins
                .filter_map(|(key, since)| Some((key, since?)))
                .find(|(_, since)| life.effective.version().is_some_and(|there| *since < there));
            if let Some((key, since)) = early {
                let message = format!(
                    "`{id}` takes several values in {since}, before {} has it",
                    program.name
                );
                let help = format!("write {} or a later release", life.effective);
                self.at_word(
                    "wrong-several",
                    id,
                    "several",
                    (key, &since.to_string()),
                    message,
                    help,
                );
            }
            let type_at = |list| param.item.held(place, ChangedFact::Type, Some(list));
            if let Some(list) = way.and_then(|way| way.list)
                && let Some(State::Is(Value::String(was))) = type_at(list)
                && !was.contains("[]")
            {
                let message = format!("`{id}` takes a list in {list}, where its type is `{was}`");
                let help = "mend one of the two";
                let word = ("list", &*list.to_string());
                self.at_word("wrong-several", id, "several", word, message, help);
                self.with_fact(id, "changed", "its changes");
            }
            let several = way.and_then(|way| way.list.or(way.lines));
            let lists = |text: Option<String>| text.is_some_and(|text| text.contains("[]"));
            let widened = life.changed.iter().find(|change| {
                change.what == ChangedFact::Type
                    && several.is_some_and(|several| change.r#in < several)
                    && lists(change.to_text())
                    && !lists(change.from_text())
            });
            if let (Some(several), Some(widened)) = (several, widened) {
                let message = format!(
                    "`{id}` takes several values in {several}, and its type is a list in {} already",
                    widened.r#in
                );
                self.value("wrong-several", id, "several", message, "mend one of the two");
                self.with_fact(id, "changed", "its changes");
            }
            if one.is_some() && has && way.is_none() && !program.apart {
                silent.push(program);
            }
        }
        if let [first, ..] = *silent {
            let names: Vec<_> = silent.iter().map(|program| program.name.as_str()).collect();
            let message =
                format!("nobody says how {} takes several values of `{id}`", names.join(" or "));
            let help = format!(
                "write the first releases, as `several: {{{}: {{lines: \"1.0.0\", list: \"2.0.0\"}}}}`, or `{{}}` where it takes one value",
                first.key
            );
            self.value("missing-several", id, "type", message, &help);
        }
    }

    /// Checks that only a parameter with listed values says what is done with unlisted ones.
    pub(super) fn unlisted_values(&mut self, param: &Param) {
        let is_said = !param.unlisted_values.is_empty();
        if is_said && param.type_known && !is_listed(&param.r#type) {
            let id = &param.item.id;
            let message = format!("`{id}` takes any value, as its type is no enumeration");
            let help = "give it an enumeration as its type, or remove `unlisted_values`";
            self.value("wrong-unlisted-values", id, "unlisted_values", message, help);
        }
    }

    /// Checks that only a text has words, that they are values of an enumeration, and that the group has one such enumeration, as it
    /// has one type of the name [`QUERY`].
    pub(super) fn words(&mut self, operation: &Operation, param: &Param) {
        let Some(words) = &param.words else { return };
        let id = &param.item.id;
        let of_group = self.api.operations.iter().filter(|one| one.group == operation.group);
        // The later one of two that differ is told.
        let before = of_group.clone().flat_map(|one| &one.params);
        let mut others = before.take_while(|one| one.item.id != *id);
        let is_other = |other: &String| other != words && self.index.enumeration(other).is_some();
        let other = others.find(|one| one.words.as_ref().is_some_and(is_other));
        let (message, help) = if param.type_known && param.r#type != Type::String {
            let message = format!("`{id}` is no text, and has no words");
            (message, "write `type: string`, or remove `words`".to_owned())
        } else if self.index.enumeration(words).is_none() {
            // An id that does not exist at all is reported as a reference.
            if !self.merged.ids.contains_key(words.as_str()) {
                return;
            }
            (format!("`{words}` is no enumeration"), "name one, or remove `words`".to_owned())
        } else if let Some(other) = other {
            let message = format!("`{id}` and `{}` of one group have other words", other.item.id);
            (message, "name the same enumeration in both".to_owned())
        } else if let Some(taken) = of_group.clone().find(|one| one.item.rust == QUERY) {
            let message = format!("`{}` has the Rust name of a text with words", taken.item.id);
            (message, format!("give it another name than `{QUERY}` with `rust`"))
        } else {
            return;
        };
        self.value("wrong-words", id, "words", message, &help);
    }

    /// Reports a type that is none of the limits and the default that are stated: one mistake, and not as many.
    pub(super) fn is_of_another_type(&mut self, param: &Param) -> bool {
        let limits = ChangedFact::of(Subject::Param).filter(|fact| fact.is_limit());
        let limits: Vec<_> = limits
            .filter(|fact| {
                let is_stated = |place| matches!(param.state(place, *fact), State::Is(_));
                (0..self.api.programs.len()).any(is_stated)
            })
            .filter_map(|fact| Some((fact, misfit(fact, param)?)))
            .collect();
        if limits.iter().any(|(_, wanted)| *wanted != limits[0].1) {
            return false;
        }
        let mut others: Vec<_> = limits.iter().map(|(fact, _)| format!("`{fact}`")).collect();
        let is_fit = |default: &Value| self.fits(default, &param.r#type, &param.only).is_ok();
        if !others.is_empty() && param.default.as_ref().is_some_and(|default| !is_fit(default)) {
            others.push("`default`".to_owned());
        }
        if others.len() < 2 {
            return false;
        }
        let id = &param.item.id;
        let message = format!("`{id}` is of another type than its {}", others.join(" and its "));
        self.value("wrong-type", id, "type", message, "mend its type, or what was said of another");
        true
    }

    /// Reports bounds that nothing can keep, or that bound another kind of value.
    pub(super) fn bounds(&mut self, param: &Param) {
        let Limits { min, max, max_length, min_items, max_items, .. } = &param.limits;
        let id = &param.item.id;
        if let (Some(min), Some(max)) = (min, max)
            && min > max
        {
            let message = format!("the least value of `{id}`, {min}, is above the greatest, {max}");
            self.value("wrong-bounds", id, "min", message, "mend `min` or `max`");
        }
        if let (Some(min), Some(max)) = (min_items, max_items)
            && min > max
        {
            let message = format!("`{id}` has at least {min} elements and at most {max}");
            let help = "mend `min_items` or `max_items`";
            self.value("wrong-bounds", id, "min_items", message, help);
        }
        for fact in ChangedFact::of(Subject::Param).filter(|fact| fact.is_limit()) {
            let is_stated = matches!(param.fact(fact), Some(State::Is(_)));
            // Which bound a program has may be unknown, and not which kind.
            let lives = self.api.programs.iter().zip(&param.item.life);
            let own = { lives }.find(|(program, _)| self.program == Some(&*program.key));
            let own = own.and_then(|(_, life)| life.facts.get(&fact));
            let is_unknown = own.is_some_and(|held| held.state == State::Unknown);
            if let Some(wanted) = misfit(fact, param).filter(|_| is_stated || is_unknown) {
                let message = bounds_other(fact, wanted, param);
                let bounds_list = fact == ChangedFact::Max && matches!(param.r#type, Type::List(_));
                let help = if bounds_list {
                    "`max_items` bounds how many there are"
                } else {
                    "mend its type, or remove the bound"
                };
                self.value("wrong-bounds", id, fact.name(), message, help);
            }
        }
        if !param.type_known {
            return;
        }
        let element = element(&param.r#type);
        for (key, bound) in [("min", min), ("max", max)] {
            if let Some(bound) =
                bound.filter(|bound| *element == Type::Integer && bound.fract() != 0.0)
            {
                let message = format!("`{id}` is a whole number, and `{key}` is {bound}");
                self.value("wrong-bounds", id, key, message, "mend its type, or the bound");
            }
        }
        for (key, leaves_nothing) in [
            ("max", min.is_none() && max.is_some_and(|max| max <= 0.0)),
            ("max_length", *max_length == Some(0)),
            ("max_items", *max_items == Some(0)),
        ] {
            if leaves_nothing {
                let message = format!("`{key}` of `{id}` leaves nothing to send");
                let help = "write a greater number, or remove it";
                self.value("wrong-bounds", id, key, message, help);
            }
        }
    }

    /// Reports a limit that is said to be of the length of texts, and of the number of a list's elements too.
    pub(super) fn limits_are_of_one_kind(&mut self) {
        let mut limited: HashMap<&str, [Vec<&str>; 2]> = HashMap::default();
        for param in self.api.operations.iter().flat_map(|one| &one.params) {
            let Some(from) = &param.limits.limit_from else { continue };
            let of_elements = matches!(param.r#type, Type::List(_));
            if of_elements || param.r#type == Type::String {
                let of_kind = &mut limited.entry(from).or_default()[usize::from(of_elements)];
                of_kind.push(&param.item.id);
            }
        }
        for (from, [of_texts, of_lists]) in limited {
            let (few, what, most) = if of_texts.len() < of_lists.len() {
                (of_texts, "the length of a text", of_lists)
            } else {
                (of_lists, "the number of its elements", of_texts)
            };
            for id in few {
                let other = most.first().copied().unwrap_or_default();
                let message =
                    format!("`{from}` limits {what} in `{id}`, and another thing in `{other}`");
                let help = "name the field with the limit of the parameter";
                self.value("wrong-bounds", id, "limit_from", message, help);
            }
        }
    }

    /// Reports a default that is no value of the type, or lies outside the bounds.
    pub(super) fn default_value(&mut self, param: &Param) {
        let Some(default) = &param.default else {
            return;
        };
        let id = &param.item.id;
        if param.location == Location::Path {
            let message = format!("`{id}` is part of the path and has no default");
            self.value("wrong-default", id, "default", message, "remove it");
            return;
        }
        if param.nullable && default.is_null() {
            return;
        }
        let fits = self.fits_in_words(default.as_str().unwrap_or_default(), &param.into());
        if let Err(help) = fits.and_then(|()| self.fits(default, &param.r#type, &param.only)) {
            let message = format!("`{}` is no value of `{id}`", plain(default));
            self.value("wrong-default", id, "default", message, help);
            return;
        }
        if let Some(bounds) = broken_bounds(default, &param.limits) {
            let message = format!("`{}` is outside the bounds of `{id}`", plain(default));
            let help = format!("mend it, or the bound: {bounds}");
            self.value("wrong-default", id, "default", message, help);
        }
    }
}

/// Whether a parameter leads to the next page. A range of names does so too, as `max_shortcode_domain`.
pub(super) fn leads_on(param: &Param) -> bool {
    let wire = param.item.wire.as_str();
    let is_range = wire.starts_with("max_") || wire.starts_with("min_");
    param.r#type == Type::Cursor
        || CURSORS.contains(&wire)
        || is_range && param.required != Required::Always
}

fn is_file(ty: &Type) -> bool {
    *element(ty) == Type::File
}

fn is_number(ty: &Type) -> bool {
    matches!(ty, Type::Integer | Type::Number)
}

/// Whether an enumeration lists its values.
fn is_listed(ty: &Type) -> bool {
    holds(ty, |one| matches!(one, Type::Enum(_)))
}

/// Whether a type, or one however deep inside it, is of a kind.
fn holds(ty: &Type, is: fn(&Type) -> bool) -> bool {
    let mut holds = false;
    ty.each(&mut |one| holds |= is(one));
    holds
}

/// Whether a type or one of its alternatives is of a kind.
fn some(ty: &Type, is: fn(&Type) -> bool) -> bool {
    match ty {
        Type::OneOf(types) => types.iter().any(|ty| some(ty, is)),
        ty => is(ty),
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

/// The sentence that a limit bounds other values than those of a parameter.
pub(super) fn bounds_other(limit: ChangedFact, wanted: &str, param: &Param) -> String {
    format!("`{limit}` bounds {wanted}, which `{}` is not", param.item.id)
}

/// The values that a limit bounds, where those of a parameter are others.
pub(super) fn misfit(limit: ChangedFact, param: &Param) -> Option<&'static str> {
    use ChangedFact as F;
    let ty = Some(&param.r#type).filter(|_| param.type_known)?;
    let element = element(ty);
    let is_text = |ty: &Type| matches!(ty, Type::String | Type::Id(_) | Type::Cursor);
    let (fits, wanted) = match limit {
        F::Min | F::Max => (some(element, is_number), "a number"),
        F::MaxLength => (some(element, is_text), "text"),
        F::MinItems | F::MaxItems => (matches!(ty, Type::List(_) | Type::Map(_)), "a list"),
        _ => return None,
    };
    let is_other = !fits && *element != Type::Json;
    is_other.then_some(wanted)
}

/// The parameters that are said to stand in the body of a request that has none.
pub(super) fn in_body_of_get(operation: &Operation) -> Vec<&Param> {
    let is_get = operation.route.as_ref().is_some_and(|route| route.method == "GET");
    let in_body = |param: &&Param| is_get && param.location == Location::Form;
    operation.params.iter().filter(in_body).collect()
}
