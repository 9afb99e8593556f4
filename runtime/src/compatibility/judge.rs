//! The verdict on an item: by the API's number, by the program's own releases, by the version of Mastodon that it claims.

use std::collections::BTreeMap;

use fedispec_since::{At, Decision, FixedError, Place, StableVersion, Stretch};

use super::{Basis, BelowFloor, Evidence, RemoteServer, Support, Verdict};
use crate::known;
use crate::{
    Auth, Availability, Identity, Item, ItemTable, LeftOut, Life, Operation, Program, Release,
    Version,
};

/// The place of a server's version.
fn place(version: &Version, pre_release: bool, program: Option<&Program>) -> At {
    let first = program.and_then(|program| program.known_releases().first()).map(Release::stable);
    let at = At::new(version)
        .oldest(first)
        .newest(program.and_then(Program::newest_looked_at))
        .not_looked_at(program.and_then(Program::first_not_looked_at));
    if pre_release { at.pre_release() } else { at }
}

/// By the number of the API that it publishes.
#[derive(Debug, Clone, Copy)]
struct Published<'a> {
    number: u32,
    releases: &'a [Release],
}

impl Published<'_> {
    /// The numbers of the release before and of the first numbered one from here on.
    fn numbers(&self, release: StableVersion) -> (u32, Option<u32>) {
        let before = self.releases.iter().take_while(|known| known.stable() < release);
        let number = |known: &Release| known.api_number();
        let from = self.releases.iter().skip_while(|known| known.stable() < release);
        (before.filter_map(number).max().unwrap_or(0), { from }.find_map(number))
    }
}

impl Place for Published<'_> {
    fn reached(&self, release: StableVersion) -> Option<bool> {
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

/// By the number that it publishes for what only a fork has.
#[derive(Debug, Clone, Copy)]
struct PublishedByFork {
    /// The place of the fork in the table, and its key.
    column: usize,
    program: &'static str,
    number: u32,
    numbers: &'static BTreeMap<StableVersion, u32>,
}

impl PublishedByFork {
    /// The number of a fork that the server is known to be, or whose number it publishes, whatever it calls itself.
    fn of(server: &RemoteServer, items: &ItemTable) -> Option<Self> {
        let forks = known::profiles().programs.iter();
        let mut published = forks.filter_map(|fork| {
            let api = fork.ways.api.as_ref()?;
            let is_itself = server.identity.program.as_deref() == Some(fork.software());
            // Where the document has been read, a number that is not there is none.
            let none = (is_itself && server.api_version().is_some()).then_some(0);
            let number = server.api_versions.get(&api.name).copied().or(none)?;
            let (column, program) = items.program(&fork.key)?;
            Some(Self { column, program: program.key(), number, numbers: &api.numbers })
        });
        published.next()
    }
}

impl Place for PublishedByFork {
    fn reached(&self, release: StableVersion) -> Option<bool> {
        let mut reached = self.numbers.iter().filter(|(_, number)| **number <= self.number);
        let is_reached = reached.any(|(known, _)| release <= *known);
        let is_ahead = self.numbers.get(&release).is_some_and(|number| *number > self.number);
        if is_reached { Some(true) } else { is_ahead.then_some(false) }
    }

    fn is_beyond(&self) -> bool {
        true
    }
}

/// A version, and its place among the releases of its program.
type Standing = (Version, At);

/// The assumption about an item on a server whose release is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presumed {
    There,
    Lacking(Basis),
    Unknown,
}

impl Presumed {
    pub(super) fn is_lacking(self) -> bool {
        matches!(self, Self::Lacking(_))
    }
}

