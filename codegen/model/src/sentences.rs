//! Sentences about facts, for documentation and pages. What stands between backticks is code.

use fedispec_since::{Effect, LeftOut, SafeValues, UnlistedValues, Unset};
use serde_json::Value;

use crate::api::{Entity, Field, Item, Operation, Param, Program, Since, State};
use crate::change::ChangedFact;

/// A part of a sentence as the beginning of one.
pub fn capitalised(part: &str) -> String {
    let mut rest = part.chars();
    let first = rest.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + rest.as_str()
}

/// Code between backticks.
pub fn code(text: &str) -> String {
    format!("`{}`", text.replace('`', "'"))
}

/// The meaning of a field's absence: `Absent before Mastodon 2.4.0, which means false.`
pub fn absence(programs: &[Program], entity: &Entity, field: &Field) -> Option<String> {
    let means = field.absent_means.as_ref()?;
    let value = match &means.value {
        Value::String(text) if !text.is_empty() => code(text),
        value => code(&value.to_string()),
    };
    let lives = programs.iter();
    let lives = lives.zip(field.item.life.iter().zip(&entity.item.life));
    let lacking = lives.filter_map(|(program, (field, entity))| {
        let name = &program.name;
        match (field.effective, entity.effective) {
            (Since::Since(field), Since::Since(entity)) if field > entity => {
                Some(format!("before {name} {field}"))
            }
            (Since::Never, Since::Since(_)) => Some(format!("in {name}")),
            _ => None,
        }
    });
    let lacking: Vec<_> = lacking.collect();
    let lacking = lacking.join(" and ");
    let sentence = match (means.omitted, lacking.is_empty()) {
        (true, true) => format!("Left out where it is {value}."),
        (true, false) => {
            format!("Left out where it is {value}; absent {lacking}, which means the same.")
        }
        (false, true) => format!("Its absence means {value}."),
        (false, false) => format!("Absent {lacking}, which means {value}."),
    };
    Some(if means.or_null { format!("{sentence} Null means the same.") } else { sentence })
}

/// The facts of an item that programs differ in: ``In Mastodon: default `20`, at most 40. In GoToSocial: default `30`, no maximum.``
pub fn held(programs: &[Program], item: &Item) -> Option<String> {
    let lives = programs.iter().zip(&item.life);
    let told = lives.filter_map(|(program, life)| {
        let facts = life.facts.iter();
        let words = facts.filter_map(|(what, held)| held_words(*what, &held.state));
        let words: Vec<_> = words.collect();
        (!words.is_empty()).then(|| format!("In {}: {}.", program.name, words.join(", ")))
    });
    let told: Vec<_> = told.collect();
    (!told.is_empty()).then(|| told.join(" "))
}

/// A fact of a program or a release in words; `None` where it is unknown, and for the effect of leaving a parameter out.
pub fn held_words(what: ChangedFact, state: &State) -> Option<String> {
    use ChangedFact as F;
    let value = match state {
        State::Unknown => return None,
        State::None => None,
        State::Is(value) => Some(value),
    };
    let unit = match what {
        F::MaxLength => " characters",
        F::MinItems | F::MaxItems => " elements",
        _ => "",
    };
    Some(match (what, value) {
        (F::Required, Some(value)) => match value.as_str() {
            Some("always") => "required".into(),
            Some("sometimes") => "sometimes required".into(),
            _ => "not required".into(),
        },
        // A sentence of its own tells it.
        (F::LeftOut, _) => return None,
        (F::Unset, Some(value)) if value == "keep" => "an update without it keeps it".into(),
        (F::Unset, Some(_)) => "an update without it resets it".into(),
        (F::Success, Some(value)) => format!("success {}", what.text(value)),
        (F::Default, Some(value)) => format!("default {}", code(&value.to_string())),
        (F::Default, None) => "no default".into(),
        (F::Min | F::MinItems, Some(value)) => format!("at least {value}{unit}"),
        (F::Max | F::MaxLength | F::MaxItems, Some(value)) => format!("at most {value}{unit}"),
        (F::Min, None) => "no minimum".into(),
        (F::Max, None) => "no maximum".into(),
        (F::MaxLength | F::MinItems | F::MaxItems, None) => format!("any number of{unit}"),
        (what, value) => {
            let value = value.map_or_else(|| "none".into(), |value| what.text(value));
            format!("{what} {}", code(&value))
        }
    })
}

