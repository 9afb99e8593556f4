//! Merging of a fact over the layers: a higher layer fills unknowns, and a contradiction must be declared as a dispute.

use indexmap::IndexMap;
use serde::de::DeserializeOwned;

use super::key::FactKey;
use super::{Disputes, MergedItem, Stated, Statement};
use crate::model::{Evidence, Fact, Source};
use crate::problems::{NodePath, Problems};
use fedispec_model::api::Class;

/// A merged fact: the winning value and its provenance.
#[derive(Debug, Clone)]
pub(crate) struct SettledFact<'a, V> {
    /// The winning value.
    pub(crate) value: Fact<V>,
    /// Where the value comes from.
    pub(crate) by: Provenance<'a>,
}

impl<V> SettledFact<'_, V> {
    /// Returns the value, unless it is unknown.
    pub(crate) fn known(self) -> Option<V> {
        match self.value {
            Fact::Known(value) => Some(value),
            Fact::Unknown => None,
        }
    }
}

/// Where the value of a fact comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Provenance<'a> {
    /// A statement of the item, by its index.
    Statement(usize),
    /// The `defaults` of the file that a statement stands in, by the index of the statement.
    Default(usize),
    /// The item that contains this one.
    Container,
    /// The verdict of a dispute, with the index of the dispute.
    Verdict(&'a crate::model::Dispute, usize),
}

impl<'a> Stated<'a> {
    /// Finds the evidence of a fact.
    pub(crate) fn proof_of(&self, key: FactKey<'_>) -> Option<&'a Evidence> {
        key.proofs().iter().find_map(|of| self.proof(of))
    }

    /// Finds the evidence under a key: the statement's own, its container's, or its file's.
    pub(crate) fn proof(&self, of: &str) -> Option<&'a Evidence> {
        let inside = std::iter::once(self.head.evidence).chain(self.around.iter().copied());
        inside.chain([&self.defaults.evidence]).find_map(|list| list.get(of))
    }
}

/// A value that a fact can have.
pub(crate) trait FactValue: Clone + PartialEq + DeserializeOwned {}

impl<V: Clone + PartialEq + DeserializeOwned> FactValue for V {}

/// Merges the statements and disputes about one fact after the other.
#[derive(Debug)]
pub(crate) struct FactSettler<'a, 'm, 'p> {
    /// The declared contradictions.
    pub(crate) disputes: &'m Disputes<'a>,
    /// The registered sources of evidence.
    pub(crate) sources: &'a IndexMap<String, Source>,
    /// Collects the problems found.
    pub(crate) problems: &'p mut Problems<'a>,
}

impl<'a> FactSettler<'a, '_, '_> {
    /// Merges a fact of the item itself.
    pub(crate) fn fact<B, V: FactValue>(
        &mut self,
        node: &MergedItem<'a, B>,
        name: &'static str,
        say: impl Fn(&'a B) -> Option<Fact<V>>,
    ) -> Option<SettledFact<'a, V>> {
        self.refined(node, FactKey::of(name), |_, _| false, say)
    }

    /// Merges a fact that needs evidence, and that a higher layer may make precise without a dispute.
    pub(crate) fn refined<B, V: FactValue>(
        &mut self,
        node: &MergedItem<'a, B>,
        key: FactKey<'a>,
        refines: fn(&V, &V) -> bool,
        say: impl Fn(&'a B) -> Option<Fact<V>>,
    ) -> Option<SettledFact<'a, V>> {
        let settled = self.settle(node, key, None, refines, |one| say(one.body))?;
        if let (Fact::Known(_), Provenance::Statement(index)) = (&settled.value, settled.by)
            && node.statements[index].proof_of(key).is_none()
        {
            let place = &node.statements[index].place;
            self.problems.key("missing-evidence",
                place,
                format!("`{}` has facts without evidence", node.id), "name a source under `evidence.shape` of the item, of what contains it, or of the file's `defaults`");
        }
        Some(settled)
    }

    /// Merges a fact. `initial` is a value that is implied rather than written, such as a default; `refines` tells
    /// whether
    /// the second value makes the first one precise without contradicting it.
    pub(crate) fn settle<B, V: FactValue>(
        &mut self,
        node: &MergedItem<'a, B>,
        key: FactKey<'a>,
        initial: Option<SettledFact<'a, V>>,
        refines: fn(&V, &V) -> bool,
        say: impl Fn(&Statement<'a, B>) -> Option<Fact<V>>,
    ) -> Option<SettledFact<'a, V>> {
        let mut settled = initial;
        let mut disputes = self.disputes.of(&node.id, key).peekable();
        for (index, statement) in node.statements.iter().enumerate() {
            while let Some(dispute) = disputes.next_if(|one| one.layer < statement.layer) {
                settled = self.verdict(node, key, settled, dispute);
            }
            let said = say(statement);
            match disputes.next_if(|one| one.layer == statement.layer) {
                Some(dispute) => {
                    settled = self.verdict(node, key, settled, dispute);
                    if let (Some(said), Some(settled)) = (said, &settled)
                        && said != settled.value
                    {
                        self.restated(key, &statement.place, dispute);
                    }
                }
                None => settled = self.combine(node, key, settled, said, index, refines),
            }
        }
        for dispute in disputes {
            settled = self.verdict(node, key, settled, dispute);
        }
        settled
    }

