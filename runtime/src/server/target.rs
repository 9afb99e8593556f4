//! The release that a server's answers are meant to be of.

use std::fmt;

use crate::Version;

/// A release of a program, which a server's answers are meant to be of. Handlers find it in [`Call::target`](super::Call::target).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Target {
    /// The program, by its key in the catalogue: `mastodon`.
    pub program: Box<str>,
    /// The release.
    pub version: Version,
}

impl Target {
    /// A release of a program.
    pub fn new(program: impl Into<Box<str>>, version: Version) -> Self {
        Self {
            program: program.into(),
            version,
        }
    }
}

/// `mastodon@4.2.0`
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.program, self.version)
    }
}
