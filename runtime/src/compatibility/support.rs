//! Whether a server has something, and how that is known.

use std::cmp::Ordering;
use std::fmt;

use fedispec_since::{Need, Verdict};

use crate::known::reference;
use crate::{Availability, Version};

/// Whether a server has something, and how that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Support {
    /// Whether.
    pub verdict: Verdict,
    /// How that is known.
    pub evidence: Evidence,
}

impl Support {
    /// The support of what the catalogue does not list.
    pub(super) const NOT_LISTED: Self =
        Self { verdict: Verdict::Unknown, evidence: Evidence::NotListed };

    /// Orders two by their verdicts, the better first, and those of the same verdict by the release that they wait for.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let waits = |support: &Self| support.evidence.need_of().and_then(waits_for);
        self.verdict.cmp(&other.verdict).then_with(|| waits(self).cmp(&waits(other)))
    }

    /// The server has it.
    pub fn is_yes(&self) -> bool {
        self.verdict == Verdict::Yes
    }

    /// The server answers, and there is never anything in the answer.
    pub fn is_stub(&self) -> bool {
        self.verdict == Verdict::Stub
    }

    /// The server lacks it.
    pub fn is_no(&self) -> bool {
        self.verdict == Verdict::No
    }

    /// It is unknown whether the server has it.
    pub fn is_unknown(&self) -> bool {
        self.verdict == Verdict::Unknown
    }
}

/// A server is older than the oldest release that the entities' types are made for, so that its answers may not decode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct BelowFloor {
    /// The program: `Mastodon`.
    pub program: &'static str,
    /// The release of the server.
    pub release: Version,
    /// The oldest release that the types are made for.
    pub floor: Version,
}

impl fmt::Display for BelowFloor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { program, release, floor } = self;
        write!(
            f,
            "the server runs {program} {release}, and the types are made for {program} {floor} and later"
        )
    }
}

/// An error that a server answers by nature of its release.
///
/// ```
/// # use fedispec_runtime as rt;
/// # static PROGRAMS: &[rt::Program] = &[rt::Program::new("mastodon", "Mastodon").releases(&[rt::Release::new(3, 2, 2), rt::Release::new(3, 3, 0)])];
/// # static ITEMS: rt::ItemTable = rt::ItemTable::empty(PROGRAMS);
/// # static GET: rt::Operation = rt::Operation::new("accounts.get", rt::Method::Get, "/api/v1/accounts/:id")
/// #     .errors(&[rt::ErrorAnswer::new(410, "the account is suspended", &["2.4.0 removed 3.3.0"])]);
/// use rt::compatibility::RemoteServer;
///
/// let notes = RemoteServer::of("mastodon", "3.2.2").notes(&ITEMS, &GET);
/// assert_eq!(
///     notes[0].to_string(),
///     "410 is answered when the account is suspended (mastodon: there since 2.4.0; the server is 3.2.2)"
/// );
/// assert!(RemoteServer::of("mastodon", "3.3.0").notes(&ITEMS, &GET).is_empty());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// The status.
    pub status: u16,
    /// When it is answered.
    pub when: &'static str,
    /// Whether this server answers it, and how that is known.
    pub support: Support,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is = if self.support.is_yes() { "is" } else { "may be" };
        let (status, when) = (self.status, self.when.trim_end_matches('.'));
        write!(f, "{status} {is} answered when {when} ({})", self.support.evidence)
    }
}

/// How the verdict is known, or why it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Evidence {
    /// The number of the API that it publishes.
    #[non_exhaustive]
    ApiVersion {
        /// The program whose API it is.
        program: &'static str,
        /// The number.
        published: u32,
        /// The answer of its releases.
        need: Need,
    },
    /// The version of a program that the catalogue knows.
    #[non_exhaustive]
    Program {
        /// The program.
        program: &'static str,
        /// Its version.
        version: Version,
        /// The answer of its releases.
        need: Need,
    },
    /// The version of Mastodon that another program claims: one made of Mastodon's code, or one that is only compatible.
    #[non_exhaustive]
    Claim {
        /// The version.
        claimed: Version,
        /// The program is made of Mastodon's code.
        fork: bool,
        /// The answer of Mastodon's releases.
        need: Need,
    },
    /// The program is known and its version is not.
    NoVersion,
    /// Neither the program nor a claim is known.
    NoProgram,
    /// The catalogue does not list the item.
    NotListed,
}

/// The release that something is there from; nothing where it is gone.
fn waits_for(need: Need) -> Option<Availability> {
    match need {
        Need::Since(since) | Need::WorksSince(since) | Need::AnswersSince(since) => Some(since),
        Need::Absent(_, until) => Some(Availability::Since(until)),
        _ => None,
    }
}

impl Evidence {
    /// The answer of releases, where it is known by one.
    fn need_of(&self) -> Option<Need> {
        let mut copy = *self;
        copy.need().copied()
    }

    /// The answer of releases, where it is known by one.
    pub(super) fn need(&mut self) -> Option<&mut Need> {
        match self {
            Self::ApiVersion { need, .. }
            | Self::Program { need, .. }
            | Self::Claim { need, .. } => Some(need),
            Self::NoVersion | Self::NoProgram | Self::NotListed => None,
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ApiVersion { program, published, need } => {
                write!(f, "{program}: {need}; the server publishes API {published}")
            }
            Self::Program { program, version, need } => {
                write!(f, "{program}: {need}; the server is {version}")
            }
            Self::Claim { claimed, fork, need } => {
                let how = if *fork { "is made of" } else { "claims to be like" };
                write!(f, "{}: {need}; the server {how} {claimed}", reference())
            }
            Self::NoVersion => f.write_str("the server's version cannot be read"),
            Self::NoProgram => f.write_str("the server's program is not known"),
            Self::NotListed => f.write_str("the catalogue does not list it"),
        }
    }
}
