//! Values that are written as JSON: whether they are ones of a type.

use serde_json::Value;

use super::Checker;
use fedispec_model::api::Type;
use fedispec_model::suggest::did_you_mean;

impl Checker<'_, '_> {
    /// Whether a value is one of the type; else how to write one. `only` narrows an enumeration, where it is not empty.
    pub(super) fn fits(&self, value: &Value, ty: &Type, only: &[String]) -> Result<(), String> {
        let (fits, wanted) = match ty {
            Type::Integer => (value.is_i64() || value.is_u64(), "a whole number without quotes"),
            Type::Number => (value.is_number(), "a number without quotes"),
            Type::Boolean => (value.is_boolean(), "`true` or `false`, without quotes"),
            Type::String | Type::Timestamp | Type::Cursor | Type::Id(_) => {
                (value.is_string(), "text, in quotes")
            }
            Type::Map(_) | Type::Entity(_) => (value.is_object(), "a map"),
            Type::Enum(id) => return self.is_one(value, id, only),
            Type::List(element) => {
                let elements = value.as_array().ok_or("write a list")?;
                return elements.iter().try_for_each(|value| self.fits(value, element, only));
            }
            Type::OneOf(types) => {
                let fits = types.iter().any(|ty| self.fits(value, ty, only).is_ok());
                return if fits { Ok(()) } else { Err("write a value of its type".into()) };
            }
            Type::Json => return Ok(()),
            Type::Empty | Type::File | Type::Events(_) => return Err("remove it".into()),
        };
        if fits { Ok(()) } else { Err(format!("write {wanted}, or mend its type")) }
    }

    /// Whether a value is one of an enumeration; else how to write one.
    pub(super) fn is_one(&self, value: &Value, id: &str, only: &[String]) -> Result<(), String> {
        let mut known = self.values_of(id).unwrap_or_default();
        known.retain(|wire| only.is_empty() || only.iter().any(|one| one == wire));
        let text = value.as_str().unwrap_or_default();
        if known.is_empty() || known.contains(&text) {
            return Ok(());
        }
        let all = format!("write one of `{}`", known.join("`, `"));
        Err(did_you_mean(text, known, &all))
    }
}
