//! What leaving a parameter out does, in the item table.

use std::fmt::Write as _;

use super::stamp::arguments;
use fedispec_model::api::{Class, LeftOut, LeftOutEffect, Param, Refused, SafeValues, Unset};

/// `.left_out(&LeftOut::changes_meaning("the status is posted at once"))` of a row, or nothing.
pub(super) fn row(param: &Param) -> String {
    if param.left_out.is_none() && param.unset.is_none() && param.refused.is_empty() {
        return String::new();
    }
    let mut text = match &param.left_out {
        None => "LeftOut::UNCLASSED".to_owned(),
        Some(left_out) => stated(left_out),
    };
    text += match param.unset {
        None => "",
        Some(Unset::Keep) => ".kept()",
        Some(Unset::Reset) => ".reset()",
    };
    if !param.refused.is_empty() {
        let refused: Vec<_> = { param.refused.iter() }
            .map(|one| refusal(one.as_ref()))
            .collect();
        _ = write!(text, ".refused(&[{}])", refused.join(", "));
    }
    let inferred: Vec<_> = inferred(param).map(|program| program.to_string()).collect();
    if !inferred.is_empty() {
        _ = write!(text, ".inferred(&[{}])", inferred.join(", "));
    }
    match &*text {
        "LeftOut::HARMLESS" => ".harmless()".to_owned(),
        text => format!(".left_out(&{text})"),
    }
}

fn stated(left_out: &LeftOut) -> String {
    let so = left_out.so.as_deref().unwrap_or_default();
    let mut text = match left_out.effect {
        LeftOutEffect::Harmless => "LeftOut::HARMLESS".to_owned(),
        LeftOutEffect::ChangesMeaning => format!("LeftOut::changes_meaning({so:?})"),
        LeftOutEffect::Fails => format!("LeftOut::fails({so:?})"),
    };
    if !left_out.safe.is_empty() {
        let lists = left_out.safe.iter().map(|safe| match safe {
            SafeValues::Any => "SafeValues::Any".to_owned(),
            SafeValues::Only(values) => format!("SafeValues::Only(&{values:?})"),
        });
        let lists: Vec<_> = lists.collect();
        _ = write!(text, ".safe(&[{}])", lists.join(", "));
    }
    text
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
