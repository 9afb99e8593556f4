//! Presence by program: no operation answers, and no field holds, what that program never has.

use super::Checker;
use crate::load::LayerKind;
use crate::merge::around;
use fedispec_model::api::{Field, Item, Life, Program, Since, State, Type};
use fedispec_model::change::ChangedFact;

impl Checker<'_, '_> {
    /// Checks a field that is always shown.
    pub(super) fn holds_what_is_there(&mut self, field: &Field) {
        if !(field.nullable || field.optional) {
            self.is_there(&field.item, &field.r#type, "type", "holds");
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
        // That it is gone is told.
        if self.merged.is_gone(named, self.problems) {
            return;
        }
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
