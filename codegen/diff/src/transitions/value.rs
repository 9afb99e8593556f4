//! The type and text format of a value: one table for parameters, which are sent, and fields, which are received.

use super::super::change::{Cause, Direction};
use super::super::code;
use super::super::pair::Pair;
use super::super::rules::RuleId;
use super::super::types::{Relation, is_same_on_wire, relation};
use fedispec_model::api::{Field, Param, Type};
use fedispec_model::notation::type_text_with;

/// The facts that a parameter and a field have in common.
#[derive(Clone, Copy)]
pub(super) struct Value<'v> {
    r#type: &'v Type,
    type_known: bool,
    format: Option<&'v String>,
}

impl<'v> From<&'v Param> for Value<'v> {
    fn from(param: &'v Param) -> Self {
        Self { r#type: &param.r#type, type_known: param.type_known, format: param.format.as_ref() }
    }
}

impl<'v> From<&'v Field> for Value<'v> {
    fn from(field: &'v Field) -> Self {
        Self { r#type: &field.r#type, type_known: field.type_known, format: field.format.as_ref() }
    }
}

impl Value<'_> {
    /// The type as the catalogue writes it: a point in time without a time of day is a `date`.
    fn text(self) -> String {
        let of_time = |ty: &Type| self.format.filter(|_| *ty == Type::Timestamp).cloned();
        type_text_with(self.r#type, &of_time)
    }

    /// Returns the format of a text. A point in time has the format `datetime` unless another is stated.
    fn holds(self) -> Option<String> {
        let is_time = *self.r#type.innermost() == Type::Timestamp;
        let time = || is_time.then(|| "datetime".to_owned());
        self.format.cloned().or_else(time)
    }
}

/// The rule for how a type stands to the former one, by where the value goes.
fn type_rule(relation: Relation, direction: Direction) -> RuleId {
    use Direction::{Request, Response};
    match (relation, direction) {
        (Relation::Restricted, _) => RuleId::StringBecameEnum,
        (Relation::Freed, _) => RuleId::EnumBecameString,
        (Relation::Widened, Request) => RuleId::ParamTypeWidened,
        (Relation::Widened, Response) => RuleId::FieldTypeWidened,
        (Relation::Narrowed, Request) => RuleId::ParamTypeNarrowed,
        (Relation::Narrowed, Response) => RuleId::FieldTypeNarrowed,
        (Relation::Changed | Relation::Same, Request) => RuleId::ParamTypeChanged,
        (Relation::Changed | Relation::Same, Response) => RuleId::FieldTypeChanged,
    }
}

/// Claims the changes of a value's type and format.
pub(super) fn value(pair: &mut Pair<'_, '_>, direction: Direction, old: Value<'_>, new: Value<'_>) {
    let said = types(pair, direction, old, new);
    // A change of the type makes that of the format irrelevant.
    if !pair.keys.claim("format") || said {
        return;
    }
    let rule = match direction {
        Direction::Request => RuleId::ParamFormatChanged,
        Direction::Response => RuleId::FieldFormatChanged,
    };
    match (old.holds(), new.holds()) {
        (Some(old), Some(new)) => {
            let message = format!("holds {new}, was {old}");
            pair.say(rule, (old, new, message));
        }
        // A text is a secret by its format, or where it has none by its name.
        (old, new) if old != new && !code::is_same(pair.context, rule, pair.old, pair.new) => {
            let [was, is] = [old, new].map(|one| one.unwrap_or_else(|| "any text".to_owned()));
            let message = format!("holds {is}, was {was}");
            pair.say(rule, (was, is, message));
        }
        (old, new) => pair.knowledge("what its text holds", old, new),
    }
}

/// Whether the type is another, which is said then.
fn types(pair: &mut Pair<'_, '_>, direction: Direction, old: Value<'_>, new: Value<'_>) -> bool {
    let known = pair.keys.claim("type_known");
    if !pair.keys.claim("type") {
        if known {
            let text = |value: Value<'_>| value.type_known.then(|| value.text());
            pair.knowledge("its type", text(old), text(new));
        }
        return false;
    }
    // The documents' name for what stands behind it follows its type.
    pair.keys.claim("refers_to");
    let before = pair.context.translated(old.r#type);
    let relation = relation(&before, new.r#type);
    // Only the name of the entity or enumeration is another: it was renamed.
    if relation == Relation::Same && old.type_known == new.type_known {
        return false;
    }
    let rule = type_rule(relation, direction);
    let (was, is) = (old.text(), new.text());
    // Enumerations are open in answers: any text is read.
    let only_code = is_same_on_wire(&before, new.r#type)
        || (relation == Relation::Restricted && direction == Direction::Response);
    if old.type_known && only_code {
        let message = format!("has the type {is}, was {was}; on the wire it is the same");
        pair.say_code(rule, (was, is, message));
    } else if old.type_known {
        let message = format!("has the type {is}, was {was}");
        pair.say(rule, (was, is, message));
    } else {
        // An unknown type was not wrong.
        let message = format!("has the type {is}; nobody knew");
        pair.say_because(Cause::Coverage, rule, (was, is, message));
    }
    true
}
