//! A parameter of an operation.

use super::super::change::{Change, Direction};
use super::super::in_place;
use super::super::pair::Pair;
use super::super::rules::RuleId;
use super::super::stretch::{is_within, stretch};
use super::fact::{
    Fact,
    Judge::{Always, By},
    Unstated::{Is, Unknown},
    compare, joined,
};
use super::held::{beside_others, differs, effect, only_program_where, texts};
use super::proof;
use super::value::value;
use fedispec_model::api::{Param, Since, State, Type};
use fedispec_model::change::{ChangedFact, plain};
use fedispec_model::condition::Condition;
use fedispec_since::text::OneOrMore;
use fedispec_since::{
    Effect, FixedError, LeftOut, Location, Refused, Required, Several, StableVersion,
    UnlistedValues, Unset,
};
use serde_json::{Value, json};

/// The facts that are reported alike, whatever their values.
const FACTS: &[Fact<Param>] = &[
    Fact::new(
        "required",
        |param| match param.required {
            Required::Unknown => None,
            Required::Always => Some("required".into()),
            Required::Never => Some("optional".into()),
            Required::Sometimes => Some("sometimes required".into()),
        },
        Unknown("whether it is required", "unknown"),
        By(|old: &Param, new| match (old.required, new.required) {
            (_, Required::Always) => Some(RuleId::ParamBecameRequired),
            (Required::Always, _) => Some(RuleId::ParamBecameOptional),
            (Required::Never, Required::Sometimes) => Some(RuleId::ParamCombinationTightened),
            (Required::Sometimes, Required::Never) => Some(RuleId::ParamCombinationLoosened),
            _ => None,
        }),
        "is {new}, was {old}",
    )
    .held(ChangedFact::Required),
    Fact::new(
        "location",
        |param| {
            let is_known = param.location != Location::Unknown;
            is_known.then(|| param.location.name().to_owned())
        },
        Unknown("where it stands", ""),
        Always(RuleId::ParamLocationChanged),
        "stands in the {new}, was in the {old}",
    ),
    Fact::new(
        "nullable",
        |param| Some(if param.nullable { "null is taken" } else { "null is refused" }.into()),
        Is(""),
        By(|_, new| {
            let [taken, refused] = [RuleId::ParamBecameNullable, RuleId::ParamBecameNotNullable];
            Some(if new.nullable { taken } else { refused })
        }),
        "{new}",
    ),
    Fact::new(
        "default",
        |param: &Param| param.default.as_ref().map(ToString::to_string),
        Is("none"),
        Always(RuleId::ParamDefaultChanged),
        "its default is {new}, was {old}",
    )
    .unless(|pair, old, new| {
        let text = |param: &Param| Some(plain(param.default.as_ref()?));
        // A parameter that becomes required loses its default; a value of another type may read the same on the wire.
        let becomes_required = is_always(new) && !is_always(old);
        let follows = becomes_required || text(old) == text(new);
        follows || differs(pair, ChangedFact::Default)
    }),
    Fact::new(
        "words",
        // A parameter without words has the type of a plain text, which is a fact too.
        |param: &Param| Some(param.words.clone().unwrap_or_else(|| "no enumeration".into())),
        Is(""),
        Always(RuleId::WordsChanged),
        "its text understands the words of {new}, was {old}",
    )
    .unless(|pair, old, new| old.words.as_ref().map(|id| pair.context.now(id)) == new.words),
];

/// When it is required, which is said of all programs that demand it then.
const REQUIRED_WHEN: Fact<Param> = Fact::new(
    "required_when",
    |param| param.required_when.as_ref().map(Condition::requirement),
    Is("without a condition."),
    By(|old: &Param, new| {
        // What stands in words may ask for more as well.
        Some(if old.required == new.required {
            RuleId::ParamConditionChanged
        } else {
            RuleId::DocsOnlyChanged
        })
    }),
    "when it is required is said otherwise: {new} It was: {old}",
)
// A parameter that no program requires at times has no condition; the change of `required` says so.
.unless(|_, old, new| is_sometimes(old) && !is_sometimes(new));

