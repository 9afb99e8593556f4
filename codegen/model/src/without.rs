//! The API without some of its programs.

use fedispec_since::{BodyEncoding, Location};

use crate::api::{Api, Auths, Field, Item, Life, Origin, Param, Program, Since};

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
        only(&mut api.programs, &kept);
        let gone = self.programs.iter().zip(&kept).filter(|(_, kept)| !**kept);
        let gone: Vec<&str> = gone.map(|(program, _)| program.key.as_str()).collect();
        api.operations.retain_mut(|operation| {
            let is_in_body = |param: &Param| param.location == Location::Form;
            let was_sent = operation.params.iter().any(is_in_body);
            operation.params.retain_mut(|param| {
                only(&mut param.refused, &kept);
                only(&mut param.missing, &kept);
                only(&mut param.unlisted_values, &kept);
                only(&mut param.several, &kept);
                is_had(&mut param.item, &kept)
            });
            if was_sent && !operation.params.iter().any(is_in_body) {
                operation.body = BodyEncoding::None;
            }
            for error in &mut operation.errors {
                only(&mut error.life, &kept);
                only(&mut error.text, &kept);
                only(&mut error.own_when, &kept);
            }
            if let Some(Auths::Each(each)) = &mut operation.auth {
                only(each, &kept);
                operation.auth = Auths::new(std::mem::take(each));
            }
            let programs = &api.programs;
            operation.also.retain(|twin| programs.iter().any(|one| one.key == twin.program));
            is_had(&mut operation.item, &kept)
        });
        api.entities.retain_mut(|entity| {
            entity.fields.retain_mut(|field| {
                let mut entry = field.entry.as_deref_mut();
                while let Some(inner) = entry {
                    in_field(inner, &kept, &gone);
                    entry = inner.entry.as_deref_mut();
                }
                in_field(field, &kept, &gone)
            });
            is_had(&mut entity.item, &kept)
        });
        api.enums.retain_mut(|one| {
            one.values.retain_mut(|value| is_had(value, &kept));
            is_had(&mut one.item, &kept)
        });
        let has_operations =
            |id: &str| api.operations.iter().any(|operation| operation.group == id);
        api.groups.retain(|group| has_operations(&group.id));
        api.complete_lives();
        Some(api)
    }
}

/// Keeps what is said of the programs that are kept. What is empty says nothing of any.
fn only<T>(each: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    each.retain(|_| kept.next().is_none_or(|kept| *kept));
}

fn in_field(field: &mut Field, kept: &[bool], gone: &[&str]) -> bool {
    only(&mut field.presence, kept);
    field.quirks.retain(|quirk| !gone.contains(&quirk.program.as_str()));
    is_had(&mut field.item, kept)
}

/// Keeps the lives of an item, and tells whether a program that is kept has it. Where a folder's own item has not been looked at in the
/// others, it is no item of theirs.
fn is_had(item: &mut Item, kept: &[bool]) -> bool {
    only(&mut item.life, kept);
    let has = |life: &Life| matches!(life.since, Since::Since(_));
    item.origin != Origin::Program || item.life.iter().any(has)
}
