//! The life of an item in one program.

use std::fmt;
use std::str::FromStr;

use crate::{Availability, StableVersion, Version, VersionError};

/// The numbers of a stable release, as constants write them.
type Numbers = (u16, u16, u16);

/// A time without the item: the numbers of the first release without it, and of the first with it again.
pub type Hole = (Numbers, Numbers);

pub(crate) const fn stable((major, minor, patch): Numbers) -> StableVersion {
    StableVersion(major, minor, patch)
}

/// The life of an item in one program.
///
/// In a constant the holes are a slice; a life that is read at run time owns them (`Life<Vec<Hole>>`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Life<H = &'static [Hole]> {
    pub(crate) since: Availability<StableVersion>,
    pub(crate) effective: Availability<StableVersion>,
    pub(crate) works: Option<Availability<StableVersion>>,
    pub(crate) deprecated: Option<StableVersion>,
    pub(crate) removed: Option<StableVersion>,
    pub(crate) absent: H,
}

impl Life {
    /// Nobody says since when.
    pub const UNKNOWN: Self = Self::at(Availability::Unknown);
    /// No release has it.
    pub const NEVER: Self = Self::at(Availability::Never);

    const fn at(since: Availability<StableVersion>) -> Self {
        Self { since, effective: since, works: None, deprecated: None, removed: None, absent: &[] }
    }

    /// There since a release.
    pub const fn since(major: u16, minor: u16, patch: u16) -> Self {
        Self::at(Availability::Since(StableVersion(major, minor, patch)))
    }

    /// A container of it is there only since this release.
    #[must_use]
    pub const fn effective_since(mut self, major: u16, minor: u16, patch: u16) -> Self {
        self.effective = Availability::Since(StableVersion(major, minor, patch));
        self
    }

    /// A container of it is in no release.
    #[must_use]
    pub const fn effective_never(mut self) -> Self {
        self.effective = Availability::Never;
        self
    }

    /// It does something only since this release.
    #[must_use]
    pub const fn works_since(mut self, major: u16, minor: u16, patch: u16) -> Self {
        self.works = Some(Availability::Since(StableVersion(major, minor, patch)));
        self
    }

    /// Nobody says since when it does something.
    #[must_use]
    pub const fn works_unknown(mut self) -> Self {
        self.works = Some(Availability::Unknown);
        self
    }

    /// It does something in no release.
    #[must_use]
    pub const fn works_never(mut self) -> Self {
        self.works = Some(Availability::Never);
        self
    }

    /// Discouraged since this release.
    #[must_use]
    pub const fn deprecated(mut self, major: u16, minor: u16, patch: u16) -> Self {
        self.deprecated = Some(StableVersion(major, minor, patch));
        self
    }

    /// Gone since this release.
    #[must_use]
    pub const fn removed(mut self, major: u16, minor: u16, patch: u16) -> Self {
        self.removed = Some(StableVersion(major, minor, patch));
        self
    }

    /// Gone for a while: from the first release without it until before the first with it again.
    #[must_use]
    pub const fn absent(mut self, holes: &'static [Hole]) -> Self {
        self.absent = holes;
        self
    }
}

impl<H: AsRef<[Hole]>> Life<H> {
    /// A life as far as presence goes: since when the item and what contains it are there, the first release without it, and the holes.
    pub const fn lived(
        effective: Availability<StableVersion>,
        removed: Option<StableVersion>,
        absent: H,
    ) -> Self {
        Self { since: effective, effective, works: None, deprecated: None, removed, absent }
    }

    /// Adds what presence does not depend on: its own Since, since when it really does something, and the release that discourages it.
    #[must_use]
    pub const fn saying(
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
        let holes = self.absent.as_ref().iter();
        holes.map(|&(from, until)| (stable(from).version(), stable(until).version()))
    }
}

impl<H> Life<H> {
    /// Its own Since, or what it inherits.
    pub const fn own(&self) -> Availability {
        availability(self.since)
    }

    /// The latest of its own Since and its containers'.
    pub const fn effective(&self) -> Availability {
        availability(self.effective)
    }

    /// Since when it really does something, where that is told apart.
    pub const fn works(&self) -> Option<Availability> {
        match self.works {
            Some(since) => Some(availability(since)),
            None => None,
        }
    }

    /// The release that discourages it.
    pub const fn deprecated_in(&self) -> Option<Version> {
        version(self.deprecated)
    }

    /// The first release without it.
    pub const fn removed_in(&self) -> Option<Version> {
        version(self.removed)
    }
}

impl Life<Vec<Hole>> {
    /// A life that can be copied. Its holes stay in memory until the program ends.
    #[must_use]
    pub fn leak(self) -> Life {
        Life {
            since: self.since,
            effective: self.effective,
            works: self.works,
            deprecated: self.deprecated,
            removed: self.removed,
            absent: self.absent.leak(),
        }
    }
}

/// Writes its own Since, and after it what else there is to say: `4.3.0 effective 4.4.0 works never removed 4.6.0`, `2.0.0 absent 2.4.0..3.3.0`.
impl<H: AsRef<[Hole]>> fmt::Display for Life<H> {
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
        for &(from, until) in self.absent.as_ref() {
            write!(f, " absent {}..{}", stable(from), stable(until))?;
        }
        Ok(())
    }
}

/// Reads what [`Display`](fmt::Display) writes.
impl FromStr for Life<Vec<Hole>> {
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
                    let [from, until] = [from, until].map(str::parse::<StableVersion>);
                    life.absent.push((from?.numbers(), until?.numbers()));
                }
                _ => return Err(VersionError::Shape),
            }
        }
        Ok(life)
    }
}

const fn version(stable: Option<StableVersion>) -> Option<Version> {
    match stable {
        Some(stable) => Some(stable.version()),
        None => None,
    }
}

const fn availability(since: Availability<StableVersion>) -> Availability {
    match since {
        Availability::Since(release) => Availability::Since(release.version()),
        Availability::Unknown => Availability::Unknown,
        Availability::Never => Availability::Never,
    }
}

#[cfg(test)]
mod tests {
    use super::{Hole, Life};
    use crate::VersionError;

    #[test]
    fn reads_what_it_writes() {
        for (text, life) in [
            ("4.3.0", Life::since(4, 3, 0)),
            ("never", Life::NEVER),
            (
                "unknown effective never works 4.3.0",
                Life::UNKNOWN.effective_never().works_since(4, 3, 0),
            ),
            (
                "1.0.0 effective 2.0.0 works never deprecated 4.0.0 removed 4.6.0 absent 2.4.0..3.3.0 absent 4.1.0..4.1.2",
                Life::since(1, 0, 0)
                    .effective_since(2, 0, 0)
                    .works_never()
                    .deprecated(4, 0, 0)
                    .removed(4, 6, 0)
                    .absent(&[((2, 4, 0), (3, 3, 0)), ((4, 1, 0), (4, 1, 2))]),
            ),
        ] {
            assert_eq!(life.to_string(), text);
            let read: Life<Vec<Hole>> = text.parse().expect(text);
            assert_eq!(read.leak(), life);
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
            let read = text.parse::<Life<Vec<Hole>>>();
            assert!(read.is_err(), "{text}");
        }
        let read = "4.3.0 absent 4.4.0..70000.0.0".parse::<Life<Vec<Hole>>>();
        assert_eq!(read, Err(VersionError::TooLarge));
    }

    #[test]
    fn a_life_stays_small() {
        assert!(size_of::<Life>() <= 56, "{}", size_of::<Life>());
    }
}
