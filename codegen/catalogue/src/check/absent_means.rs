//! The meaning of a field's absence: a value of its type that holds for every release without the field, and is proved.

use super::Checker;
use fedispec_model::api::{AbsentMeans, Field, Quirk, Type};
use fedispec_since::Presence;
use serde_json::Value;

/// The kind of every problem with what the absence of a field means.
const CODE: &str = "wrong-absent-means";

impl Checker<'_, '_> {
    pub(super) fn absent_means(&mut self, field: &Field) {
        let Some(means) = &field.absent_means else {
            return self.proves_nothing(&field.item.id);
        };
        let id = &field.item.id;
        // JSON tells an empty text from nothing.
        let value = format!("`{}`", means.value);
        let quirks = field.quirks.iter().map(Quirk::presence);
        let presence = field.widest_presence();
        let may_be_null = quirks.fold(presence, Presence::or).nullable;
        let (message, help) = if let Some(what) = made_up(field, means) {
            let help = "remove `absent_means`: the field is an `Option` where it may be absent";
            (format!("the absence of `{id}` cannot mean {what}"), help.to_owned())
        } else if let Err(help) = self.fits(&means.value, &field.r#type, &[]) {
            (format!("{value} is no value of `{id}`"), help)
        } else if means.evidence.is_none() {
            let help = "name a source under `evidence.absent_means` of the field or of the file's `defaults`";
            (format!("nothing proves what the absence of `{id}` means"), help.to_owned())
        } else if presence.nullable && !means.or_null {
            // Null and absence are two things unless they are said to mean the same.
            let help = "write `absent_means: {value: .., or_null: true}` if null means the same; else remove `absent_means`, and the field is an `Option`";
            (format!("`{id}` may be null, and its absence means {value}"), help.to_owned())
        } else if means.or_null && !may_be_null {
            let help = "remove `or_null: true`, or write `nullable: true`";
            (format!("`{id}` is never null"), help.to_owned())
        } else if is_full(&means.value) && left_out_if_empty(field) {
            let help = "mend one of the two";
            (
                format!("`{id}` is left out where it is empty, and its absence means {value}"),
                help.to_owned(),
            )
        } else if means.omitted && !presence.optional {
            let help = "remove `omitted: true`, or write `optional: true`";
            (format!("`{id}` is never left out"), help.to_owned())
        } else {
            return;
        };
        self.value(CODE, id, "absent_means", message, &help);
        if means.omitted && !presence.optional {
            self.with_fact(id, "optional", "whether it may be left out");
        }
    }

    /// Reports a field's own evidence of what its absence means, where nobody says what it means.
    fn proves_nothing(&mut self, id: &str) {
        let proof = self.merged.place_in(id, "evidence", "absent_means", self.problems);
        if let Some(place) = proof {
            let message = format!("nobody says what the absence of `{id}` means");
            let help = "write `absent_means`, or remove its evidence";
            self.problems.key(CODE, &place, message, help);
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
        Type::List(element)
            if !is_scalar(element)
                && means.value.as_array().is_some_and(|list| !list.is_empty()) =>
        {
            "the elements of a list"
        }
        _ => return None,
    })
}

/// Whether a program leaves the field out where its value is empty.
fn left_out_if_empty(field: &Field) -> bool {
    field.quirks.iter().any(|quirk| quirk.sends == "absent_if_empty")
}

/// Whether a value is none that is empty.
fn is_full(value: &Value) -> bool {
    match value {
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => !map.is_empty(),
        Value::Bool(it) => *it,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::Null => false,
    }
}

fn is_scalar(ty: &Type) -> bool {
    matches!(ty, Type::Boolean | Type::Enum(_) | Type::Integer | Type::Number | Type::String)
}
