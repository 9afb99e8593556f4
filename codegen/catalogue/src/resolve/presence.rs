//! Presence of a field by program, and what its absence means.

use super::Resolver;
use super::by::speaks_of;
use super::program::unless_empty;
use crate::load::LayerKind;
use crate::merge::MergedItem;
use crate::model::{Fact, Field};
use fedispec_model::api::{self, Layer, Life, Since};
use fedispec_model::change::ChangedFact;
use fedispec_since::{Class, Presence};

impl<'a> Resolver<'a, '_, '_> {
    /// Resolves the presence in each program that differs from the common one; empty where none does.
    pub(super) fn presences(&mut self, node: &MergedItem<'a, Field>) -> Vec<Option<Presence>> {
        for statement in &node.statements {
            let place = statement.place.then("presence");
            self.keys_are_programs(statement.body.presence.keys(), &place);
        }
        unless_empty(self.in_programs(node, "presence", |body, program| {
            body.presence.get(program).copied().map(Fact::Known)
        }))
    }

    /// Reports a field that is always there and never null in a program by no more than documentation or a guess. The author of an overlay
    /// answers for it.
    pub(super) fn always_is_proven(
        &mut self,
        node: &MergedItem<'a, Field>,
        lives: &[Life],
        common: Presence,
        own: &[Option<Presence>],
    ) {
        let mut layers = node.statements.iter().map(|one| one.kind);
        if self.layer != Layer::Full || layers.any(|kind| kind == LayerKind::Overlay) {
            return;
        }
        let all = self.implementations;
        for (place, (key, program)) in all.programs.iter().enumerate() {
            let told = own.get(place).copied().flatten().unwrap_or(common);
            let is_there = matches!(lives[place].effective, Since::Since(_));
            let is_held_against = program.held_against.contains_key(&ChangedFact::Presence);
            if told.optional || told.nullable || !is_there || is_held_against || program.is_apart()
            {
                continue;
            }
            let mut statements = node.of_all().rev();
            let under = format!("presence.{key}");
            let stated =
                statements.clone().find_map(|one| Some((one, one.head.evidence.get(&under)?)));
            let at = stated.map(|(one, _)| one.place.under(&["evidence", &under]));
            let stated = stated.map(|(_, proof)| proof);
            let shape = statements.find_map(|one| one.proof("shape"));
            let shape = shape.filter(|proof| speaks_of(all, Some(proof), key));
            let Some(proof) = stated.or(shape).and_then(|proof| self.evidence(proof)) else {
                continue;
            };
            if matches!(proof.class, Class::A | Class::B) {
                continue;
            }
            let why = if at.is_some() { "this is no proof" } else { "nobody has seen" };
            let message = format!(
                "{why} that {} always sends `{}`, and never as null",
                program.name, node.id
            );
            let help = format!(
                "name the recording or the place in the source, as `evidence: {{{under}: {{source: recordings, at: \"..\"}}}}`, or say that it is `nullable` or `optional`"
            );
            let above = node.of_all().next_back().map_or_else(|| node.place(), |one| &one.place);
            let place = at.as_ref().unwrap_or(above);
            self.facts.problems.key("unproven-presence", place, message, help);
        }
    }

    /// The value that the absence of a field means.
    pub(super) fn absent_means(
        &mut self,
        node: &MergedItem<'a, Field>,
    ) -> Option<api::AbsentMeans> {
        for statement in &node.statements {
            let said = statement.body.absent_means.as_ref();
            if let Some(evidence) = said.and_then(|said| said.evidence.as_ref()) {
                let place = statement.place.then("absent_means").then("evidence");
                self.proof_is_sound(evidence, &place);
            }
        }
        let said = self.known(node, "absent_means", |body| body.absent_means.as_ref())?;
        Some(api::AbsentMeans {
            value: said.value,
            omitted: said.omitted,
            or_null: said.or_null,
            evidence: self.own_evidence(node, "absent_means", said.evidence.as_ref()),
        })
    }
}
