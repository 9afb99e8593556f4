//! The verdicts of one server on every item, worked out once.

use super::judge::Judge;
use super::{Fallback, RemoteServer, Verdict};
use crate::{Auth, Item, ItemTable, Operation};

/// The verdict of one server on each row of an item table, so that a request is judged by looking up its rows.
#[derive(Debug, Clone)]
pub struct Gate {
    server: RemoteServer,
    items: &'static ItemTable,
    verdicts: Box<[Verdict]>,
    fallbacks: &'static [Fallback],
}

impl Gate {
    /// Works out the verdicts of a table for a server.
    pub fn new(server: RemoteServer, items: &'static ItemTable) -> Self {
        let judge = Judge::new(&server, items);
        let verdicts = items.rows().iter().map(|item| judge.item(item).verdict).collect();
        Self { verdicts, server, items, fallbacks: &[] }
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

    /// The verdicts, in the order of the table's rows.
    pub fn verdicts(&self) -> &[Verdict] {
        &self.verdicts
    }

    /// Whether the server has an operation.
    pub fn operation(&self, operation: &Operation) -> Verdict {
        self.at(self.items.operation_row(operation))
    }

    /// The token and the scopes that the server's release asks for an operation; `None` where the release is not known.
    pub fn auth(&self, operation: &Operation) -> Option<Auth> {
        self.server.auth(self.items, operation)
    }

    /// Whether it has a parameter of an operation, by its place there.
    pub fn param(&self, operation: &Operation, place: usize) -> Verdict {
        self.at(self.items.param_row(operation, place))
    }

    /// The worst verdict of an operation and the parameters that are set.
    pub fn request(&self, operation: &Operation, set: impl IntoIterator<Item = usize>) -> Verdict {
        let params = set.into_iter().map(|place| self.param(operation, place));
        params.fold(self.operation(operation), Verdict::max)
    }

    fn at(&self, row: Option<usize>) -> Verdict {
        row.and_then(|row| self.verdicts.get(row)).copied().unwrap_or(Verdict::Unknown)
    }

    /// The row of an operation's parameter.
    pub(super) fn param_item(&self, operation: &Operation, place: usize) -> Option<&'static Item> {
        self.items.param(operation, place)
    }
}
