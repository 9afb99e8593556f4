//! Merging of a fact over the layers: a higher layer fills unknowns, and a contradiction must be declared as a dispute.

use std::cmp::Reverse;
use std::rc::Rc;

use fedispec_since::Class;
use serde::de::DeserializeOwned;

use super::key::FactKey;
use super::{Disputes, MergedItem, Stated};
use crate::map::IndexMap;
use crate::model::{Dispute, Evidence, Fact, Source};
use crate::problems::{NodePath, Problems};

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
#[derive(Debug, Clone)]
pub(crate) enum Provenance<'a> {
    /// A statement of the item.
    Statement(Rc<Stated<'a>>),
    /// The `defaults` of the file that a statement of the item stands in.
    Default(Rc<Stated<'a>>),
    /// The item that contains this one.
    Container,
    /// A line that speaks of many items: its evidence and its node.
    Many(Option<&'a Evidence>, NodePath<'a>),
    /// The verdict of a dispute, with the node of the dispute.
    Verdict(&'a Dispute, NodePath<'a>),
}

impl<'a> Provenance<'a> {
    /// Finds the node that a value was read from; a container has none here.
    pub(crate) fn place(&self, key: FactKey<'a>) -> Option<NodePath<'a>> {
        match self {
            Self::Statement(stated) => Some(key.under(&stated.place)),
            Self::Default(stated) => {
                Some(key.under(&NodePath::root(stated.place.file).then("defaults")))
            }
            Self::Many(_, place) => Some(key.under(place)),
            Self::Verdict(dispute, place) => Some(place.then(dispute.verdict.side())),
            Self::Container => None,
        }
    }

    /// Returns the statement behind the value; a verdict and a container have none.
    pub(crate) fn stated(&self) -> Option<&Stated<'a>> {
        match self {
            Self::Statement(stated) | Self::Default(stated) => Some(stated),
            Self::Container | Self::Many(..) | Self::Verdict(..) => None,
        }
    }
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
        let mut said = node.statements.iter().map(|one| (&one.stated, say(one.body)));
        let settled = self.settle(&node.id, key, None, refines, &mut said)?;
        self.is_proven(node, key, &settled);
        Some(settled)
    }

    /// Reports a known value that no evidence stands behind.
    pub(crate) fn is_proven<B, V>(
        &mut self,
        node: &MergedItem<'a, B>,
        key: FactKey<'a>,
        settled: &SettledFact<'a, V>,
    ) {
        if let (Fact::Known(_), Provenance::Statement(stated)) = (&settled.value, &settled.by)
            && stated.proof_of(key).is_none()
        {
            let message = format!("`{}` has facts without evidence", node.id);
            let help = "name a source under `evidence.shape` of the item, of what contains it, or of the file's `defaults`";
            self.problems.key("missing-evidence", &stated.place, message, help);
        }
    }

    /// Merges what the statements about an item say of a fact. `initial` is a value that is implied rather than written,
    /// such as a default; `refines` tells whether the second value makes the first one precise without contradicting it.
    // It is compiled for each type, and not for each way to find what is said.
    pub(crate) fn settle<'x, V: FactValue>(
        &mut self,
        id: &str,
        key: FactKey<'a>,
        initial: Option<SettledFact<'a, V>>,
        refines: fn(&V, &V) -> bool,
        said: &mut dyn Iterator<Item = (&'x Rc<Stated<'a>>, Option<Fact<V>>)>,
    ) -> Option<SettledFact<'a, V>>
    where
        'a: 'x,
    {
        let mut settled = initial;
        let mut disputes = self.disputes.of(id, key).peekable();
        for (stated, said) in said {
            while let Some(dispute) = disputes.next_if(|one| one.layer < stated.layer) {
                settled = self.verdict(id, key, settled, dispute);
            }
            match disputes.next_if(|one| one.layer == stated.layer) {
                Some(dispute) => {
                    settled = self.verdict(id, key, settled, dispute);
                    match (said, &settled) {
                        // It was not about the program.
                        (said, None) => {
                            settled = self.combine(id, key, None, said, stated, refines);
                        }
                        (Some(said), Some(settled)) if said != settled.value => {
                            self.restated(key, &stated.place, dispute);
                        }
                        _ => {}
                    }
                }
                None => settled = self.combine(id, key, settled, said, stated, refines),
            }
        }
        for dispute in disputes {
            settled = self.verdict(id, key, settled, dispute);
        }
        settled
    }

    /// Ranks the evidence of a value: better evidence is greater, and none is least.
    fn evidence_rank(&self, key: FactKey<'a>, by: &Provenance<'a>) -> Option<Reverse<Class>> {
        let evidence = match by {
            Provenance::Verdict(dispute, _) => &dispute.evidence,
            by => by.stated()?.proof_of(key)?,
        };
        class_of(evidence, self.sources).map(Reverse)
    }

    /// Lays a statement's value over the value of the layers below.
    fn combine<V: PartialEq>(
        &mut self,
        id: &str,
        key: FactKey<'a>,
        settled: Option<SettledFact<'a, V>>,
        said: Option<Fact<V>>,
        stated: &Rc<Stated<'a>>,
        refines: fn(&V, &V) -> bool,
    ) -> Option<SettledFact<'a, V>> {
        let Some(said) = said else { return settled };
        let by = Provenance::Statement(Rc::clone(stated));
        let place = || key.under(&stated.place);
        match (settled, said) {
            (None | Some(SettledFact { value: Fact::Unknown, .. }), value) => {
                Some(SettledFact { value, by })
            }
            (Some(SettledFact { value: Fact::Known(below), by: whose }), Fact::Known(above)) => {
                if below == above {
                    // The same value with evidence at least as good becomes the provenance.
                    let better = self.evidence_rank(key, &by) >= self.evidence_rank(key, &whose);
                    let by = if better { by } else { whose };
                    return Some(SettledFact { value: Fact::Known(below), by });
                }
                if refines(&below, &above) {
                    return Some(SettledFact { value: Fact::Known(above), by });
                }
                let message = format!("`{key}` of `{id}` contradicts the layer below");
                let help = "declare it under `disputes`, with both values, the evidence and a verdict, and leave it out here";
                self.problems.value("undeclared-contradiction", &place(), message, help);
                self.with_below(key, &whose);
                Some(SettledFact { value: Fact::Known(below), by: whose })
            }
            (Some(settled), Fact::Unknown) => {
                let message =
                    format!("`{key}` of `{id}` is known already; `unknown` cannot replace it");
                let help = "leave it out; if the value below is wrong, declare it under `disputes`";
                self.problems.value("undeclared-contradiction", &place(), message, help);
                self.with_below(key, &settled.by);
                Some(settled)
            }
        }
    }

    /// Adds the value of the layer below to the problem reported last.
    pub(super) fn with_below(&mut self, key: FactKey<'a>, by: &Provenance<'a>) {
        match by.stated().and_then(|_| by.place(key)) {
            Some(place) => self.problems.with_value(&place, "the layer below says this"),
            None => self.problems.with_label("the layer below inherits another value"),
        }
    }
}

/// Returns the class of some evidence: its own, or else its source's.
pub(crate) fn class_of(evidence: &Evidence, sources: &IndexMap<String, Source>) -> Option<Class> {
    let source = sources.get(&evidence.source)?;
    Some(evidence.class.unwrap_or(source.class))
}
