//! A place among the releases of a program.

use crate::{StableVersion, Version};

/// A place among the releases of a program, of which one asks whether it has an item.
pub trait Place {
    /// Whether it has what a release brought; `None` where that is open.
    fn reached(&self, release: StableVersion) -> Option<bool>;

    /// Whether it is newer than every release that was looked at, so that `never` says nothing of it.
    fn is_beyond(&self) -> bool;
}

/// A registered release.
impl Place for StableVersion {
    fn reached(&self, release: StableVersion) -> Option<bool> {
        Some(release <= *self)
    }

    fn is_beyond(&self) -> bool {
        false
    }
}

/// A version, or a pre-release, no newer than the releases that were looked at.
impl Place for Version {
    fn reached(&self, release: StableVersion) -> Option<bool> {
        At::new(self).reached(release)
    }

    fn is_beyond(&self) -> bool {
        false
    }
}

/// The place of a version among the known releases.
#[derive(Debug, Clone, Copy)]
pub struct At {
    numbers: (u32, u32, u32),
    pre_release: bool,
    beyond: bool,
    /// The oldest release that was looked at: nobody knows what is in older ones but what they certainly have.
    oldest: Option<StableVersion>,
}

impl At {
    /// The place of a version that is no newer than the releases that were looked at.
    pub const fn new(version: &Version) -> Self {
        Self {
            numbers: (version.major, version.minor, version.patch),
            pre_release: version.is_pre_release(),
            beyond: false,
            oldest: None,
        }
    }

    /// Compares it with the oldest release that was looked at: what that has may have been there before.
    #[must_use]
    pub const fn oldest(mut self, oldest: Option<StableVersion>) -> Self {
        self.oldest = oldest;
        self
    }

    /// Takes it for a pre-release although its version does not say so: a nightly build, or a commit on a branch.
    #[must_use]
    pub const fn pre_release(mut self) -> Self {
        self.pre_release = true;
        self
    }

    /// Compares it with the newest release that was looked at; without one, nobody has looked at any. A newer patch release is still
    /// within what was looked at: programs do not add to the API in those.
    #[must_use]
    pub fn newest(mut self, newest: Option<StableVersion>) -> Self {
        let line = (self.numbers.0, self.numbers.1);
        self.beyond = newest.is_none_or(|newest| line > (newest.0.into(), newest.1.into()));
        self
    }

    /// Takes a release that is registered and was not looked at: it and all that follow it are beyond what was looked at, patch
    /// releases too.
    #[must_use]
    pub fn not_looked_at(mut self, first: Option<StableVersion>) -> Self {
        let is_after =
            |first: StableVersion| self.numbers >= (first.0.into(), first.1.into(), first.2.into());
        self.beyond |= first.is_some_and(is_after);
        self
    }
}

impl Place for At {
    fn reached(&self, release: StableVersion) -> Option<bool> {
        let numbers = (release.0.into(), release.1.into(), release.2.into());
        // The items of a release come into its pre-releases one after the other.
        if self.pre_release && numbers == self.numbers {
            return None;
        }
        let is_older = |oldest: StableVersion| {
            self.numbers < (oldest.0.into(), oldest.1.into(), oldest.2.into())
        };
        if numbers > self.numbers && self.oldest.is_some_and(is_older) {
            return None;
        }
        Some(numbers <= self.numbers)
    }

    fn is_beyond(&self) -> bool {
        self.beyond
    }
}