/// The facts that each program has by itself.
const UNLISTED: Fact<Option<UnlistedValues>> = Fact::new(
    "unlisted_values",
    |way| Some(way.as_ref()?.name().to_owned()),
    Is("ignored where it only reads, refused where it writes"),
    Always(RuleId::UnlistedValuesChanged),
    "values that are not listed: {new}, was {old}",
);
// How programs take several values decides how a client sends them.
const SEVERAL: Fact<Option<Several>> = Fact::<Option<Several>>::new(
    "several",
    |way| {
        let way = way.as_ref()?;
        let forms = [("in lines", way.lines), ("as a list", way.list)].into_iter();
        joined(forms.filter_map(|(form, since)| Some(format!("{form} since {}", since?))), ", ")
    },
    Is("one value"),
    Always(RuleId::SeveralChanged),
    "several values are taken so: {new}; was {old}",
)
// A form that comes to one that stays is shown with it.
.apart(|old, new| {
    let [was, is] = [old, new].map(|one| one.unwrap_or_default());
    let differing = |one: Several| Several {
        lines: one.lines.filter(|_| was.lines != is.lines),
        list: one.list.filter(|_| was.list != is.list),
    };
    let parts = [was, is].map(differing);
    let is_moved = parts.iter().all(|one| *one != Several::default());
    if is_moved { parts.map(Some) } else { [*old, *new] }
})
.holding_in(|way| {
    let Several { lines, list } = (*way)?;
    Some((Some(lines.into_iter().chain(list).min()?), None))
});
const MISSING: Fact<Option<OneOrMore<FixedError>>> = Fact::<Option<OneOrMore<FixedError>>>::new(
    "missing",
    |answers| {
        let answers = answers.iter().flat_map(|answers| &answers.0);
        let words = answers.map(|FixedError { status, text, since, until }| {
            format!("{status} {text:?}{}", stretch(*since, *until))
        });
        joined(words, ", ")
    },
    Unknown("how it is answered without it", "nothing"),
    // Other words alone are what a server says that emulates the program.
    By(|old, new| {
        let [Some(old), Some(new)] = [old, new].map(Option::as_ref) else { return None };
        let at = |answers: &OneOrMore<FixedError>, release: Option<StableVersion>| {
            let mut answers = answers.0.iter();
            let holds = |one: &&FixedError| {
                one.since <= release && one.until.is_none_or(|until| release < Some(until))
            };
            answers.find(holds).map(|one| one.status)
        };
        let all = old.0.iter().chain(&new.0);
        let mut releases = all.flat_map(|one| [one.since, one.until.or(one.since)]);
        let differs = |release| {
            let both = at(old, release).zip(at(new, release));
            both.is_some_and(|(was, is)| was != is)
        };
        let [words, status] = [RuleId::EmulationChanged, RuleId::ErrorStatusChanged];
        Some(if releases.any(differs) { status } else { words })
    }),
    "without it is answered {new}, was {old}",
)
.apart(|old, new| {
    let [old, new] =
        [old, new].map(|answers| answers.iter().flat_map(|all| &all.0).collect::<Vec<_>>());
    let beside = |one: &[&FixedError], other: &[&FixedError]| {
        let differing = one.iter().filter(|answer| !other.contains(answer));
        Some(OneOrMore(differing.map(|answer| (*answer).clone()).collect()))
    };
    [beside(&old, &new), beside(&new, &old)]
});
const REFUSED: Fact<Option<Refused>> = Fact::<Option<Refused>>::new(
    "refused",
    |refused| {
        let refused = refused.as_ref()?;
        Some(format!("{}{}", refused.status, stretch(Some(refused.since), refused.until)))
    },
    Is("no error"),
    By(|old, new| {
        let [Some(old), Some(new)] = [old, new] else {
            let [came, went] = [RuleId::RefusalAdded, RuleId::RefusalWithdrawn];
            return Some(if new.is_some() { came } else { went });
        };
        Some(match is_within((Some(new.since), new.until), (Some(old.since), old.until)) {
            _ if (old.since, old.until) == (new.since, new.until) => RuleId::ErrorStatusChanged,
            true => RuleId::RefusalWithdrawn,
            false => RuleId::RefusalAdded,
        })
    }),
    "is answered {new}, was {old}",
)
.holding_in(|refused| refused.as_ref().map(|refused| (Some(refused.since), refused.until)));

const UNSET: Fact<Param> = Fact::<Param>::new(
    "unset",
    |param| {
        Some(match param.unset? {
            Unset::Keep => "kept".into(),
            Unset::Reset => "reset".into(),
        })
    },
    Is("not told"),
    Always(RuleId::UnsetChanged),
    "where it is not set it is {new}, was {old}",
)
.held(ChangedFact::Unset);

/// The field of the instance that tells its limit, one of its limits.
const LIMIT_FROM: Fact<Param> = Fact::new(
    "limit_from",
    |param| param.limits.limit_from.clone(),
    Is("nothing"),
    Always(RuleId::LimitFromChanged),
    "{new} tells its limit, was {old}",
);

