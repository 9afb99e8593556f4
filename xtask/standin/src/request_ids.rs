//! Ids of requests.

use std::sync::{Arc, Mutex};

use crate::lock::lock;
use crate::store::chance::Chance;

/// The chance behind ids of requests. It is not the state's: an answer that changes nothing must not change what is drawn later.
#[derive(Debug, Clone)]
pub(crate) struct RequestIds {
    first: Chance,
    now: Arc<Mutex<Chance>>,
}

impl RequestIds {
    pub(crate) fn new(first: Chance) -> Self {
        Self { now: Arc::new(Mutex::new(first.clone())), first }
    }

    /// Draws bytes; zeros where the system has no random numbers.
    pub(crate) fn draw<const N: usize>(&self) -> [u8; N] {
        let drawn = lock(&self.now).bytes();
        drawn.unwrap_or([0; N])
    }

    /// Draws from now on what was drawn at first.
    pub(crate) fn restart(&self) {
        *lock(&self.now) = self.first.clone();
    }
}
