//! The one rule that tells whether a release has an item.
//!
//! - What an item's own release brings comes into the pre-releases of that release bit by bit, so of those nobody can tell. The same
//!   holds for a pre-release of the release that removes it, and for those at both edges of a hole.
//! - `0.0.0` stands for every release from the first, and has no pre-releases.
//! - `never` was found by looking at releases up to the newest one of that time, and says nothing of newer ones.
//! - A removed item is gone, also where nobody says since when it was there.

use crate::{Availability, Decision, Life, Need, Place, StableVersion, Verdict};

impl Life {
    /// Whether a release has the item and heeds it: an item that is accepted and ignored does not count.
    pub fn has(&self, at: &impl Place) -> Decision {
        let present = self.present(at);
        if present.verdict == Verdict::No {
            return present;
        }
        let works = self.works.map(|works| Decision {
            verdict: begun(works, at),
            need: Need::WorksSince(works.into()),
        });
        match works {
            Some(works) if works.verdict > present.verdict => works,
            _ => present,
        }
    }

    /// Whether a release knows the item at all, be it that it ignores it.
    pub fn present(&self, at: &impl Place) -> Decision {
        let since = Decision {
            verdict: begun(self.effective, at),
            need: Need::Since(self.effective.into()),
        };
        if since.verdict == Verdict::No {
            return since;
        }
        match self.gone(at) {
            Some(gone) if gone.verdict > since.verdict => gone,
            _ => since,
        }
    }

    /// Whether every release from `floor` on that has the container has the item too.
    pub fn guaranteed(&self, container: Option<&Self>, floor: StableVersion) -> bool {
        let start = match container.map(|life| life.effective) {
            Some(Availability::Since(version)) => version.max(floor),
            // The program never has the container, so it never lacks the item in it.
            Some(Availability::Never) => return true,
            Some(Availability::Unknown) | None => floor,
        };
        let ends = container.and_then(|life| life.removed);
        let lasts = self.removed.is_none_or(|removed| ends.is_some_and(|ends| ends <= removed));
        let whole = lasts && {
            let mut holes = self.absent.iter();
            holes.all(|(_, until)| *until <= start)
        };
        whole && matches!(self.effective, Availability::Since(since) if since <= start)
    }

    /// Whether it was removed, or is in a hole: the worst of them, where that is not that it is there.
    fn gone(&self, at: &impl Place) -> Option<Decision> {
        let removed =
            self.removed.map(|version| (at.reached(version), Need::Removed(version.version())));
        let holes = self.absent.iter().map(|&(from, until)| {
            let inside = match (at.reached(from), at.reached(until)) {
                (Some(false), _) | (_, Some(true)) => Some(false),
                (Some(true), Some(false)) => Some(true),
                _ => None,
            };
            (inside, Need::Absent(from.version(), until.version()))
        });
        removed
            .into_iter()
            .chain(holes)
            .filter_map(|(gone, need)| {
                let verdict = match gone {
                    Some(true) => Verdict::No,
                    Some(false) => return None,
                    None => Verdict::Unknown,
                };
                Some(Decision { verdict, need })
            })
            .max_by_key(|decision| decision.verdict)
    }
}

