//! Settings shared by all routes of a server.

use std::path::Path;
use std::sync::Arc;

use super::auth::DynAuthenticator;
use super::{RequestLimits, Target};

/// Settings shared by all routes of a server.
#[derive(Clone)]
pub(super) struct Site {
    pub(super) limits: RequestLimits,
    /// The folder for large uploads.
    pub(super) uploads: Option<Arc<Path>>,
    /// Whether pages of other origins may call the API.
    pub(super) cors: bool,
    /// The origin of links to other pages.
    pub(super) public: Option<Arc<str>>,
    pub(super) authenticator: Option<DynAuthenticator>,
    pub(super) target: Option<Arc<Target>>,
}

impl Default for Site {
    fn default() -> Self {
        Self {
            limits: RequestLimits::default(),
            uploads: None,
            cors: true,
            public: None,
            authenticator: None,
            target: None,
        }
    }
}
