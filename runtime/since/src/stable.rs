//! Versions of stable releases, as the catalogue states them.

use std::fmt;
use std::str::FromStr;

use crate::{Version, VersionError};

/// The version of a stable release: three numbers and no pre-release.
///
/// It is what the catalogue states and what a table of thousands of lives holds, so it takes six bytes, where a [`Version`] keeps the
/// text of a pre-release too.
///
/// ```
/// use fedispec_since::{StableVersion, VersionError};
///
/// assert_eq!("4.10.3".parse(), Ok(StableVersion(4, 10, 3)));
/// assert_eq!("4.3.0-rc.1".parse::<StableVersion>(), Err(VersionError::NotStable));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StableVersion(pub u16, pub u16, pub u16);

impl StableVersion {
    /// `0.0.0`, by which the catalogue means every release from the first.
    pub const FIRST: Self = Self(0, 0, 0);

    /// The release that this one counts as, of those that are known: itself, or else the newest known one before it in its line, `4.2`.
    ///
    /// ```
    /// use fedispec_since::StableVersion;
    ///
    /// let known = [StableVersion(4, 2, 10), StableVersion(4, 2, 11), StableVersion(4, 3, 0)];
    /// let counts_as = |patch| StableVersion(4, 2, patch).counts_as(known);
    /// assert_eq!(counts_as(10), Some(StableVersion(4, 2, 10)));
    /// assert_eq!(counts_as(20), Some(StableVersion(4, 2, 11)));
    /// assert_eq!(counts_as(9), None);
    /// ```
    pub fn counts_as(self, known: impl IntoIterator<Item = Self>) -> Option<Self> {
        let is_before = |one: &Self| (one.0, one.1) == (self.0, self.1) && *one <= self;
        known.into_iter().filter(is_before).max()
    }

    /// The same as a [`Version`].
    pub const fn version(self) -> Version {
        Version::new(self.0 as u32, self.1 as u32, self.2 as u32)
    }

    /// The three numbers.
    pub const fn numbers(self) -> (u16, u16, u16) {
        (self.0, self.1, self.2)
    }
}

impl From<StableVersion> for Version {
    fn from(version: StableVersion) -> Self {
        version.version()
    }
}

impl FromStr for StableVersion {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        let version: Version = text.parse()?;
        if version.is_pre_release() {
            return Err(VersionError::NotStable);
        }
        let number = |number: u32| u16::try_from(number).map_err(|_| VersionError::TooLarge);
        Ok(Self(number(version.major)?, number(version.minor)?, number(version.patch)?))
    }
}

impl fmt::Display for StableVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

impl fmt::Debug for StableVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StableVersion({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_three_numbers_and_nothing_else() {
        assert_eq!("0.0.0".parse(), Ok(StableVersion::FIRST));
        assert_eq!("4.65535.3".parse(), Ok(StableVersion(4, 65535, 3)));
        for (text, error) in [
            ("4.3", VersionError::Shape),
            ("4.03.0", VersionError::LeadingZero),
            ("4.65536.0", VersionError::TooLarge),
            ("4.3.0-rc.1", VersionError::NotStable),
        ] {
            assert_eq!(text.parse::<StableVersion>(), Err(error), "{text}");
        }
    }

    #[test]
    fn orders_by_its_numbers() {
        assert!(StableVersion(4, 9, 0) < StableVersion(4, 10, 0));
        assert_eq!(StableVersion(4, 10, 3).to_string(), "4.10.3");
        assert_eq!(StableVersion(4, 10, 3).version(), Version::new(4, 10, 3));
    }
}