/// The presence of a field in each program that differs from the others: `GoToSocial may leave it out.`
pub fn presence_by_program(programs: &[Program], field: &Field) -> Option<String> {
    let programs = programs.iter().enumerate();
    let sentences = programs.filter_map(|(place, program)| {
        let own = field.own_presence(place)?;
        let does = match (own.optional, own.nullable) {
            _ if own == field.common_presence() => return None,
            (false, false) => "always sends it",
            (true, false) => "may leave it out",
            (false, true) => "may send null",
            (true, true) => "may leave it out or send null",
        };
        Some(format!("{} {does}.", program.name))
    });
    let sentences: Vec<_> = sentences.collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// Says what happens without a parameter, and which releases refuse it.
pub fn without(programs: &[Program], param: &Param) -> Vec<String> {
    let unset = (param.unset == Some(Unset::Reset)).then(|| {
        let so = param.left_out.as_ref().and_then(|left_out| left_out.so.as_deref());
        let differs =
            param.item.life.iter().any(|life| life.facts.contains_key(&ChangedFact::Unset));
        let server = if differs { "Some servers reset" } else { "The server resets" };
        match so {
            Some(so) => format!("{server} it where it is not set: {so}."),
            None => format!("{server} it where it is not set."),
        }
    });
    let refused = param.refused.iter().zip(programs).filter_map(|(refused, program)| {
        let refused = refused.as_ref()?;
        let until = refused.until;
        let until = until.map(|until| format!(" and before {until}"));
        let (name, since) = (&program.name, refused.since);
        Some(format!(
            "{name} answers {} to it since {since}{}.",
            code(&refused.status.to_string()),
            until.unwrap_or_default()
        ))
    });
    // The sentence about the reset says what happens; it need not be said twice.
    let lost = if unset.is_none() { lost(programs, param) } else { Vec::new() };
    lost.into_iter().chain(unset).chain(refused).chain(keeps(param)).collect()
}

/// Says what is lost without a parameter, program by program where they differ.
fn lost(programs: &[Program], param: &Param) -> Vec<String> {
    let words = |of: &str, left_out: &LeftOut| {
        let so = left_out.so.as_deref()?;
        match left_out.effect {
            Effect::Harmless => None,
            Effect::ChangesMeaning => Some(format!("On a server{of} that lacks it, {so}.")),
            Effect::Fails => Some(format!("Without it, {so}{}.", of.replace(" of ", " in "))),
        }
    };
    let common = param.left_out.as_ref().and_then(|left_out| words("", left_out));
    let own = each_left_out(programs, param);
    if own.iter().all(|(_, left_out)| words("", left_out) == common) {
        return common.into_iter().collect();
    }
    let own = own.iter();
    own.filter_map(|(program, left_out)| words(&format!(" of {}", program.name), left_out))
        .collect()
}

/// The effect of leaving a parameter out in each program that has it or says something of it.
fn each_left_out<'p>(programs: &'p [Program], param: &Param) -> Vec<(&'p Program, LeftOut)> {
    let places = programs.iter().zip(&param.item.life).enumerate();
    let having = places.filter(|(_, (_, life))| {
        life.effective != Since::Never || life.facts.contains_key(&ChangedFact::LeftOut)
    });
    having
        .filter_map(|(place, (program, _))| {
            Some((program, param.state(place, ChangedFact::LeftOut).read()?))
        })
        .collect()
}

/// Says that an update without a parameter keeps it. A reset is told together with what happens then.
pub fn keeps(param: &Param) -> Option<String> {
    (param.unset == Some(Unset::Keep)).then(|| "An update without it keeps it.".to_owned())
}

/// The values of a parameter that mean the same as none: ``To a server that lacks it, `false` is the same as nothing.``
pub fn safe_values(programs: &[Program], param: &Param) -> Option<String> {
    let each_left_out = each_left_out(programs, param);
    let having = || each_left_out.iter().map(|(program, left_out)| (program, &left_out.safe));
    let words = |values: &SafeValues| match values {
        SafeValues::Any => Some("any value".to_owned()),
        SafeValues::Only(values) if values.is_empty() => None,
        SafeValues::Only(values) => {
            let values = values.iter().map(|value| match value.as_str() {
                "" => "an empty value".to_owned(),
                value => code(value),
            });
            Some(values.collect::<Vec<_>>().join(" or "))
        }
    };
    let mut each = having();
    let first = each.next()?.1;
    let told: Vec<String> = if each.all(|(_, values)| values == first) {
        words(first).into_iter().collect()
    } else {
        let each = having().filter_map(|(program, values)| {
            Some(format!("{} in {}", words(values)?, program.name))
        });
        each.collect()
    };
    (!told.is_empty()).then(|| {
        format!("To a server that lacks it, {} is the same as nothing.", told.join(", or "))
    })
}

/// Says what programs do with values that they do not know, where that is their own way: `GoToSocial refuses other values.`
pub fn unlisted_values(programs: &[Program], param: &Param) -> Option<String> {
    let ways = programs.iter().zip(&param.unlisted_values);
    let told = ways.filter_map(|(program, way)| {
        let does = match (*way)? {
            UnlistedValues::Ignored => "ignores",
            UnlistedValues::Refused => "refuses",
        };
        Some(format!("{} {does} other values.", program.name))
    });
    let told: Vec<_> = told.collect();
    (!told.is_empty()).then(|| told.join(" "))
}

/// The other methods of an operation's path that do the same: ``In Mastodon `PATCH` does the same.``
pub fn twins(programs: &[Program], operation: &Operation) -> Option<String> {
    let twins = operation.also.iter().map(|twin| {
        let mut known = programs.iter().filter(|known| known.key == twin.program);
        let name = known.next().map_or(&twin.program, |known| &known.name);
        format!("In {name} {} does the same.", code(&twin.method))
    });
    let twins: Vec<_> = twins.collect();
    (!twins.is_empty()).then(|| twins.join(" "))
}

#[cfg(test)]
mod tests {
    use super::capitalised;

    #[test]
    fn a_part_becomes_the_beginning_of_a_sentence() {
        assert_eq!(capitalised("at most 80."), "At most 80.");
        assert_eq!(capitalised(""), "");
    }
}
