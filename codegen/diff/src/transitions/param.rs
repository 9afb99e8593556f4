//! A parameter of an operation.

use super::super::change::Direction;
use super::super::context::Columns;
use super::super::in_place;
use super::super::pair::Pair;
use super::super::rules::RuleId;
use super::fact::{
    Fact,
    Judge::{Always, By},
    Unstated::{Is, Unknown},
    compare, joined,
};
use super::held::{differs, effect};
use super::proof;
use super::value::value;
use fedispec_model::api::{Param, State, Type};
use fedispec_model::change::ChangedFact;
use fedispec_model::condition::{Clause, Condition};
use fedispec_since::{Effect, FixedError, Location, Required, StableVersion};
use serde_json::{Value, json};

/// The facts that are reported alike, whatever their values.
const FACTS: &[Fact<Param>] = &[
    Fact::new(
        "required",
        |_, param| match param.required {
            Required::Unknown => None,
            Required::Always => Some("required".into()),
            Required::Never => Some("optional".into()),
            Required::Sometimes => Some("sometimes required".into()),
        },
        Unknown("whether it is required", "unknown"),
        By(|old, new| match (old.required, new.required) {
            (_, Required::Always) => Some(RuleId::ParamBecameRequired),
            (Required::Always, _) => Some(RuleId::ParamBecameOptional),
            (Required::Never, Required::Sometimes) => Some(RuleId::ParamCombinationTightened),
            (Required::Sometimes, Required::Never) => Some(RuleId::ParamCombinationLoosened),
            _ => None,
        }),
        "is {new}, was {old}",
    ),
    Fact::new(
        "location",
        |_, param| {
            let is_known = param.location != Location::Unknown;
            is_known.then(|| param.location.name().to_owned())
        },
        Unknown("where it stands", ""),
        Always(RuleId::ParamLocationChanged),
        "stands in the {new}, was in the {old}",
    ),
    Fact::new(
        "nullable",
        |_, param| Some(if param.nullable { "null is taken" } else { "null is refused" }.into()),
        Is(""),
        By(|_, new| {
            let [taken, refused] = [RuleId::ParamBecameNullable, RuleId::ParamBecameNotNullable];
            Some(if new.nullable { taken } else { refused })
        }),
        "{new}",
    ),
    Fact::new(
        "default",
        |_, param: &Param| param.default.as_ref().map(ToString::to_string),
        Is("none"),
        Always(RuleId::ParamDefaultChanged),
        "its default is {new}, was {old}",
    )
    .unless(|pair, _, _| differs(pair, ChangedFact::Default)),
    Fact::new(
        "required_when",
        |_, param| param.required_when.as_ref().map(Condition::requirement),
        Is(""),
        By(|old, new| {
            let is_words = old.required != new.required || asked(old) == asked(new);
            let [words, asked] = [RuleId::DocsOnlyChanged, RuleId::ParamConditionChanged];
            Some(if is_words { words } else { asked })
        }),
        "when it is required is said otherwise: {new} It was: {old}",
    ),
    Fact::new(
        "unlisted_values",
        unlisted,
        Is("treated as usual"),
        Always(RuleId::UnlistedValuesChanged),
        "values that are not listed are {new}, was {old}",
    )
    .unless(|pair, old, new| is_same(pair, unlisted, old, new)),
    // How programs take several values decides how a client sends them.
    Fact::new(
        "several",
        several,
        Is("one value"),
        Always(RuleId::SeveralChanged),
        "several values are taken so: {new}; was {old}",
    )
    // A type that takes no list any more, or takes one now, is a finding of its own.
    .unless(|pair, old, new| {
        is_same(pair, several, old, new) || takes_list(old) != takes_list(new)
    }),
    Fact::new(
        "words",
        // A parameter without words has the type of a plain text, which is a fact too.
        |_, param| Some(param.words.clone().unwrap_or_else(|| "no enumeration".into())),
        Is(""),
        Always(RuleId::WordsChanged),
        "its text understands the words of {new}, was {old}",
    ),
    Fact::new(
        "missing",
        missing,
        Unknown("how programs answer without it", ""),
        // Other words alone are what a server says that emulates the program.
        By(|old, new| {
            let [was, is] = [statuses(old), statuses(new)];
            let [words, status] = [RuleId::EmulationChanged, RuleId::ErrorStatusChanged];
            let is_stated = !was.is_empty() && !is.is_empty();
            is_stated.then_some(if was == is { words } else { status })
        }),
        "servers answer {new} without it, was {old}",
    )
    .unless(|pair, old, new| is_same(pair, missing, old, new)),
    Fact::new(
        "refused",
        refused,
        Is("no error"),
        Always(RuleId::LeftOutChanged),
        "servers answer {new} to it, was {old}",
    )
    .unless(|pair, old, new| is_same(pair, refused, old, new)),
];

