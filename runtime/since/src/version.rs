//! Versions of server programs.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// The longest pre-release that a [`Version`] holds.
const LONGEST: usize = 31;

/// A version: `4.3.0`, `0.20.0-rc1`.
///
/// ```
/// use fedispec_since::Version;
///
/// let version: Version = "4.3.0-rc.1".parse()?;
/// assert!(version < Version::new(4, 3, 0));
/// assert!(version > Version::new(4, 2, 10));
/// assert_eq!(version.to_string(), "4.3.0-rc.1");
/// # Ok::<(), fedispec_since::VersionError>(())
/// ```
///
/// It is what a catalogue writes, read strictly. What servers say of themselves is wilder, and not read here.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Version {
    /// The first number.
    pub major: u32,
    /// The second number.
    pub minor: u32,
    /// The third number.
    pub patch: u32,
    pre: Pre,
}

/// The text of a pre-release, inline so that a version is `Copy` and can stand in a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Pre {
    length: u8,
    bytes: [u8; LONGEST],
}

impl Pre {
    const NONE: Self = Self { length: 0, bytes: [0; LONGEST] };

    fn as_str(&self) -> &str {
        self.bytes
            .get(..usize::from(self.length))
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .unwrap_or_default()
    }
}

impl Version {
    /// A release.
    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Self { major, minor, patch, pre: Pre::NONE }
    }

    /// The text behind the hyphen, empty for a release.
    pub fn pre(&self) -> &str {
        self.pre.as_str()
    }

    /// Whether it comes before the release of the same numbers.
    pub const fn is_pre_release(&self) -> bool {
        self.pre.length > 0
    }

    /// The release that it leads to; itself for a release.
    #[must_use]
    pub const fn release(&self) -> Self {
        Self::new(self.major, self.minor, self.patch)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        if self.is_pre_release() {
            write!(f, "-{}", self.pre())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Version({self})")
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        let numbers = |version: &Self| (version.major, version.minor, version.patch);
        numbers(self).cmp(&numbers(other)).then_with(|| {
            match (self.is_pre_release(), other.is_pre_release()) {
                (false, false) => Ordering::Equal,
                (true, false) => Ordering::Less,
                (false, true) => Ordering::Greater,
                (true, true) => compare_pre(self.pre(), other.pre()),
            }
        })
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By the rules of semantic versioning, save that `rc10` comes after `rc2`.
fn compare_pre(left: &str, right: &str) -> Ordering {
    let (mut lefts, mut rights) = (left.split('.'), right.split('.'));
    loop {
        let order = match (lefts.next(), rights.next()) {
            // Equal in value and not in text (`rc01`, `rc1`): the text decides, as it does for `Eq`.
            (None, None) => return left.cmp(right),
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(left), Some(right)) => compare_identifiers(left, right),
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

fn compare_identifiers(left: &str, right: &str) -> Ordering {
    let split = |text: &str| -> (String, Option<u64>) {
        let word = text.trim_end_matches(|c: char| c.is_ascii_digit());
        (word.to_owned(), text.get(word.len()..).and_then(|digits| digits.parse().ok()))
    };
    let ((left_word, left_number), (right_word, right_number)) = (split(left), split(right));
    left_word.cmp(&right_word).then_with(|| left_number.cmp(&right_number))
}

impl FromStr for Version {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        let (numbers, pre) = match text.split_once('-') {
            Some((numbers, pre)) => (numbers, parse_pre(pre)?),
            None => (text, Pre::NONE),
        };
        let mut parts = numbers.split('.');
        let mut number = || parts.next().ok_or(VersionError::Shape).and_then(parse_number);
        let (major, minor, patch) = (number()?, number()?, number()?);
        if parts.next().is_some() {
            return Err(VersionError::Shape);
        }
        Ok(Self { major, minor, patch, pre })
    }
}

fn parse_number(text: &str) -> Result<u32, VersionError> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(VersionError::Shape);
    }
    if text.len() > 1 && text.starts_with('0') {
        return Err(VersionError::LeadingZero);
    }
    text.parse().map_err(|_| VersionError::TooLarge)
}

fn parse_pre(text: &str) -> Result<Pre, VersionError> {
    let word = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    if !text.split('.').all(word) {
        return Err(VersionError::PreRelease);
    }
    let mut pre = Pre::NONE;
    let place = pre.bytes.get_mut(..text.len()).ok_or(VersionError::TooLong)?;
    place.copy_from_slice(text.as_bytes());
    pre.length = u8::try_from(text.len()).map_err(|_| VersionError::TooLong)?;
    Ok(pre)
}

/// Why a text is no [`Version`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum VersionError {
    /// Not three numbers with dots between them.
    Shape,
    /// A number starts with a zero.
    LeadingZero,
    /// A number is above what 32 bits hold, or 16 in a [`StableVersion`](crate::StableVersion).
    TooLarge,
    /// Behind the hyphen stands something else than letters, digits, dots and hyphens.
    PreRelease,
    /// The pre-release is too long.
    TooLong,
    /// A pre-release where only a stable release can stand.
    NotStable,
}

