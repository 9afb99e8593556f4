//! What leaving a parameter out does, in the item table.

use std::fmt::Write as _;

use super::stamp::arguments;
use fedispec_model::api::{Class, LeftOut, LeftOutEffect, Param, Refused, SafeValues, Unset};

/// `.changes_meaning("the status is posted at once").kept()` of a row, or nothing.
pub(super) fn row(param: &Param) -> String {
    let mut text = param.left_out.as_ref().map_or_else(String::new, effect);
    text += match param.unset {
        None => "",
        Some(Unset::Keep) => ".kept()",
        Some(Unset::Reset) => ".reset()",
    };
    // Programs whose versions are inferred matter where something is said.
    if !text.is_empty() || !param.refused.is_empty() {
        text += &exceptions(param);
    }
    text
}

fn effect(left_out: &LeftOut) -> String {
    let so = left_out.so.as_deref().unwrap_or_default();
    match left_out.effect {
        LeftOutEffect::Harmless => ".harmless()".to_owned(),
        LeftOutEffect::ChangesMeaning => format!(".changes_meaning({so:?})"),
        LeftOutEffect::Fails => format!(".fails({so:?})"),
    }
}

/// `.except(&Exceptions::NONE.safe(&[SafeValues::Any]))`, or nothing.
fn exceptions(param: &Param) -> String {
    let mut text = String::new();
    let safe = param.left_out.iter().flat_map(|left_out| &left_out.safe);
    let safe: Vec<_> = safe
        .map(|safe| match safe {
            SafeValues::Any => "SafeValues::Any".to_owned(),
            SafeValues::Only(values) => format!("SafeValues::Only(&{values:?})"),
        })
        .collect();
    let refused: Vec<_> = { param.refused.iter() }
        .map(|one| refusal(one.as_ref()))
        .collect();
    let inferred: Vec<_> = inferred(param).map(|program| program.to_string()).collect();
    for (name, list) in [("safe", safe), ("refused", refused), ("inferred", inferred)] {
        if !list.is_empty() {
            _ = write!(text, ".{name}(&[{}])", list.join(", "));
        }
    }
    if text.is_empty() {
        return text;
    }
    format!(".except(&Exceptions::NONE{text})")
}

fn refusal(refused: Option<&Refused>) -> String {
    let Some(refused) = refused else {
        return "(0, Life::NEVER)".into();
    };
    let mut life = format!("Life::since({})", arguments(refused.since));
    if let Some(until) = refused.until {
        _ = write!(life, ".removed({})", arguments(until));
    }
    format!("({}, {life})", refused.status)
}

/// The programs, by their place, whose versions are documented or inferred and not seen.
fn inferred(param: &Param) -> impl Iterator<Item = usize> {
    let lives = param.item.life.iter().enumerate();
    lives.filter_map(|(program, life)| {
        let class = life.evidence.as_ref()?.class;
        matches!(class, Class::C | Class::D).then_some(program)
    })
}
