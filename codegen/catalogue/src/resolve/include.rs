//! Inclusion: entities that have all fields of another one.

use super::Resolver;
use crate::map::HashMap;
use crate::model::Fact;
use fedispec_model::api;
use fedispec_model::suggest::did_you_mean;

impl Resolver<'_, '_, '_> {
    /// Finds the entity that each one includes, by index, and an order in which each comes after the one that it includes.
    /// Reports unknown names, and circles.
    pub(super) fn bases(&mut self) -> (Vec<Option<usize>>, Vec<usize>) {
        let merged = self.merged;
        let index: HashMap<&str, usize> =
            merged.entities.iter().enumerate().map(|(at, one)| (one.node.key, at)).collect();
        let mut bases = Vec::new();
        for one in &merged.entities {
            let stated =
                self.placed(&one.node, "includes", |body| body.includes.clone().map(Fact::Known));
            let Some((name, place)) = stated else {
                bases.push(None);
                continue;
            };
            let base = index.get(name.as_str()).copied();
            if base.is_none() {
                let is_enum = merged.enums.iter().any(|one| one.node.key == name);
                let (message, help) = if is_enum {
                    let message = format!("`{name}` is an enumeration, and takes over no fields");
                    (message, "name the entity whose fields it has".to_owned())
                } else {
                    let or_else = "introduce it under `entities`";
                    let help = did_you_mean(&name, index.keys().copied(), or_else);
                    (format!("there is no entity `{name}`"), help)
                };
                self.facts.problems.value("unknown-reference", &place, message, help);
            }
            bases.push(base);
        }
        let order = self.base_first(&mut bases);
        (bases, order)
    }

    fn base_first(&mut self, bases: &mut [Option<usize>]) -> Vec<usize> {
        let mut done = vec![false; bases.len()];
        let mut order = Vec::with_capacity(bases.len());
        for start in 0..bases.len() {
            let mut chain = Vec::new();
            let mut at = Some(start).filter(|next| !done[*next]);
            while let Some(next) = at {
                chain.push(next);
                at = bases[next].filter(|base| !done[*base]);
                if at.is_some_and(|base| chain.contains(&base)) {
                    self.includes_itself(next);
                    bases[next] = None;
                    at = None;
                }
            }
            for one in &chain {
                done[*one] = true;
            }
            order.extend(chain.into_iter().rev());
        }
        order
    }

    fn includes_itself(&mut self, entity: usize) {
        let node = &self.merged.entities[entity].node;
        let place = match node.highest(|body| body.includes.as_ref()) {
            Some((stated, _)) => stated.place.then("includes"),
            None => node.place().clone(),
        };
        let message = format!("`{}` includes itself, directly or through others", node.key);
        let help = "remove one `includes` of the circle";
        self.facts.problems.value("include-cycle", &place, message, help);
    }

    /// Gives every entity the fields of the one that it includes.
    pub(super) fn take_over(&mut self, bases: &[Option<usize>], order: &[usize]) {
        let merged = self.merged;
        let index: HashMap<String, usize> =
            self.entities.iter().enumerate().map(|(at, one)| (one.item.id.clone(), at)).collect();
        for at in order {
            let made = |at: usize| index.get(merged.entities[at].node.key).copied();
            if let (Some(base), Some(taker)) = (bases[*at].and_then(made), made(*at)) {
                let base = self.entities[base].clone();
                inherit(&mut self.entities[taker], base);
            }
        }
    }
}

/// Puts a base's fields before an entity's own. A field that it has itself replaces the base's; one that a program's folder alone states says
/// what the program does with that.
fn inherit(taker: &mut api::Entity, base: api::Entity) {
    let mut own = std::mem::take(&mut taker.fields);
    let (from, to) = (base.item.id.clone() + ".", taker.item.id.clone() + ".");
    for mut field in base.fields {
        let at = own.iter().position(|other| other.item.wire == field.item.wire);
        if at.is_some_and(|at| own[at].item.origin != api::Origin::Program) {
            continue;
        }
        field.inherited_from.get_or_insert_with(|| base.item.id.clone());
        taken(&mut field, &from, &to, &taker.item.life);
        if let Some(at) = at {
            overlay(&mut field, &own.remove(at));
        }
        taker.fields.push(field);
    }
    taker.fields.append(&mut own);
}

/// Puts what a program's folder says of a field into the one that was taken over.
fn overlay(field: &mut api::Field, said: &api::Field) {
    let lives = field.item.life.iter_mut().zip(&said.item.life);
    for (life, own) in lives.filter(|(_, own)| own.apart) {
        if own.at.is_some() {
            life.clone_from(own);
        } else if !own.changed.is_empty() {
            life.changed.clone_from(&own.changed);
        }
    }
    let programs = field.presence.len().max(said.presence.len());
    field.presence.resize(programs, None);
    for (presence, own) in field.presence.iter_mut().zip(&said.presence) {
        *presence = own.or(*presence);
    }
    field.quirks.extend(said.quirks.iter().cloned());
}

fn taken(field: &mut api::Field, from: &str, to: &str, outer: &[api::Life]) {
    if let Some(rest) = field.item.id.strip_prefix(from) {
        field.item.id = format!("{to}{rest}");
    }
    for (life, outer) in field.item.life.iter_mut().zip(outer) {
        life.at = None;
        life.effective = life.effective.max(outer.effective);
    }
    field.item.renamed_from = None;
    if let Some(entry) = &mut field.entry {
        taken(entry, from, to, outer);
    }
}
