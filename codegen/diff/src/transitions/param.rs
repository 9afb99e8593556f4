//! A parameter.

use std::fmt::Display;

use super::super::change::Cause;
use super::super::pair::Pair;
use super::super::rules::{Fact, RuleId};
use super::super::types::{Relation, relation};
use fedispec_model::api::{Limits, Location, Param, Required, Type};
use fedispec_model::condition::Condition;
use fedispec_model::notation::type_text;

pub(super) fn param(pair: &mut Pair<'_, '_>, old: &Param, new: &Param) {
    types(pair, old, new);
    required(pair, old, new);
    location(pair, old, new);
    if pair.keys.claim("nullable") {
        let rule = if new.nullable {
            RuleId::ParamBecameNullable
        } else {
            RuleId::ParamBecameNotNullable
        };
        let text = |nullable| {
            if nullable {
                "null is taken"
            } else {
                "null is refused"
            }
        };
        pair.say(rule, text(old.nullable), text(new.nullable))
            .message = text(new.nullable).into();
    }
    format(
        pair,
        RuleId::ParamFormatChanged,
        (&old.r#type, old.format.as_ref()),
        (&new.r#type, new.format.as_ref()),
    );
    if pair.keys.claim("default") {
        let text = |param: &Param| {
            param
                .default
                .as_ref()
                .map_or_else(|| "none".into(), ToString::to_string)
        };
        let change = pair.stated(
            RuleId::ParamDefaultChanged,
            old.default.is_some(),
            text(old),
            text(new),
        );
        change.message = format!("its default is {}, was {}", text(new), text(old));
    }
    if pair.keys.claim("limits") {
        limits(pair, &old.limits, &new.limits);
    }
    if pair.keys.claim("only") {
        only(pair, &old.only, &new.only);
    }
    if pair.keys.claim("required_when") {
        let text = |param: &Param| {
            param
                .required_when
                .as_ref()
                .map_or_else(String::new, Condition::requirement)
        };
        pair.note(RuleId::DocsOnlyChanged, text(old), text(new))
            .message = "when it is required reads otherwise".into();
    }
    // It follows from the name in brackets, which is told.
    pair.keys.claim("parent");
}

fn types(pair: &mut Pair<'_, '_>, old: &Param, new: &Param) {
    let known = pair.keys.claim("type_known");
    if !pair.keys.claim("type") {
        if known {
            let text = |param: &Param| param.type_known.then(|| type_text(&param.r#type));
            pair.knowledge("its type", text(old), text(new));
        }
        return;
    }
    // The documents' name for what stands behind it follows its type.
    pair.keys.claim("refers_to");
    let before = pair.context.translated(&old.r#type);
    let rule = match relation(&before, &new.r#type) {
        // Only what it names is called otherwise.
        Relation::Same if old.type_known == new.type_known => return,
        Relation::Widened => RuleId::ParamTypeWidened,
        Relation::Narrowed => RuleId::ParamTypeNarrowed,
        Relation::Restricted => RuleId::StringBecameEnum,
        Relation::Freed => RuleId::EnumBecameString,
        Relation::Changed | Relation::Same => RuleId::ParamTypeChanged,
    };
    say_type(
        pair,
        rule,
        (type_text(&old.r#type), old.type_known),
        &type_text(&new.r#type),
    );
}

/// A type that nobody knew was not wrong.
pub(super) fn say_type(
    pair: &mut Pair<'_, '_>,
    rule: RuleId,
    (old, known): (String, bool),
    new: &str,
) {
    let change = pair.say(rule, &old, new);
    change.message = format!("has the type {new}, was {old}");
    if !known {
        change.cause = Cause::Coverage;
        change.message = format!("has the type {new}; nobody knew");
    }
}

fn required(pair: &mut Pair<'_, '_>, old: &Param, new: &Param) {
    if !pair.keys.claim("required") {
        return;
    }
    let text = |required| match required {
        Required::Unknown => "unknown",
        Required::Always => "required",
        Required::Never => "optional",
        Required::Sometimes => "sometimes required",
    };
    let (before, after) = (old.required, new.required);
    let (was, is) = (text(before), text(after));
    let rule = match (before, after) {
        (_, Required::Always) => RuleId::ParamBecameRequired,
        (Required::Always, _) => RuleId::ParamBecameOptional,
        (Required::Never, Required::Sometimes) => RuleId::ParamCombinationTightened,
        (Required::Sometimes, Required::Never) => RuleId::ParamCombinationLoosened,
        _ => {
            let known =
                |required, text: &str| (required != Required::Unknown).then(|| text.to_owned());
            return pair.knowledge(
                "whether it is required",
                known(before, was),
                known(after, is),
            );
        }
    };
    let change = pair.say(rule, was, is);
    change.message = format!("is {is}, was {was}");
    if before == Required::Unknown {
        change.cause = Cause::Coverage;
    }
}

fn location(pair: &mut Pair<'_, '_>, old: &Param, new: &Param) {
    if !pair.keys.claim("location") {
        return;
    }
    let text = |location| match location {
        Location::Unknown => "unknown",
        Location::Path => "path",
        Location::Query => "query",
        Location::Form => "form",
        Location::Header => "header",
    };
    let known = |location| (location != Location::Unknown).then(|| text(location).to_owned());
    match (known(old.location), known(new.location)) {
        (Some(old), Some(new)) => {
            pair.say(RuleId::ParamLocationChanged, &old, &new).message =
                format!("stands in the {new}, was in the {old}");
        }
        (old, new) => pair.knowledge("where it stands", old, new),
    }
}

/// What a text holds; a point in time is one unless a day is said.
pub(super) fn format(
    pair: &mut Pair<'_, '_>,
    rule: RuleId,
    old: (&Type, Option<&String>),
    new: (&Type, Option<&String>),
) {
    // Another type holds something else anyway.
    let by_type = pair
        .out
        .iter()
        .any(|change| change.rule.fact() == Fact::Type);
    if !pair.keys.claim("format") || by_type {
        return;
    }
    let text = |(ty, format): (&Type, Option<&String>)| {
        format
            .cloned()
            .or_else(|| is_time(ty).then(|| "datetime".to_owned()))
    };
    match (text(old), text(new)) {
        (Some(old), Some(new)) => {
            pair.say(rule, &old, &new).message = format!("holds {new}, was {old}");
        }
        (old, new) => pair.knowledge("what its text holds", old, new),
    }
}

fn is_time(ty: &Type) -> bool {
    match ty {
        Type::Timestamp => true,
        Type::List(inner) | Type::Map(inner) => is_time(inner),
        _ => false,
    }
}

fn limits(pair: &mut Pair<'_, '_>, old: &Limits, new: &Limits) {
    let number = |limit: Option<u64>| limit.map(Bound::Count);
    bound(
        pair,
        "the least number",
        old.min.map(Bound::Number),
        new.min.map(Bound::Number),
        false,
    );
    bound(
        pair,
        "the greatest number",
        old.max.map(Bound::Number),
        new.max.map(Bound::Number),
        true,
    );
    bound(
        pair,
        "the greatest length",
        number(old.max_length),
        number(new.max_length),
        true,
    );
    bound(
        pair,
        "the greatest number of elements",
        number(old.max_items),
        number(new.max_items),
        true,
    );
    if old.limit_from != new.limit_from {
        let text = |limits: &Limits| {
            limits
                .limit_from
                .clone()
                .unwrap_or_else(|| "nothing".into())
        };
        pair.note(RuleId::DocsOnlyChanged, text(old), text(new))
            .message = format!("{} tells its limit, was {}", text(new), text(old));
    }
}

/// What bounds a value.
#[derive(Clone, Copy, PartialEq)]
enum Bound {
    Number(f64),
    Count(u64),
}

impl Bound {
    fn is_less(self, than: Self) -> bool {
        match (self, than) {
            (Self::Number(a), Self::Number(b)) => a < b,
            (Self::Count(a), Self::Count(b)) => a < b,
            _ => false,
        }
    }
}

impl Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Count(count) => count.fmt(f),
        }
    }
}

/// A bound from above tightens where it gets less, one from below where it gets more.
fn bound(pair: &mut Pair<'_, '_>, what: &str, old: Option<Bound>, new: Option<Bound>, above: bool) {
    if old == new {
        return;
    }
    let text =
        |bound: Option<Bound>| bound.map_or_else(|| "none".into(), |bound| bound.to_string());
    let tightened = match (old, new) {
        (None, _) => true,
        (_, None) => false,
        (Some(old), Some(new)) => new.is_less(old) == above,
    };
    let rule = if tightened {
        RuleId::ParamLimitTightened
    } else {
        RuleId::ParamLimitLoosened
    };
    let (was, is) = (text(old), text(new));
    let change = pair.stated(
        rule,
        old.is_some(),
        format!("{what} {was}"),
        format!("{what} {is}"),
    );
    change.message = format!("{what} is {is}, was {was}");
}

fn only(pair: &mut Pair<'_, '_>, old: &[String], new: &[String]) {
    let text = |values: &[String]| {
        if values.is_empty() {
            "any".into()
        } else {
            values.join(", ")
        }
    };
    let within = |inner: &[String], outer: &[String]| {
        outer.is_empty() || (!inner.is_empty() && inner.iter().all(|value| outer.contains(value)))
    };
    let message = format!("takes {}, was {}", text(new), text(old));
    let (kept, grown) = (within(old, new), within(new, old));
    if !kept {
        pair.say(RuleId::ParamLimitTightened, text(old), text(new))
            .message
            .clone_from(&message);
    }
    if !grown {
        pair.say(RuleId::ParamLimitLoosened, text(old), text(new))
            .message
            .clone_from(&message);
    }
    if kept && grown {
        pair.note(RuleId::OrderOnlyChanged, text(old), text(new))
            .message = message;
    }
}
