//! Maps and sets of the catalogue. Their keys are a keeper's own, so that a hash need not withstand an attacker, and a fast one saves a tenth
//! of what opening a catalogue takes.

pub(crate) use foldhash::fast::FixedState as Hasher;

/// A map in the order of the file.
pub(crate) type IndexMap<K, V> = indexmap::IndexMap<K, V, Hasher>;
pub(crate) type HashMap<K, V> = std::collections::HashMap<K, V, Hasher>;
pub(crate) type HashSet<T> = std::collections::HashSet<T, Hasher>;
