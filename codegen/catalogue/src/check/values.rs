//! Values that are written as JSON: whether they are ones of a type.

use std::collections::HashMap;

use serde_json::Value;

use fedispec_model::api::{Api, Enumeration, Type};
use fedispec_model::suggest::did_you_mean;

/// The enumerations by id.
pub(super) struct Enums<'n>(HashMap<&'n str, &'n Enumeration>);

impl<'n> Enums<'n> {
    pub(super) fn of(api: &'n Api) -> Self {
        let enums = api.enums.iter();
        Self(enums.map(|one| (one.item.id.as_str(), one)).collect())
    }

    /// Whether a value is one of the type; else how to write one. `only` narrows an enumeration, where it is not empty.
    pub(super) fn fits(&self, value: &Value, ty: &Type, only: &[String]) -> Result<(), String> {
        let wanted = match ty {
            Type::Integer if value.is_i64() || value.is_u64() => return Ok(()),
            Type::Number if value.is_number() => return Ok(()),
            Type::Boolean if value.is_boolean() => return Ok(()),
            Type::String | Type::Timestamp | Type::Cursor | Type::Id(_) if value.is_string() => {
                return Ok(());
            }
            Type::Enum(id) => return self.listed(value, id, only),
            Type::List(element) => {
                let Some(elements) = value.as_array() else {
                    return Err("write a list".into());
                };
                let mut elements = elements.iter();
                return elements.try_for_each(|value| self.fits(value, element, only));
            }
            Type::Map(_) | Type::Entity(_) if value.is_object() => return Ok(()),
            Type::OneOf(types) => {
                let fits = types.iter().any(|ty| self.fits(value, ty, only).is_ok());
                return if fits { Ok(()) } else { Err("write a value of its type".into()) };
            }
            Type::Json => return Ok(()),
            Type::Integer => "a whole number without quotes",
            Type::Number => "a number without quotes",
            Type::Boolean => "`true` or `false`, without quotes",
            Type::Map(_) | Type::Entity(_) => "a map",
            Type::Empty | Type::File | Type::Events(_) => return Err("remove it".into()),
            Type::String | Type::Timestamp | Type::Cursor | Type::Id(_) => "text, in quotes",
        };
        Err(format!("write {wanted}, or mend its type"))
    }

    fn listed(&self, value: &Value, id: &str, only: &[String]) -> Result<(), String> {
        let Some(list) = self.0.get(id).filter(|list| list.values_known) else {
            return Ok(());
        };
        let known = list.values.iter().map(|value| value.wire.as_str());
        let known = known.filter(|wire| only.is_empty() || only.iter().any(|one| one == wire));
        let known: Vec<&str> = known.collect();
        let text = value.as_str().unwrap_or_default();
        if known.is_empty() || known.contains(&text) {
            return Ok(());
        }
        let all = format!("write one of `{}`", known.join("`, `"));
        Err(did_you_mean(text, known.iter().copied(), &all))
    }
}
