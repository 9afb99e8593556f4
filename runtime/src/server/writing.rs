//! How a route's answers are written.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Bytes;

use crate::ser::{Cut, Output, ToJson};

/// The least and the greatest memory that an answer begins with.
const ROOM: (usize, usize) = (128, 128 * 1024);

/// How a route's answers are written.
#[derive(Debug, Clone, Default)]
pub(super) struct Writing {
    /// What is left out.
    cut: Option<Arc<Cut>>,
    /// The length of the latest answer. The next one is like it, and so is not moved while it grows.
    length: Arc<AtomicUsize>,
}

impl Writing {
    pub(super) fn new(cut: Option<Arc<Cut>>) -> Self {
        Self {
            cut,
            length: Arc::default(),
        }
    }

    /// The JSON of a value; `None` where all of it is left out.
    pub(super) fn value(&self, value: &dyn ToJson) -> Option<Bytes> {
        let mut output = self.begin();
        value.write(&mut output);
        let json = output.finish()?;
        self.length.store(json.len(), Ordering::Relaxed);
        Some(json.into())
    }

    /// The JSON of a list of values.
    pub(super) fn list(&self, values: &[&dyn ToJson]) -> Bytes {
        self.value(&values).unwrap_or_default()
    }

    fn begin(&self) -> Output<'_> {
        let (least, most) = ROOM;
        // Some answers are a little longer than the one before.
        let length = self.length.load(Ordering::Relaxed);
        let room = (length + length / 8).clamp(least, most);
        Output::new(room, self.cut.as_deref())
    }
}
