//! What a declared contradiction decides, and whether it may.

use serde::de::DeserializeOwned;

use super::Node;
use super::dispute::DisputeNode;
use super::fact::{By, Key, Settle, Told, class_of};
use crate::load;
use crate::model::{Dated, Fact, Verdict};
use crate::problems::Place;
use fedispec_model::api::Class;

impl<'a> Settle<'a, '_, '_> {
    /// What a declared contradiction decides.
    pub(super) fn verdict<B, V>(
        &mut self,
        node: &Node<'a, B>,
        key: Key<'a>,
        told: Option<Told<'a, V>>,
        dispute: &DisputeNode<'a>,
    ) -> Option<Told<'a, V>>
    where
        B: Dated,
        V: Clone + PartialEq + DeserializeOwned,
    {
        dispute.used.set(true);
        let below = self.side::<V>(dispute, "documents");
        let above = self.side::<V>(dispute, "supplement");
        let (Some(below), Some(above)) = (below, above) else {
            return told;
        };
        if below == above {
            let problem = self.problems.key(
                "needless-dispute",
                &dispute.place,
                "both sides of the dispute say the same",
            );
            self.problems.push(problem.help("take the dispute away"));
            return told;
        }
        if !self.holds_below(node, key, told.as_ref(), &below, dispute) {
            return told;
        }
        let value = if dispute.body.verdict == Verdict::Supplement {
            above
        } else {
            below
        };
        Some(Told {
            value,
            by: By::Verdict(dispute.body, dispute.index),
        })
    }

    /// Whether the layer below says what the dispute says it does.
    fn holds_below<B: Dated, V: PartialEq>(
        &mut self,
        node: &Node<'a, B>,
        key: Key<'a>,
        told: Option<&Told<'a, V>>,
        below: &Fact<V>,
        dispute: &DisputeNode<'a>,
    ) -> bool {
        let Some(told) = told.filter(|told| told.value != Fact::Unknown) else {
            let message = format!(
                "nothing is known below of `{key}` of `{}`, so that there is nothing to dispute",
                node.id
            );
            let problem = self
                .problems
                .key("needless-dispute", &dispute.place, message);
            self.problems
                .push(problem.help("state the fact in the item, and take the dispute away"));
            return false;
        };
        if told.value == *below {
            self.class(node, key, told.by, dispute);
            return true;
        }
        let message = format!(
            "the layer below no longer says this of `{key}` of `{}`",
            node.id
        );
        let place = dispute.place.then("documents");
        let problem = self.problems.value("stale-dispute", &place, message);
        let problem = self.below(problem, node, key, told.by);
        self.problems
            .push(problem.help("look at the dispute again: mend it or take it away"));
        false
    }

    /// What one side of a dispute says, decoded as the disputed fact is.
    fn side<V: DeserializeOwned>(
        &mut self,
        dispute: &DisputeNode<'a>,
        side: &'static str,
    ) -> Option<Fact<V>> {
        let place = dispute.place.then(side);
        match load::value(self.problems.sources(), place.file, &place.keys()) {
            Ok(value) => Some(value),
            Err(problem) => {
                self.problems.push(*problem);
                None
            }
        }
    }

    /// A lower class never replaces a higher one; a documented Since yields only to A or B.
    fn class<B: Dated>(
        &mut self,
        node: &Node<'a, B>,
        key: Key<'a>,
        below: By<'a>,
        dispute: &DisputeNode<'a>,
    ) {
        if dispute.body.verdict != Verdict::Supplement {
            return;
        }
        let Some(above) = class_of(&dispute.body.evidence, self.sources) else {
            return;
        };
        let replaced = node
            .proof_of(key.program.unwrap_or("shape"), below)
            .and_then(|proof| class_of(proof, self.sources));
        let allowed = if key.name == "since" {
            Class::B
        } else {
            Class::C
        };
        let allowed = replaced.map_or(allowed, |class| class.min(allowed));
        if above > allowed {
            let problem = self.problems.value(
                "weak-evidence",
                &dispute.place.then("evidence"),
                format!(
                    "evidence of class {above:?} cannot overrule `{key}` of `{}`",
                    node.id
                ),
            );
            let help = format!(
                "bring evidence of class {allowed:?} or better, or let the verdict be `documents`"
            );
            self.problems.push(problem.help(help));
        }
    }

    pub(super) fn restated(&mut self, key: Key<'a>, place: &Place<'a>, dispute: &DisputeNode<'a>) {
        let place = key.under(place);
        let span = self.problems.key_span(&dispute.place);
        let problem = self
            .problems
            .value(
                "losing-value",
                &place,
                format!("the value of `{key}` has lost in a dispute"),
            )
            .related(dispute.place.file, span, "decided here")
            .help("leave it out: the dispute carries the value");
        self.problems.push(problem);
    }
}
