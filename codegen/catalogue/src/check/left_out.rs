//! What leaving a parameter out does: the statements fit the parameter, and say what a caller has to know.

use std::collections::HashMap;

use crate::merge::Merged;
use crate::problems::Problems;
use fedispec_model::api::{
    Api, Enumeration, LeftOut, LeftOutEffect, Operation, Param, Required, SafeValues, Type,
};
use fedispec_model::suggest::did_you_mean;

pub(super) fn check<'a>(api: &Api, merged: &Merged<'a>, problems: &mut Problems<'a>) {
    let enums = api.enums.iter().map(|one| (one.item.id.as_str(), one));
    let enums: HashMap<&str, &Enumeration> = enums.collect();
    for operation in &api.operations {
        for param in &operation.params {
            let mut say = |key, message: String, help: String| {
                if let Some(place) = merged.place_of(&param.item.id, &[key], problems) {
                    let problem = problems.key("wrong-left-out", &place, message);
                    problems.push(problem.help(help));
                }
            };
            if let Some(left_out) = &param.left_out {
                stated(param, left_out, &mut say);
                values(param, left_out, &enums, &mut say);
            }
            updates(operation, param, &mut say);
            refusals(param, &mut say);
        }
    }
}

type Say<'s> = dyn FnMut(&'static str, String, String) + 's;

/// What is needed is there, and nothing is said of what cannot be left out.
fn stated(param: &Param, left_out: &LeftOut, say: &mut Say<'_>) {
    let id = &param.item.id;
    if param.required == Required::Always {
        let message = format!("`{id}` is always required and is never left out");
        say("left_out", message, "remove `left_out`".into());
    }
    let effect = left_out.effect;
    if effect == LeftOutEffect::Harmless {
        if !left_out.safe.is_empty() {
            let message = format!("leaving out `{id}` is harmless, so that every value is safe");
            say("left_out", message, "remove `safe`, or write another `effect`".into());
        }
    } else if left_out.so.as_deref().is_none_or(|so| so.trim().is_empty()) {
        let message = format!("nobody says what happens without `{id}`");
        let help = format!(
            "say it in a clause: `left_out: {{effect: {}, so: the status is posted at once}}`",
            effect.name()
        );
        say("left_out", message, help);
    } else if left_out.so.as_deref().is_some_and(|so| so.ends_with('.')) {
        let message = format!("what happens without `{id}` is a clause of a longer sentence");
        say("left_out", message, "remove the full stop".into());
    }
}

/// Safe values are values that the parameter can have.
fn values(
    param: &Param,
    left_out: &LeftOut,
    enums: &HashMap<&str, &Enumeration>,
    say: &mut Say<'_>,
) {
    let lists = left_out.safe.iter().filter_map(|safe| match safe {
        SafeValues::Any => None,
        SafeValues::Only(values) => Some(values),
    });
    let mut told = Vec::new();
    for value in lists.flatten() {
        if told.contains(&value) {
            continue;
        }
        told.push(value);
        let help = match element(&param.r#type) {
            Type::Boolean if !matches!(value.as_str(), "true" | "false") => {
                "a switch has the values \"true\" and \"false\"".into()
            }
            Type::Integer | Type::Number if value.parse::<f64>().is_err() => {
                "write a number in quotes".into()
            }
            Type::Enum(id) => match enums.get(id.as_str()) {
                Some(one) if one.values.iter().all(|known| known.wire != *value) => {
                    let known = one.values.iter().map(|known| known.wire.as_str());
                    did_you_mean(value, known, &format!("write a value of `{id}`"))
                }
                _ => continue,
            },
            _ => continue,
        };
        let message = format!("`{value}` is no value of `{}`", param.item.id);
        say("left_out", message, help);
    }
}

fn element(ty: &Type) -> &Type {
    match ty {
        Type::List(inner) => element(inner),
        ty => ty,
    }
}

/// Only what a request changes can be kept or reset.
fn updates(operation: &Operation, param: &Param, say: &mut Say<'_>) {
    let reads = operation
        .route
        .as_ref()
        .is_some_and(|route| matches!(route.method.as_str(), "GET" | "HEAD"));
    if param.unset.is_some() && reads {
        let id = &param.item.id;
        let message = format!("`{id}` belongs to a request that changes nothing");
        say("unset", message, "remove `unset`".into());
    }
}

fn refusals(param: &Param, say: &mut Say<'_>) {
    for refused in param.refused.iter().flatten() {
        let id = &param.item.id;
        if !(400..600).contains(&refused.status) {
            let message = format!("{} refuses nothing of `{id}`", refused.status);
            say("refused", message, "write the status of an error: 400 to 599".into());
        }
        if refused.until.is_some_and(|until| until <= refused.since) {
            let message = format!("the refusal of `{id}` ends before it begins");
            say("refused", message, "`until` is the first release that takes it again".into());
        }
    }
}
