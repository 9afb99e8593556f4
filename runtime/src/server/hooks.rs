//! What a server does before and after each call, whatever the operation.

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
}
