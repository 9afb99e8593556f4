//! The verdict on an item: by the API's number, by the program's own releases, by the version of Mastodon that it claims.

use super::support::Need;
use super::{Evidence, Server, Support, Verdict};
use crate::{Availability, Identity, Item, Items, Life, Release, Version};

/// Where a server stands among the releases of a program.
trait Position {
    /// Whether it has what a release brought; `None` where that is open.
    fn reached(&self, release: Version) -> Option<bool>;
    /// Whether it is newer than every release that was looked at, so that `never` says nothing of it.
    fn is_beyond(&self) -> bool;
}

/// By its own version.
#[derive(Debug, Clone, Copy)]
struct At {
    version: Version,
    prerelease: bool,
    newest: Option<Version>,
}

impl At {
    fn new(version: Version, prerelease: bool, releases: &[Release]) -> Self {
        Self {
            version: version.release(),
            prerelease: prerelease || version.is_pre_release(),
            newest: releases.last().map(Release::version),
        }
    }
}

impl Position for At {
    fn reached(&self, release: Version) -> Option<bool> {
        // What a release brings comes into its pre-releases bit by bit.
        if self.prerelease && release == self.version {
            return None;
        }
        Some(release <= self.version)
    }

    fn is_beyond(&self) -> bool {
        let line = |version: &Version| (version.major, version.minor);
        self.newest
            .is_none_or(|newest| line(&self.version) > line(&newest))
    }
}

/// By the number of the API that it publishes.
#[derive(Debug, Clone, Copy)]
struct Published<'a> {
    number: u32,
    releases: &'a [Release],
}

impl Published<'_> {
    /// The numbers of the release before and of the first numbered one from here on.
    fn numbers(&self, release: Version) -> (u32, Option<u32>) {
        let before = self
            .releases
            .iter()
            .take_while(|known| known.version() < release);
        let number = |known: &Release| known.api_number();
        let from = self
            .releases
            .iter()
            .skip_while(|known| known.version() < release);
        (
            before.filter_map(number).max().unwrap_or(0),
            { from }.find_map(number),
        )
    }
}

impl Position for Published<'_> {
    fn reached(&self, release: Version) -> Option<bool> {
        let (before, here) = self.numbers(release);
        let here = here?;
        if self.number > here || (self.number == here && here > before) {
            Some(true)
        } else if self.number < before {
            Some(false)
        } else {
            // It brought no number of its own, or the server is on the way to it.
            None
        }
    }

    fn is_beyond(&self) -> bool {
        true
    }
}

