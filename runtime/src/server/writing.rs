//! How a route's answers are written.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Bytes;

use crate::cut::Cut;
use crate::ser::{Output, ToJson};

/// The least and the greatest memory that an answer begins with.
const ROOM: (usize, usize) = (128, 128 * 1024);

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
    /// What is left out of what users are answered.
    users: Option<Arc<Cut>>,
    /// What is left out of what all others are answered.
    others: Option<Arc<Cut>>,
    /// The length of the latest answer. The next one is like it, and so is not moved while it grows.
    length: AtomicUsize,
}

impl Writing {
    pub(super) fn new(users: Option<Arc<Cut>>, others: Option<Arc<Cut>>) -> Self {
        let how = How {
            users,
            others,
            length: AtomicUsize::default(),
        };
        Self {
            how: Arc::new(how),
            to_others: false,
            is_silent: false,
        }
    }

    /// Sets whether an empty object is written in place of every value.
    pub(super) fn silent(self, is_silent: bool) -> Self {
        Self { is_silent, ..self }
    }

    /// The same for a caller that is a user or not.
    pub(super) fn to(&self, is_user: bool) -> Self {
        Self {
            how: Arc::clone(&self.how),
            to_others: !is_user,
            is_silent: self.is_silent,
        }
    }

    /// The JSON of a value; `None` where all of it is left out.
    pub(super) fn value(&self, value: &dyn ToJson) -> Option<Bytes> {
        if self.is_silent {
            return Some(Bytes::from_static(b"{}"));
        }
        let mut output = self.begin();
        value.write(&mut output);
        let json = output.finish()?;
        self.how.length.store(json.len(), Ordering::Relaxed);
        Some(json.into())
    }

    /// The JSON of a list of values.
    pub(super) fn list(&self, values: &[&dyn ToJson]) -> Bytes {
        self.value(&values).unwrap_or_default()
    }

    fn begin(&self) -> Output<'_> {
        let (least, most) = ROOM;
        // Some answers are a little longer than the one before.
        let length = self.how.length.load(Ordering::Relaxed);
        let room = (length + length / 8).clamp(least, most);
        let How { users, others, .. } = &*self.how;
        let cut = if self.to_others { others } else { users };
        Output::new(room, cut.as_deref())
    }
}
