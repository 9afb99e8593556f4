//! Locks that outlive a panic: what they hold is whole between two statements.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A mutex that is taken whether or not somebody has panicked while holding it.
pub(crate) trait Lock<T> {
    /// Takes it.
    fn held(&self) -> MutexGuard<'_, T>;
}

impl<T> Lock<T> for Mutex<T> {
    fn held(&self) -> MutexGuard<'_, T> {
        self.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
