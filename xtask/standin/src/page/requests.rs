//! The last requests, for the page at `/`.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use fedispec::runtime::Operation;
use fedispec::server::{Id, Served};

/// How many requests are kept.
const KEPT: usize = 100;
/// How many unknown names of a request are kept, and how many characters of each: a client chooses them.
const NAMES: usize = 20;
const NAME: usize = 60;

/// A request that was answered. It has names of parameters and no values, so that no token, password or code is in it.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    /// Milliseconds since 1970.
    pub(super) at: u128,
    pub(super) operation: &'static Operation,
    pub(super) caller: Who,
    pub(super) status: u16,
    pub(super) milliseconds: u128,
    /// Whether the release has the operation.
    pub(super) in_release: bool,
    /// The parameters that are newer than the release, or that it does not heed.
    pub(super) ignored: Vec<&'static str>,
    /// The names that the operation does not have in any release.
    pub(super) unknown: Vec<String>,
}

/// The owner of the token that came with a request.
#[derive(Debug, Clone)]
pub(super) enum Who {
    Nobody,
    Application,
    Account(Id),
}

/// The last requests, shared by those who note and those who show them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Requests(Arc<Mutex<VecDeque<Seen>>>);

impl Requests {
    /// Notes a request, and forgets the oldest where there are too many.
    pub(crate) fn note(&self, served: &Served) {
        let caller = match &served.caller {
            None => Who::Nobody,
            Some(caller) => { caller.account.clone() }.map_or(Who::Application, Who::Account),
        };
        let names = served.unknown_params.iter().take(NAMES);
        let seen = Seen {
            at: { SystemTime::now().duration_since(UNIX_EPOCH) }.unwrap_or_default().as_millis(),
            operation: served.operation,
            caller,
            status: served.status.as_u16(),
            milliseconds: served.took.as_millis(),
            in_release: served.in_release,
            ignored: served.ignored_params.clone(),
            unknown: names.map(|name| name.chars().take(NAME).collect()).collect(),
        };
        let mut last = self.lock();
        if last.len() == KEPT {
            last.pop_front();
        }
        last.push_back(seen);
    }

    /// Forgets them all.
    pub(crate) fn clear(&self) {
        self.lock().clear();
    }

    /// The newest first.
    pub(super) fn newest_first(&self) -> Vec<Seen> {
        self.lock().iter().rev().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Seen>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
