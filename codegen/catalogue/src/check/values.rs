//! Values that are written as JSON, or as the text that a request sends: whether they are ones of a type, and within its bounds.

use serde_json::{Value, json};

use super::{Checker, element};
use crate::calendar::is_day;
use crate::problems::NodePath;
use fedispec_model::api::{Field, Item, Limits, Param, Type};
use fedispec_model::suggest::{did_you_mean, one_of};

/// The values that an item can have.
pub(super) struct Values<'v> {
    /// The item's id.
    pub(super) of: &'v str,
    r#type: &'v Type,
    limits: Option<&'v Limits>,
    only: &'v [String],
    format: Option<&'v str>,
}

impl<'v> From<&'v Param> for Values<'v> {
    fn from(param: &'v Param) -> Self {
        let Param { item, r#type, limits, only, format, .. } = param;
        Self { of: &item.id, r#type, limits: Some(limits), only, format: format.as_deref() }
    }
}

impl<'v> From<&'v Field> for Values<'v> {
    fn from(field: &'v Field) -> Self {
        let Field { item, r#type, format, .. } = field;
        Self { of: &item.id, r#type, limits: None, only: &[], format: format.as_deref() }
    }
}

impl Values<'_> {
    /// The enumeration of them.
    pub(super) fn list(&self) -> Option<&str> {
        if let Type::Enum(list) = element(self.r#type) { Some(list) } else { None }
    }
}

impl<'a, 'n> Checker<'a, 'n> {
    /// Lists the values of an enumeration; `None` where nobody knows them.
    pub(super) fn values_of(&self, id: &str) -> Option<Vec<&'n str>> {
        let list = self.index.enumeration(id).filter(|list| list.values_known)?;
        Some(list.values.iter().map(|one| one.wire.as_str()).collect())
    }

    /// A value of an enumeration by its name on the wire.
    pub(super) fn listed(&self, list: &str, wire: &str) -> Option<&'n Item> {
        self.index.enumeration(list)?.values.iter().find(|one| one.wire == wire)
    }

    /// Reports a value that its enumeration does not have.
    pub(super) fn is_listed(
        &mut self,
        code: &'static str,
        id: &str,
        value: &str,
        place: &NodePath<'a>,
        or_else: &str,
    ) {
        if let Some(known) = self.values_of(id).filter(|known| !known.contains(&value)) {
            if self.merged.is_lost(&format!("{id}.{value}"), place, self.problems) {
                return;
            }
            let help = match &known[..] {
                few if few.len() < 6 => one_of(value, few, "write one of"),
                all => did_you_mean(value, all.iter().copied(), or_else),
            };
            self.problems.value(code, place, format!("`{id}` has no value `{value}`"), help);
        }
    }

    /// Checks that the values that something mentions, as a condition does, are ones of the item.
    pub(super) fn values_are_of(
        &mut self,
        of: &Values<'_>,
        values: &[impl AsRef<str>],
        place: Option<&NodePath<'a>>,
    ) {
        let Some(place) = place else { return };
        let help = |value| Some((value, self.fits_as_text(value, of).err()?));
        let wrong: Vec<_> = values.iter().map(AsRef::as_ref).filter_map(help).collect();
        // Where no value is one of the item, another item is meant: that is one mistake.
        let most = if wrong.len() == values.len() { 1 } else { wrong.len() };
        for (value, help) in wrong.into_iter().take(most) {
            let id = of.list().map(|list| format!("{list}.{value}"));
            if id.is_some_and(|id| self.merged.is_lost(&id, place, self.problems)) {
                continue;
            }
            let is_left_out = of.list().is_some_and(|list| self.listed(list, value).is_some());
            let (code, message) = if is_left_out {
                ("left-out-value", format!("`only` of `{}` leaves out what is named here", of.of))
            } else {
                ("unknown-value", format!("`{}` has no value `{value}`", of.of))
            };
            self.problems.word(code, place, ("is", value), message, help);
        }
    }

    /// Whether a value is one of the type; else how to write one. `only` narrows an enumeration, where it is not empty.
    pub(super) fn fits(&self, value: &Value, ty: &Type, only: &[String]) -> Result<(), String> {
        let (fits, wanted) = match ty {
            Type::Integer => (value.is_i64() || value.is_u64(), "a whole number without quotes"),
            Type::Number => (value.is_number(), "a number without quotes"),
            Type::Boolean => (value.is_boolean(), "`true` or `false`, without quotes"),
            Type::String | Type::Cursor | Type::Id(_) => (value.is_string(), "text, in quotes"),
            Type::Timestamp => (is_time(value.as_str()), "a time, in quotes"),
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

    /// Whether the words of a text are ones of the enumeration that its format names; else how to write one.
    pub(super) fn fits_in_words(&self, text: &str, of: &Values<'_>) -> Result<(), String> {
        let Some(list) = of.format.and_then(|it| it.strip_prefix("space-separated ")) else {
            return Ok(());
        };
        text.split_whitespace().try_for_each(|word| self.is_one(&json!(word), list, &[]))
    }

    /// Whether a text is a value of the type as a request sends it; else how to write one. A list has it as an element.
    pub(super) fn fits_as_text(&self, text: &str, of: &Values<'_>) -> Result<(), String> {
        let ty = element(of.r#type);
        let (value, wanted) = match ty {
            Type::Integer => (text.parse::<i64>().ok().map(Value::from), "a whole number"),
            Type::Number => (text.parse::<f64>().ok().map(Value::from), "a number"),
            Type::Boolean => (text.parse::<bool>().ok().map(Value::from), "\"true\" or \"false\""),
            Type::OneOf(types) => {
                let fits = |ty| self.fits_as_text(text, &Values { r#type: ty, ..*of }).is_ok();
                let fits = types.iter().any(fits);
                return if fits { Ok(()) } else { Err("write a value of its type".into()) };
            }
            Type::Entity(_) | Type::Map(_) => return Err("no text stands for an object".into()),
            Type::Json => return Ok(()),
            _ => (Some(json!(text)), ""),
        };
        let value = value.ok_or_else(|| format!("write {wanted} in quotes"))?;
        self.fits(&value, ty, of.only)?;
        self.fits_in_words(text, of)?;
        let bounds = of.limits.and_then(|limits| broken_bounds(&value, limits));
        bounds.map_or(Ok(()), |bounds| Err(format!("mend it, or the bound: {bounds}")))
    }
}

/// The bounds that a value breaks, as they are stated. Those of a text's length and of numbers hold for the elements of a list.
pub(super) fn broken_bounds(value: &Value, limits: &Limits) -> Option<String> {
    let whole = |bound: Option<u64>| Value::from(bound?).as_f64();
    let length = |length: usize| Value::from(length).as_f64();
    let (amount, bounds) = match value {
        Value::Number(number) => (number.as_f64(), [("min", limits.min), ("max", limits.max)]),
        Value::String(text) => {
            (length(text.chars().count()), [("", None), ("max_length", whole(limits.max_length))])
        }
        Value::Array(list) => {
            let bounds = [("min_items", limits.min_items), ("max_items", limits.max_items)];
            (length(list.len()), bounds.map(|(key, bound)| (key, whole(bound))))
        }
        _ => return None,
    };
    let (amount, [(_, least), (_, most)]) = (amount?, bounds);
    // Bounds that leave nothing are reported themselves.
    let leave_some = most.is_none_or(|most| least.map_or(most > 0.0, |least| least <= most));
    let breaks =
        least.is_some_and(|least| amount < least) || most.is_some_and(|most| most < amount);
    if leave_some && breaks {
        let stated = bounds.into_iter().filter_map(|(key, it)| Some(format!("`{key}` is {}", it?)));
        return Some(stated.collect::<Vec<_>>().join(", "));
    }
    value.as_array()?.iter().find_map(|value| broken_bounds(value, limits))
}

/// Whether a text begins with a day, as a time of RFC 3339 does.
fn is_time(text: Option<&str>) -> bool {
    text.and_then(|text| text.get(..10)).is_some_and(is_day)
}
