//! Failures of commands and their exit codes.

use std::io;
use std::path::Path;

use fedispec_reader::load;

/// Why a command failed; determines the exit code.
pub(crate) enum Failure {
    /// Generated files differ from the catalogue's; exit 1.
    Stale(String),
    /// The catalogue is invalid; exit 2.
    Invalid(Box<load::Failure>),
    /// A child process failed and has printed why; its exit code is passed on.
    #[cfg_attr(unix, allow(dead_code, reason = "there the process becomes its child"))]
    Reported(u8),
    /// An item does not exist, or a file cannot be read or written; exit 2.
    Other(String),
    /// A side of a comparison is unreachable; exit 3.
    Unreachable(String),
}

impl Failure {
    #[allow(clippy::needless_pass_by_value, reason = "`map_err` gives a value")]
    pub(crate) fn other(error: impl ToString) -> Self {
        Self::Other(error.to_string())
    }

    /// A file or folder that cannot be read or written.
    pub(crate) fn file(doing: &str, path: &Path, error: &io::Error) -> Self {
        Self::Other(format!("cannot {doing} {}: {error}", path.display()))
    }
}
