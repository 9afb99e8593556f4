//! Presence by program: no operation answers, and no field holds, what that program never has.

use super::Checker;
use fedispec_model::api::{Field, Item, Quirk, Since, State, Type};
use fedispec_model::change::ChangedFact;

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
            let is_number = matches!(field.r#type, Type::Integer | Type::Number | Type::Boolean);
            let is_itself = match &*quirk.sends {
                "integer" => matches!(field.r#type, Type::Integer | Type::Number),
                "string" => field.r#type == Type::String,
                _ => false,
            };
            let mut before = field.quirks[..number].iter();
            let stands_with = |other: &Quirk| {
                let ends =
                    |quirk: &Quirk, since| quirk.until.is_some_and(|until| Some(until) <= since);
                other.program == quirk.program
                    && !ends(other, quirk.since)
                    && !ends(quirk, other.since)
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
                _ if quirk.until.is_none()
                    && !own.is_none_or(|own| own.or(quirk.presence()) == own) =>
                {
                    (
                        format!(
                            "{name} sends `{}` in place of `{id}`, whose `presence` says otherwise",
                            quirk.sends
                        ),
                        "mend `presence`, or write under `until` when the quirk ended",
                    )
                }
                _ if before.any(stands_with) => (
                    format!("two quirks of `{id}` hold in one release of {name}"),
                    "end the earlier one by `until` where the later one begins, or keep one",
                ),
                _ if is_itself => (
                    format!("`{id}` holds that anyway: it is no quirk"),
                    "write what is sent in its place, or remove the quirk",
                ),
                _ if quirk.sends == "zero" && !is_number => (
                    format!("`{id}` is no number and no boolean, which `zero` stands for"),
                    "write what is sent in its place, as `empty_string`, or mend the type",
                ),
                _ if quirk.sends == "unwrapped" && field.r#type.is_plain() => (
                    format!("`{id}` holds nothing that would be sent without it"),
                    "write what is sent in its place, or mend the type",
                ),
                _ => continue,
            };
            self.value("wrong-quirk", id, "quirks", message, help);
        }
    }

    /// Checks that every program in which the item works has its type.
    pub(super) fn is_there(&mut self, item: &Item, ty: &Type, key: &'static str, verb: &str) {
        for (at, (program, life)) in self.api.programs.iter().zip(&item.life).enumerate() {
            let there = matches!(life.effective, Since::Since(_)) && life.removed.is_none();
            let works = life.works_since != Some(Since::Never);
            // An answer that is stated of the program alone is not of that type.
            let is_own = matches!(item.held(at, ChangedFact::Returns, None), Some(State::Is(_)));
            if !there || !works || is_own || !self.is_never(ty, at) {
                continue;
            }
            let message =
                format!("{} has `{}`, which {verb} what it never has", program.name, item.id);
            let help = format!(
                "mend one of the two; where it only ever is empty, write `works_since: {{{}: never}}`",
                program.key
            );
            let works = self.merged.place_in(&item.id, "works_since", &program.key, self.problems);
            if let Some(place) = works.or_else(|| self.place(&item.id, key)) {
                self.problems.value("answer-never-there", &place, message, help);
            }
        }
    }

    /// Whether a program has no value of the type.
    fn is_never(&self, ty: &Type, at: usize) -> bool {
        match ty {
            Type::Entity(id) | Type::Enum(id) | Type::Events(id) => {
                let enumeration = self.index.enumeration(id).map(|one| &one.item);
                let item = enumeration.or_else(|| Some(&self.index.entity(id)?.item));
                let life = item.filter(|item| !item.implied).and_then(|item| item.life.get(at));
                life.is_some_and(|life| life.since == Since::Never)
            }
            Type::List(inner) | Type::Map(inner) => self.is_never(inner, at),
            Type::OneOf(types) => types.iter().all(|ty| self.is_never(ty, at)),
            _ => false,
        }
    }
}