/// Judges items for one server.
#[derive(Debug)]
pub(super) struct Judge<'a> {
    identity: &'a Identity,
    items: &'a ItemTable,
    /// The place in the table of the program whose versions others claim.
    reference: Option<usize>,
    published: Option<Published<'a>>,
    published_by_fork: Option<PublishedByFork>,
    own: Option<(usize, &'static str, Option<Standing>)>,
    claim: Option<Standing>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(server: &'a RemoteServer, items: &'a ItemTable) -> Self {
        let identity = &server.identity;
        let reference = items.program(known::reference());
        let program = reference.map(|(_, program)| program);
        let releases = program.map_or(&[][..], Program::known_releases);
        let own = identity.program.as_deref().and_then(|name| {
            let mut programs = items.programs().iter().enumerate();
            programs.find(|(_, program)| {
                program.key() == name || program.nodeinfo_names().contains(&name)
            })
        });
        Self {
            identity,
            items,
            reference: reference.map(|(column, _)| column),
            published: server.api_version().map(|number| Published { number, releases }),
            published_by_fork: PublishedByFork::of(server, items),
            own: own.map(|(column, program)| {
                let at = identity.release().map(|version| {
                    let at = place(&version, identity.prerelease, Some(program));
                    (version.release(), at)
                });
                (column, program.key(), at)
            }),
            claim: identity.claims_mastodon.map(|version| {
                let pre_release = identity.prerelease && identity.is_fork();
                (version, place(&version, pre_release, program))
            }),
        }
    }

    /// The effect of leaving a parameter out, as the server's release has it.
    pub(super) fn left_out<'i>(&self, item: &'i Item) -> Option<&'i LeftOut> {
        let own = self.own.map(|(.., at)| at);
        let release = own.unwrap_or(self.claim).map(|(release, _)| release);
        match self.column() {
            Some(column) => item.left_out_in(column, release),
            None => item.left_out(),
        }
    }

    /// The place in the table of the program whose releases count for the server.
    pub(super) fn column(&self) -> Option<usize> {
        let other = self.reference.filter(|_| self.published.is_some() || self.claim.is_some());
        self.own.map(|(column, ..)| column).or(other)
    }

    /// How the server's release is older than its program's floor. Another program that claims a release of Mastodon has entities of its
    /// own time, and no floor.
    pub(super) fn below_floor(&self, items: &ItemTable) -> Option<BelowFloor> {
        let (column, release) = match (self.own, self.claim) {
            (Some((column, _, at)), _) => (column, at?.0),
            (None, Some((claimed, _))) if self.identity.is_fork() => (self.reference?, claimed),
            _ => return None,
        };
        let program = items.programs().get(column)?;
        // A fork has the versions of what it is based on.
        let base = self.reference.filter(|_| self.identity.is_fork());
        let base = base.and_then(|base| items.programs().get(base));
        let mut floored = [Some(program), base].into_iter().flatten();
        let (program, floor) = floored.find_map(|one| Some((one, one.oldest_supported()?)))?;
        (release < floor).then_some(BelowFloor { program: program.name(), release, floor })
    }

    /// The status that the server is known to answer where a parameter is sent.
    pub(super) fn refuses(&self, item: &Item) -> Option<u16> {
        let (column, _, at) = self.own?;
        item.refused(column)?.at(&at?.1)
    }

    /// Whether the server's release is known to answer an error where a parameter is not sent.
    pub(super) fn demands(&self, item: &Item) -> bool {
        self.is_within(item, Item::demanded)
    }

    /// The answer of the server's release to a request without a parameter, where that is known.
    pub(super) fn answer_without<'i>(&self, item: &'i Item) -> Option<&'i FixedError> {
        let (column, _, at) = self.own?;
        let at = at?.1;
        item.missing(column).iter().find(|answer| answer.is_of(&at))
    }

    /// Whether an edit is known to reset a parameter in the server's release where it does not set it.
    pub(super) fn resets(&self, item: &Item) -> bool {
        self.is_within(item, Item::resets)
    }

    /// Whether the server's release is known to be one of those that an item has in its program.
    fn is_within(&self, item: &Item, stretches: fn(&Item, usize) -> &[Stretch]) -> bool {
        let at = self.own.and_then(|(column, _, at)| Some((column, at?.1)));
        at.is_some_and(|(column, at)| stretches(item, column).iter().any(|range| range.has(&at)))
    }

    pub(super) fn item(&self, item: &Item) -> Support {
        let mut support = self.lives(|column| item.life(column));
        // Only what its own releases say tells a stub from an operation that does something else.
        if self.own.is_some_and(|(column, ..)| item.is_stub(column))
            && let Some(need) = support.evidence.need()
        {
            let decision = Decision { verdict: support.verdict, need: *need }.of_stub();
            (support.verdict, *need) = (decision.verdict, decision.need);
        }
        support
    }

    /// The assumption about an item that is unknown by the facts: one that the newest release looked at lacks is taken to be lacking in
    /// newer ones, and a program that nobody has looked at is taken to be like the release that it claims, or like all others.
    pub(super) fn presume(&self, item: &Item) -> Presumed {
        let newest = |column: usize| {
            let program = self.items.programs().get(column)?;
            let release = program.newest_looked_at()?;
            let is_lacking = item.life(column)?.has(&release).verdict == Verdict::No;
            let basis = Basis::Newest { program: program.name(), release: release.version() };
            is_lacking.then_some(Presumed::Lacking(basis))
        };
        if let Some((column, _, at)) = self.own {
            let is_newer = at.is_none_or(|(_, at)| at.is_beyond());
            return is_newer.then(|| newest(column)).flatten().unwrap_or(Presumed::Unknown);
        }
        let Some(((release, at), column)) = self.claim.zip(self.reference) else {
            let day = self.items.two_years_ago();
            let mut lives = self.items.programs().iter().zip(item.lives());
            let is_lacking = lives.all(|(program, life)| {
                let release = program.looked_at_by(&day);
                release.is_none_or(|release| life.has(&release).verdict == Verdict::No)
            });
            return if is_lacking {
                Presumed::Lacking(Basis::Everywhere)
            } else {
                Presumed::Unknown
            };
        };
        let program = self.items.programs().get(column).map_or("", Program::name);
        match item.life(column).map(|life| life.has(&at).verdict) {
            Some(Verdict::Yes | Verdict::Stub) => Presumed::There,
            Some(Verdict::No) => Presumed::Lacking(Basis::Claimed { program, release }),
            _ => at.is_beyond().then(|| newest(column)).flatten().unwrap_or(Presumed::Unknown),
        }
    }

    /// How it is known that the server lacks a value of an enumeration, or that the catalogue does not list it; `None` where it has it, or may
    /// have it.
    pub(super) fn odd_value(&self, enumeration: &str, value: &str) -> Option<Support> {
        let mut listed = self.items.below(enumeration).peekable();
        // A table of some groups may not have the enumeration.
        listed.peek()?;
        let Some(item) = listed.find(|item| item.name() == value) else {
            return Some(Support::NOT_LISTED);
        };
        let support = self.item(item);
        let is_lacking = support.is_no() || support.is_unknown() && self.presume(item).is_lacking();
        is_lacking.then_some(support)
    }

    /// By a life in each program, given the program's place in the table.
    pub(super) fn lives<'l>(&self, life: impl Fn(usize) -> Option<&'l Life>) -> Support {
        let of_reference = self.reference.and_then(&life);
        if let Some(support) = self.by_number(of_reference) {
            return support;
        }
        if let Some(fork) = &self.published_by_fork
            && of_reference.is_none_or(|life| life.effective() == Availability::Never)
            && let Some(support) = life(fork.column)
                .and_then(|life| by_published(fork.program, fork.number, fork, life))
        {
            return support;
        }
        if let Some((column, program, at)) = self.own {
            return match (at, life(column)) {
                (Some((release, at)), Some(life)) => {
                    by_version(program, self.own_version(release), &at, life)
                }
                (None, _) => unknown(Evidence::NoVersion),
                (_, None) => unknown(Evidence::NotListed),
            };
        }
        match (self.claim, self.reference.and_then(life)) {
            (Some((claimed, at)), Some(life)) => self.by_claim(claimed, &at, life),
            (Some(_), None) => unknown(Evidence::NotListed),
            (None, _) => unknown(Evidence::NoProgram),
        }
    }

    fn by_number(&self, life: Option<&Life>) -> Option<Support> {
        let published = self.published.as_ref()?;
        by_published(known::reference(), published.number, published, life?)
    }

    /// The authorization in the server's release; `None` where the program, its release or its authorization is unknown.
    pub(super) fn auth(&self, items: &'static ItemTable, operation: &Operation) -> Option<Auth> {
        let (program, release) = match (self.own, self.claim) {
            (Some((column, program, Some((release, _)))), _) => {
                // A fork has the versions of what it is based on.
                let is_apart = items.programs().get(column)?.is_apart();
                let is_fork = !is_apart && self.identity.is_fork();
                (if is_fork { known::reference() } else { program }, release)
            }
            (None, Some((claimed, _))) if self.identity.is_fork() => (known::reference(), claimed),
            _ => return None,
        };
        items.auth(operation, program, release)
    }

    /// The number of a fork of Mastodon is that of its code; another program's claim says what it is like, and not what it has.
    fn by_claim(&self, claimed: Version, at: &At, life: &Life) -> Support {
        let fork = self.identity.is_fork();
        let Decision { verdict, need } = life.has(at);
        let evidence = Evidence::Claim { claimed, fork, need };
        // A fork may have what Mastodon has not yet.
        let verdict = if fork && verdict == Verdict::Yes { verdict } else { Verdict::Unknown };
        Support { verdict, evidence }
    }

    fn own_version(&self, release: Version) -> Version {
        let text = self.identity.version.as_deref();
        text.and_then(|text| text.parse().ok()).unwrap_or(release)
    }
}

fn by_version(program: &'static str, version: Version, at: &At, life: &Life) -> Support {
    let Decision { verdict, need } = life.has(at);
    Support { verdict, evidence: Evidence::Program { program, version, need } }
}

/// By a number that the server publishes for a program; `None` where that does not decide.
fn by_published(
    program: &'static str,
    published: u32,
    place: &impl Place,
    life: &Life,
) -> Option<Support> {
    let Decision { verdict, need } = life.has(place);
    let evidence = Evidence::ApiVersion { program, published, need };
    (verdict != Verdict::Unknown).then_some(Support { verdict, evidence })
}

fn unknown(evidence: Evidence) -> Support {
    Support { verdict: Verdict::Unknown, evidence }
}
