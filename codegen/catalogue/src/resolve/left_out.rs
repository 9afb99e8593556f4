//! The effect of leaving a parameter out, resolved for the API. Program keys and releases are checked here, the rest in
//! `check`.

use super::Resolver;
use crate::merge::MergedItem;
use crate::model::{self, Names, Param, PerProgram};
use fedispec_model::api::{self, SafeValues};

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
                self.keys_are_programs(&said.safe, &place.then("safe"), &[ALL]);
                if let Some(evidence) = &said.evidence {
                    self.proof_is_sound(evidence, &place.then("evidence"));
                }
            }
        }
        let said = self.known(node, "left_out", |body| body.left_out.as_ref())?;
        Some(api::LeftOut {
            effect: match said.effect {
                model::LeftOutEffect::Harmless => api::LeftOutEffect::Harmless,
                model::LeftOutEffect::ChangesMeaning => api::LeftOutEffect::ChangesMeaning,
                model::LeftOutEffect::Fails => api::LeftOutEffect::Fails,
            },
            so: said.so,
            safe: self.safe(&said.safe),
            evidence: said
                .evidence
                .as_ref()
                .or_else(|| node.statements.iter().rev().find_map(|one| one.proof("left_out")))
                .and_then(|evidence| self.evidence(evidence)),
        })
    }

    /// Resolves the effect of an update on a parameter that is not set.
    pub(super) fn unset(&mut self, node: &MergedItem<'a, Param>) -> Option<api::Unset> {
        let said = self.known(node, "unset", |body| body.unset.as_ref())?;
        Some(match said {
            model::Unset::Keep => api::Unset::Keep,
            model::Unset::Reset => api::Unset::Reset,
        })
    }

    /// The releases that refuse a parameter, by program.
    pub(super) fn refused(&mut self, node: &MergedItem<'a, Param>) -> Vec<Option<api::Refused>> {
        self.by_program(
            node,
            "refused",
            |body| &body.refused,
            |said| vec![("since", Some(said.since)), ("until", said.until)],
            |said| api::Refused {
                since: said.since.0,
                until: said.until.map(|until| until.0),
                status: said.status,
            },
        )
    }

    /// The ways of programs with unlisted values.
    pub(super) fn unlisted_values(
        &mut self,
        node: &MergedItem<'a, Param>,
    ) -> Vec<Option<api::UnlistedValues>> {
        self.by_program(
            node,
            "unlisted_values",
            |body| &body.unlisted_values,
            |_| Vec::new(),
            |said| match said {
                model::UnlistedValues::Ignored => api::UnlistedValues::Ignored,
                model::UnlistedValues::Refused => api::UnlistedValues::Refused,
            },
        )
    }

    /// The ways in which programs take several values.
    pub(super) fn several(&mut self, node: &MergedItem<'a, Param>) -> Vec<Option<api::Several>> {
        self.by_program(
            node,
            "several",
            |body| &body.several,
            |said| vec![("lines", said.lines), ("list", said.list)],
            |said| api::Several {
                lines: said.lines.map(|since| since.0),
                list: said.list.map(|since| since.0),
            },
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
