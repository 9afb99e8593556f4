//! The tree of the members of an object, from names in bracket notation: `configuration[polls][max_options]`.

use fedispec_model::wire::{Member, WireName, Wrap};

use crate::map::IndexMap;

/// Members of an object, by key, in the catalogue's order.
pub(super) type Branches<'w> = IndexMap<&'w str, Branch<'w>>;

/// A member of an object.
#[derive(Debug, Default)]
pub(super) struct Branch<'w> {
    /// The containers between the key and its members or values: the most that any name has.
    pub(super) wraps: Vec<Wrap<'w>>,
    /// The items that are this member: the number of containers in their name, and the index of their node.
    pub(super) items: Vec<(usize, usize)>,
    /// Its own members.
    pub(super) members: Branches<'w>,
}

/// Two names that contradict each other about a member: the index of the second one's node, and the key.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Clash<'w> {
    pub(super) node: usize,
    pub(super) key: &'w str,
}

/// Makes the tree of names. A name that cannot be read has been reported already and is left out.
pub(super) fn member_tree(names: &[String]) -> (Branches<'_>, Vec<Clash<'_>>) {
    let mut root = Branches::default();
    let mut clashes = Vec::new();
    for (node, name) in names.iter().enumerate() {
        let Ok(name) = WireName::parse(name) else {
            continue;
        };
        let mut at = &mut root;
        let last = name.members.len() - 1;
        for (depth, member) in name.members.into_iter().enumerate() {
            let branch = at.entry(member.key).or_default();
            let inside = depth < last;
            if !branch.agrees(&member, inside) {
                clashes.push(Clash { node, key: member.key });
            }
            if !inside {
                branch.items.push((member.wraps.len(), node));
            }
            if member.wraps.len() > branch.wraps.len() {
                branch.wraps = member.wraps;
            }
            at = &mut branch.members;
        }
    }
    sort(&mut root);
    (root, clashes)
}

/// The item with the fewest containers first: that is the member itself.
fn sort(branches: &mut Branches<'_>) {
    for branch in branches.values_mut() {
        branch.items.sort_unstable();
        sort(&mut branch.members);
    }
}

impl<'w> Branch<'w> {
    /// Whether a name can mean this member: both have the same containers as far as they go, and a name that reaches
    /// into the member has all of them.
    fn agrees(&self, member: &Member<'w>, inside: bool) -> bool {
        let alike = self.wraps.iter().zip(&member.wraps).all(|(a, b)| a.same_kind(*b));
        let (have, say) = (self.wraps.len(), member.wraps.len());
        alike && (self.members.is_empty() || say <= have) && (!inside || have <= say)
    }

    /// The node of the item that is this member.
    pub(super) fn main(&self) -> Option<usize> {
        self.items.first().map(|(_, node)| *node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn members_of_members() {
        let names = names(&["a", "a[b]", "a[b][c]", "d[][e]", "d[][f]", "g[:key]", "g"]);
        let (tree, clashes) = member_tree(&names);
        assert_eq!(clashes, []);
        assert_eq!(tree.keys().collect::<Vec<_>>(), [&"a", &"d", &"g"]);
        assert_eq!(tree["a"].main(), Some(0));
        assert_eq!(tree["a"].members["b"].members["c"].main(), Some(2));
        assert_eq!(tree["d"].main(), None);
        assert_eq!(tree["d"].wraps, [Wrap::List]);
        assert_eq!(tree["d"].members.len(), 2);
        assert_eq!(tree["g"].items, [(0, 6), (1, 5)]);
    }

    #[test]
    fn a_list_here_and_a_map_there() {
        for pair in
            [["a[][b]", "a[:k][c]"], ["a[][b]", "a[c]"], ["a[b]", "a[][c]"], ["a[][b]", "a[][]"]]
        {
            let names = names(&pair);
            assert_eq!(member_tree(&names).1, [Clash { node: 1, key: "a" }], "{pair:?}");
        }
        let fine = names(&["a", "a[:k][b]", "e[]", "e[][f]"]);
        assert_eq!(member_tree(&fine).1, []);
    }
}
