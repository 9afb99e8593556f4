//! A parameter of an operation.

use std::fmt::Display;

use super::super::change::{Cause, Direction};
use super::super::pair::Pair;
use super::super::rules::RuleId;
use super::value::value;
use fedispec_model::api::{Api, Limits, Param};
use fedispec_model::condition::Condition;
use fedispec_since::{Effect, Location, Required, SafeValues, UnlistedValues};

pub(super) fn param(pair: &mut Pair<'_, '_>, old: &Param, new: &Param) {
    value(pair, Direction::Request, old.into(), new.into());
    required(pair, old, new);
    location(pair, old, new);
    if pair.keys.claim("nullable") {
        let rule =
            if new.nullable { RuleId::ParamBecameNullable } else { RuleId::ParamBecameNotNullable };
        let text = |nullable| {
            if nullable { "null is taken" } else { "null is refused" }
        };
        let (was, is) = (text(old.nullable), text(new.nullable));
        pair.say(rule, was, is, is);
    }
    if pair.keys.claim("default") {
        let text = |param: &Param| {
            param.default.as_ref().map_or_else(|| "none".into(), ToString::to_string)
        };
        let (was, is) = (text(old), text(new));
        let message = format!("its default is {is}, was {was}");
        let stated = old.default.is_some();
        pair.say_stated(RuleId::ParamDefaultChanged, stated, was, is, message);
    }
    if pair.keys.claim("limits") {
        limits(pair, &old.limits, &new.limits);
        least_items(pair, old, new);
    }
    if pair.keys.claim("only") {
        only(pair, &old.only, &new.only);
    }
    if pair.keys.claim("required_when") {
        let text = |param: &Param| {
            let when = param.required_when.as_ref();
            when.map_or_else(String::new, Condition::requirement)
        };
        let message = "when it is required reads otherwise";
        pair.note(RuleId::DocsOnlyChanged, text(old), text(new), message);
    }
    left_out(pair, old, new);
    if pair.keys.claim("unlisted_values") {
        let text = |param: &Param| {
            let ways = param.unlisted_values.iter();
            let words: Vec<_> =
                ways.map(|way| way.map_or("as usual", UnlistedValues::name)).collect();
            (!words.is_empty()).then(|| words.join(", "))
        };
        match (text(old), text(new)) {
            (Some(was), Some(is)) => {
                let message = "what programs do with unlisted values reads otherwise";
                pair.note(RuleId::DocsOnlyChanged, was, is, message);
            }
            (was, is) => pair.knowledge("what programs do with unlisted values", was, is),
        }
    }
    if pair.keys.claim("several") {
        several(pair, old, new);
    }
    // It follows from the name in brackets, whose change is reported.
    pair.keys.claim("parent");
}

/// How programs take several values decides how a client sends them.
fn several(pair: &mut Pair<'_, '_>, old: &Param, new: &Param) {
    let text = |api: &Api, param: &Param| {
        let ways = api.programs.iter().zip(&param.several);
        let ways = ways.filter_map(|(program, way)| {
            let way = way.as_ref()?;
            let forms = [("in lines", way.lines), ("as a list", way.list)];
            let forms = forms.map(|(form, since)| Some(format!("{form} since {}", since?)));
            let forms: Vec<_> = forms.into_iter().flatten().collect();
            let forms = if forms.is_empty() { "one value".into() } else { forms.join(", ") };
            Some(format!("{}: {forms}", program.key))
        });
        let ways: Vec<_> = ways.collect();
        (!ways.is_empty()).then(|| ways.join("; "))
    };
    let context = pair.context;
    match (text(context.old.api, old), text(context.new.api, new)) {
        // Another program was registered, and nobody says anything of it.
        (was, is) if was == is => {}
        (Some(was), Some(is)) => {
            let message = format!("several values are taken so: {is}; was {was}");
            pair.say(RuleId::RequestEncodingChanged, was, is, message);
        }
        (was, is) => pair.knowledge("how several values are taken", was, is),
    }
}

