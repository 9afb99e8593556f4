//! Presence of a field by program, and what its absence means.

use super::Resolver;
use super::program::unless_empty;
use crate::merge::{FactKey, MergedItem};
use crate::model::{Fact, Field};
use fedispec_model::api;
use fedispec_since::Presence;

impl<'a> Resolver<'a, '_, '_> {
    /// Resolves the presence in each program that differs from the common one; empty where none does.
    pub(super) fn presences(&mut self, node: &MergedItem<'a, Field>) -> Vec<Option<Presence>> {
        for statement in &node.statements {
            let place = statement.place.then("presence");
            self.keys_are_programs(&statement.body.presence, &place, &[]);
        }
        let programs = self.programs.clone().into_iter();
        let presences = programs.map(|program| {
            let say = |body: &'a Field| body.presence.get(program).copied().map(Fact::Known);
            let key = FactKey::presence(program);
            let settled = self.facts.refined(node, key, |_, _| false, say)?;
            settled.known()
        });
        unless_empty(presences.collect())
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
        let own = said.evidence.as_ref();
        let proof = own.and_then(|evidence| self.evidence(evidence));
        let statements = node.statements.iter().rev();
        let stated = || {
            let mut stated = statements.map(|one| one.proof("absent_means"));
            stated.find_map(|proof| self.evidence(proof?))
        };
        Some(api::AbsentMeans {
            value: said.value,
            omitted: said.omitted,
            or_null: said.or_null,
            evidence: proof.or_else(stated),
        })
    }
}
