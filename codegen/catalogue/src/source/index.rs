//! The positions of all nodes of a file, found by the path of keys.

use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::ops::Range;

use super::Span;

/// A node: an index into [`Index`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NodeId(u32);

/// The nodes of one file. Keys are kept as hashes: a catalogue has some hundred thousand of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Index {
    nodes: Vec<Node>,
    children: HashMap<u64, u32, BuildHasherDefault<Same>>,
}

#[derive(Debug, Clone, PartialEq)]
struct Node {
    /// Both ends are 0 where there is no key: a key never is empty at the start of a file.
    key: Range<u32>,
    value: Range<u32>,
}

/// The keys of the map are hashes already.
#[derive(Debug, Clone, Default)]
pub(crate) struct Same(u64);

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 << 8) | u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

impl Index {
    /// The root of the file, unless the file is empty.
    pub(crate) fn root(&self) -> Option<NodeId> {
        (!self.nodes.is_empty()).then_some(NodeId(0))
    }

    /// The node under that key, or with that number in a sequence.
    pub(crate) fn child(&self, parent: NodeId, key: &str) -> Option<NodeId> {
        self.children.get(&hash(parent, key)).copied().map(NodeId)
    }

    /// Where a node stands.
    pub(crate) fn span(&self, node: NodeId) -> Span {
        let Node { key, value } = &self.nodes[node.0 as usize];
        Span {
            key: (key.end != 0).then(|| wide(key)),
            value: wide(value),
        }
    }

    /// Adds a node without a name: the root, or one whose key says nothing.
    pub(crate) fn add(&mut self, key: Option<Range<usize>>, value: Range<usize>) -> NodeId {
        let id = NodeId(narrow(self.nodes.len()));
        let key = key.unwrap_or(0..0);
        self.nodes.push(Node {
            key: slim(&key),
            value: slim(&value),
        });
        id
    }

    /// Names a node; where the name is taken, the one that has it stays and is returned.
    pub(crate) fn name(&mut self, parent: NodeId, key: &str, node: NodeId) -> Result<(), NodeId> {
        match self.children.entry(hash(parent, key)) {
            Entry::Occupied(taken) => Err(NodeId(*taken.get())),
            Entry::Vacant(free) => {
                free.insert(node.0);
                Ok(())
            }
        }
    }

    /// Moves the end of a node's value, once it is known.
    pub(crate) fn close(&mut self, node: NodeId, end: usize) {
        let value = &mut self.nodes[node.0 as usize].value;
        value.end = narrow(end).max(value.start);
    }
}

fn hash(parent: NodeId, key: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    parent.0.hash(&mut hasher);
    key.hash(&mut hasher);
    hasher.finish()
}

fn narrow(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn slim(range: &Range<usize>) -> Range<u32> {
    narrow(range.start)..narrow(range.end)
}

fn wide(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_two_names_stays() {
        let mut index = Index::default();
        let root = index.add(None, 0..9);
        let first = index.add(Some(0..1), 3..4);
        let second = index.add(Some(5..6), 8..9);
        assert_eq!(index.name(root, "a", first), Ok(()));
        assert_eq!(index.name(root, "a", second), Err(first));
        assert_eq!(index.child(root, "a"), Some(first));
        assert_eq!(index.child(first, "a"), None);
        assert_eq!(
            index.span(second),
            Span {
                key: Some(5..6),
                value: 8..9
            }
        );
        assert_eq!(index.span(root).key, None);
    }
}
