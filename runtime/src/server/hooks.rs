//! Hooks of a server before and after each call, whatever the operation.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;

use super::{Call, Caller, Result};
use crate::Operation;

/// Asked before each handler.
pub(super) type Before = Arc<dyn Fn(&Call) -> Result<()> + Send + Sync>;

/// Told after each answer.
pub(super) type After = Arc<dyn Fn(&Served) + Send + Sync>;

/// A request that was answered, as metrics and audits want to know it. An event stream is answered once it begins.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Served {
    /// The operation.
    pub operation: &'static Operation,
    /// The caller, where the request came as far as to have one.
    pub caller: Option<Caller>,
    /// The status of the answer.
    pub status: StatusCode,
    /// The time from the head of the request to that of the answer.
    pub took: Duration,
    /// Whether the release that the server emulates has the operation. If not, the request was answered as one for an unknown route.
    pub in_release: bool,
    /// The parameters that were sent and that the emulated release does not have, by their names in the catalogue.
    pub ignored_params: Vec<&'static str>,
    /// The names in the query and the body that the operation does not have in any release.
    pub unknown_params: Vec<String>,
}
