//! The table of what releases write otherwise than the types say, for servers that emulate one.

use std::fmt::Write as _;

use super::absence;
use super::context::Context;
use super::entities;
use super::stamp::arguments;
use serde_json::Value as Json;

use fedispec_model::api::{Entity, EntityRole, Field, Life, Operation, Type};
use fedispec_model::change::{Change, ChangedFact};
use fedispec_model::condition::{Clause, Condition};
use fedispec_since::{Presence, StableVersion};

/// A way of writing, in Rust.
type Way = String;

/// The releases from one on until before another.
type Span = (Option<StableVersion>, Option<StableVersion>);

/// A row a line, as in the item table.
pub(super) fn table(context: &Context<'_>) -> String {
    let mut rows = Vec::new();
    for (id, way) in values(context) {
        rows.push(format!("Written::value({id:?}, Way::{way})"));
    }
    for entity in &context.api.entities {
        let is_answered = !matches!(entity.role, EntityRole::Argument(_));
        if is_answered && !entities::is_opaque(entity) {
            for field in &entity.fields {
                push_field(&mut rows, context, entity, field);
            }
        }
    }
    for operation in &context.api.operations {
        push_answers(&mut rows, context, operation);
    }
    let mut text = String::from("\n");
    if rows.is_empty() {
        text.push_str("static WRITTEN: &[rt::codegen::Written] = &[\n");
    } else {
        text.push_str("use rt::codegen::{Way, Written};\n\nstatic WRITTEN: &[Written] = &[\n");
    }
    for row in rows {
        _ = writeln!(text, "    {row},");
    }
    text.push_str("];\n");
    text
}

/// The replacements of values of enumerations in releases that lack them.
fn values<'a>(context: &'a Context<'_>) -> impl Iterator<Item = (&'a str, Way)> {
    context.api.enums.iter().flat_map(|enumeration| {
        enumeration.values.iter().filter_map(|value| {
            let instead = value.on_older.as_deref()?;
            let way = if instead == "null" {
                "Null".to_owned()
            } else {
                let mut values = enumeration.values.iter();
                let other = values.find(|other| other.wire == instead)?;
                let (id, wire) = (&other.id, &other.wire);
                format!("Instead {{ id: {id:?}, wire: {wire:?} }}")
            };
            Some((value.id.as_str(), way))
        })
    })
}

fn push_field(rows: &mut Vec<String>, context: &Context<'_>, entity: &Entity, field: &Field) {
    let (id, wire) = (&entity.item.id, &field.item.wire);
    for (place, program) in context.api.programs.iter().enumerate() {
        let key = &program.key;
        let quirks = field.departures().filter(|quirk| quirk.program == *key);
        // A program's own departure goes before what is said of the presence.
        let quirks = quirks.filter_map(|quirk| {
            let presence = field.own_presence(place).unwrap_or_else(|| field.common_presence());
            let way = departure(field, presence, &quirk.sends)?;
            Some(((quirk.since, quirk.until), way))
        });
        let all = quirks
            .chain(types(field, place))
            .chain(presences(context, (entity, field), place))
            .chain(for_users(field, place));
        for (span, way) in all {
            let (since, until) = span_calls(span);
            rows.push(format!("Written::key({key:?}, {id:?}, {wire:?}, Way::{way}){since}{until}"));
        }
    }
}

/// The releases in which an operation answers nothing.
fn push_answers(rows: &mut Vec<String>, context: &Context<'_>, operation: &Operation) {
    let id = &operation.item.id;
    for (program, life) in context.api.programs.iter().zip(&operation.item.life) {
        for (span, from) in former(life, ChangedFact::Returns) {
            if from == "empty" {
                let (key, (since, until)) = (&program.key, span_calls(span));
                rows.push(format!(
                    "Written::key({key:?}, {id:?}, \"\", Way::NoAnswer){since}{until}"
                ));
            }
        }
    }
}

