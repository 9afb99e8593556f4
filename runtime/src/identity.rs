//! Server identification from version strings.
//!
//! The patterns of version strings are the catalogue's. Every string gives an [`Identity`], which may be empty.

#[cfg(test)]
mod tests;

use fedispec_since::identify::{self, Identified};
use serde::{Deserialize, Serialize};

use crate::Version;
use crate::known::{self, profiles};

/// The program and versions that a version string names.
///
/// ```
/// use fedispec_runtime::Identity;
///
/// let identity = Identity::read("2.7.2 (compatible; Pleroma 2.7.0-70-g36d469cf)", None);
/// assert_eq!(identity.program.as_deref(), Some("pleroma"));
/// assert_eq!(identity.version.as_deref(), Some("2.7.0-70-g36d469cf"));
/// assert_eq!(identity.claims_mastodon.map(|claim| claim.to_string()), Some("2.7.2".to_owned()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Identity {
    /// The program's own name in lower case, whether or not a catalogue has it.
    pub program: Option<String>,
    /// The program's own version, without additions of its packager.
    pub version: Option<String>,
    /// The version of Mastodon that the server claims to be or to be compatible with.
    pub claims_mastodon: Option<Version>,
    /// Whether the version is a pre-release.
    pub prerelease: bool,
}

impl Identity {
    /// Parses a version string, with the program's name in `NodeInfo` if there is one.
    pub fn read(version: &str, software: Option<&str>) -> Self {
        let Identified { program, version, claim, prerelease } =
            profiles().identify(version, software);
        Self { program, version, claims_mastodon: claim, prerelease }
    }

    /// Whether the program is a fork of Mastodon, so that the version of Mastodon that it claims is its code's.
    pub fn is_fork(&self) -> bool {
        self.program.as_deref().is_some_and(|name| profiles().is_fork(name))
    }

    /// The release of the program's own version, or the one that a pre-release precedes; `None` where it has not that format.
    pub fn release(&self) -> Option<Version> {
        identify::release(self.version.as_deref()?)
    }

    /// Whether the program is the one whose API this is.
    pub(crate) fn is_reference(&self) -> bool {
        self.program.as_deref() == Some(known::reference())
    }
}