/// Judges items for one server.
#[derive(Debug)]
pub(super) struct Judge<'a> {
    identity: &'a Identity,
    mastodon: Option<usize>,
    published: Option<Published<'a>>,
    own: Option<(usize, &'static str, Option<At>)>,
    claim: Option<At>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(server: &'a Server, items: &Items) -> Self {
        let identity = &server.identity;
        let mastodon = items.program("mastodon");
        let releases = mastodon.map_or(&[][..], |(_, program)| program.known_releases());
        let own = identity.program.as_deref().and_then(|name| {
            let mut programs = items.programs().iter().enumerate();
            programs.find(|(_, program)| {
                program.key() == name || program.nodeinfo_names().contains(&name)
            })
        });
        let number = server.api_version().filter(|_| !releases.is_empty());
        Self {
            identity,
            mastodon: mastodon.map(|(column, _)| column),
            published: number.map(|number| Published { number, releases }),
            own: own.map(|(column, program)| {
                let at = identity
                    .release()
                    .map(|version| At::new(version, identity.prerelease, program.known_releases()));
                (column, program.key(), at)
            }),
            claim: identity.claims_mastodon.map(|version| {
                At::new(
                    version,
                    identity.prerelease && identity.is_mastodon_fork(),
                    releases,
                )
            }),
        }
    }

    pub(super) fn item(&self, item: &Item) -> Support {
        self.lives(item.lives())
    }

    pub(super) fn lives(&self, lives: &[Life]) -> Support {
        let life = |column: usize| lives.get(column);
        if let Some(support) = self.by_number(self.mastodon.and_then(life)) {
            return support;
        }
        if let Some((column, program, at)) = self.own {
            return match (at, life(column)) {
                (Some(at), Some(life)) => by_version(program, self.own_version(&at), &at, life),
                (None, _) => unknown(Evidence::NoVersion),
                (_, None) => unknown(Evidence::NotListed),
            };
        }
        match (self.claim, self.mastodon.and_then(life)) {
            (Some(at), Some(life)) => self.by_claim(&at, life),
            (Some(_), None) => unknown(Evidence::NotListed),
            (None, _) => unknown(Evidence::NoProgram),
        }
    }

    fn by_number(&self, life: Option<&Life>) -> Option<Support> {
        let published = self.published.as_ref()?;
        let (verdict, need) = judge(life?, published);
        let evidence = Evidence::ApiVersion {
            published: published.number,
            need,
        };
        (verdict != Verdict::Unknown).then_some(Support { verdict, evidence })
    }

    /// The number of a fork of Mastodon is that of its code; another program's claim says what it is like, and not what it has.
    fn by_claim(&self, at: &At, life: &Life) -> Support {
        let fork = self.identity.is_mastodon_fork();
        let (verdict, need) = judge(life, at);
        let evidence = Evidence::Claim {
            claimed: self.identity.claims_mastodon.unwrap_or(at.version),
            fork,
            need,
        };
        // A fork may have what Mastodon has not yet.
        let verdict = if fork && verdict == Verdict::Yes {
            verdict
        } else {
            Verdict::Unknown
        };
        Support { verdict, evidence }
    }

    fn own_version(&self, at: &At) -> Version {
        let text = self.identity.version.as_deref();
        text.and_then(|text| text.parse().ok())
            .unwrap_or(at.version)
    }
}

fn by_version(program: &'static str, version: Version, at: &At, life: &Life) -> Support {
    let (verdict, need) = judge(life, at);
    Support {
        verdict,
        evidence: Evidence::Program {
            program,
            version,
            need,
        },
    }
}

fn unknown(evidence: Evidence) -> Support {
    Support {
        verdict: Verdict::Unknown,
        evidence,
    }
}

/// What a life says of a place among the releases.
fn judge(life: &Life, position: &impl Position) -> (Verdict, Need) {
    let (verdict, since) = (
        begun(life.effective(), position),
        Need::Since(life.effective()),
    );
    if verdict == Verdict::No {
        return (verdict, since);
    }
    let gone = gone(life, position);
    if let Some((Verdict::No, need)) = gone {
        return (Verdict::No, need);
    }
    if verdict == Verdict::Unknown {
        return (verdict, since);
    }
    let works = life
        .works()
        .map(|works| (begun(works, position), Need::WorksSince(works)));
    let worse = |found: &(Verdict, Need)| found.0 != Verdict::Yes;
    works
        .filter(worse)
        .or(gone)
        .unwrap_or((Verdict::Yes, since))
}

fn begun(since: Availability, position: &impl Position) -> Verdict {
    match since {
        Availability::Since(version) => match position.reached(version) {
            Some(true) => Verdict::Yes,
            Some(false) => Verdict::No,
            None => Verdict::Unknown,
        },
        Availability::Unknown => Verdict::Unknown,
        Availability::Never if position.is_beyond() => Verdict::Unknown,
        Availability::Never => Verdict::No,
    }
}

/// Whether it was removed, or is in a hole: the worst of them.
fn gone(life: &Life, position: &impl Position) -> Option<(Verdict, Need)> {
    let removed = life
        .removed_in()
        .map(|version| (position.reached(version), Need::Removed(version)));
    let holes = life.holes().map(|(from, until)| {
        let inside = match (position.reached(from), position.reached(until)) {
            (Some(false), _) | (_, Some(true)) => Some(false),
            (Some(true), Some(false)) => Some(true),
            _ => None,
        };
        (inside, Need::Absent(from, until))
    });
    removed
        .into_iter()
        .chain(holes)
        .filter_map(|(gone, need)| match gone {
            Some(true) => Some((Verdict::No, need)),
            Some(false) => None,
            None => Some((Verdict::Unknown, need)),
        })
        .max_by_key(|(verdict, _)| *verdict)
}
