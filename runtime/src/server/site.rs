//! What all routes of a server share.

use std::path::Path;
use std::sync::Arc;

use super::auth::Door;
use super::{Limits, Target};

/// What all routes of a server share.
#[derive(Clone)]
pub(super) struct Site {
    pub(super) limits: Limits,
    /// The folder of large files while they come in.
    pub(super) uploads: Option<Arc<Path>>,
    /// Whether pages of other origins may call.
    pub(super) cors: bool,
    /// Where the server is for its callers.
    pub(super) public: Option<Arc<str>>,
    pub(super) door: Option<Door>,
    pub(super) target: Option<Arc<Target>>,
}

impl Default for Site {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            uploads: None,
            cors: true,
            public: None,
            door: None,
            target: None,
        }
    }
}
