//! Since when a program has something.

use std::fmt;
use std::str::FromStr;

use crate::{StableVersion, Version};

/// Since when one program has an item.
///
/// They order as they combine: an item is available when it and all its containers are, so the latest of them counts, and a version
/// comes before [`Unknown`](Availability::Unknown), which comes before [`Never`](Availability::Never).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Availability<V = Version> {
    /// The first release that has it.
    Since(V),
    /// Nobody says.
    #[default]
    Unknown,
    /// Known to be absent from every release up to the newest one looked at.
    Never,
}

impl Availability {
    /// Since a release.
    pub const fn since(major: u32, minor: u32, patch: u32) -> Self {
        Self::Since(Version::new(major, minor, patch))
    }
}

impl<V: Copy> Availability<V> {
    /// The first release, where one is known.
    pub const fn version(self) -> Option<V> {
        match self {
            Self::Since(version) => Some(version),
            Self::Unknown | Self::Never => None,
        }
    }
}

impl From<Availability<StableVersion>> for Availability {
    fn from(since: Availability<StableVersion>) -> Self {
        match since {
            Availability::Since(version) => Self::Since(version.version()),
            Availability::Unknown => Self::Unknown,
            Availability::Never => Self::Never,
        }
    }
}

/// Reads what [`Display`](fmt::Display) writes: a version, `unknown` or `never`.
impl<V: FromStr> FromStr for Availability<V> {
    type Err = V::Err;

    fn from_str(text: &str) -> Result<Self, V::Err> {
        match text {
            "unknown" => Ok(Self::Unknown),
            "never" => Ok(Self::Never),
            _ => text.parse().map(Self::Since),
        }
    }
}

impl<V: fmt::Display> fmt::Display for Availability<V> {
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
    use crate::{StableVersion, VersionError};

    #[test]
    fn reads_what_it_writes() {
        for text in ["4.3.0", "unknown", "never"] {
            let since: Availability<StableVersion> = text.parse().expect(text);
            assert_eq!(since.to_string(), text);
            assert_eq!(<Availability>::from(since).to_string(), text);
        }
        let read = "Never".parse::<Availability<StableVersion>>();
        assert_eq!(read, Err(VersionError::Shape));
    }

    #[test]
    fn the_latest_counts() {
        let old = Availability::since(2, 4, 0);
        let new = Availability::since(4, 3, 0);
        assert_eq!(old.max(new), new);
        assert_eq!(new.max(Availability::Unknown), Availability::Unknown);
        assert_eq!(<Availability>::Never.max(Availability::Unknown), Availability::Never);
    }
}
