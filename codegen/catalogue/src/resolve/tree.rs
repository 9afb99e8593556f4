//! The tree of an object's members, with the Since of each.

use super::Resolver;
use super::life::{Frame, Own, UseDefaults, plain};
use super::members::{Branch, Branches, plant};
use crate::merge::Node;
use crate::model::{Dated, SinceValue};
use fedispec_model::api::{self, Since};
use fedispec_model::release;

impl<'a> Resolver<'a, '_, '_> {
    /// The names of fields as a tree; what does not fit together is named.
    pub(super) fn tree<'w, B: Dated>(
        &mut self,
        nodes: &[Node<'a, B>],
        wires: &'w [String],
    ) -> Branches<'w> {
        let (tree, clashes) = plant(wires);
        for clash in clashes {
            let node = &nodes[clash.node];
            let message = format!(
                "`{}` takes `{}` for something else than another name does",
                node.key, clash.key
            );
            let problem = self
                .settle
                .problems
                .key("wrong-container", node.place(), message);
            self.settle.problems.push(
                problem.help(
                    "a key is a list `[]`, a map `[:key]` or an object, the same in every name",
                ),
            );
        }
        tree
    }

    /// Reads the Since of every member. Silent ones of the documents inherit from the nearest that says something.
    pub(super) fn own_members<B: Dated>(
        &mut self,
        tree: &Branches<'_>,
        nodes: &[Node<'a, B>],
        documented: &[Option<SinceValue>],
        owns: &mut [Option<Own<'a>>],
    ) {
        for branch in tree.values() {
            let mut inherited = documented.to_vec();
            for (_, node) in &branch.items {
                let own = self.own(&nodes[*node], &inherited, UseDefaults::Yes);
                inherited.clone_from(&own.documented);
                owns[*node] = Some(own);
            }
            self.own_members(&branch.members, nodes, &inherited, owns);
        }
    }
}

/// The earliest of the members' Since in a program; those that state none have what they inherit, or else are unknown.
pub(super) fn earliest(
    tree: &Branches<'_>,
    owns: &[Option<Own<'_>>],
    at: usize,
    inherit: Option<&Since>,
) -> Since {
    let mut found: Option<Since> = None;
    for branch in tree.values() {
        let since = match branch.main() {
            Some(node) => owns[node]
                .as_ref()
                .and_then(|own| own.stated(at))
                .or_else(|| inherit.cloned())
                .unwrap_or(Since::Unknown),
            None => earliest(&branch.members, owns, at, inherit),
        };
        found = Some(match found {
            Some(before) => release::earlier(&before, &since).clone(),
            None => since,
        });
    }
    found.unwrap_or(Since::Unknown)
}

/// The lives of a member that no item states: there as soon as the first of its own members.
pub(super) fn implied_lives(
    branch: &Branch<'_>,
    owns: &[Option<Own<'_>>],
    frame: &Frame,
) -> Vec<api::Life> {
    let implied = |(at, outer): (usize, &api::Life)| {
        let inherit = frame.inherit.get(at).and_then(Option::as_ref);
        let since =
            release::later(&earliest(&branch.members, owns, at, inherit), &outer.since).clone();
        let effective = release::later(&since, &outer.effective).clone();
        plain(since, effective)
    };
    frame.lives.iter().enumerate().map(implied).collect()
}
