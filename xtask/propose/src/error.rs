//! Why nothing could be proposed.

/// Why nothing could be proposed, and what to do. Nothing has been written.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Error(pub String);
