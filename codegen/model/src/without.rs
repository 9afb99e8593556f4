//! The API without some of its programs.

use fedispec_since::{BodyEncoding, Location};

use crate::api::{Api, Auths, Item, Life, Origin, Param, Program, Since};
use crate::by_program::{ByProgram as _, only};

impl Api {
    /// The part that the ready-made types are made from: without the programs whose facts stand apart.
    #[must_use]
    pub fn typed(self) -> Self {
        self.without_apart(|_| false).unwrap_or(self)
    }

    /// The API without the programs whose facts stand apart and that are not wanted, and without what they alone have; nothing where that
    /// is all of it.
    #[must_use]
    pub fn without_apart(&self, is_wanted: impl Fn(&Program) -> bool) -> Option<Self> {
        let kept: Vec<bool> =
            self.programs.iter().map(|program| !program.apart || is_wanted(program)).collect();
        if kept.iter().all(|kept| *kept) {
            return None;
        }
        let mut api = self.clone();
        for entity in &mut api.entities {
            for field in &mut entity.fields {
                field.missed_apart = field.is_known_to_miss(&entity.item);
            }
        }
        only(&mut api.programs, &kept);
        api.visit(|said| said.only(&kept));
        let gone = self.programs.iter().zip(&kept).filter(|(_, kept)| !**kept);
        let gone: Vec<&str> = gone.map(|(program, _)| program.key.as_str()).collect();
        api.operations.retain_mut(|operation| {
            let is_in_body = |param: &Param| param.location == Location::Form;
            let was_sent = operation.params.iter().any(is_in_body);
            operation.params.retain(|param| is_had(&param.item));
            if was_sent && !operation.params.iter().any(is_in_body) {
                operation.body = BodyEncoding::None;
            }
            if let Some(Auths::Each(each)) = &mut operation.auth {
                each.only(&kept);
                operation.auth = Auths::new(std::mem::take(each));
            }
            let programs = &api.programs;
            operation.also.retain(|twin| programs.iter().any(|one| one.key == twin.program));
            is_had(&operation.item)
        });
        api.entities.retain_mut(|entity| {
            for field in &mut entity.fields {
                let mut inner = Some(&mut *field);
                while let Some(field) = inner {
                    field.quirks.retain(|quirk| !gone.contains(&quirk.program.as_str()));
                    inner = field.entry.as_deref_mut();
                }
            }
            entity.fields.retain(|field| is_had(&field.item));
            is_had(&entity.item)
        });
        api.enums.retain_mut(|one| {
            one.values.retain(is_had);
            is_had(&one.item)
        });
        let has_operations =
            |id: &str| api.operations.iter().any(|operation| operation.group == id);
        api.groups.retain(|group| has_operations(&group.id));
        api.complete_lives();
        Some(api)
    }
}

/// Whether a program that is kept has an item. Where a folder's own item has not been looked at in the others, it is no item of theirs.
fn is_had(item: &Item) -> bool {
    let has = |life: &Life| matches!(life.since, Since::Since(_));
    item.origin != Origin::Program || item.life.iter().any(has)
}
