//! Settings shared by all routes of a server.

use std::path::Path;
use std::sync::Arc;

use super::auth::DynAuthenticator;
use super::budget::Budget;
use super::client_limit::ClientLimit;
use super::emulation::Emulation;
use super::hooks::{After, Before};
use super::open_streams::OpenStreams;
use super::replays::Replays;
use super::{RateLimit, RequestLimits, Target};
use crate::{Auth, ItemTable, Operation};

/// Settings shared by all routes of a server.
#[derive(Clone)]
pub(super) struct Site {
    pub(super) items: &'static ItemTable,
    pub(super) limits: Arc<RequestLimits>,
    /// The memory for bodies of unknown senders.
    pub(super) anonymous: Arc<Budget>,
    /// The memory for bodies of known senders.
    pub(super) known: Arc<Budget>,
    pub(super) stream_limit: Arc<ClientLimit>,
    pub(super) streams: OpenStreams,
    /// The bodies that are on their way.
    pub(super) bodies: Arc<ClientLimit>,
    /// The calls that run apart from their connections.
    pub(super) detached: Arc<ClientLimit>,
    /// Whether every write does.
    pub(super) detaches: bool,
    /// The folder for large uploads.
    pub(super) uploads: Option<Arc<Path>>,
    /// Whether pages of other origins may call the API.
    pub(super) cors: bool,
    /// The origins of links to other pages.
    pub(super) origins: Arc<[Box<str>]>,
    pub(super) authenticator: Option<DynAuthenticator>,
    pub(super) target: Option<Arc<Target>>,
    /// The release that is emulated, not only told to handlers.
    pub(super) emulation: Option<Emulation>,
    /// The answers to requests that may be repeated.
    pub(super) replays: Option<Arc<Replays>>,
    pub(super) rate_limit: Option<Arc<RateLimit>>,
    pub(super) before: Vec<Before>,
    pub(super) after: Vec<After>,
}

impl Site {
    pub(super) fn limit(&mut self, limits: RequestLimits) {
        self.anonymous = Arc::new(Budget::new(limits.anonymous_memory));
        self.known = Arc::new(Budget::new(limits.total_memory));
        self.limits = Arc::new(limits);
    }

    /// Whether the emulated release has an operation; every server has all where it emulates none.
    pub(super) fn serves(&self, operation: &Operation) -> bool {
        self.emulation.as_ref().is_none_or(|release| release.serves(operation))
    }

    /// The token and scopes that an operation asks for in the release that the server emulates.
    pub(super) fn auth(&self, operation: &Operation) -> Auth {
        let of = |target: &Arc<Target>| self.items.auth(operation, &target.program, target.version);
        self.target.as_ref().and_then(of).unwrap_or(operation.auth)
    }

    /// The settings of a server before any is set.
    pub(super) fn new(items: &'static ItemTable) -> Self {
        let limits = RequestLimits::default();
        Self {
            items,
            anonymous: Arc::new(Budget::new(limits.anonymous_memory)),
            known: Arc::new(Budget::new(limits.total_memory)),
            limits: Arc::new(limits),
            stream_limit: ClientLimit::streams(),
            streams: OpenStreams::default(),
            bodies: ClientLimit::bodies(),
            detached: ClientLimit::detached(),
            detaches: false,
            uploads: None,
            cors: true,
            origins: Arc::default(),
            authenticator: None,
            target: None,
            emulation: None,
            replays: None,
            rate_limit: None,
            before: Vec::new(),
            after: Vec::new(),
        }
    }
}
