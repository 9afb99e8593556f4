//! Memory that requests share.
//!
//! tower-http's limit layer bounds each body alone, and not all of them together.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The bytes that a request may take without counting, so that small requests come in while others hold all there is.
const FREE: u64 = 4 * 1024;

/// A number of bytes that many requests take from.
#[derive(Debug)]
pub(super) struct Budget(AtomicU64);

impl Budget {
    pub(super) fn new(bytes: u64) -> Self {
        Self(AtomicU64::new(bytes))
    }

    fn take(&self, bytes: u64) -> bool {
        let less = |left: u64| left.checked_sub(bytes);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }
}

/// The bytes that one request has taken from a budget. It is given back when this is dropped.
#[derive(Debug)]
pub(super) struct Share {
    budget: Arc<Budget>,
    free: u64,
    taken: u64,
}

impl Share {
    pub(super) fn of(budget: &Arc<Budget>) -> Self {
        Self { budget: Arc::clone(budget), free: FREE, taken: 0 }
    }

    /// Takes more; `false` where there is not enough.
    pub(super) fn take(&mut self, bytes: u64) -> bool {
        let counted = bytes.saturating_sub(self.free);
        if !self.budget.take(counted) {
            return false;
        }
        self.free = self.free.saturating_sub(bytes);
        self.taken += counted;
        true
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.budget.0.fetch_add(self.taken, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_given_back() {
        let budget = Arc::new(Budget::new(1000));
        let mut first = Share::of(&budget);
        assert!(first.take(FREE + 600));
        let mut second = Share::of(&budget);
        assert!(second.take(FREE - 1) && !second.take(500));
        assert!(second.take(401) && !second.take(1));
        drop(first);
        assert!(second.take(600) && !second.take(1));
        drop(second);
        assert_eq!(budget.0.load(Ordering::Relaxed), 1000);
    }
}
