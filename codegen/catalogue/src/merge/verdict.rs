//! The verdicts of declared disputes: which value wins, and whether the evidence allows it.

use fedispec_since::Class;
use serde::de::DeserializeOwned;

use super::dispute::DeclaredDispute;
use super::fact::{FactSettler, FactValue, Provenance, SettledFact, class_of};
use super::key::FactKey;
use crate::load;
use crate::model::{Fact, Verdict};
use crate::problems::NodePath;

impl<'a> FactSettler<'a, '_, '_> {
    /// Applies the verdict of a dispute to the value of the layers below.
    pub(super) fn verdict<V: FactValue>(
        &mut self,
        id: &str,
        key: FactKey<'a>,
        settled: Option<SettledFact<'a, V>>,
        dispute: &DeclaredDispute<'a>,
    ) -> Option<SettledFact<'a, V>> {
        dispute.used.set(true);
        // A dispute about all programs says nothing of one that the layers below do not speak of.
        if settled.is_none() && key.program.is_some() && !dispute.body.fact.contains('.') {
            return None;
        }
        let below = self.side::<V>(dispute, "documents");
        let above = self.side::<V>(dispute, "supplement");
        let (Some(below), Some(above)) = (below, above) else {
            return settled;
        };
        if below == above {
            let message = "both sides of the dispute have the same value";
            let help = "mend the side that was miswritten, or remove the dispute";
            self.problems.key("needless-dispute", &dispute.place, message, help);
            return settled;
        }
        if !self.holds_below(id, key, settled.as_ref(), &below, dispute) {
            return settled;
        }
        let value = if dispute.body.verdict == Verdict::Supplement { above } else { below };
        Some(SettledFact { value, by: Provenance::Verdict(dispute.body, dispute.place.clone()) })
    }

    /// Whether the layers below still have the value that the dispute quotes.
    fn holds_below<V: PartialEq>(
        &mut self,
        id: &str,
        key: FactKey<'a>,
        settled: Option<&SettledFact<'a, V>>,
        below: &Fact<V>,
        dispute: &DeclaredDispute<'a>,
    ) -> bool {
        let Some(settled) = settled.filter(|settled| settled.value != Fact::Unknown) else {
            let message =
                format!("no layer below states `{key}` of `{id}`, so there is nothing to dispute");
            let help = "mend `item` or `fact`; where they are right, state the fact in the item and remove the dispute";
            self.problems.key("needless-dispute", &dispute.place, message, help);
            return false;
        };
        if settled.value == *below {
            self.class(id, key, &settled.by, dispute);
            return true;
        }
        let message = format!("the layer below no longer has this value of `{key}` of `{id}`");
        let help = "look at the dispute again: correct it or remove it";
        self.problems.value("stale-dispute", &dispute.place.then("documents"), message, help);
        self.with_below(key, &settled.by);
        false
    }

    /// Decodes the value on one side of a dispute, as the disputed fact is decoded.
    fn side<V: DeserializeOwned>(
        &mut self,
        dispute: &DeclaredDispute<'a>,
        side: &'static str,
    ) -> Option<Fact<V>> {
        let place = dispute.place.then(side);
        let value = load::value(self.problems.sources(), place.file, &place.keys());
        match value {
            Ok(value) => Some(value),
            Err(problem) => {
                self.problems.push(*problem);
                None
            }
        }
    }

    /// Checks the class of the evidence: a lower class never replaces a higher one, and a documented Since yields only
    /// to class A or B.
    fn class(
        &mut self,
        id: &str,
        key: FactKey<'a>,
        below: &Provenance<'a>,
        dispute: &DeclaredDispute<'a>,
    ) {
        let evidence = &dispute.body.evidence;
        let above = class_of(evidence, self.sources);
        let Some(above) = above.filter(|_| dispute.body.verdict == Verdict::Supplement) else {
            return;
        };
        let replaced = below.stated().and_then(|stated| stated.proof_of(key));
        let replaced = replaced.and_then(|proof| class_of(proof, self.sources));
        let allowed = if key.name == "since" { Class::B } else { Class::C };
        let allowed = replaced.map_or(allowed, |class| class.min(allowed));
        if above > allowed {
            let message = format!("evidence of class {above:?} cannot overrule `{key}` of `{id}`");
            let help = format!(
                "bring evidence of class {allowed:?} or better, or let the verdict be `documents`"
            );
            let place = dispute.place.then("evidence");
            self.problems.value("weak-evidence", &place, message, help);
        }
    }

    pub(super) fn restated(
        &mut self,
        key: FactKey<'a>,
        place: &NodePath<'a>,
        dispute: &DeclaredDispute<'a>,
    ) {
        let message = format!("this value of `{key}` lost a dispute");
        let help = "leave it out: the dispute carries the value";
        self.problems
            .value("losing-value", &key.under(place), message, help)
            .with_key(&dispute.place, "decided here");
    }
}
