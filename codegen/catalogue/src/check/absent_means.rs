//! What the absence of a field means: a value of its type that holds for every release without the field, and is proved.

use serde_json::Value;

use super::values::Enums;
use crate::merge::Merged;
use crate::problems::Problems;
use fedispec_model::api::{AbsentMeans, Api, Field, Type};

pub(super) fn check<'a>(api: &Api, merged: &Merged<'a>, problems: &mut Problems<'a>) {
    let enums = Enums::of(api);
    let fields = api.entities.iter().flat_map(|entity| &entity.fields);
    for field in fields.filter(|field| field.inherited_from.is_none()) {
        let Some(means) = &field.absent_means else {
            continue;
        };
        let faults = [
            proof(field, means),
            made_up(field, means),
            fits(&enums, field, means),
            null(field, means),
            omitted(field, means),
        ];
        for Fault { message, help } in faults.into_iter().flatten() {
            let id = &field.item.id;
            let Some(place) = merged.place_of(id, &["absent_means"], problems) else {
                continue;
            };
            let problem = problems.value("wrong-absent-means", &place, message);
            problems.push(problem.help(help));
        }
    }
}

struct Fault {
    message: String,
    help: String,
}

fn fault(message: String, help: impl Into<String>) -> Fault {
    let help = help.into();
    Fault { message, help }
}

fn proof(field: &Field, means: &AbsentMeans) -> Option<Fault> {
    if means.evidence.is_some() {
        return None;
    }
    Some(fault(
        format!("nothing proves what the absence of `{}` means", field.item.id),
        "name a source under `evidence.absent_means` of the field or of the file's `defaults`",
    ))
}

/// What nobody counted, dated or made has no value that would be true.
fn made_up(field: &Field, means: &AbsentMeans) -> Option<Fault> {
    let what = match &field.r#type {
        Type::Timestamp => "a date",
        Type::Id(_) => "an id",
        Type::Cursor => "a cursor",
        Type::Integer | Type::Number if field.item.wire.ends_with("count") => "a count",
        Type::Entity(_) | Type::OneOf(_) | Type::Json => "an object",
        Type::File | Type::Events(_) | Type::Empty => "an answer",
        Type::Map(_) if means.value.as_object().is_some_and(|map| !map.is_empty()) => {
            "the content of a map"
        }
        Type::List(element) if !is_scalar(element) && means.value != Value::Array(Vec::new()) => {
            "the elements of a list"
        }
        Type::List(_)
        | Type::Map(_)
        | Type::Enum(_)
        | Type::String
        | Type::Boolean
        | Type::Integer
        | Type::Number => return None,
    };
    Some(fault(
        format!("the absence of `{}` cannot mean {what}", field.item.id),
        "remove `absent_means`: the field is an `Option` where it may be absent",
    ))
}

fn is_scalar(ty: &Type) -> bool {
    matches!(ty, Type::Boolean | Type::Enum(_) | Type::Integer | Type::Number | Type::String)
}

fn fits(enums: &Enums<'_>, field: &Field, means: &AbsentMeans) -> Option<Fault> {
    let help = enums.fits(&means.value, &field.r#type, &[]).err()?;
    let id = &field.item.id;
    Some(fault(format!("{} is no value of `{id}`", as_json(&means.value)), help))
}

/// Null and absence are two things unless they are said to mean the same.
fn null(field: &Field, means: &AbsentMeans) -> Option<Fault> {
    let id = &field.item.id;
    match (field.widest_presence().nullable, means.or_null) {
        (true, false) => Some(fault(
            format!("`{id}` may be null, and its absence means {}", as_json(&means.value)),
            "write `absent_means: {value: .., or_null: true}` if null means the same; else remove `absent_means`, and the field is an `Option`",
        )),
        (false, true) => Some(fault(
            format!("`{id}` is never null"),
            "remove `or_null: true`, or write `nullable: true`",
        )),
        _ => None,
    }
}

fn omitted(field: &Field, means: &AbsentMeans) -> Option<Fault> {
    if !means.omitted || field.widest_presence().optional {
        return None;
    }
    Some(fault(
        format!("`{}` is never left out", field.item.id),
        "remove `omitted: true`, or write `optional: true`",
    ))
}

/// A value as it stands in JSON, which tells an empty text from nothing.
fn as_json(value: &Value) -> String {
    format!("`{value}`")
}
