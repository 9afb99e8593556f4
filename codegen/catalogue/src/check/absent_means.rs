//! The meaning of a field's absence: a value of its type that holds for every release without the field, and is proved.

use serde_json::Value;

use super::Checker;
use fedispec_model::api::{AbsentMeans, Field, Type};

impl Checker<'_, '_> {
    pub(super) fn absent_means(&mut self, field: &Field) {
        let Some(means) = &field.absent_means else {
            return;
        };
        let id = &field.item.id;
        // JSON tells an empty text from nothing.
        let value = format!("`{}`", means.value);
        let misfit = self.fits(&means.value, &field.r#type, &[]).err();
        let mut wrong = |message: String, help: &str| {
            self.value("wrong-absent-means", id, "absent_means", message, help);
        };
        if let Some(what) = made_up(field, means) {
            let help = "remove `absent_means`: the field is an `Option` where it may be absent";
            wrong(format!("the absence of `{id}` cannot mean {what}"), help);
        } else if means.evidence.is_none() {
            let help = "name a source under `evidence.absent_means` of the field or of the file's `defaults`";
            wrong(format!("nothing proves what the absence of `{id}` means"), help);
        }
        if let Some(help) = misfit {
            wrong(format!("{value} is no value of `{id}`"), &help);
        }
        // Null and absence are two things unless they are said to mean the same.
        let presence = field.widest_presence();
        if presence.nullable && !means.or_null {
            let help = "write `absent_means: {value: .., or_null: true}` if null means the same; else remove `absent_means`, and the field is an `Option`";
            wrong(format!("`{id}` may be null, and its absence means {value}"), help);
        }
        if means.or_null && !presence.nullable {
            let help = "remove `or_null: true`, or write `nullable: true`";
            wrong(format!("`{id}` is never null"), help);
        }
        if means.omitted && !presence.optional {
            let help = "remove `omitted: true`, or write `optional: true`";
            wrong(format!("`{id}` is never left out"), help);
        }
    }
}

/// Names a kind of value that nobody can know where nobody counted, dated or made it.
fn made_up(field: &Field, means: &AbsentMeans) -> Option<&'static str> {
    Some(match &field.r#type {
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
        _ => return None,
    })
}

fn is_scalar(ty: &Type) -> bool {
    matches!(ty, Type::Boolean | Type::Enum(_) | Type::Integer | Type::Number | Type::String)
}
