//! In the documents a fact is stated or declared unknown: an omission means neither.

use super::Resolver;
use crate::merge::{Node, Statement};
use crate::model::{Dated, FactName};

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

impl<'a> Resolver<'a, '_, '_> {
    /// Names the facts that the documents leave out without saying so.
    pub(super) fn all_stated<B: Dated>(
        &mut self,
        node: &Node<'a, B>,
        facts: impl Fn(&'a B) -> Vec<(FactName, bool)>,
    ) {
        let Some(first) = node.documents() else {
            return;
        };
        let missing: Vec<_> = facts(first.body)
            .into_iter()
            .filter(|(fact, stated)| !stated && !first.defaults.unknown.contains(fact))
            .map(|(fact, _)| fact.key())
            // What is stated and not here has been refused by the loader.
            .filter(|key| !self.settle.problems.stands(&first.place.then(*key)))
            .collect();
        if !missing.is_empty() {
            self.not_stated(node, first, &missing);
        }
    }

    fn not_stated<B: Dated>(
        &mut self,
        node: &Node<'a, B>,
        first: &Statement<'a, B>,
        missing: &[&str],
    ) {
        let list = missing.join("`, `");
        let message = format!(
            "`{}` neither states `{list}` nor says that it is unknown",
            node.id
        );
        let problem = self
            .settle
            .problems
            .key("missing-fact", &first.place, message);
        self.settle.problems.push(problem.help(
            "state it, write `unknown`, or list it under `unknown` in the file's `defaults` if its source never shows it",
        ));
    }
}
