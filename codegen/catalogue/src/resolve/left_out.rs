//! What leaving a parameter out does, resolved for the API. Program keys and releases are checked here, the rest in
//! `check`.

use super::Resolver;
use crate::merge::MergedItem;
use crate::model::{self, Names, Param, PerProgram};
use crate::problems::NodePath;
use fedispec_model::api::{self, SafeValues};
use fedispec_model::suggest::did_you_mean;

/// The key of `safe` that stands for every program.
const ALL: &str = "all";

/// The value of `safe` that stands for every value.
const ANY: &str = "any";

impl<'a> Resolver<'a, '_, '_> {
    /// What happens without a parameter.
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

    /// What an update does to a parameter that is not set.
    pub(super) fn unset(&mut self, node: &MergedItem<'a, Param>) -> Option<api::Unset> {
        let said = self.known(node, "unset", |body| body.unset.as_ref())?;
        Some(match said {
            model::Unset::Keep => api::Unset::Keep,
            model::Unset::Reset => api::Unset::Reset,
        })
    }

    /// The releases that refuse a parameter, by program. A higher layer goes before a lower one.
    pub(super) fn refused(&mut self, node: &MergedItem<'a, Param>) -> Vec<Option<api::Refused>> {
        let mut refused = vec![None; self.programs.len()];
        for statement in &node.statements {
            let place = statement.place.then("refused");
            self.keys_are_programs(&statement.body.refused, &place, &[]);
            for (program, said) in &statement.body.refused {
                let Some(column) = self.programs.iter().position(|one| one == program) else {
                    continue;
                };
                let place = place.then(program.as_str());
                self.released(said.since.0, program, None, &place.then("since"));
                if let Some(until) = said.until {
                    self.released(until.0, program, None, &place.then("until"));
                }
                refused[column] = Some(api::Refused {
                    since: said.since.0,
                    until: said.until.map(|until| until.0),
                    status: said.status,
                });
            }
        }
        if refused.iter().all(Option::is_none) {
            refused.clear();
        }
        refused
    }

    /// What programs do with unlisted values. A higher layer goes before a lower one.
    pub(super) fn unlisted_values(
        &mut self,
        node: &MergedItem<'a, Param>,
    ) -> Vec<Option<api::UnlistedValues>> {
        let mut ways = vec![None; self.programs.len()];
        for statement in &node.statements {
            let place = statement.place.then("unlisted_values");
            self.keys_are_programs(&statement.body.unlisted_values, &place, &[]);
            for (program, said) in &statement.body.unlisted_values {
                if let Some(column) = self.programs.iter().position(|one| one == program) {
                    ways[column] = Some(match said {
                        model::UnlistedValues::Ignored => api::UnlistedValues::Ignored,
                        model::UnlistedValues::Refused => api::UnlistedValues::Refused,
                    });
                }
            }
        }
        if ways.iter().all(Option::is_none) {
            ways.clear();
        }
        ways
    }

    /// How programs take several values. A higher layer goes before a lower one.
    pub(super) fn several(&mut self, node: &MergedItem<'a, Param>) -> Vec<Option<api::Several>> {
        let mut ways = vec![None; self.programs.len()];
        for statement in &node.statements {
            let place = statement.place.then("several");
            self.keys_are_programs(&statement.body.several, &place, &[]);
            for (program, said) in &statement.body.several {
                let Some(column) = self.programs.iter().position(|one| one == program) else {
                    continue;
                };
                let place = place.then(program.as_str());
                for (key, since) in [("lines", said.lines), ("list", said.list)] {
                    if let Some(since) = since {
                        self.released(since.0, program, None, &place.then(key));
                    }
                }
                ways[column] = Some(api::Several {
                    lines: said.lines.map(|since| since.0),
                    list: said.list.map(|since| since.0),
                });
            }
        }
        if ways.iter().all(Option::is_none) {
            ways.clear();
        }
        ways
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

    /// Reports keys that are not programs.
    pub(super) fn keys_are_programs<T>(
        &mut self,
        said: &'a PerProgram<T>,
        place: &NodePath<'a>,
        besides: &[&str],
    ) {
        for key in said.keys() {
            if self.programs.contains(&key.as_str()) || besides.contains(&key.as_str()) {
                continue;
            }
            let known = self.programs.iter().copied().chain(besides.iter().copied());
            let help = did_you_mean(key, known, "programs are registered in implementations.yaml");
            let place = place.then(key.as_str());
            let message = format!("there is no program `{key}`");
            self.facts.problems.key("unknown-program", &place, message, help);
        }
    }
}
