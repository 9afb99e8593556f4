//! Every verdict of one server, worked out once.

use super::judge::Judge;
use super::{Fallback, Server, Verdict};
use crate::{Item, Items, Operation};

/// Every verdict of one server, so that asking costs an index.
#[derive(Debug, Clone)]
pub struct Gate {
    server: Server,
    items: Items,
    verdicts: Column,
    fallbacks: &'static [Fallback],
}

/// A verdict for each row of an item table.
#[derive(Debug, Clone)]
pub struct Column(Box<[Verdict]>);

impl Column {
    /// The verdict of a row; unknown where the table has no such row.
    pub fn row(&self, row: usize) -> Verdict {
        self.0.get(row).copied().unwrap_or(Verdict::Unknown)
    }
}

impl Gate {
    /// Works out the verdicts of a table for a server.
    pub fn new(server: Server, items: Items) -> Self {
        let judge = Judge::new(&server, &items);
        let verdicts = items
            .rows()
            .iter()
            .map(|item| judge.item(item).verdict)
            .collect();
        Self {
            verdicts: Column(verdicts),
            server,
            items,
            fallbacks: &[],
        }
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
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// The table.
    pub fn items(&self) -> Items {
        self.items
    }

    /// The verdicts by row.
    pub fn verdicts(&self) -> &Column {
        &self.verdicts
    }

    /// Whether the server has an operation.
    pub fn operation(&self, operation: &Operation) -> Verdict {
        self.verdicts.row(operation.row as usize)
    }

    /// Whether it has a parameter of an operation, by its place there.
    pub fn param(&self, operation: &Operation, place: usize) -> Verdict {
        if place < operation.params.len() {
            self.verdicts.row(operation.row as usize + 1 + place)
        } else {
            Verdict::Unknown
        }
    }

    /// The worst verdict of an operation and the parameters that are set.
    pub fn request(&self, operation: &Operation, set: impl IntoIterator<Item = usize>) -> Verdict {
        let params = set.into_iter().map(|place| self.param(operation, place));
        params.fold(self.operation(operation), Ord::max)
    }

    /// The row of an operation's parameter.
    pub(super) fn param_item(&self, operation: &Operation, place: usize) -> Option<&'static Item> {
        self.items.params(operation).get(place)
    }
}
