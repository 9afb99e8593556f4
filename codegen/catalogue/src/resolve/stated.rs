//! The check that every fact is stated or declared unknown, so that nothing is omitted silently.

use super::Resolver;
use crate::load::LayerKind;
use std::rc::Rc;

use crate::merge::{MergedItem, Stated};
use crate::model::{FactName, Usual};
use crate::problems::NodePath;
use fedispec_model::api::Layer;

impl FactName {
    /// The key of the fact in an item.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Method => "method",
            Self::Path => "path",
            Self::Auth => "auth",
            Self::Returns => "returns",
            Self::Success => "success",
            Self::Errors => "errors",
            Self::Paging => "paging",
            Self::In => "in",
            Self::Type => "type",
            Self::Required => "required",
            Self::Default => "default",
            Self::Nullable => "nullable",
            Self::Optional => "optional",
            Self::Fields => "fields",
            Self::Values => "values",
        }
    }
}

/// The facts that may be absent: then no default is known, and no error is told of.
const MAY_BE_LEFT_OUT: [FactName; 2] = [FactName::Default, FactName::Errors];

impl<'a> Resolver<'a, '_, '_> {
    /// Reports the facts that nobody states or declares unknown: in the documents, and again in what lies over them,
    /// where a fact that was forgotten would otherwise pass for one that nobody knows.
    pub(super) fn all_stated<B>(
        &mut self,
        node: &MergedItem<'a, B>,
        facts: impl Fn(&'a B) -> Vec<(FactName, bool)>,
    ) {
        if let Some(first) = node.documents() {
            let missing = facts(first.body).into_iter();
            let missing =
                missing.filter(|(fact, said)| !said && !first.defaults.unknown.contains(fact));
            let missing: Vec<_> = missing.map(|(fact, _)| fact).collect();
            self.not_stated(node, &first.place, &missing);
        }
        if self.layer == Layer::Full {
            self.all_supplemented(node, facts);
        }
    }

    /// Reports the facts of an item over the documents that no layer states, and no file over the documents declares
    /// unknown. An item whose container only the documents have is theirs alone, and the folder of a program speaks of that one.
    fn all_supplemented<B>(
        &mut self,
        node: &MergedItem<'a, B>,
        facts: impl Fn(&'a B) -> Vec<(FactName, bool)>,
    ) {
        let mut missing: Vec<FactName> = Vec::new();
        for (number, statement) in node.of_all().enumerate() {
            let silent = facts(statement.body)
                .into_iter()
                .filter(|(fact, said)| !said && !MAY_BE_LEFT_OUT.contains(fact))
                .map(|(fact, _)| fact);
            if number == 0 {
                missing = silent.collect();
            } else {
                let silent: Vec<_> = silent.collect();
                missing.retain(|fact| silent.contains(fact));
            }
        }
        missing.retain(|fact| !self.usual.contains(fact));
        if missing.is_empty() {
            return;
        }
        let over = self.over_documents(node);
        missing.retain(|fact| !over.iter().any(|one| one.defaults.unknown.contains(fact)));
        if let Some(place) = over.first().map(|one| one.place.clone()) {
            self.not_stated(node, &place, &missing);
        }
    }

    /// Lists the statements over the documents about an item and the operation, entity or enumeration that it belongs to,
    /// each from the highest layer down.
    fn over_documents<'x, B>(&'x self, node: &'x MergedItem<'a, B>) -> Vec<&'x Stated<'a>> {
        let outer = node.place().path.get(1).and_then(|id| self.merged.ids.get(id.as_ref()));
        let outer = outer.into_iter().flatten().rev().map(Rc::as_ref);
        let own = node.of_all().rev().map(|one| &**one);
        let is_own = node.first().kind == LayerKind::Program;
        let is_over = |one: &&Stated<'a>| match one.kind {
            LayerKind::Documents => false,
            LayerKind::Program => is_own,
            LayerKind::Supplement | LayerKind::Overlay => true,
        };
        own.chain(outer).filter(is_over).collect()
    }

    /// Finds the value that the catalogue states once for a fact that no layer states of an item over the documents.
    pub(super) fn usual<B, V>(
        &self,
        node: &MergedItem<'a, B>,
        fact: FactName,
        get: impl Fn(&'a Usual) -> Option<V>,
    ) -> Option<V> {
        let said = get(&self.implementations.defaults).filter(|_| self.layer == Layer::Full)?;
        let over = self.over_documents(node);
        let open = over.iter().any(|one| one.defaults.unknown.contains(&fact));
        (!open && !over.is_empty()).then_some(said)
    }

    fn not_stated<B>(
        &mut self,
        node: &MergedItem<'a, B>,
        place: &NodePath<'a>,
        missing: &[FactName],
    ) {
        // An item that only a program's folder names, and without a summary, is misspelt or lost.
        let is_whole = self.implementations.reference.is_some() && self.merged.former.is_some();
        let mut heads = node.statements.iter().map(|one| one.head);
        if is_whole
            && node.first().kind == LayerKind::Program
            && heads.all(|head| head.summary.is_none())
        {
            return;
        }
        // A fact that is stated and not here has been refused by the loader.
        let refused = |key: &'static str| {
            let mut places = node.of_all().map(|one| one.place.then(key));
            places.any(|place| self.facts.problems.stands(&place))
        };
        let missing = missing.iter().map(|fact| fact.key());
        let missing: Vec<_> = missing.filter(|key| !refused(key)).collect();
        if missing.is_empty() {
            return;
        }
        let list = missing.join("`, `");
        let message = format!("`{}` neither states `{list}` nor says that it is unknown", node.id);
        let help = "state it, write `unknown`, or list it under `unknown` in the file's `defaults` if its source never shows it";
        self.facts.problems.key("missing-fact", place, message, help).without(missing);
    }
}
