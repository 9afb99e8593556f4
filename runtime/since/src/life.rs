//! The life of an item in one program, and whether a release has the item.

use crate::{Availability, Version};

/// Half the size of an [`Availability`]: the table has thousands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Point {
    At(u16, u16, u16),
    Unknown,
    Never,
}

impl Point {
    const fn availability(self) -> Availability {
        match self {
            Self::At(major, minor, patch) => {
                Availability::since(major as u32, minor as u32, patch as u32)
            }
            Self::Unknown => Availability::Unknown,
            Self::Never => Availability::Never,
        }
    }
}

/// A release in the table: major, minor, patch.
type Numbers = (u16, u16, u16);

const fn version((major, minor, patch): Numbers) -> Version {
    Version::new(major as u32, minor as u32, patch as u32)
}

/// Whether a release is the one of these numbers or comes after it. A gate asks this for each parameter, so no version is built.
fn reaches(release: &Version, (major, minor, patch): Numbers) -> bool {
    let numbers = (major.into(), minor.into(), patch.into());
    let own = (release.major, release.minor, release.patch);
    own > numbers || (own == numbers && !release.is_pre_release())
}

/// The life of an item in one program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Life {
    since: Point,
    effective: Point,
    works: Option<Point>,
    deprecated: Option<Numbers>,
    removed: Option<Numbers>,
    absent: &'static [(Numbers, Numbers)],
}

impl Life {
    /// Nobody says since when.
    pub const UNKNOWN: Self = Self::at(Point::Unknown);
    /// No release has it.
    pub const NEVER: Self = Self::at(Point::Never);

    const fn at(since: Point) -> Self {
        Self {
            since,
            effective: since,
            works: None,
            deprecated: None,
            removed: None,
            absent: &[],
        }
    }

    /// There since a release.
    pub const fn since(major: u16, minor: u16, patch: u16) -> Self {
        Self::at(Point::At(major, minor, patch))
    }

    /// A container of it is there only since this release.
    #[must_use]
    pub const fn effective_since(mut self, major: u16, minor: u16, patch: u16) -> Self {
        self.effective = Point::At(major, minor, patch);
        self
    }

    /// Nobody says since when a container of it is there.
    #[must_use]
    pub const fn effective_unknown(mut self) -> Self {
        self.effective = Point::Unknown;
        self
    }

    /// A container of it is in no release.
    #[must_use]
    pub const fn effective_never(mut self) -> Self {
        self.effective = Point::Never;
        self
    }

    /// It does something only since this release.
    #[must_use]
    pub const fn works_since(mut self, major: u16, minor: u16, patch: u16) -> Self {
        self.works = Some(Point::At(major, minor, patch));
        self
    }

    /// Nobody says since when it does something.
    #[must_use]
    pub const fn works_unknown(mut self) -> Self {
        self.works = Some(Point::Unknown);
        self
    }

    /// It does something in no release.
    #[must_use]
    pub const fn works_never(mut self) -> Self {
        self.works = Some(Point::Never);
        self
    }

    /// Discouraged since this release.
    #[must_use]
    pub const fn deprecated(mut self, major: u16, minor: u16, patch: u16) -> Self {
        self.deprecated = Some((major, minor, patch));
        self
    }

    /// Gone since this release.
    #[must_use]
    pub const fn removed(mut self, major: u16, minor: u16, patch: u16) -> Self {
        self.removed = Some((major, minor, patch));
        self
    }

    /// Gone for a while: from the first release without it until before the first with it again.
    #[must_use]
    pub const fn absent(mut self, holes: &'static [(Numbers, Numbers)]) -> Self {
        self.absent = holes;
        self
    }

    /// Its own Since, or what it inherits.
    pub const fn own(&self) -> Availability {
        self.since.availability()
    }

    /// The latest of its own Since and its containers'.
    pub const fn effective(&self) -> Availability {
        self.effective.availability()
    }

    /// Since when it really does something, where that is told apart.
    pub const fn works(&self) -> Option<Availability> {
        match self.works {
            Some(point) => Some(point.availability()),
            None => None,
        }
    }

    /// The release that discourages it.
    pub const fn deprecated_in(&self) -> Option<Version> {
        match self.deprecated {
            Some(numbers) => Some(version(numbers)),
            None => None,
        }
    }

    /// The first release without it.
    pub const fn removed_in(&self) -> Option<Version> {
        match self.removed {
            Some(numbers) => Some(version(numbers)),
            None => None,
        }
    }

    /// The holes: first release without it, first release with it again.
    pub fn holes(&self) -> impl ExactSizeIterator<Item = (Version, Version)> {
        self.absent
            .iter()
            .map(|&(from, until)| (version(from), version(until)))
    }

    /// Whether a release has it; `None` where nobody says.
    pub fn has(&self, release: &Version) -> Option<bool> {
        let since = match self.effective {
            Point::At(major, minor, patch) => (major, minor, patch),
            Point::Unknown => return None,
            Point::Never => return Some(false),
        };
        let gone = self
            .removed
            .is_some_and(|removed| reaches(release, removed));
        let hole = |&(from, until): &_| reaches(release, from) && !reaches(release, until);
        Some(reaches(release, since) && !gone && !self.absent.iter().any(hole))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        text.parse().expect(text)
    }

    #[test]
    fn a_release_has_what_it_has() {
        let life = Life::since(1, 0, 0)
            .removed(4, 0, 0)
            .absent(&[((2, 4, 0), (3, 3, 0))]);
        for (text, has) in [
            ("0.9.0", false),
            ("1.0.0-rc.1", false),
            ("1.0.1-rc.1", true),
            ("2.3.0", true),
            ("2.4.0", false),
            ("3.3.0-rc.1", false),
            ("3.3.0", true),
            ("3.3.1", true),
            ("4.0.0", false),
        ] {
            assert_eq!(life.has(&version(text)), Some(has), "{text}");
        }
        assert_eq!(Life::UNKNOWN.has(&version("2.0.0")), None);
        assert_eq!(Life::NEVER.has(&version("2.0.0")), Some(false));
    }

    #[test]
    fn an_item_is_there_when_what_contains_it_is() {
        let late = Life::since(1, 5, 0).effective_since(2, 4, 0);
        assert_eq!(late.has(&version("2.0.0")), Some(false));
        assert_eq!(late.own(), Availability::since(1, 5, 0));
        let nowhere = Life::UNKNOWN.effective_never();
        assert_eq!(nowhere.has(&version("2.0.0")), Some(false));
        assert_eq!(nowhere.own(), Availability::Unknown);
    }

    #[test]
    fn a_life_stays_small() {
        assert!(size_of::<Life>() <= 56, "{}", size_of::<Life>());
    }
}
