//! Presence by program: no operation answers, and no field holds, what that program never has.

use super::Checker;
use crate::load::LayerKind;
use crate::merge::around;
use fedispec_model::api::{Field, Item, Life, Program, Quirk, Since, State, Type};
use fedispec_model::change::{Change, ChangedFact};

impl Checker<'_, '_> {
    /// Checks a field that is always shown.
    pub(super) fn holds_what_is_there(&mut self, field: &Field) {
        if !(field.nullable || field.optional) {
            self.is_there(&field.item, &field.r#type, "type", "holds");
        }
        let id = &field.item.id;
        for (number, quirk) in field.quirks.iter().enumerate() {
            let mut programs = self.api.programs.iter().zip(&field.item.life).enumerate();
            let Some((at, (program, life))) =
                programs.find(|(_, (program, _))| program.key == quirk.program)
            else {
                continue;
            };
            let own = field.own_presence(at);
            let name = &program.name;
            // The type that was recorded for the same releases.
            let mut changes = life.changed.iter().filter(|one| one.what == ChangedFact::Type);
            let ended = changes.find(|one| Some(one.r#in) == quirk.until);
            let recorded = ended.and_then(Change::from_text);
            let is_other = ["integer", "string", "object"].contains(&&*quirk.sends)
                && recorded.as_ref().is_some_and(|from| !from.contains(&*quirk.sends));
            // What is sent was the type itself, until one of these.
            let sends =
                |text: Option<String>| text.is_some_and(|text| text.contains(&*quirk.sends));
            let mut ends = life.changed.iter().filter(|one| {
                one.what == ChangedFact::Type
                    && quirk.since.is_none_or(|since| since < one.r#in)
                    && sends(one.from_text())
                    && !sends(one.to_text())
            });
            let is_over =
                ends.clone().next().is_some() && ends.all(|one| quirk.until != Some(one.r#in));
            let mut before = field.quirks[..number].iter();
            let stands_with = |other: &Quirk| {
                let ends =
                    |quirk: &Quirk, since| quirk.until.is_some_and(|until| Some(until) <= since);
                other.program == quirk.program
                    && !ends(other, quirk.since)
                    && !ends(quirk, other.since)
            };
            // What the last releases that send so are said to hold.
            let last = match quirk.until {
                None => own,
                Some(until) => {
                    let states = field.presence_states(at).into_iter().rev();
                    let reached = |since| since < until;
                    let mut states = states.filter(|state| state.since.is_some_and(reached));
                    states.next().map(|state| state.presence)
                }
            };
            let (message, help) = match life.effective {
                Since::Never => (
                    format!("{name} never has `{id}`, and sends nothing in its place"),
                    "name another program, or remove the quirk",
                ),
                Since::Since(since) if quirk.until.is_some_and(|until| until <= since) => (
                    format!("the quirk ends before {name} has `{id}`, since {since}"),
                    "mend one of the two, or remove the quirk",
                ),
                Since::Since(since) if quirk.since.is_some_and(|begins| begins < since) => (
                    format!("the quirk begins before {name} has `{id}`, since {since}"),
                    "leave out its `since`, or mend one of the two",
                ),
                _ if outlives(quirk, life) => (
                    format!("the quirk outlives `{id}` in {name}, which removes it"),
                    "mend one of the two, or remove the quirk",
                ),
                _ if !last.is_none_or(|last| last.or(quirk.presence()) == last) => (
                    format!(
                        "{name} sends `{}` in place of `{id}`, whose `presence` says otherwise",
                        quirk.sends
                    ),
                    "mend `presence`, or write under `until` when the quirk ended",
                ),
                _ if is_other => (
                    format!(
                        "{name} sends {} before {}, where `{id}` was {}",
                        quirk.sends,
                        quirk.until.map(|until| until.to_string()).unwrap_or_default(),
                        recorded.unwrap_or_default()
                    ),
                    "mend one of the two: `sends`, or `from` of the change",
                ),
                _ if is_over => (
                    format!("the quirk does not end with the type of `{id}` that {name} sends so"),
                    "write under `until` the release of the change",
                ),
                _ if before.any(stands_with) => (
                    format!("two quirks of `{id}` hold in one release of {name}"),
                    "end the earlier one by `until` where the later one begins, or keep one",
                ),
                _ => match misfit(field, &quirk.sends) {
                    Some(misfit) => misfit,
                    None => continue,
                },
            };
            self.program = Some(program.key.as_str());
            self.value("wrong-quirk", id, "quirks", message, help);
            if is_other || is_over {
                self.with_fact(id, "changed", "the change");
            }
            self.program = None;
        }
    }

    /// Checks that every program in which the item works has its type, and has it no later.
    pub(super) fn is_there(&mut self, item: &Item, ty: &Type, key: &'static str, verb: &str) {
        let mut lacking = Vec::new();
        for (at, (program, life)) in self.api.programs.iter().zip(&item.life).enumerate() {
            let there = matches!(life.effective, Since::Since(_)) && life.removed.is_none();
            let works = life.works_since != Some(Since::Never);
            // An answer that is stated of the program alone is not of that type.
            let is_own = matches!(item.held(at, ChangedFact::Returns, None), Some(State::Is(_)));
            let named = self.comes(ty, at).filter(|_| there && works && !is_own);
            let Some((named, comes)) = named else { continue };
            let (name, key_of, id) = (&program.name, &program.key, &item.id);
            if comes == Since::Unknown && self.is_full() && self.is_looked_at(id, key_of) {
                self.has_no_since(named, name, key_of);
                continue;
            }
            let (message, help) = if comes == Since::Never {
                let help = format!(
                    "mend one of the two; where it only ever is empty, write `works_since: {{{key_of}: never}}`"
                );
                (format!("{name} has `{id}`, which {verb} what it never has"), help)
            } else if self.is_full()
                && matches!(comes, Since::Since(_))
                && comes > life.effective
                && is_alike_in_all(life)
            {
                let help = format!(
                    "mend one of the two; where it was another type, write `changed: {{{key_of}: [{{in: .., what: {key}, from: .., to: ..}}]}}`"
                );
                let since = life.effective;
                let message =
                    format!("{name} has `{id}` since {since}, which {verb} what comes in {comes}");
                (message, help)
            } else {
                continue;
            };
            // A fork lacks what its program lacks.
            let is_of =
                |(base, ..): &(&Program, _, _, _)| program.based_on.as_ref() == Some(&base.key);
            if !lacking.iter().any(is_of) {
                lacking.push((program, named, message, help));
            }
        }
        let Some(((program, named, message, help), others)) = lacking.split_first() else { return };
        let (id, key_of) = (&item.id, &program.key);
        let others: Vec<_> = others.iter().map(|(one, ..)| one.name.as_str()).collect();
        // What several programs lack is not the mistake of one of them.
        let (works, message) = if others.is_empty() {
            (self.merged.place_in(id, "works_since", key_of, self.problems), message.clone())
        } else {
            (None, format!("{message}; likewise {}", others.join(", ")))
        };
        let Some(place) = works.or_else(|| self.place(id, key)) else { return };
        self.problems.value("answer-never-there", &place, message, help);
        self.with_since(named, key_of, "it comes here");
        self.with_since(id, key_of, "its Since");
        if let Some(decided) = self.merged.disputes.place(id, &format!("since.{key_of}")) {
            self.problems.with_value(&decided, "its Since is decided here");
        }
    }

    /// Whether the supplement says since when a program has an item, or what is around it.
    fn is_looked_at(&self, id: &str, program: &str) -> bool {
        let mut said = around(id).filter_map(|id| self.merged.ids.get(id)).flatten();
        said.any(|one| {
            let since = || one.place.then("since").then(program.to_owned());
            one.kind == LayerKind::Supplement && self.problems.stands(&since())
        })
    }

    /// Reports an entity or enumeration of which nobody says since when a program has it, which has what is of it.
    fn has_no_since(&mut self, id: &str, name: &str, program: &str) {
        let code = "missing-since";
        let place = self.place(id, "since");
        if let Some(place) = place.filter(|place| !self.problems.has(code, place)) {
            let message = format!("nobody says since when {name} has `{id}`");
            let help = format!("state it, `since: {{{program}: ..}}`");
            self.problems.key(code, &place, message, help);
        }
    }

    /// The item that a type names, with its Since in a program; the first of several to come.
    fn comes<'t>(&self, ty: &'t Type, at: usize) -> Option<(&'t str, Since)> {
        match ty {
            Type::Entity(id) | Type::Enum(id) | Type::Events(id) => {
                let enumeration = self.index.enumeration(id).map(|one| &one.item);
                let item = enumeration.or_else(|| Some(&self.index.entity(id)?.item));
                let life = item.filter(|item| !item.implied).and_then(|item| item.life.get(at));
                life.map(|life| (id.as_str(), life.effective))
            }
            Type::List(inner) | Type::Map(inner) => self.comes(inner, at),
            Type::OneOf(types) => {
                let each: Option<Vec<_>> = types.iter().map(|ty| self.comes(ty, at)).collect();
                each?.into_iter().min_by_key(|(_, since)| *since)
            }
            _ => None,
        }
    }
}

/// Whether an item does in all releases what it does in the newest one, with the same type.
fn is_alike_in_all(life: &Life) -> bool {
    let mut changed = life.changed.iter().map(|change| change.what);
    let is_of_type = |what| matches!(what, ChangedFact::Type | ChangedFact::Returns);
    life.works_since.is_none() && life.stub.is_none() && !changed.any(is_of_type)
}

/// Whether a quirk begins when its field is gone, or ends later. Both may end together.
fn outlives(quirk: &Quirk, life: &Life) -> bool {
    life.removed.is_some_and(|gone| {
        quirk.since.is_some_and(|since| gone <= since)
            || quirk.until.is_some_and(|until| gone < until)
    })
}

/// Why a value of the field's type is not replaced by what a quirk sends.
fn misfit(field: &Field, sends: &str) -> Option<(String, &'static str)> {
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
