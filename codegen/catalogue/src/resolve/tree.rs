//! The tree of an object's members, with the Since of each.

use super::Resolver;
use super::life::{ContainerLives, StatedSince, UseDefaults};
use super::members::{Branch, Branches, member_tree};
use crate::merge::MergedItem;
use fedispec_model::api::{self, Since};

impl<'a> Resolver<'a, '_, '_> {
    /// Makes the tree of the members that the fields' names describe, with the Since that each states, and reports names that
    /// contradict each other.
    pub(super) fn tree<'w, B>(
        &mut self,
        nodes: &[MergedItem<'a, B>],
        wires: &'w [String],
        documented: &[Option<Since>],
    ) -> (Branches<'w>, Vec<Option<StatedSince<'a>>>) {
        let (tree, clashes) = member_tree(wires);
        for clash in clashes {
            let node = &nodes[clash.node];
            let message = format!(
                "`{}` and another name disagree on whether `{}` is a list, a map or an object",
                node.key, clash.key
            );
            self.facts.problems.key("wrong-container", node.place(), message, "write the key the same way in every name: a list `[]`, a map `[:key]` or an object");
        }
        let mut owns = vec![None; nodes.len()];
        self.own_members(&tree, nodes, documented, &mut owns);
        (tree, owns)
    }

    /// Lists the names of items on the wire.
    pub(super) fn wires<B>(&mut self, nodes: &[MergedItem<'a, B>]) -> Vec<String> {
        nodes.iter().map(|node| self.wire(node)).collect()
    }

    /// Merges the stated Since of every member. A member in the documents that states none inherits the nearest one
    /// above.
    fn own_members<B>(
        &mut self,
        tree: &Branches<'_>,
        nodes: &[MergedItem<'a, B>],
        documented: &[Option<Since>],
        owns: &mut [Option<StatedSince<'a>>],
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
    owns: &[Option<StatedSince<'_>>],
    at: usize,
    inherit: Option<Since>,
) -> Since {
    let since = |branch: &Branch<'_>| match branch.main() {
        Some(node) => {
            let own = owns[node].as_ref().and_then(|own| own.stated(at));
            own.or(inherit).unwrap_or(Since::Unknown)
        }
        None => earliest(&branch.members, owns, at, inherit),
    };
    tree.values().map(since).min().unwrap_or(Since::Unknown)
}

/// The lives of a member that no item states: there as soon as the first of its own members.
pub(super) fn implied_lives(
    branch: &Branch<'_>,
    owns: &[Option<StatedSince<'_>>],
    frame: &ContainerLives,
) -> Vec<api::Life> {
    let implied = |(at, outer): (usize, &api::Life)| {
        let inherit = frame.inherit.get(at).copied().flatten();
        let since = earliest(&branch.members, owns, at, inherit).max(outer.since);
        api::Life::new(since, since.max(outer.effective))
    };
    frame.lives.iter().enumerate().map(implied).collect()
}
