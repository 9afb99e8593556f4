//! Failures of commands and their exit codes.

use std::io;
use std::path::Path;

use fedispec_reader::load;

/// Why a command failed; determines the exit code.
pub enum Failure {
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
    /// Any other failure, in its own words.
    #[allow(clippy::needless_pass_by_value, reason = "`map_err` gives a value")]
    pub fn other(error: impl ToString) -> Self {
        Self::Other(error.to_string())
    }

    /// A file or folder that cannot be read or written.
    pub fn file(doing: &str, path: &Path, error: &io::Error) -> Self {
        Self::Other(format!("cannot {doing} {}: {error}", path.display()))
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Stale(message) | Self::Other(message) | Self::Unreachable(message) => {
                f.write_str(message)
            }
            Self::Invalid(failure) => failure.fmt(f),
            Self::Reported(code) => write!(f, "exit code {code}"),
        }
    }
}