/// The texts that a fact had before it changed, in the order of their releases; empty where one was no text.
fn former(life: &Life, what: ChangedFact) -> impl Iterator<Item = (Span, String)> {
    let changes = life.changed.iter().filter(|change| change.what == what);
    let mut steps: Vec<Change> = changes.flat_map(Change::steps).collect();
    steps.sort_by_key(|step| step.r#in);
    let mut since = None;
    steps.into_iter().map(move |step| {
        let span = (since.replace(step.r#in), Some(step.r#in));
        (span, step.from.as_ref().and_then(Json::as_str).unwrap_or_default().to_owned())
    })
}

/// A span as calls of the builder of a row.
fn span_calls((since, until): Span) -> (String, String) {
    let call = |name: &str, version: Option<StableVersion>| {
        version.map_or_else(String::new, |version| format!(".{name}({})", arguments(version)))
    };
    (call("since", since), call("until", until))
}

/// How a value is written that is not of the field's type.
fn departure(field: &Field, presence: Presence, sends: &str) -> Option<Way> {
    Some(match (sends, &field.r#type) {
        ("absent", _) if presence == Presence::ALWAYS => "Never".into(),
        ("absent", _) => "NoneLeftOut".into(),
        ("absent_if_empty", _) => "EmptyLeftOut".into(),
        ("empty_string", _) => none_as("\"\""),
        ("zero", Type::Boolean) => none_as("false"),
        ("zero", _) => none_as("0"),
        ("integer", _) => "Numbers".into(),
        ("string", Type::Entity(id)) if id == "Role" => "RoleName".into(),
        ("string", Type::Boolean | Type::Integer | Type::Number) => "Texts".into(),
        ("empty_array", _) => "Always(\"[]\")".into(),
        _ => return None,
    })
}

fn none_as(json: &str) -> Way {
    format!("NoneAs({json:?})")
}

/// The ways of writing fields that were of another type before.
fn types(field: &Field, program: usize) -> Vec<(Span, Way)> {
    let life = field.item.life.get(program).into_iter();
    let former = life.flat_map(|life| former(life, ChangedFact::Type));
    let ways = former.filter_map(|(span, from)| match from.as_str() {
        "integer" | "integer[]" => Some((span, "Numbers".to_owned())),
        "datetime" => Some((span, "Moments".to_owned())),
        _ => None,
    });
    ways.collect()
}

/// How no value is written, where that is not as usual.
fn presences(
    context: &Context<'_>,
    (entity, field): (&Entity, &Field),
    program: usize,
) -> Vec<(Span, Way)> {
    if !field.presence_known || context.floors.is_plain(entity, field) {
        return Vec::new();
    }
    let usually_left_out = absence::is_optional(context, entity, field);
    let is_null_as_made = context
        .newest()
        .is_some_and(|newest| absence::is_sent_as_null(context, newest, entity, field));
    let ways = spans(field, program).into_iter().filter_map(|(span, presence)| {
        let Presence { optional, nullable } = presence;
        let way = match (optional, nullable) {
            (true, false) if !usually_left_out || is_null_as_made => "NoneLeftOut".to_owned(),
            (false, true) if usually_left_out => none_as("null"),
            (false, false) if matches!(field.r#type, Type::List(_)) => none_as("[]"),
            _ => return None,
        };
        Some((span, way))
    });
    ways.collect()
}

/// The spans of releases with the presence of a field in each.
fn spans(field: &Field, program: usize) -> Vec<(Span, Presence)> {
    let states = field.presence_states(program);
    let ends = states.iter().skip(1).map(|state| state.since);
    let spans = states.iter().zip(ends.chain([None]));
    spans.map(|(state, until)| ((state.since, until), state.presence)).collect()
}

/// Where a field is there for users only.
fn for_users(field: &Field, program: usize) -> Vec<(Span, Way)> {
    if !field.when.as_ref().is_some_and(asks_for_users) {
        return Vec::new();
    }
    let spans = spans(field, program).into_iter();
    let optional = spans.filter(|(_, presence)| presence.optional);
    optional.map(|(span, _)| (span, "ForUsers".to_owned())).collect()
}

/// Whether nothing but a user's token makes the condition true.
fn asks_for_users(Condition(cases): &Condition) -> bool {
    let is_token = |clause: &Clause| matches!(clause, Clause::Token(_));
    !cases.is_empty() && cases.iter().all(|case| case.iter().any(is_token))
}
