//! How a route's answers are written.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Bytes;

use super::Target;
use super::dialect::{self, Dialect};
use crate::ser::ToJson;

/// The greatest length of a short answer.
const SHORT: usize = 4 * 1024;
/// The greatest memory that a long answer begins with.
const ROOM: usize = 128 * 1024;

thread_local! {
    /// Where short answers are written, before they are copied into memory of their length.
    static DRAFT: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// How a route's answers are written.
#[derive(Debug, Clone, Default)]
pub(super) struct Writing {
    how: Arc<How>,
    /// Whether the caller is known and is not a user.
    to_others: bool,
    /// Whether an empty object is written in place of every value.
    is_silent: bool,
}

#[derive(Debug, Default)]
struct How {
    /// How answers to users are written, where that is not by their types.
    users: Option<Arc<Dialect>>,
    /// The same for all other callers.
    others: Option<Arc<Dialect>>,
    /// The program and release that the server emulates, whose words errors have.
    target: Option<Arc<Target>>,
    /// The length of the latest answer: a long one that begins with as much is not moved while it grows.
    length: AtomicUsize,
}

impl Writing {
    pub(super) fn new(
        users: Option<Arc<Dialect>>,
        others: Option<Arc<Dialect>>,
        target: Option<Arc<Target>>,
    ) -> Self {
        let how = How { users, others, target, length: AtomicUsize::default() };
        Self { how: Arc::new(how), to_others: false, is_silent: false }
    }

    /// Sets whether an empty object is written in place of every value.
    pub(super) fn silent(self, is_silent: bool) -> Self {
        Self { is_silent, ..self }
    }

    /// The same for a caller that is a user or not.
    pub(super) fn to(&self, is_user: bool) -> Self {
        Self { how: Arc::clone(&self.how), to_others: !is_user, is_silent: self.is_silent }
    }

    pub(super) fn target(&self) -> Option<&Target> {
        self.how.target.as_deref()
    }

    /// The JSON of a value; `None` where all of it is left out.
    pub(super) fn value(&self, value: &dyn ToJson) -> Option<Bytes> {
        if self.is_silent {
            return Some(Bytes::from_static(b"{}"));
        }
        // The next answer is as long as the latest one, or a little longer.
        let length = self.how.length.load(Ordering::Relaxed);
        let is_short = length <= SHORT;
        let bytes = if is_short {
            DRAFT.take()
        } else {
            Vec::with_capacity((length + length / 8).min(ROOM))
        };
        let mut json = dialect::encode(value, self.dialect(), bytes)?;
        self.how.length.store(json.len(), Ordering::Relaxed);
        if !is_short || json.len() > SHORT {
            return Some(json.into());
        }
        let answer = Bytes::copy_from_slice(&json);
        json.clear();
        DRAFT.set(json);
        Some(answer)
    }

    /// The JSON of a list of values.
    pub(super) fn list(&self, values: &[&dyn ToJson]) -> Bytes {
        self.value(&values).unwrap_or_default()
    }

    fn dialect(&self) -> Option<&Arc<Dialect>> {
        let How { users, others, .. } = &*self.how;
        let dialect = if self.to_others { others } else { users };
        dialect.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_all_lengths_are_whole() {
        let writing = Writing::default();
        let lengths = [3, 2 * SHORT, 1, SHORT - 2, SHORT - 1, ROOM, 0, 5 * ROOM, 7];
        for length in lengths {
            let answer = writing.value(&"a".repeat(length)).expect("JSON");
            assert_eq!(answer, format!("\"{}\"", "a".repeat(length)));
        }
    }
}
