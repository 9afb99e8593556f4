//! Presence of a field by program, and what its absence means.

use super::Resolver;
use super::program::unless_empty;
use crate::merge::MergedItem;
use crate::model::{Fact, Field};
use fedispec_model::api;
use fedispec_since::Presence;

impl<'a> Resolver<'a, '_, '_> {
    /// Resolves the presence in each program that differs from the common one; empty where none does.
    pub(super) fn presences(&mut self, node: &MergedItem<'a, Field>) -> Vec<Option<Presence>> {
        for statement in &node.statements {
            let place = statement.place.then("presence");
            self.keys_are_programs(statement.body.presence.keys(), &place, &[]);
        }
        unless_empty(self.in_programs(node, "presence", |body, program| {
            body.presence.get(program).copied().map(Fact::Known)
        }))
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