impl fmt::Display for VersionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Shape => "a version is three numbers, like 4.3.0",
            Self::LeadingZero => "a number of a version has no leading zero",
            Self::TooLarge => "a number of the version is too large",
            Self::PreRelease => "a pre-release is letters, digits and dots, like 4.3.0-rc.1",
            Self::TooLong => "a pre-release has at most 31 characters",
            Self::NotStable => "a stable release is three numbers and no pre-release, like 4.3.0",
        })
    }
}

impl std::error::Error for VersionError {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn version(text: &str) -> Version {
        text.parse().expect(text)
    }

    #[test]
    fn orders_numbers_and_pre_releases() {
        let ordered = [
            "0.9.10",
            "0.20.0-rc1",
            "0.20.0-rc2",
            "0.20.0-rc10",
            "0.20.0",
            "4.3.0-alpha.1",
            "4.3.0-beta",
            "4.3.0-beta.1",
            "4.3.0-beta.2",
            "4.3.0-beta.11",
            "4.3.0",
            "4.10.0",
        ];
        let mut shuffled: Vec<_> = ordered.iter().rev().map(|text| version(text)).collect();
        shuffled.sort();
        let texts: Vec<_> = shuffled.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ordered);
    }

    #[test]
    fn refuses_what_is_no_version() {
        for (text, error) in [
            ("", VersionError::Shape),
            ("4.3", VersionError::Shape),
            ("4.3.0.1", VersionError::Shape),
            ("v4.3.0", VersionError::Shape),
            (" 4.3.0", VersionError::Shape),
            ("3.ff.1", VersionError::Shape),
            ("4.+3.0", VersionError::Shape),
            ("4.03.0", VersionError::LeadingZero),
            ("4.3.4294967296", VersionError::TooLarge),
            ("4.3.0-", VersionError::PreRelease),
            ("4.3.0-rc..1", VersionError::PreRelease),
            ("4.3.0-rc 1", VersionError::PreRelease),
            ("4.3.0-rc+glitch", VersionError::PreRelease),
            ("4.3.0-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", VersionError::TooLong),
        ] {
            assert_eq!(text.parse::<Version>(), Err(error), "{text}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(text in "\\PC*") {
            let _ = text.parse::<Version>();
        }

        #[test]
        fn reads_what_it_writes(text in "(0|[1-9][0-9]{0,4})\\.(0|[1-9][0-9]{0,4})\\.(0|[1-9][0-9]{0,4})(-[a-z]{1,5}(\\.[0-9]{1,3})?)?") {
            prop_assert_eq!(version(&text).to_string(), text);
        }

        #[test]
        fn order_agrees_with_equality(left in "1\\.0\\.0(-[a-z0-9]{1,2}(\\.[0-9]{1,2})?)?", right in "1\\.0\\.0(-[a-z0-9]{1,2}(\\.[0-9]{1,2})?)?") {
            let (left, right) = (version(&left), version(&right));
            prop_assert_eq!(left == right, left.cmp(&right) == Ordering::Equal);
            prop_assert_eq!(left.cmp(&right), right.cmp(&left).reverse());
        }
    }
}
