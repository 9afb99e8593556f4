//! What proves what, and whether there is such a source.

use super::Resolver;
use crate::merge::{By, Node};
use crate::model::{Dated, Evidence, PerProgram, Verdict};
use crate::problems::Place;
use fedispec_model::api;
use fedispec_model::api::Class;
use fedispec_model::suggest::did_you_mean;

impl<'a> Resolver<'a, '_, '_> {
    /// Evidence as the API tells it; nothing where there is no such source.
    pub(super) fn evidence(&self, evidence: &Evidence) -> Option<api::Evidence> {
        let source = self.implementations.sources.get(&evidence.source)?;
        Some(api::Evidence {
            class: evidence.class.unwrap_or(source.class),
            source: source.full_title(),
            at: evidence.at.clone(),
            note: evidence.note.clone(),
        })
    }

    /// What proves what somebody says.
    pub(super) fn evidence_by<B: Dated>(
        &self,
        node: &Node<'a, B>,
        of: &'a str,
        by: By<'a>,
    ) -> Option<api::Evidence> {
        match by {
            By::Verdict(dispute, _) if dispute.verdict == Verdict::Supplement => {
                self.evidence(&dispute.evidence)
            }
            By::Verdict(..) => self.evidence(node.first().proof(of)?),
            _ => self.evidence(node.proof_of(of, by)?),
        }
    }

    /// What proves the shape of an item: the highest layer's word.
    pub(super) fn shape<B: Dated>(&self, node: &Node<'a, B>) -> Option<api::Evidence> {
        let proof = node
            .statements
            .iter()
            .rev()
            .find_map(|one| one.proof("shape"))?;
        self.evidence(proof)
    }

    /// Names evidence that no source stands behind, and classes that are better than the source's own.
    pub(super) fn proofs_are_sound(&mut self, list: &'a PerProgram<Evidence>, place: &Place<'a>) {
        for (of, evidence) in list {
            let place = place.then(of.as_str());
            if of != "shape" && !self.implementations.programs.contains_key(of) {
                let known = self.programs.iter().copied().chain(["shape"]);
                let help = did_you_mean(
                    of,
                    known,
                    "evidence is given by program, and under `shape` for the rest",
                );
                let problem = self.settle.problems.key(
                    "unknown-program",
                    &place,
                    format!("there is no program `{of}`"),
                );
                self.settle.problems.push(problem.help(help));
            }
            self.proof_is_sound(evidence, &place);
        }
    }

    /// Names evidence that no source stands behind, and a class that is better than the source's own.
    pub(super) fn proof_is_sound(&mut self, evidence: &'a Evidence, place: &Place<'a>) {
        let Some(source) = self.implementations.sources.get(&evidence.source) else {
            let known = self.implementations.sources.keys().map(String::as_str);
            let help = did_you_mean(
                &evidence.source,
                known,
                "register it under `sources` in implementations.yaml",
            );
            let message = format!("there is no source `{}`", evidence.source);
            let problem = self
                .settle
                .problems
                .value("unknown-reference", place, message);
            self.settle.problems.push(problem.help(help));
            return;
        };
        if let Some(class) = evidence.class.filter(|class| *class < source.class) {
            let message = format!(
                "`{}` is of class {:?} and proves no more than that",
                evidence.source, source.class
            );
            let place = place.then("class");
            let problem = self.settle.problems.value("weak-evidence", &place, message);
            let allowed = [Class::A, Class::B, Class::C, Class::D]
                .into_iter()
                .filter(|one| *one >= source.class);
            let allowed: Vec<_> = allowed.map(|one| format!("{one:?}")).collect();
            let help = format!(
                "{class:?} is too good: leave `class` out, or write one of {}",
                allowed.join(", ")
            );
            self.settle.problems.push(problem.help(help));
        }
    }

    /// The declared contradictions as the API tells them.
    pub(super) fn disputes(&mut self) -> Vec<api::Dispute> {
        let mut disputes = Vec::new();
        for node in self.merged.disputes.all() {
            let Some(evidence) = self.evidence(&node.body.evidence) else {
                continue;
            };
            disputes.push(api::Dispute {
                item: node.body.item.clone(),
                fact: node.body.fact.clone(),
                documents: node.body.documents.clone(),
                supplement: node.body.supplement.clone(),
                supplement_holds: node.body.verdict == Verdict::Supplement,
                evidence,
                why: node.body.why.clone(),
                at: self.at(&node.place),
            });
        }
        disputes.sort_by(|a, b| (&a.item, &a.fact).cmp(&(&b.item, &b.fact)));
        disputes
    }
}
