//! The memory and length that a request's body may take. They are lower for unknown senders.
//!
//! tower-http's limit layer bounds a body before authentication, so that its limit cannot depend on the caller.

use std::time::Duration;

use super::budget::Share;
use super::route::Route;
use super::site::Site;
use super::{Caller, Error, RequestLimits};

/// The length and the memory that the body of a request may take.
pub(super) struct Allowance<'a> {
    pub(super) limits: &'a RequestLimits,
    /// Whether the sender is known to be a user.
    pub(super) is_known: bool,
    share: Share,
}

impl<'a> Allowance<'a> {
    pub(super) fn of(route: &'a Route, caller: Option<&Caller>) -> Self {
        let site: &Site = &route.site;
        let is_user = caller.is_some_and(|caller| caller.account.is_some());
        let is_known = is_user || site.authenticator.is_none();
        let budget = if is_known { &site.known } else { &site.anonymous };
        Self { limits: &route.limits, is_known, share: Share::of(budget) }
    }

    /// The greatest length of a form or JSON body.
    pub(super) fn body(&self) -> u64 {
        self.at_most(self.limits.body)
    }

    /// The lower limit of an unknown sender, where the sender is unknown.
    pub(super) fn at_most(&self, limit: u64) -> u64 {
        if self.is_known { limit } else { limit.min(self.limits.anonymous_body) }
    }

    /// Takes memory; `false` where there is not enough.
    pub(super) fn take(&mut self, bytes: usize) -> bool {
        self.share.take(bytes as u64)
    }

    /// The memory that has been taken, to be kept as long as the body's values are.
    pub(super) fn into_share(self) -> Share {
        self.share
    }
}

/// Other requests hold all the memory for bodies.
pub(super) fn no_memory() -> Error {
    Error::unavailable().with_retry_after(Duration::from_secs(1))
}