/// Compares the effect of leaving a parameter out, the values that mean the same as leaving it out, and the releases that
/// refuse it: a client decides by them which calls it refuses.
fn left_out(pair: &mut Pair<'_, '_>, old: &Param, new: &Param) {
    // A parameter that is always required cannot be left out, and the change of `required` says so.
    let always = |param: &Param| param.required == Required::Always;
    let is_said = always(old) != always(new);
    if pair.keys.claim("left_out") && !is_said {
        let decides = |api: &Api, param: &Param| {
            let left_out = param.left_out.as_ref()?;
            let programs = api.programs.iter().zip(&left_out.safe);
            let safe = programs.filter_map(|(program, safe)| match safe {
                SafeValues::Any => Some(format!("any value is safe in {}", program.key)),
                SafeValues::Only(values) if values.is_empty() => None,
                SafeValues::Only(values) => {
                    Some(format!("safe in {}: {}", program.key, values.join(", ")))
                }
            });
            let effect = std::iter::once(left_out.effect.name().to_owned());
            Some(effect.chain(safe).collect::<Vec<_>>().join("; "))
        };
        let context = pair.context;
        let was = decides(context.old.api, old);
        let is = decides(context.new.api, new);
        // A call goes out where nobody has classed it, as where it is harmless.
        let is_free = |text: &Option<String>| {
            text.as_deref().is_none_or(|text| text == Effect::Harmless.name())
        };
        if was != is && !(is_free(&was) && is_free(&is)) {
            let stated = was.is_some();
            let known = |text: Option<String>| text.unwrap_or_else(|| "unknown".into());
            let (was, is) = (known(was), known(is));
            let message = format!("leaving it out is {is}, was {was}");
            pair.say_stated(RuleId::LeftOutChanged, stated, was, is, message);
        } else if let (Some(was), Some(is)) = (&was, &is) {
            let message = "what leaving it out does reads otherwise";
            pair.note(RuleId::DocsOnlyChanged, was, is, message);
        } else {
            pair.knowledge("what leaving it out does", was, is);
        }
    }
    for (was, is) in old.facts.told().iter().zip(new.facts.told()) {
        if !pair.keys.claim(is.key) {
            continue;
        }
        match (was.value, is.value) {
            (Some(was), Some(value)) => {
                let message = format!("{} {value}, was {was}", is.subject);
                pair.say(RuleId::ParamDefaultChanged, was, value, message);
            }
            (was, value) => {
                let [was, value] = [was, value].map(|value| value.map(str::to_owned));
                pair.knowledge(is.what, was, value);
            }
        }
    }
    if pair.keys.claim("refused") {
        refused(pair, old, new);
    }
}

fn refused(pair: &mut Pair<'_, '_>, old: &Param, new: &Param) {
    let text = |api: &Api, param: &Param| {
        let of = api.programs.iter().zip(&param.refused);
        let words = of.filter_map(|(program, one)| {
            let one = one.as_ref()?;
            let until = one.until.map(|until| format!(" until {until}"));
            let until = until.unwrap_or_default();
            Some(format!("{} since {} {}{until}", one.status, program.key, one.since))
        });
        let words: Vec<_> = words.collect();
        if words.is_empty() { "no error".into() } else { words.join(", ") }
    };
    let context = pair.context;
    let (was, is) = (text(context.old.api, old), text(context.new.api, new));
    let message = format!("servers answer {is} to it, was {was}");
    let stated = was != "no error";
    pair.say_stated(RuleId::LeftOutChanged, stated, was, is, message);
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
            return pair.knowledge("whether it is required", known(before, was), known(after, is));
        }
    };
    let message = format!("is {is}, was {was}");
    if before == Required::Unknown {
        pair.say_because(Cause::Coverage, rule, was, is, message);
    } else {
        pair.say(rule, was, is, message);
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
            let message = format!("stands in the {new}, was in the {old}");
            pair.say(RuleId::ParamLocationChanged, old, new, message);
        }
        (old, new) => pair.knowledge("where it stands", old, new),
    }
}

fn limits(pair: &mut Pair<'_, '_>, old: &Limits, new: &Limits) {
    let number = |limit: Option<u64>| limit.map(Bound::Count);
    bound(pair, "the least number", old.min.map(Bound::Number), new.min.map(Bound::Number), false);
    bound(
        pair,
        "the greatest number",
        old.max.map(Bound::Number),
        new.max.map(Bound::Number),
        true,
    );
    bound(pair, "the greatest length", number(old.max_length), number(new.max_length), true);
    bound(
        pair,
        "the greatest number of elements",
        number(old.max_items),
        number(new.max_items),
        true,
    );
    if old.limit_from != new.limit_from {
        let text = |limits: &Limits| limits.limit_from.clone().unwrap_or_else(|| "nothing".into());
        let message = format!("{} tells its limit, was {}", text(new), text(old));
        let stated = old.limit_from.is_some();
        pair.say_stated(RuleId::LimitFromChanged, stated, text(old), text(new), message);
    }
}

/// A required list has one element at least where nothing else is stated.
fn least_items(pair: &mut Pair<'_, '_>, old: &Param, new: &Param) {
    let implied = u64::from(new.required == Required::Always);
    let least = |param: &Param| Some(Bound::Count(param.limits.min_items.unwrap_or(implied)));
    let (old, new) = (least(old), least(new));
    bound(pair, "the least number of elements", old, new, false);
}

/// A bound on a value.
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
    let rule = if tightened { RuleId::ParamLimitTightened } else { RuleId::ParamLimitLoosened };
    let (was, is) = (text(old), text(new));
    pair.say_stated(
        rule,
        old.is_some(),
        format!("{what} {was}"),
        format!("{what} {is}"),
        format!("{what} is {is}, was {was}"),
    );
}

fn only(pair: &mut Pair<'_, '_>, old: &[String], new: &[String]) {
    let text = |values: &[String]| {
        if values.is_empty() { "any".into() } else { values.join(", ") }
    };
    let within = |inner: &[String], outer: &[String]| {
        outer.is_empty() || (!inner.is_empty() && inner.iter().all(|value| outer.contains(value)))
    };
    let (kept, grown) = (within(old, new), within(new, old));
    let (was, is) = (text(old), text(new));
    let message = format!("takes {is}, was {was}");
    if !kept {
        pair.say(RuleId::ParamLimitTightened, &was, &is, &message);
    }
    if !grown {
        pair.say(RuleId::ParamLimitLoosened, &was, &is, &message);
    }
    if kept && grown {
        pair.note(RuleId::OrderOnlyChanged, was, is, message);
    }
}
