//! Since when a program has something.

use std::fmt;

use crate::Version;

/// Since when one program has an item.
///
/// They order as they combine: an item is available when it and all its containers are, so the latest of them counts, and a version
/// comes before [`Unknown`](Availability::Unknown), which comes before [`Never`](Availability::Never).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Availability {
    /// The first release that has it.
    Since(Version),
    /// Nobody says.
    Unknown,
    /// Known to be absent from every release up to the newest one looked at.
    Never,
}

impl Availability {
    /// Since a release.
    pub const fn since(major: u32, minor: u32, patch: u32) -> Self {
        Self::Since(Version::new(major, minor, patch))
    }

    /// The first release, where one is known.
    pub const fn version(self) -> Option<Version> {
        match self {
            Self::Since(version) => Some(version),
            Self::Unknown | Self::Never => None,
        }
    }
}

impl fmt::Display for Availability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Since(version) => version.fmt(f),
            Self::Unknown => f.write_str("unknown"),
            Self::Never => f.write_str("never"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Availability;

    #[test]
    fn the_latest_counts() {
        let old = Availability::since(2, 4, 0);
        let new = Availability::since(4, 3, 0);
        assert_eq!(old.max(new), new);
        assert_eq!(new.max(Availability::Unknown), Availability::Unknown);
        assert_eq!(
            Availability::Never.max(Availability::Unknown),
            Availability::Never
        );
    }
}