fn begun(since: Availability<StableVersion>, at: &impl Place) -> Verdict {
    match since {
        Availability::Since(StableVersion::FIRST) => Verdict::Yes,
        Availability::Since(release) => match at.reached(release) {
            Some(true) => Verdict::Yes,
            Some(false) => Verdict::No,
            None => Verdict::Unknown,
        },
        Availability::Unknown => Verdict::Unknown,
        Availability::Never if at.is_beyond() => Verdict::Unknown,
        Availability::Never => Verdict::No,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{At, Version};
    use Verdict::{No, Unknown, Yes};

    /// The newest release that was looked at.
    const NEWEST: StableVersion = StableVersion(4, 5, 0);

    fn version(text: &str) -> Version {
        text.parse().expect(text)
    }

    fn at(text: &str) -> At {
        At::new(&version(text)).newest(Some(NEWEST))
    }

    fn life(text: &str) -> Life {
        text.parse().expect(text)
    }

    /// A name for the case, the life, and the verdict for each release.
    type Case = (&'static str, &'static str, &'static [(&'static str, Verdict)]);

    const CASES: &[Case] = &[
        (
            "the release that brings it",
            "3.0.0",
            &[
                ("2.9.9", No),
                ("3.0.0-rc.1", Unknown),
                ("3.0.0", Yes),
                ("3.0.1-rc.1", Yes),
                ("9.0.0", Yes),
            ],
        ),
        (
            "the release that removes it",
            "3.0.0 removed 4.0.0",
            &[
                ("3.9.9", Yes),
                ("4.0.0-beta.1", Unknown),
                ("4.0.0", No),
                ("4.0.1-rc.1", No),
                ("9.0.0", No),
            ],
        ),
        (
            "a hole",
            "3.0.0 absent 3.2.0..3.4.0",
            &[
                ("3.1.9", Yes),
                ("3.2.0-rc.1", Unknown),
                ("3.2.0", No),
                ("3.3.0-rc.1", No),
                ("3.4.0-rc.1", Unknown),
                ("3.4.0", Yes),
            ],
        ),
        (
            "a hole of what nobody dates",
            "unknown absent 3.2.0..3.4.0",
            &[("3.1.0", Unknown), ("3.3.0", No), ("3.4.0", Unknown)],
        ),
        (
            "never, and newer than what was looked at",
            "never",
            &[
                ("4.5.0", No),
                ("4.5.9", No),
                ("4.6.0-rc.1", Unknown),
                ("4.6.0", Unknown),
                ("5.0.0", Unknown),
            ],
        ),
        ("unknown", "unknown", &[("0.0.1", Unknown), ("9.0.0", Unknown)]),
        (
            "removed, and nobody says since when it was there",
            "unknown removed 4.0.0",
            &[("3.9.0", Unknown), ("4.0.0-rc.1", Unknown), ("4.0.0", No)],
        ),
        ("from the first", "0.0.0", &[("0.0.0", Yes), ("0.0.0-rc.1", Yes), ("0.1.0-rc.1", Yes)]),
        (
            "inside something newer",
            "1.5.0 effective 2.4.0",
            &[("1.5.0", No), ("2.4.0-rc.1", Unknown), ("2.4.0", Yes)],
        ),
        (
            "inside something that is nowhere",
            "unknown effective never",
            &[("4.5.0", No), ("4.6.0", Unknown)],
        ),
        (
            "it works later",
            "3.0.0 works 4.0.0",
            &[
                ("2.9.0", No),
                ("3.0.0-rc.1", No),
                ("3.0.0", No),
                ("4.0.0-rc.1", Unknown),
                ("4.0.0", Yes),
            ],
        ),
        (
            "nobody says since when it works",
            "3.0.0 works unknown",
            &[("2.9.0", No), ("3.0.0", Unknown)],
        ),
        (
            "it never works",
            "3.0.0 works never",
            &[("3.0.0", No), ("4.5.0", No), ("4.6.0", Unknown)],
        ),
        (
            "nobody dates it and it works later",
            "unknown works 4.0.0",
            &[("3.0.0", No), ("4.0.0", Unknown)],
        ),
    ];
    #[test]
    fn corner_cases() {
        for (case, text, expected) in CASES {
            let life = life(text);
            for (text, verdict) in *expected {
                assert_eq!(life.has(&at(text)).verdict, *verdict, "{case}: {text}");
            }
        }
    }

    #[test]
    fn the_fact_that_decided_is_told() {
        let item = life("3.0.0 works 3.1.0 removed 4.0.0 absent 3.2.0..3.4.0");
        let since = |major, minor| Availability::since(major, minor, 0);
        for (text, need) in [
            ("2.0.0", Need::Since(since(3, 0))),
            ("3.0.0", Need::WorksSince(since(3, 1))),
            ("3.1.0", Need::Since(since(3, 0))),
            ("3.3.0", Need::Absent(Version::new(3, 2, 0), Version::new(3, 4, 0))),
            ("4.0.0", Need::Removed(Version::new(4, 0, 0))),
            ("4.0.0-rc.1", Need::Removed(Version::new(4, 0, 0))),
        ] {
            assert_eq!(item.has(&at(text)).need, need, "{text}");
        }
        // Of two facts that decide nothing, the one is told that stands without the other.
        let undated = life("unknown removed 4.0.0");
        assert_eq!(undated.has(&at("4.0.0-rc.1")).need, Need::Since(Availability::Unknown));
    }

    #[test]
    fn what_is_ignored_is_present() {
        let item = life("3.0.0 works 4.0.0");
        assert_eq!(item.present(&at("3.0.0")).verdict, Yes);
        assert_eq!(item.has(&at("3.0.0")).verdict, No);
    }

    #[test]
    fn a_version_alone_counts_as_looked_at() {
        assert_eq!(life("never").has(&version("9.0.0")).verdict, No);
        assert_eq!(life("never").has(&StableVersion(9, 0, 0)).verdict, No);
        let unseen = At::new(&version("0.1.0")).newest(None);
        assert_eq!(life("never").has(&unseen).verdict, Unknown);
    }

    #[test]
    fn a_registered_release_that_nobody_looked_at_is_beyond() {
        let place = |text: &str| at(text).not_looked_at(Some(StableVersion(4, 5, 2)));
        for (text, verdict) in
            [("4.5.1", No), ("4.5.2-rc.1", Unknown), ("4.5.2", Unknown), ("4.5.3", Unknown)]
        {
            assert_eq!(life("never").has(&place(text)).verdict, verdict, "{text}");
            assert_eq!(life("3.0.0").has(&place(text)).verdict, Yes, "{text}");
        }
    }

    #[test]
    fn a_nightly_build_is_a_pre_release() {
        let nightly = At::new(&version("3.0.0")).pre_release();
        assert_eq!(life("3.0.0").has(&nightly).verdict, Unknown);
    }

    #[test]
    fn a_guarantee_is_relative_to_the_container_and_the_floor() {
        for (item, container, floor, holds) in [
            (life("1.0.0"), life("1.0.0"), (0, 1, 0), true),
            (life("1.1.0"), life("1.0.0"), (0, 1, 0), false),
            (life("1.1.0"), life("1.0.0"), (1, 1, 0), true),
            (life("4.10.0"), life("1.0.0"), (4, 9, 0), false),
            (life("unknown"), life("1.0.0"), (9, 0, 0), false),
            (life("never"), life("1.0.0"), (9, 0, 0), false),
            (life("never"), life("never"), (0, 1, 0), true),
            (life("1.0.0"), life("unknown"), (0, 1, 0), false),
        ] {
            let found = item.guaranteed(Some(&container), StableVersion(floor.0, floor.1, floor.2));
            assert_eq!(found, holds, "{item:?} in {container:?}");
        }
        assert!(life("1.0.0").guaranteed(None, StableVersion(1, 0, 0)));
    }

    #[test]
    fn what_ends_with_its_container_or_later_is_guaranteed() {
        let container = life("1.0.0 removed 4.0.0");
        for (removed, expected) in [("3.9.9", false), ("4.0.0", true), ("4.0.1", true)] {
            let item = life(&format!("1.0.0 removed {removed}"));
            let floor = StableVersion(1, 0, 0);
            assert_eq!(item.guaranteed(Some(&container), floor), expected, "{removed}");
        }
    }

    #[test]
    fn what_went_is_not_guaranteed() {
        let container = life("1.0.0");
        let item = life("1.0.0 absent 2.4.0..3.3.0");
        assert!(!item.guaranteed(Some(&container), StableVersion(1, 0, 0)));
        assert!(item.guaranteed(Some(&container), StableVersion(3, 3, 0)));
        let gone = life("1.0.0 removed 4.0.0 absent 2.4.0..3.3.0");
        assert!(!gone.guaranteed(Some(&container), StableVersion(3, 3, 0)));
    }
}