/// The field of the instance that tells its limit, one of its limits.
const LIMIT_FROM: Fact<Param> = Fact::new(
    "limit_from",
    |_, param| param.limits.limit_from.clone(),
    Is("nothing"),
    Always(RuleId::LimitFromChanged),
    "{new} tells its limit, was {old}",
);

pub(super) fn param(pair: &mut Pair<'_, '_>, old: &Param, new: &Param) {
    value(pair, Direction::Request, old.into(), new.into());
    compare(pair, FACTS, old, new);
    plain(pair, old, new);
    if pair.keys.claim("limits") {
        limits(pair, old, new);
    }
    if pair.keys.claim("only") {
        only(pair, &old.only, &new.only);
    }
    if pair.keys.claim("left_out") {
        left_out(pair, old, new);
    }
    if pair.keys.claim("left_out_evidence") {
        let [old, new] = [old, new].map(|param| param.left_out_evidence.as_ref());
        proof::compare(pair, "left_out", old, new);
    }
    // It follows from the name in brackets, whose change is reported.
    pair.keys.claim("parent");
}

/// Compares the facts that every output takes as they stand.
fn plain(pair: &mut Pair<'_, '_>, old: &Param, new: &Param) {
    for (was, is) in old.facts.told().iter().zip(new.facts.told()) {
        if pair.keys.claim(is.key) {
            let stated = was.value.is_some();
            let [was, value] = [was.value, is.value].map(|value| value.unwrap_or("not told"));
            let message = format!("{} {value}, was {was}", is.subject);
            pair.say_stated(RuleId::UnsetChanged, stated, (was, value, message));
        }
    }
}

