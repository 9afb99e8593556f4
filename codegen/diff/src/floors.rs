//! Guarantees: the items that every supported release has, by the rule that makes a generated field a plain `T`.

use std::collections::BTreeMap;

use fedispec_model::api::{Api, Entity, Field};
use fedispec_model::release::{self, Release};

/// The oldest supported release of each program, in the order of the programs.
#[derive(PartialEq, Eq)]
pub(super) struct Floors(Vec<Release>);

impl Floors {
    /// A program that is not named has its first registered release.
    pub(super) fn new(api: &Api, named: &BTreeMap<String, String>) -> Self {
        Self(
            floor_texts(api, named)
                .map(|(_, text)| release::parse(&text).unwrap_or_default())
                .collect(),
        )
    }

    /// Whether a field is generated as `T`.
    pub(super) fn is_plain(&self, entity: &Entity, field: &Field) -> bool {
        field.is_always_there()
            && (0..self.0.len()).all(|program| self.guarantees(program, entity, field))
    }

    /// Whether every supported release of the program that has the entity has the field.
    pub(super) fn guarantees(&self, program: usize, entity: &Entity, field: &Field) -> bool {
        let Some(floor) = self.0.get(program) else {
            return true;
        };
        release::guarantees(
            field.item.life.get(program),
            entity.item.life.get(program),
            *floor,
        )
    }
}

/// The floor of each program.
pub(super) fn floor_texts<'a>(
    api: &'a Api,
    named: &'a BTreeMap<String, String>,
) -> impl Iterator<Item = (&'a str, String)> {
    api.programs.iter().map(|program| {
        let first = || {
            program
                .releases
                .first()
                .map(|release| release.version.clone())
        };
        let floor = named.get(&program.key).cloned().or_else(first);
        (
            program.key.as_str(),
            floor.unwrap_or_else(|| release::FIRST.into()),
        )
    })
}
