//! The check that the documents state every fact or declare it unknown, so that nothing is omitted silently.

use super::Resolver;
use crate::merge::{MergedItem, Statement};
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
    /// Reports the facts that the documents neither state nor declare unknown.
    pub(super) fn all_stated<B: Dated>(
        &mut self,
        node: &MergedItem<'a, B>,
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
            .filter(|key| !self.facts.problems.stands(&first.place.then(*key)))
            .collect();
        if !missing.is_empty() {
            self.not_stated(node, first, &missing);
        }
    }

    fn not_stated<B: Dated>(
        &mut self,
        node: &MergedItem<'a, B>,
        first: &Statement<'a, B>,
        missing: &[&str],
    ) {
        let list = missing.join("`, `");
        let message = format!(
            "`{}` neither states `{list}` nor says that it is unknown",
            node.id
        );
        let problem = self
            .facts
            .problems
            .key("missing-fact", &first.place, message);
        self.facts.problems.push(problem.help(
            "state it, write `unknown`, or list it under `unknown` in the file's `defaults` if its source never shows it",
        ));
    }
}