/// Whether one parameter takes a list of values.
fn takes_list(param: &Param) -> bool {
    matches!(&param.r#type, Type::OneOf(types) if types.iter().any(|one| matches!(one, Type::List(_))))
}

fn unlisted(columns: &Columns<'_>, param: &Param) -> Option<String> {
    let ways = columns.iter().zip(&param.unlisted_values);
    let ways = ways.filter_map(|(program, way)| {
        Some(format!("{} in {}", way.as_ref()?.name(), (*program)?.key))
    });
    joined(ways, ", ")
}

/// Whether programs that both states know say the same: then another program was registered, or is gone.
fn is_same(
    pair: &Pair<'_, '_>,
    read: fn(&Columns<'_>, &Param) -> Option<String>,
    old: &Param,
    new: &Param,
) -> bool {
    let [before, after] = &pair.context.columns;
    read(before, old) == read(after, new)
}

fn several(columns: &Columns<'_>, param: &Param) -> Option<String> {
    let ways = columns.iter().zip(&param.several);
    let ways = ways.filter_map(|(program, way)| {
        let (program, way) = ((*program)?, way.as_ref()?);
        let forms = [("in lines", way.lines), ("as a list", way.list)].into_iter();
        let forms = forms.filter_map(|(form, since)| Some(format!("{form} since {}", since?)));
        let forms = joined(forms, ", ").unwrap_or_else(|| "one value".into());
        Some(format!("{}: {forms}", program.key))
    });
    joined(ways, "; ")
}

fn missing(columns: &Columns<'_>, param: &Param) -> Option<String> {
    let of = columns.iter().zip(&param.missing);
    let of = of.filter_map(|(program, all)| Some((&(*program)?.key, all.as_ref()?)));
    let of = of.flat_map(|(key, all)| all.0.iter().map(move |one| (key, one)));
    let words = of.map(|(key, FixedError { status, text, since, until })| {
        let since = since.map(|since| format!(" since {since}")).unwrap_or_default();
        let until = until.map(|until| format!(" until {until}")).unwrap_or_default();
        format!("{status} {text:?} in {key}{since}{until}")
    });
    joined(words, ", ")
}

/// What decides whether a request has to have it, without words.
fn asked(param: &Param) -> Vec<Vec<&Clause>> {
    let cases = param.required_when.iter().flat_map(|when| &when.0);
    let asked = cases.map(|case| case.iter().filter(|one| !matches!(one, Clause::If(_))));
    asked.map(Iterator::collect).collect()
}

/// The answers without it, by program and release, without their words.
fn statuses(param: &Param) -> Vec<(usize, u16, [Option<StableVersion>; 2])> {
    let of = param.missing.iter().enumerate();
    let of =
        of.flat_map(|(place, all)| all.iter().flat_map(|all| &all.0).map(move |one| (place, one)));
    of.map(|(place, one)| (place, one.status, [one.since, one.until])).collect()
}

fn refused(columns: &Columns<'_>, param: &Param) -> Option<String> {
    let of = columns.iter().zip(&param.refused);
    let words = of.filter_map(|(program, one)| {
        let (program, one) = ((*program)?, one.as_ref()?);
        let until = one.until.map(|until| format!(" until {until}")).unwrap_or_default();
        Some(format!("{} since {} {}{until}", one.status, program.key, one.since))
    });
    joined(words, ", ")
}

/// Compares the effect of leaving a parameter out and the values that mean the same as leaving it out: a client decides by
/// them which calls it refuses.
fn left_out(pair: &mut Pair<'_, '_>, old: &Param, new: &Param) {
    // A parameter that is always required cannot be left out, and the change of `required` says so.
    let always = |param: &Param| param.required == Required::Always;
    if always(old) != always(new) || differs(pair, ChangedFact::LeftOut) {
        return;
    }
    let (was, is) = (effect_text(old), effect_text(new));
    // A client sends a call whose effect is unknown, as it sends a harmless one.
    let is_free =
        |text: &Option<String>| text.as_deref().is_none_or(|text| text == Effect::Harmless.name());
    if was != is && !(is_free(&was) && is_free(&is)) {
        let stated = was.is_some();
        let [was, is] = [was, is].map(|text| text.unwrap_or_else(|| "unknown".into()));
        let message = format!("leaving it out is {is}, was {was}");
        pair.say_stated(RuleId::LeftOutChanged, stated, (was, is, message));
    } else if let (Some(was), Some(is)) = (&was, &is)
        && old.left_out != new.left_out
    {
        let message = "what leaving it out does reads otherwise";
        pair.note(RuleId::DocsOnlyChanged, (was, is, message));
    } else {
        pair.knowledge("what leaving it out does", was, is);
    }
}

/// The effect in words, as far as a client decides by it.
fn effect_text(param: &Param) -> Option<String> {
    effect(param.left_out.clone()).map(|left_out| ChangedFact::LeftOut.text(&json!(left_out)))
}

/// The limits of a value, in words.
const LIMITS: [(ChangedFact, &str); 5] = [
    (ChangedFact::Min, "the least number"),
    (ChangedFact::Max, "the greatest number"),
    (ChangedFact::MaxLength, "the greatest length"),
    (ChangedFact::MaxItems, "the greatest number of elements"),
    (ChangedFact::MinItems, "the least number of elements"),
];

fn limits(pair: &mut Pair<'_, '_>, old: &Param, new: &Param) {
    for (fact, what) in LIMITS {
        let (from, to) = (limit(old, fact), limit(new, fact));
        if from == to || differs(pair, fact) {
            continue;
        }
        let text = |limit: &Option<Value>| {
            limit.as_ref().map_or_else(|| "none".to_owned(), ToString::to_string)
        };
        let (was, is) = (text(&from), text(&to));
        let message = format!("{what} is {is}, was {was}");
        let words = (format!("{what} {was}"), format!("{what} {is}"), message);
        let rule = in_place::limit(fact, from.as_ref(), to.as_ref());
        pair.say_stated(rule, from.is_some(), words);
    }
    if old.limits.limit_from != new.limits.limit_from {
        LIMIT_FROM.tell(pair, old, new);
    }
}

/// A limit of a parameter. A required list has one element at least where nothing else is stated.
fn limit(param: &Param, fact: ChangedFact) -> Option<Value> {
    match param.fact(fact) {
        Some(State::Is(limit)) => Some(limit),
        _ => (fact == ChangedFact::MinItems)
            .then(|| u64::from(param.required == Required::Always).into()),
    }
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
        pair.say(RuleId::ParamLimitTightened, (&was, &is, &message));
    }
    if !grown {
        pair.say(RuleId::ParamLimitLoosened, (&was, &is, &message));
    }
    if kept && grown {
        pair.note(RuleId::OrderOnlyChanged, (was, is, message));
    }
}