    /// Ranks the evidence of a value: better evidence is greater, and none is least.
    fn evidence_rank<B>(
        &self,
        node: &MergedItem<'a, B>,
        key: FactKey<'a>,
        by: Provenance<'a>,
    ) -> Option<std::cmp::Reverse<Class>> {
        let evidence = match by {
            Provenance::Verdict(dispute, _) => &dispute.evidence,
            _ => node.proof_of_fact(key, by)?,
        };
        class_of(evidence, self.sources).map(std::cmp::Reverse)
    }

    /// Lays a statement's value over the value of the layers below.
    fn combine<B, V: PartialEq>(
        &mut self,
        node: &MergedItem<'a, B>,
        key: FactKey<'a>,
        settled: Option<SettledFact<'a, V>>,
        said: Option<Fact<V>>,
        index: usize,
        refines: fn(&V, &V) -> bool,
    ) -> Option<SettledFact<'a, V>> {
        let Some(said) = said else { return settled };
        let by = Provenance::Statement(index);
        match (settled, said) {
            (None | Some(SettledFact { value: Fact::Unknown, .. }), value) => {
                Some(SettledFact { value, by })
            }
            (Some(SettledFact { value: Fact::Known(below), by: whose }), Fact::Known(above)) => {
                if below == above {
                    // The same value with evidence at least as good becomes the provenance.
                    let by = if self.evidence_rank(node, key, by)
                        >= self.evidence_rank(node, key, whose)
                    {
                        by
                    } else {
                        whose
                    };
                    return Some(SettledFact { value: Fact::Known(below), by });
                }
                if refines(&below, &above) {
                    return Some(SettledFact { value: Fact::Known(above), by });
                }
                self.contradiction(node, key, whose, index);
                Some(SettledFact { value: Fact::Known(below), by: whose })
            }
            (Some(settled), Fact::Unknown) => {
                self.taken_back(node, key, settled.by, index);
                Some(settled)
            }
        }
    }

    fn taken_back<B>(
        &mut self,
        node: &MergedItem<'a, B>,
        key: FactKey<'a>,
        below: Provenance<'a>,
        index: usize,
    ) {
        let place = key.under(&node.statements[index].place);
        let message =
            format!("`{key}` of `{}` is known already; `unknown` cannot replace it", node.id);
        let help = "leave it out; if the value below is wrong, declare it under `disputes`";
        self.problems.value("undeclared-contradiction", &place, message, help);
        self.with_below(node, key, below);
    }

    fn contradiction<B>(
        &mut self,
        node: &MergedItem<'a, B>,
        key: FactKey<'a>,
        below: Provenance<'a>,
        index: usize,
    ) {
        let place = key.under(&node.statements[index].place);
        let message = format!("`{key}` of `{}` contradicts the layer below", node.id);
        let help = "declare it under `disputes`, with both values, the evidence and a verdict, and leave it out here";
        self.problems.value("undeclared-contradiction", &place, message, help);
        self.with_below(node, key, below);
    }

    /// Adds the value of the layer below to the problem reported last.
    pub(super) fn with_below<B>(
        &mut self,
        node: &MergedItem<'a, B>,
        key: FactKey<'a>,
        by: Provenance<'a>,
    ) {
        match node.place_of(key, by) {
            Some(place) => self.problems.with_value(&place, "the layer below says this"),
            None => self.problems.with_label("the layer below inherits another value"),
        }
    }
}

impl<'a, B> MergedItem<'a, B> {
    /// Finds the node that a value was read from; a verdict and a container have none here.
    pub(crate) fn place_of(&self, key: FactKey<'a>, by: Provenance<'a>) -> Option<NodePath<'a>> {
        match by {
            Provenance::Statement(index) => Some(key.under(&self.statements[index].place)),
            Provenance::Default(index) => {
                let root = NodePath::root(self.statements[index].place.file).then("defaults");
                Some(key.under(&root))
            }
            Provenance::Container | Provenance::Verdict(..) => None,
        }
    }

    /// Finds the evidence of a value.
    pub(crate) fn proof_of_fact(
        &self,
        key: FactKey<'a>,
        by: Provenance<'a>,
    ) -> Option<&'a Evidence> {
        match by {
            Provenance::Statement(index) | Provenance::Default(index) => {
                self.statements[index].proof_of(key)
            }
            Provenance::Container | Provenance::Verdict(..) => None,
        }
    }

    /// Finds the evidence of a program's life.
    pub(crate) fn proof_of(&self, of: &str, by: Provenance<'a>) -> Option<&'a Evidence> {
        match by {
            Provenance::Statement(index) | Provenance::Default(index) => {
                self.statements[index].proof(of)
            }
            Provenance::Container | Provenance::Verdict(..) => None,
        }
    }
}

/// Returns the class of some evidence: its own, or else its source's.
pub(crate) fn class_of(evidence: &Evidence, sources: &IndexMap<String, Source>) -> Option<Class> {
    let source = sources.get(&evidence.source)?;
    Some(evidence.class.unwrap_or(source.class))
}
