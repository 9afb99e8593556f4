//! Quirks: what a program sends in place of a field's value, in releases that have the field and say nothing else of it.

use super::Checker;
use fedispec_model::api::{Field, Life, Quirk, Since, Type};
use fedispec_model::change::{Change, ChangedFact};
use fedispec_since::Presence;

/// What is wrong with a quirk, and what to do.
type Wrong = (String, &'static str);

impl Checker<'_, '_> {
    pub(super) fn quirks_are_sound(&mut self, field: &Field) {
        let id = &field.item.id;
        for (number, quirk) in field.quirks.iter().enumerate() {
            let mut programs = self.api.programs.iter().zip(&field.item.life).enumerate();
            let Some((at, (program, life))) =
                programs.find(|(_, (program, _))| program.key == quirk.program)
            else {
                continue;
            };
            let name = &program.name;
            let of_itself = out_of_life(quirk, life, (id, name))
                .or_else(|| against_presence(quirk, field, at, name));
            let by_change = match of_itself {
                None => against_type(quirk, life, (id, name)),
                Some(_) => None,
            };
            let is_by_change = by_change.is_some();
            let mut before = field.quirks[..number].iter();
            let is_second = before.any(|other| hold_together(other, quirk));
            let twice = is_second.then(|| {
                (
                    format!("two quirks of `{id}` hold in one release of {name}"),
                    "end the earlier one by `until` where the later one begins, or keep one",
                )
            });
            let wrong = of_itself.or(by_change).or(twice);
            let Some((message, help)) = wrong.or_else(|| misfit(field, &quirk.sends)) else {
                continue;
            };
            self.program = Some(program.key.as_str());
            self.value("wrong-quirk", id, "quirks", message, help);
            if is_by_change {
                self.with_fact(id, "changed", "the change");
            }
            self.program = None;
        }
    }
}

/// Whether two quirks of a program hold in one release.
fn hold_together(one: &Quirk, other: &Quirk) -> bool {
    let ends = |quirk: &Quirk, since| quirk.until.is_some_and(|until| Some(until) <= since);
    one.program == other.program && !ends(one, other.since) && !ends(other, one.since)
}

/// A quirk in releases that are without the field.
fn out_of_life(quirk: &Quirk, life: &Life, (id, name): (&str, &str)) -> Option<Wrong> {
    let mend = "mend one of the two, or remove the quirk";
    match life.effective {
        Since::Never => Some((
            format!("{name} never has `{id}`, and sends nothing in its place"),
            "name another program, or remove the quirk",
        )),
        Since::Since(since) if quirk.until.is_some_and(|until| until <= since) => {
            Some((format!("the quirk ends before {name} has `{id}`, since {since}"), mend))
        }
        Since::Since(since) if quirk.since.is_some_and(|begins| begins < since) => Some((
            format!("the quirk begins before {name} has `{id}`, since {since}"),
            "leave out its `since`, or mend one of the two",
        )),
        _ if outlives(quirk, life) => {
            Some((format!("the quirk outlives `{id}` in {name}, which removes it"), mend))
        }
        _ => None,
    }
}

/// Whether a quirk begins when its field is gone, or ends later. Both may end together.
fn outlives(quirk: &Quirk, life: &Life) -> bool {
    life.removed.is_some_and(|gone| {
        quirk.since.is_some_and(|since| gone <= since)
            || quirk.until.is_some_and(|until| gone < until)
    })
}

/// A null or an absence that the last releases which send so are not said to have.
fn against_presence(quirk: &Quirk, field: &Field, at: usize, name: &str) -> Option<Wrong> {
    let last: Presence = match quirk.until {
        None => field.own_presence(at)?,
        Some(until) => {
            let mut states = field.presence_states(at).into_iter().rev();
            states.find(|state| state.since.is_some_and(|since| since < until))?.presence
        }
    };
    let (id, sends) = (&field.item.id, &quirk.sends);
    (last.or(quirk.presence()) != last).then(|| {
        (
            format!("{name} sends `{sends}` in place of `{id}`, whose `presence` says otherwise"),
            "mend `presence`, or write under `until` when the quirk ended",
        )
    })
}

/// What is sent, where a change says that the type was that until a release, or was another.
fn against_type(quirk: &Quirk, life: &Life, (id, name): (&str, &str)) -> Option<Wrong> {
    let sends = &*quirk.sends;
    let is_sent = |text: &Option<String>| text.as_ref().is_some_and(|text| text.contains(sends));
    let changes = || life.changed.iter().filter(|one| one.what == ChangedFact::Type);
    let last = changes().find(|one| Some(one.r#in) == quirk.until);
    let was = last.and_then(Change::from_text);
    let is_type = ["integer", "string", "object"].contains(&sends);
    if let (Some(until), Some(was)) = (quirk.until, &was)
        && is_type
        && !was.contains(sends)
    {
        return Some((
            format!("{name} sends {sends} before {until}, where `{id}` was {was}"),
            "mend one of the two: `sends`, or `from` of the change",
        ));
    }
    let mut ends = changes().filter(|one| {
        let is_later = quirk.since.is_none_or(|since| since < one.r#in);
        is_later && is_sent(&one.from_text()) && !is_sent(&one.to_text())
    });
    (ends.clone().next().is_some() && ends.all(|one| quirk.until != Some(one.r#in))).then(|| {
        (
            format!("the quirk does not end with the type of `{id}` that {name} sends so"),
            "write under `until` the release of the change",
        )
    })
}

/// Why a value of the field's type is not replaced by what a quirk sends.
fn misfit(field: &Field, sends: &str) -> Option<Wrong> {
    let (id, ty) = (&field.item.id, &field.r#type);
    let is_number = matches!(ty, Type::Integer | Type::Number | Type::Boolean);
    let is_itself = match sends {
        "integer" => matches!(ty, Type::Integer | Type::Number),
        "string" => matches!(ty, Type::String | Type::Timestamp | Type::Enum(_)),
        "object" => matches!(ty, Type::Entity(_)),
        _ => false,
    };
    Some(match sends {
        _ if is_itself => (
            format!("`{id}` holds that anyway: it is no quirk"),
            "write what is sent in its place, or remove the quirk",
        ),
        "zero" if !is_number => (
            format!("`{id}` is no number and no boolean, which `zero` stands for"),
            "write what is sent in its place, as `empty_string`, or mend the type",
        ),
        "empty_object" if ty.is_plain() => (
            format!("`{id}` is no object, in whose place an empty one stands"),
            "write what is sent in its place, as `empty_string`, or mend the type",
        ),
        "unwrapped" if ty.is_plain() => (
            format!("`{id}` holds nothing that would be sent without it"),
            "write what is sent in its place, or mend the type",
        ),
        _ => return None,
    })
}
