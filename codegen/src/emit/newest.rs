//! The newest release of the program that `current` follows, and what it always sends.

use super::context::Context;
use fedispec_model::api::{Entity, Field, Program, Quirk};
use fedispec_since::{StableVersion, Verdict};

/// The release whose answers are current.
#[derive(Clone, Copy)]
pub(super) struct Newest<'a> {
    place: usize,
    program: &'a Program,
    release: StableVersion,
}

impl<'a> Newest<'a> {
    /// The newest known release of the program that the options name; without one of the first program that counts.
    pub(super) fn of(context: &'a Context<'_>) -> Option<Self> {
        let mut counting = context.floors.by_program(context.api);
        let key = match &context.options.current {
            Some(key) => key.as_str(),
            None => counting.next()?.0,
        };
        let mut programs = context.api.programs.iter().enumerate();
        let (place, program) = programs.find(|(_, program)| program.key == key)?;
        let ceiling = context.options.ceilings.get(key).copied();
        Some(Self { place, program, release: ceiling.or_else(|| program.newest_looked_at())? })
    }

    /// `Mastodon 4.6.5`
    pub(super) fn name(self) -> String {
        format!("{} {}", self.program.name, self.release)
    }

    /// Whether it always sends the field, be it null.
    pub(super) fn sends(self, field: &Field) -> bool {
        let life = field.item.life.get(self.place);
        let has = life.is_some_and(|life| {
            let at = self.program.place(self.release);
            life.presence().present(&at).verdict == Verdict::Yes
        });
        let presence = field.presence_at(self.place, self.release);
        has && field.type_known
            && field.presence_known
            && !presence.optional
            && !self.quirks(field).any(|quirk| quirk.presence().optional)
    }

    /// Whether what it sends may be null.
    pub(super) fn is_nullable(self, field: &Field) -> bool {
        field.presence_at(self.place, self.release).nullable
            || self.quirks(field).any(|quirk| quirk.presence().nullable)
    }

    fn quirks<'f>(self, field: &'f Field) -> impl Iterator<Item = &'f Quirk> + use<'a, 'f> {
        field.quirks.iter().filter(move |quirk| {
            quirk.program == self.program.key
                && quirk.since.is_none_or(|since| since <= self.release)
                && quirk.until.is_none_or(|until| self.release < until)
        })
    }
}

/// Whether an entity has a struct in `current`.
pub(super) fn has(context: &Context<'_>, newest: Newest<'_>, entity: &Entity) -> bool {
    let is_sent = |field: &Field| context.floors.is_sent(entity, field) || newest.sends(field);
    entity.fields.iter().any(is_sent)
}