pub(super) fn param(pair: &mut Pair<'_, '_>, old: &Param, new: &Param) {
    value(pair, Direction::Request, old.into(), new.into());
    compare(pair, FACTS, old, new);
    pair.program = only_program_where(pair, ChangedFact::Required, &json!(Required::Sometimes));
    REQUIRED_WHEN.compare(pair, old, new);
    pair.program = None;
    // Only an enumeration has values that it does not list.
    let is_another =
        |said: &Change| matches!(said.rule, RuleId::StringBecameEnum | RuleId::EnumBecameString);
    if pair.out.iter().any(is_another) {
        pair.keys.claim("unlisted_values");
    }
    UNLISTED.compare_each(pair, &old.unlisted_values, &new.unlisted_values);
    // A type that takes no list any more, or takes one now, is a finding of its own.
    if takes_list(old) != takes_list(new) {
        pair.keys.claim("several");
    }
    SEVERAL.compare_each(pair, &old.several, &new.several);
    MISSING.compare_each(pair, &old.missing, &new.missing);
    // It is refused until it works.
    let works =
        |param: &Param| param.item.life.iter().map(|life| life.works_since).collect::<Vec<_>>();
    let is_alike = works(old) == works(new);
    let [was, is] = [old, new].map(|param| {
        let mut refused = param.refused.clone();
        for (one, life) in refused.iter_mut().zip(&param.item.life).filter(|_| is_alike) {
            let works = life.works_since.and_then(Since::version);
            if let Some(one) = one {
                let works = works.filter(|works| *works > one.since);
                one.until = one.until.into_iter().chain(works).min();
            }
        }
        refused
    });
    REFUSED.compare_each(pair, &was, &is);
    // A parameter that is always sent is never unset or left out; the change of `required` says so.
    if is_always(old) != is_always(new) {
        pair.keys.claim_all(&["unset", "left_out", "left_out_evidence"]);
    }
    UNSET.compare(pair, old, new);
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

fn is_always(param: &Param) -> bool {
    param.required == Required::Always
}

/// Whether some program demands it at times.
fn is_sometimes(param: &Param) -> bool {
    let sometimes = State::Is(json!(Required::Sometimes));
    let mut programs = 0..param.item.life.len();
    programs.any(|program| param.state(program, ChangedFact::Required) == sometimes)
}

/// Whether one parameter takes a list of values.
fn takes_list(param: &Param) -> bool {
    matches!(&param.r#type, Type::OneOf(types) if types.iter().any(|one| matches!(one, Type::List(_))))
}

/// Compares the effect of leaving a parameter out and the values that mean the same as leaving it out: a client decides by
/// them which calls it refuses.
fn left_out(pair: &mut Pair<'_, '_>, old: &Param, new: &Param) {
    if differs(pair, ChangedFact::LeftOut) {
        return;
    }
    let [was, is] = [old, new].map(|param| {
        param.left_out.as_ref().map(|left_out| ChangedFact::LeftOut.text(&json!(left_out)))
    });
    pair.program = beside_others(pair, ChangedFact::LeftOut);
    let effects = [old, new].map(|param| effect(param.left_out.clone()));
    // A client sends a call whose effect is unknown, as it sends a harmless one.
    let is_free = |effect: &Option<LeftOut>| {
        effect.as_ref().is_none_or(|left_out| left_out.effect == Effect::Harmless)
    };
    if effects[0] != effects[1] && !effects.iter().all(is_free) {
        let stated = was.is_some();
        let [was, is] = [was, is].map(|text| text.unwrap_or_else(|| "unknown".into()));
        let both = [old, new].map(|param| {
            param.left_out.as_ref().map_or(State::Unknown, |one| State::Is(json!(one)))
        });
        let message = match texts(ChangedFact::LeftOut, &both, [false; 2]) {
            [before, after] if !both.contains(&State::Unknown) => {
                format!("left out: {after}; was {before}")
            }
            _ => format!("left out: {is}; was {was}"),
        };
        pair.say_stated(RuleId::LeftOutChanged, stated, (was, is, message));
    } else if let (Some(was), Some(is)) = (&was, &is)
        && old.left_out != new.left_out
    {
        let message = "what leaving it out does reads otherwise";
        pair.note(RuleId::DocsOnlyChanged, (was, is, message));
    } else {
        pair.knowledge("what leaving it out does", was, is);
    }
    pair.program = None;
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
    let from = old.limits.limit_from.as_ref().map(|id| pair.context.now(id));
    if from != new.limits.limit_from {
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
