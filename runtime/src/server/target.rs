//! The program and release that a server emulates.

use std::fmt;

use crate::Version;

/// The program and release that a server emulates. Handlers find it in [`Call::target`](super::CallParts::target).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Target {
    /// The program's key in the catalogue: `mastodon`.
    pub program: Box<str>,
    /// The release.
    pub version: Version,
}

impl Target {
    /// Creates a target.
    pub fn new(program: impl Into<Box<str>>, version: Version) -> Self {
        Self { program: program.into(), version }
    }
}

/// Prints `mastodon@4.2.0`.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.program, self.version)
    }
}
