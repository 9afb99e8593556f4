//! Who answers, and what it has.
//!
//! A [`Server`] is what is known of a server: learned by [`Discovery`], taken from a cache, or stated by hand. With an item table it tells
//! what the server has, and [`plan`] holds a request against it before it is sent. Nothing here does IO.

mod discovery;
#[cfg(feature = "client")]
mod driver;
mod fallback;
mod gate;
mod judge;
mod limits;
mod measure;
mod policy;
mod support;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Identity, Item, Items, Operation};

pub use discovery::Discovery;
#[cfg(feature = "client")]
pub use driver::NoServer;
#[cfg(feature = "client")]
pub(crate) use driver::{TIMEOUT, discover};
#[cfg(feature = "client")]
pub(crate) use fallback::rewrite;
pub use fallback::{Fallback, Move};
pub use fedispec_since::{At, Decision, Need, Place, Verdict};
pub use gate::{Column, Gate};
pub use limits::{Attachment, Counting, Draft, Excess, Limit, Limits, PollDraft};
pub use policy::{Finding, Plan, Policy, Refusal, Setting, plan};
pub use support::{Evidence, Note, Support};

/// What is known of a server.
///
/// It goes into a cache and out of it with serde, and each of its fields may be set by hand:
///
/// ```
/// use fedispec_runtime::known::Server;
///
/// let mut server = Server::of("gotosocial", "0.19.2+git-90851fc");
/// server.reported.characters = Some(5000);
/// let cached = serde_json::to_string(&server)?;
/// assert_eq!(serde_json::from_str::<Server>(&cached)?, server);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Server {
    /// The program, its version and the version of Mastodon that it claims.
    pub identity: Identity,
    /// The numbers of the API that it publishes, by software: `mastodon`.
    pub api_versions: BTreeMap<String, u32>,
    /// The limits that it tells.
    pub reported: Limits,
    /// It tells of itself only to whom it knows.
    pub closed: bool,
}

impl Server {
    /// The server of a program with a version string, as node info says them.
    pub fn of(software: &str, version: &str) -> Self {
        Self {
            identity: Identity::read(version, Some(software)),
            ..Self::default()
        }
    }

    /// The number of Mastodon's API that it publishes.
    pub fn api_version(&self) -> Option<u32> {
        self.api_versions.get("mastodon").copied()
    }

    /// Whether it has an item: an operation, a parameter, a field, a value.
    pub fn supports_item(&self, items: &Items, item: &Item) -> Support {
        judge::Judge::new(self, items).item(item)
    }

    /// Whether it has the item of an id: `accounts.lookup`, `Account.noindex`. What no catalogue lists is unknown.
    ///
    /// ```
    /// # use fedispec_runtime as rt;
    /// # use rt::{Item, Items, Kind, Life, Program, Release};
    /// # static PROGRAMS: &[Program] = &[Program::new("mastodon", "Mastodon").releases(&[Release::new(4, 5, 0)])];
    /// # static ROWS: &[Item] = &[Item::new(Kind::Operation, "accounts.lookup", "", &[Life::since(3, 4, 0)])];
    /// # let items = Items::new(PROGRAMS, ROWS);
    /// use rt::known::{Server, Verdict};
    ///
    /// let support = Server::of("mastodon", "3.3.0").supports(&items, "accounts.lookup");
    /// assert_eq!(support.verdict, Verdict::No);
    /// assert_eq!(support.evidence.to_string(), "mastodon: there since 3.4.0; the server is 3.3.0");
    /// ```
    pub fn supports(&self, items: &Items, id: &str) -> Support {
        items.get(id).map_or(
            Support {
                verdict: Verdict::Unknown,
                evidence: Evidence::NotListed,
            },
            |item| self.supports_item(items, item),
        )
    }

    /// The errors of an operation that it answers, or may answer, by nature of its release.
    pub fn notes(&self, items: &Items, operation: &Operation) -> Vec<Note> {
        let judge = judge::Judge::new(self, items);
        let notes = operation.errors.iter().map(|error| Note {
            status: error.status,
            when: error.when,
            support: judge.lives(error.lives),
        });
        notes.filter(|note| !note.support.is_no()).collect()
    }

    /// What it allows: what it tells, and where it does not, what its program is known to allow.
    pub fn limits(&self) -> Limits {
        self.reported.clone().or(limits::known(&self.identity))
    }
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            self.identity
                .program
                .as_deref()
                .unwrap_or("a server of an unknown program"),
        )?;
        if let Some(version) = &self.identity.version {
            write!(f, " {version}")?;
        }
        match self.identity.claims_mastodon {
            Some(claim) if Some(claim.to_string()) != self.identity.version => {
                write!(f, " (as Mastodon {claim})")
            }
            _ => Ok(()),
        }
    }
}
