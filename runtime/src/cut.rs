//! What a server that emulates a release leaves out of its answers, or writes otherwise.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::Key;

/// What is left out of what is written, or written otherwise: how a release that a server emulates differs from what the types say.
#[derive(Debug, Default)]
pub(crate) struct Cut {
    /// By the hash of an entity's name.
    entities: Vec<(u64, CutEntity)>,
    /// By the hashes of an enumeration's name and of a value.
    values: Vec<((u64, u64), Instead)>,
}

/// The keys of one entity that are not written as usual.
#[derive(Debug)]
pub(crate) struct CutEntity {
    keys: Vec<(&'static str, KeyCut)>,
    /// The same by the places of the keys, in the order of the table that was written first. Only a second type of the same name has another.
    pub(crate) places: OnceLock<Places>,
}

/// What is written in place of a key with its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum KeyCut {
    /// Nothing.
    Out,
    /// A value of the release's own, as JSON.
    Constant(Arc<str>),
    /// The same value, otherwise.
    Written(Spelling),
}

/// How a release writes the value of a key, where that is not as its type says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Spelling {
    pub(crate) none: Option<NoneAs>,
    pub(crate) value: Option<ValueAs>,
}

/// How no value is written, or the one that absence means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoneAs {
    /// Without its key.
    LeftOut,
    /// Without its key, as are `false`, 0, an empty text and an empty list.
    EmptyLeftOut,
    /// As JSON.
    Json(&'static str),
}

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueAs {
    /// Texts that are whole numbers, as numbers; in a list too.
    Numbers,
    /// What is not a text, as one.
    Texts,
    /// A day as its first moment.
    Moments,
    /// A role by its name alone.
    RoleName,
}

impl KeyCut {
    /// What both say of a key; what is out is out.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Out, _) | (_, Self::Out) => Self::Out,
            (Self::Constant(json), _) | (_, Self::Constant(json)) => Self::Constant(json),
            (Self::Written(one), Self::Written(other)) => Self::Written(Spelling {
                none: one.none.or(other.none),
                value: one.value.or(other.value),
            }),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Places {
    pub(crate) table: u64,
    pub(crate) out: u128,
    pub(crate) changed: Vec<(usize, KeyCut)>,
    /// Whether the release has none of the keys, and so not the entity.
    pub(crate) is_gone: bool,
}

/// The replacement for a value that is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Instead {
    /// Nothing: what it stands in is left out with it, up to an optional key or the element of a list.
    Nothing,
    /// `null`.
    Null,
    /// Another value.
    Value(&'static str),
}

impl Cut {
    /// Cuts keys of entities, by their names, and values of enumerations.
    pub(crate) fn new(
        keys: impl IntoIterator<Item = (&'static str, &'static str, KeyCut)>,
        values: impl IntoIterator<Item = (&'static str, &'static str, Instead)>,
    ) -> Self {
        let mut entities = BTreeMap::<u64, BTreeMap<_, KeyCut>>::new();
        for (entity, key, cut) in keys {
            let keys = entities.entry(hash(entity)).or_default();
            let cut = match keys.remove(key) {
                Some(other) => other.and(cut),
                None => cut,
            };
            keys.insert(key, cut);
        }
        let entity = |keys: BTreeMap<_, _>| CutEntity {
            keys: keys.into_iter().collect(),
            places: OnceLock::new(),
        };
        let values = values.into_iter();
        let mut values: Vec<_> =
            values.map(|(name, value, instead)| ((hash(name), hash(value)), instead)).collect();
        values.sort_unstable_by_key(|(names, _)| *names);
        Self {
            entities: { entities.into_iter() }.map(|(name, keys)| (name, entity(keys))).collect(),
            values,
        }
    }

    pub(crate) fn entity(&self, name: u64) -> Option<&CutEntity> {
        let found = self.entities.binary_search_by_key(&name, |(name, _)| *name);
        let (_, entity) = self.entities.get(found.ok()?)?;
        Some(entity)
    }

    /// What is written in place of a value, where that is not the value. The enumeration is given by the hash of its name.
    pub(crate) fn value(&self, name: u64, value: &str) -> Option<Instead> {
        let first = self.values.partition_point(|((own, _), _)| *own < name);
        let ((own, _), _) = self.values.get(first)?;
        if *own != name {
            return None;
        }
        let names = (name, hash(value));
        let found = self.values.binary_search_by_key(&names, |(names, _)| *names);
        self.values.get(found.ok()?).map(|(_, instead)| *instead)
    }
}

impl CutEntity {
    pub(crate) fn places(&self, table: u64, keys: &[Key]) -> Places {
        let mut places = Places { table, out: 0, changed: Vec::new(), is_gone: false };
        for (place, key) in keys.iter().enumerate() {
            let cut = self.keys.iter().find(|(wire, _)| *wire == key.wire());
            match cut {
                Some((_, KeyCut::Out)) => places.out |= bit(place),
                Some((_, changed)) => places.changed.push((place, changed.clone())),
                None => {}
            }
        }
        places.is_gone = (0..keys.len()).all(|place| places.out & bit(place) != 0);
        places
    }
}

/// The bit of a key's place; no entity has as many keys as there are bits.
pub(crate) fn bit(place: usize) -> u128 {
    let place = u32::try_from(place).ok();
    place.and_then(|place| 1_u128.checked_shl(place)).unwrap_or_default()
}

/// The hash of a name, FNV-1a, as the derive macro computes it.
#[doc(hidden)]
pub const fn hash(name: &str) -> u64 {
    let name = name.as_bytes();
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    let mut at = 0;
    while at < name.len() {
        sum = (sum ^ name[at] as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    sum
}
