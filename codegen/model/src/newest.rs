//! The newest release of a program, what it always sends of an entity, and the constructors of entities, which take that.
//!
//! This is the one rule: emitters write by it, and the diff compares by it.

use std::collections::BTreeMap;

use crate::api::{Api, Entity, Field, Program, Quirk, Type};
use crate::floors::Floors;
use fedispec_since::{StableVersion, Verdict};

/// More arguments than these would be mixed up.
const MOST_ARGUMENTS: usize = 5;

/// A release of a program, with what every supported release sends.
#[derive(Debug, Clone, Copy)]
pub struct Newest<'a> {
    place: usize,
    program: &'a Program,
    release: StableVersion,
    floors: &'a Floors,
}

impl<'a> Newest<'a> {
    /// The newest known release of a program, up to its ceiling; without a key, of the first program that counts.
    pub fn of(
        api: &'a Api,
        floors: &'a Floors,
        key: Option<&str>,
        ceilings: &BTreeMap<String, StableVersion>,
    ) -> Option<Self> {
        let first = || floors.by_program(api).next().map(|(key, _)| key);
        let key = key.or_else(first)?;
        let mut programs = api.programs.iter().enumerate();
        let (place, program) = programs.find(|(_, program)| program.key == key)?;
        let release = ceilings.get(key).copied().or_else(|| program.newest_looked_at())?;
        Some(Self { place, program, release, floors })
    }

    /// The release at which the constructors of entities are frozen. What later ones send changes no constructor.
    #[must_use]
    pub fn frozen(self) -> Self {
        let frozen = self.program.constructors.unwrap_or(self.release);
        Self { release: frozen.min(self.release), ..self }
    }

    /// `Mastodon 4.6.5`
    pub fn name(self) -> String {
        format!("{} {}", self.program.name, self.release)
    }

    /// Whether it always sends a field, be it null, or every supported release does.
    pub fn sends(self, entity: &Entity, field: &Field) -> bool {
        let life = field.item.life.get(self.place);
        let has = life.is_some_and(|life| {
            let at = self.program.place(self.release);
            life.presence().present(&at).verdict == Verdict::Yes
        });
        let presence = field.presence_at(self.place, self.release);
        let is_sent = has
            && field.type_known
            && field.presence_known
            && !presence.optional
            && !self.quirks(field).any(|quirk| quirk.presence().optional);
        is_sent || self.floors.is_sent(entity, field)
    }

    /// Whether what it sends may be null.
    pub fn is_nullable(self, field: &Field) -> bool {
        field.presence_at(self.place, self.release).nullable
            || self.quirks(field).any(|quirk| quirk.presence().nullable)
    }

    /// The fields of an entity that it always sends.
    pub fn fields<'e>(self, entity: &'e Entity) -> impl Iterator<Item = &'e Field> + use<'a, 'e> {
        entity.fields.iter().filter(move |field| self.sends(entity, field))
    }

    /// The arguments of an entity's constructor; `None` where it has none.
    pub fn arguments(self, entity: &Entity) -> Option<Vec<&Field>> {
        let arguments: Vec<_> = self.frozen().fields(entity).collect();
        (!arguments.is_empty() && are_clear(&arguments)).then_some(arguments)
    }

    fn quirks<'f>(self, field: &'f Field) -> impl Iterator<Item = &'f Quirk> + use<'a, 'f> {
        field.quirks.iter().filter(move |quirk| quirk.is_of(&self.program.key, self.release))
    }
}

/// Whether arguments are few, and no two neighbours could be swapped unnoticed.
pub fn are_clear(arguments: &[&Field]) -> bool {
    let are_alike = |pair: &[&Field]| match pair {
        [one, other] => as_argument(&one.r#type) == as_argument(&other.r#type),
        _ => false,
    };
    arguments.len() <= MOST_ARGUMENTS && !arguments.windows(2).any(are_alike)
}

/// The type as far as the compiler tells arguments apart: ids and times are made of texts.
pub fn as_argument(ty: &Type) -> &Type {
    if matches!(ty, Type::Id(_) | Type::Timestamp) { &Type::String } else { ty }
}
