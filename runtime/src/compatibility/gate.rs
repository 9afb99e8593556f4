//! Every verdict of one server, worked out once.

use std::num::NonZeroU64;

use super::judge::Judge;
use super::{Fallback, RemoteServer, Verdict};
use crate::operation::hash;
use crate::{Auth, Item, ItemTable, Kind, Operation, Param};

/// Every verdict of one server, so that asking costs an index.
#[derive(Debug, Clone)]
pub struct Gate {
    server: RemoteServer,
    items: &'static ItemTable,
    verdicts: Verdicts,
    calls: Calls,
    fallbacks: &'static [Fallback],
}

/// A verdict for each row of an item table.
#[derive(Debug, Clone)]
pub struct Verdicts(Box<[Verdict]>);

impl Verdicts {
    /// The verdict of a row; unknown where the table has no such row.
    pub fn row(&self, row: usize) -> Verdict {
        self.0.get(row).copied().unwrap_or(Verdict::Unknown)
    }
}

/// The verdicts of operations and their parameters, found by the hash of an operation's id.
///
/// An operation knows no row, so that a new item changes no other one. This is where its rows are looked up: once for
/// each gate, and not for each request.
#[derive(Debug, Clone)]
struct Calls {
    /// A hash table with linear probing. Its length is a power of two, and some of it is free.
    slots: Box<[Slot]>,
}

/// What a server has of an operation.
#[derive(Debug, Clone, Copy)]
struct Slot {
    /// The hash of the id; none in a free slot.
    key: Option<NonZeroU64>,
    operation: Verdict,
    /// The [`names`] of the parameters that the table lists. The bits are those of an operation with the same ones only.
    names: u64,
    /// The bits of the parameters that the server lacks, [`Param::bit`](Param).
    no: u64,
    /// The bits of those that nobody knows of.
    unknown: u64,
}

impl Slot {
    const FREE: Self =
        Self { key: None, operation: Verdict::Unknown, names: 0, no: 0, unknown: u64::MAX };

    /// Whether the bit of a parameter stands for the same one here.
    fn ranks(&self, operation: &Operation, param: &Param) -> bool {
        self.names == operation.names && param.bit != 0
    }

    /// The worst verdict of the parameters with these bits.
    fn params(&self, bits: u64) -> Verdict {
        if bits & self.no != 0 {
            Verdict::No
        } else if bits & self.unknown != 0 {
            Verdict::Unknown
        } else {
            Verdict::Yes
        }
    }
}

impl Calls {
    fn new(items: &ItemTable, verdicts: &Verdicts) -> Self {
        let rows = items.rows().iter().enumerate();
        let operations = rows.filter(|(_, item)| item.kind() == Kind::Operation);
        let length = (operations.clone().count() * 4 / 3 + 1).next_power_of_two();
        let mut calls = Self { slots: vec![Slot::FREE; length].into() };
        for (row, operation) in operations {
            let below = items.places_below(operation.id());
            let below = below.filter_map(|row| Some((items.rows().get(row)?, row)));
            // What the operation answers stands below it too.
            let mut params: Vec<_> = below
                .filter(|(item, _)| item.kind() == Kind::Param)
                .map(|(item, row)| (hash(item.name()), verdicts.row(row)))
                .collect();
            params.sort_unstable_by_key(|(hash, _)| *hash);
            let bits = |those: Verdict| {
                let bits = params.iter().zip(0..u64::BITS);
                let bits = bits.filter(|((_, verdict), _)| *verdict == those);
                bits.fold(0, |bits, (_, rank)| bits | 1 << rank)
            };
            let key = NonZeroU64::new(hash(operation.id()));
            let at = calls.probe(key);
            if calls.slots[at].key.is_some() {
                // Two ids with one hash: the slot cannot tell which of them is asked for.
                calls.slots[at] = Slot { key, ..Slot::FREE };
                continue;
            }
            calls.slots[at] = Slot {
                key,
                operation: verdicts.row(row),
                names: params.iter().fold(0, |sum, (hash, _)| hash ^ sum),
                no: bits(Verdict::No),
                unknown: !(bits(Verdict::No) | bits(Verdict::Yes)),
            };
        }
        calls
    }

    /// The slot of a key, or the free one where it would be.
    fn probe(&self, key: Option<NonZeroU64>) -> usize {
        let mask = self.slots.len() - 1;
        #[allow(clippy::cast_possible_truncation, reason = "only the lowest bits count")]
        let mut at = key.map_or(0, NonZeroU64::get) as usize & mask;
        while self.slots[at].key != key && self.slots[at].key.is_some() {
            at = (at + 1) & mask;
        }
        at
    }

    fn of(&self, operation: &Operation) -> &Slot {
        &self.slots[self.probe(Some(operation.key))]
    }
}

impl Gate {
    /// Works out the verdicts of a table for a server.
    pub fn new(server: RemoteServer, items: &'static ItemTable) -> Self {
        let judge = Judge::new(&server, items);
        let verdicts = items.rows().iter().map(|item| judge.item(item).verdict).collect();
        let verdicts = Verdicts(verdicts);
        Self { calls: Calls::new(items, &verdicts), verdicts, server, items, fallbacks: &[] }
    }

    /// Knows operations that stand in for others, for [`Policy::Adapt`](super::Policy::Adapt).
    #[must_use]
    pub fn with_fallbacks(mut self, fallbacks: &'static [Fallback]) -> Self {
        self.fallbacks = fallbacks;
        self
    }

    /// The operations that stand in for others.
    pub fn fallbacks(&self) -> &'static [Fallback] {
        self.fallbacks
    }

    /// The server.
    pub fn server(&self) -> &RemoteServer {
        &self.server
    }

    /// The table.
    pub fn items(&self) -> &'static ItemTable {
        self.items
    }

    /// The verdicts by row.
    pub fn verdicts(&self) -> &Verdicts {
        &self.verdicts
    }

    /// Whether the server has an operation.
    pub fn operation(&self, operation: &Operation) -> Verdict {
        self.calls.of(operation).operation
    }

    /// The token and the scopes that the server's release asks for an operation; `None` where the release is not known.
    pub fn auth(&self, operation: &Operation) -> Option<Auth> {
        self.server.auth(self.items, operation)
    }

    /// Whether it has a parameter of an operation, by its place there.
    pub fn param(&self, operation: &Operation, place: usize) -> Verdict {
        let verdicts = self.calls.of(operation);
        match operation.params.get(place) {
            Some(param) if verdicts.ranks(operation, param) => verdicts.params(param.bit),
            _ => self.param_by_name(operation, place),
        }
    }

    /// The worst verdict of an operation and the parameters that are set.
    pub fn request(&self, operation: &Operation, set: impl IntoIterator<Item = usize>) -> Verdict {
        let verdicts = self.calls.of(operation);
        let mut bits = 0;
        let mut worst = verdicts.operation;
        for place in set {
            match operation.params.get(place) {
                Some(param) if verdicts.ranks(operation, param) => bits |= param.bit,
                _ => worst = worst.max(self.param_by_name(operation, place)),
            }
        }
        worst.max(verdicts.params(bits))
    }

    /// The verdict of a parameter that has no bit here: the table does not list the same parameters as the operation.
    #[cold]
    fn param_by_name(&self, operation: &Operation, place: usize) -> Verdict {
        let row = self.items.param_row(operation, place);
        row.map_or(Verdict::Unknown, |row| self.verdicts.row(row))
    }

    /// The row of an operation's parameter.
    pub(super) fn param_item(&self, operation: &Operation, place: usize) -> Option<&'static Item> {
        self.items.param(operation, place)
    }
}
