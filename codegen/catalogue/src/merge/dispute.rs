//! Declared contradictions between layers (`disputes`), by item and fact.

use std::cell::Cell;

use super::key::FactKey;
use super::{Ids, RankedFile};
use crate::map::{HashMap, HashSet};
use crate::model::Dispute;
use crate::problems::{NodePath, Problems};
use fedispec_model::suggest::did_you_mean;

/// A declared contradiction and its place in the catalogue.
#[derive(Debug)]
pub(crate) struct DeclaredDispute<'a> {
    /// The declaration.
    pub(crate) body: &'a Dispute,
    /// Its node.
    pub(crate) place: NodePath<'a>,
    /// The layer that declares it.
    pub(super) layer: usize,
    /// Whether the fact has been merged, so that the dispute applies to something.
    pub(super) used: Cell<bool>,
}

/// Every declared contradiction.
#[derive(Debug)]
pub(crate) struct Disputes<'a> {
    all: Vec<DeclaredDispute<'a>>,
    by_item: HashMap<&'a str, Vec<usize>>,
}

/// The facts that can be disputed; `*` stands for a program.
#[rustfmt::skip]
const FACTS: [&str; 38] = [
    "absent.*", "absent_means", "auth", "auth.*", "body", "changed.*", "default", "deprecated.*", "format", "in", "includes", "limit_from", "max",
    "max_items", "max_length", "method", "min", "min_items", "nullable", "on_older", "only", "optional", "paging", "path", "payload",
    "presence.*", "refers_to", "removed.*", "required", "required_when", "returns", "since.*", "success", "type", "when", "wire",
    "words", "works_since.*",
];

impl<'a> Disputes<'a> {
    pub(super) fn new(ranked_files: &[RankedFile<'a>]) -> Self {
        let mut all = Vec::new();
        for ranked in ranked_files {
            let list = NodePath::root(ranked.file.file).then("disputes");
            for body in &ranked.file.content.disputes {
                let (place, used) = (list.then(body.number.to_string()), Cell::new(false));
                all.push(DeclaredDispute { body, place, layer: ranked.layer, used });
            }
        }
        let mut by_item: HashMap<&'a str, Vec<usize>> = HashMap::default();
        let mut seen = HashSet::default();
        for (index, DeclaredDispute { body, layer, .. }) in all.iter().enumerate() {
            // A second dispute about the same fact is reported later, and ignored here.
            if seen.insert((layer, &body.item, &body.fact)) {
                by_item.entry(&body.item).or_default().push(index);
            }
        }
        Self { all, by_item }
    }

    /// Lists the disputes in the order of the files.
    pub(crate) fn all(&self) -> &[DeclaredDispute<'a>] {
        &self.all
    }

    /// Whether an item has any.
    pub(crate) fn about(&self, item: &str) -> bool {
        self.by_item.contains_key(item)
    }

    /// Finds the disputes about a fact, from the lowest layer up.
    pub(super) fn of<'m>(
        &'m self,
        item: &str,
        key: FactKey<'_>,
    ) -> impl Iterator<Item = &'m DeclaredDispute<'a>> {
        let about = self.by_item.get(item).map_or(&[][..], Vec::as_slice);
        about.iter().map(|index| &self.all[*index]).filter(move |one| key.is(&one.body.fact))
    }

    /// Finds the value for which a dispute decides.
    pub(crate) fn place(&self, item: &str, fact: &str) -> Option<NodePath<'a>> {
        let mut about = self.by_item.get(item)?.iter().rev().map(|index| &self.all[*index]);
        let decides = about.find(|one| one.body.fact == fact)?;
        Some(decides.place.then(decides.body.verdict.side()))
    }

    /// Reports disputes that apply to no fact. Call it after all facts have been merged.
    pub(crate) fn report_unused(
        &self,
        programs: &[&str],
        ids: &Ids<'a>,
        problems: &mut Problems<'a>,
    ) {
        let mut seen: HashMap<(usize, &str, &str), &DeclaredDispute<'a>> = HashMap::default();
        for dispute in &self.all {
            let body = dispute.body;
            if let Some(before) = seen.insert((dispute.layer, &body.item, &body.fact), dispute) {
                let message = format!("`{}` of `{}` is disputed twice", body.fact, body.item);
                problems
                    .key(
                        "duplicate-id",
                        &dispute.place,
                        message,
                        "keep one of the two, or mend its `item`",
                    )
                    .with_key(&before.place, "it stands here first");
                continue;
            }
            if dispute.used.get() {
                continue;
            }
            if !ids.contains_key(&body.item) {
                let known = ids.keys().map(String::as_str);
                let help = did_you_mean(&body.item, known, "write the id as `show` prints it");
                let message = format!("there is no item `{}` to dispute", body.item);
                problems.value("unknown-reference", &dispute.place.then("item"), message, help);
                continue;
            }
            let facts = facts(programs);
            let message =
                format!("`{}` has no fact `{}` that could be disputed", body.item, body.fact);
            let others = facts.iter().map(String::as_str).filter(|fact| *fact != body.fact);
            let or_else =
                "name a fact of the item, as `type`, or one of a program, as `since.` with its key";
            let help = did_you_mean(&body.fact, others, or_else);
            problems.value("unknown-reference", &dispute.place.then("fact"), message, help);
        }
    }
}

fn facts(programs: &[&str]) -> Vec<String> {
    FACTS
        .iter()
        .flat_map(|fact| match fact.strip_suffix('*') {
            Some(stem) => programs.iter().map(|program| format!("{stem}{program}")).collect(),
            None => vec![(*fact).to_owned()],
        })
        .collect()
}
