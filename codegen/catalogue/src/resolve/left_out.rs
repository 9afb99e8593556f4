//! The effect of leaving a parameter out, resolved for the API. Program keys and releases are checked here, the rest in
//! `check`.

use super::Resolver;
use crate::merge::MergedItem;
use crate::model::{Names, Param, PerProgram};
use fedispec_model::api::{self};
use fedispec_since::{Missing, Refused, SafeValues, Several, UnlistedValues};

/// The key of `safe` that stands for every program.
const ALL: &str = "all";

/// The value of `safe` that stands for every value.
const ANY: &str = "any";

impl<'a> Resolver<'a, '_, '_> {
    /// Resolves the effect of leaving a parameter out.
    pub(super) fn left_out(&mut self, node: &MergedItem<'a, Param>) -> Option<api::LeftOut> {
        for statement in &node.statements {
            if let Some(said) = &statement.body.left_out {
                let place = statement.place.then("left_out");
                self.keys_are_programs(said.safe.keys(), &place.then("safe"), &[ALL]);
                if let Some(evidence) = &said.evidence {
                    self.proof_is_sound(evidence, &place.then("evidence"));
                }
            }
        }
        let said = self.known(node, "left_out", |body| body.left_out.as_ref())?;
        Some(api::LeftOut {
            effect: said.effect,
            so: said.so,
            safe: self.safe(&said.safe),
            evidence: self.own_evidence(node, "left_out", said.evidence.as_ref()),
        })
    }

    /// The releases that refuse a parameter, by program.
    pub(super) fn refused(&mut self, node: &MergedItem<'a, Param>) -> Vec<Option<Refused>> {
        self.by_program(
            node,
            "refused",
            |body| &body.refused,
            |said| vec![(Some("since"), Some(said.since)), (Some("until"), said.until)],
        )
    }

    /// The answers of programs to a request without a parameter.
    pub(super) fn missing(&mut self, node: &MergedItem<'a, Param>) -> Vec<Option<Missing>> {
        self.by_program(
            node,
            "missing",
            |body| &body.missing,
            |said| vec![(Some("since"), said.since)],
        )
    }

    /// The ways of programs with unlisted values.
    pub(super) fn unlisted_values(
        &mut self,
        node: &MergedItem<'a, Param>,
    ) -> Vec<Option<UnlistedValues>> {
        self.by_program(node, "unlisted_values", |body| &body.unlisted_values, |_| Vec::new())
    }

    /// The ways in which programs take several values.
    pub(super) fn several(&mut self, node: &MergedItem<'a, Param>) -> Vec<Option<Several>> {
        self.by_program(
            node,
            "several",
            |body| &body.several,
            |said| vec![(Some("lines"), said.lines), (Some("list"), said.list)],
        )
    }

    fn safe(&self, said: &PerProgram<Names>) -> Vec<SafeValues> {
        if said.is_empty() {
            return Vec::new();
        }
        let programs = self.programs.iter();
        programs
            .map(|program| {
                let everywhere = said.get(ALL).into_iter();
                let values = everywhere.chain(said.get(*program));
                let values: Vec<_> = values.flat_map(|names| &names.0).cloned().collect();
                if values.iter().any(|value| value == ANY) {
                    SafeValues::Any
                } else {
                    SafeValues::Only(values)
                }
            })
            .collect()
    }
}
