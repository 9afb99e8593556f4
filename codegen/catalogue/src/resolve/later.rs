//! The life of an item after its Since, by program: stubs, deprecation, removal, gaps and changes.

use super::Resolver;
use super::life::{fact, since};
use crate::merge::{FactKey, MergedItem, Stated};
use crate::model::{Change, Head};
use crate::problems::NodePath;
use fedispec_model::api::{Life, Since};
use fedispec_model::change::{self, ChangedFact};
use fedispec_since::{LeftOut, Required, StableVersion};
use serde_json::{Value, json};

impl<'a> Resolver<'a, '_, '_> {
    /// Adds to a life everything that follows the Since.
    pub(super) fn what_follows<B>(
        &mut self,
        node: &MergedItem<'a, B>,
        program: &'a str,
        life: &mut Life,
    ) {
        let speaks = node.statements.iter().any(|one| goes_on(one.head));
        if !speaks && !self.merged.disputes.about(&node.id) {
            return;
        }
        let key = FactKey::in_program("works_since", program);
        let mut said = node.heads(|head| head.works_since.get(program).copied().map(fact));
        let works = self.facts.settle(&node.id, key, None, |_, _| false, &mut said);
        life.works_since = works.map(|settled| since(&settled.value));
        life.deprecated = self.in_program(node, "deprecated", program, |one| one.deprecated);
        life.removed = self.in_program(node, "removed", program, |one| one.removed);
        life.absent =
            self.in_program(node, "absent", program, |one| one.absent).unwrap_or_default();
        let changed = self.in_program(node, "changed", program, |one| one.changed);
        life.changed = changed.unwrap_or_default().into_iter().map(change).collect();
        for statement in &node.statements {
            let proof = statement.proof(program);
            for (place, version) in followed(statement, program) {
                self.released(version, program, proof, &place);
            }
        }
    }

    /// Finds the Since that an item has in a program: its own, or that of what is around it.
    pub(super) fn since_of(&self, id: &str, program: &str) -> Option<NodePath<'a>> {
        self.merged.since_of(id, program, self.facts.problems)
    }
}

/// The versions after the Since that a statement mentions, with the node of each.
fn followed<'a>(statement: &Stated<'a>, program: &'a str) -> Vec<(NodePath<'a>, StableVersion)> {
    let (head, at) = (statement.head, |fact| statement.place.under(&[fact, program]));
    let mut found = Vec::new();
    if let Some(Since::Since(version)) = head.works_since.get(program) {
        found.push((at("works_since"), *version));
    }
    for (fact, list) in [("deprecated", head.deprecated), ("removed", head.removed)] {
        found.extend(list.get(program).map(|version| (at(fact), *version)));
    }
    found.extend(ends(head.absent.get(program), &at("absent")));
    for (index, change) in head.changed.get(program).into_iter().flatten().enumerate() {
        let place = at("changed").then(index.to_string());
        found.push((place.then("in"), change.r#in));
        found.extend(ends(Some(&change.absent), &place.then("absent")));
    }
    found
}

/// The ends of gaps, with the node of each.
fn ends<'a>(
    gaps: Option<&Vec<(StableVersion, StableVersion)>>,
    place: &NodePath<'a>,
) -> impl Iterator<Item = (NodePath<'a>, StableVersion)> {
    gaps.into_iter().flatten().enumerate().flat_map(|(gap, (from, until))| {
        let place = place.then(gap.to_string());
        [(place.then("0"), *from), (place.then("1"), *until)]
    })
}

/// Whether a statement has any fact that follows the Since.
fn goes_on(head: Head<'_>) -> bool {
    !(head.works_since.is_empty()
        && head.deprecated.is_empty()
        && head.removed.is_empty()
        && head.absent.is_empty()
        && head.changed.is_empty())
}

fn change(change: Change) -> change::Change {
    // A parameter is required as its own key says it, or in the words that hold of more than one release.
    let state = |value: Option<Value>| match value {
        Some(Value::Bool(required)) if change.what == ChangedFact::Required => {
            Some(json!(if required { Required::Always } else { Required::Never }))
        }
        // A list of one value is the value.
        value if change.what == ChangedFact::LeftOut => {
            let read =
                value.clone().and_then(|value| serde_json::from_value::<LeftOut>(value).ok());
            read.map(|left_out| json!(left_out)).or(value)
        }
        value => value,
    };
    change::Change {
        r#in: change.r#in,
        absent: change.absent,
        what: change.what,
        from: state(change.from),
        to: state(change.to),
        all: false,
    }
}
