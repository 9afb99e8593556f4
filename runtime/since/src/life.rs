//! The life of an item in one program.

use std::fmt;
use std::str::FromStr;

use crate::{Availability, StableVersion, Version, VersionError};

/// A time without the item: the first release without it, and the first with it again.
pub type Hole = (StableVersion, StableVersion);

/// The life of an item in one program. Its text says its own Since, and after it what else there is to say:
/// `4.3.0 effective 4.4.0 works never removed 4.6.0`, `2.0.0 absent 2.4.0..3.3.0`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Life {
    pub(crate) since: Availability<StableVersion>,
    pub(crate) effective: Availability<StableVersion>,
    pub(crate) works: Option<Availability<StableVersion>>,
    pub(crate) deprecated: Option<StableVersion>,
    pub(crate) removed: Option<StableVersion>,
    pub(crate) absent: Vec<Hole>,
}

impl Life {
    /// A life as far as presence goes: since when the item and what contains it are there, the first release without it, and the holes.
    pub const fn lived(
        effective: Availability<StableVersion>,
        removed: Option<StableVersion>,
        absent: Vec<Hole>,
    ) -> Self {
        Self { since: effective, effective, works: None, deprecated: None, removed, absent }
    }

    /// Adds what presence does not depend on: its own Since, since when it really does something, and the release that discourages it.
    #[must_use]
    pub fn saying(
        mut self,
        since: Availability<StableVersion>,
        works: Option<Availability<StableVersion>>,
        deprecated: Option<StableVersion>,
    ) -> Self {
        self.since = since;
        self.works = works;
        self.deprecated = deprecated;
        self
    }

    /// The holes: first release without it, first release with it again.
    pub fn holes(&self) -> impl ExactSizeIterator<Item = (Version, Version)> {
        self.absent.iter().map(|(from, until)| (from.version(), until.version()))
    }

    /// Its own Since, or what it inherits.
    pub fn own(&self) -> Availability {
        self.since.into()
    }

    /// The latest of its own Since and its containers'.
    pub fn effective(&self) -> Availability {
        self.effective.into()
    }

    /// Since when it really does something, where that is told apart.
    pub fn works(&self) -> Option<Availability> {
        self.works.map(Availability::from)
    }

    /// The release that discourages it.
    pub fn deprecated_in(&self) -> Option<Version> {
        self.deprecated.map(Version::from)
    }

    /// The first release without it.
    pub fn removed_in(&self) -> Option<Version> {
        self.removed.map(Version::from)
    }
}

impl fmt::Display for Life {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.since)?;
        if self.effective != self.since {
            write!(f, " effective {}", self.effective)?;
        }
        if let Some(works) = self.works {
            write!(f, " works {works}")?;
        }
        if let Some(deprecated) = self.deprecated {
            write!(f, " deprecated {deprecated}")?;
        }
        if let Some(removed) = self.removed {
            write!(f, " removed {removed}")?;
        }
        for (from, until) in &self.absent {
            write!(f, " absent {from}..{until}")?;
        }
        Ok(())
    }
}

/// Reads what [`Display`](fmt::Display) writes.
impl FromStr for Life {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        let mut words = text.split(' ');
        let since = words.next().unwrap_or_default().parse()?;
        let mut life = Self::lived(since, None, Vec::new());
        while let Some(word) = words.next() {
            let value = words.next().ok_or(VersionError::Shape)?;
            match word {
                "effective" => life.effective = value.parse()?,
                "works" => life.works = Some(value.parse()?),
                "deprecated" => life.deprecated = Some(value.parse()?),
                "removed" => life.removed = Some(value.parse()?),
                "absent" => {
                    let (from, until) = value.split_once("..").ok_or(VersionError::Shape)?;
                    life.absent.push((from.parse()?, until.parse()?));
                }
                _ => return Err(VersionError::Shape),
            }
        }
        Ok(life)
    }
}

#[cfg(test)]
mod tests {
    use super::Life;
    use crate::{Availability, StableVersion, VersionError};

    #[test]
    fn reads_what_it_writes() {
        let (since, stable) = (Availability::Since, StableVersion);
        let plain = |since| Life::lived(since, None, Vec::new());
        for (text, life) in [
            ("4.3.0", plain(since(stable(4, 3, 0)))),
            ("never", plain(Availability::Never)),
            (
                "unknown effective never works 4.3.0",
                plain(Availability::Never).saying(
                    Availability::Unknown,
                    Some(since(stable(4, 3, 0))),
                    None,
                ),
            ),
            (
                "1.0.0 effective 2.0.0 works never deprecated 4.0.0 removed 4.6.0 absent 2.4.0..3.3.0 absent 4.1.0..4.1.2",
                Life::lived(
                    since(stable(2, 0, 0)),
                    Some(stable(4, 6, 0)),
                    vec![(stable(2, 4, 0), stable(3, 3, 0)), (stable(4, 1, 0), stable(4, 1, 2))],
                )
                .saying(
                    since(stable(1, 0, 0)),
                    Some(Availability::Never),
                    Some(stable(4, 0, 0)),
                ),
            ),
        ] {
            assert_eq!(life.to_string(), text);
            assert_eq!(text.parse(), Ok(life));
        }
    }

    #[test]
    fn refuses_what_is_no_life() {
        for text in [
            "",
            "soon",
            "4.3.0 removed",
            "4.3.0 returned 4.4.0",
            "4.3.0 absent 4.4.0",
            "4.3.0  removed 4.4.0",
            "4.3.0-rc.1",
        ] {
            let read = text.parse::<Life>();
            assert!(read.is_err(), "{text}");
        }
        let read = "4.3.0 absent 4.4.0..70000.0.0".parse::<Life>();
        assert_eq!(read, Err(VersionError::TooLarge));
    }

    #[test]
    fn a_life_stays_small() {
        assert!(size_of::<Life>() <= 64, "{}", size_of::<Life>());
    }
}
