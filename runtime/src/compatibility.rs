//! Compatibility with a remote server: what it is, has and allows, and what becomes of a request that it cannot answer.
//!
//! - A [`RemoteServer`] is learned by [`Discovery`], taken from a cache, or stated by hand. With an item table it tells what the server
//!   has: a [`Verdict`] and its [`Evidence`].
//! - [`InstanceLimits`] check a [`Draft`] of a status before it is sent.
//! - A [`Gate`] has all verdicts of a server; [`plan`] holds a request against it, by a [`Policy`].
//!
//! Nothing here does IO.

mod discovery;
#[cfg(feature = "client")]
mod driver;
pub(crate) mod fallback;
mod gate;
mod judge;
mod limits;
mod measure;
mod name;
mod plan;
mod policy;
mod support;
#[cfg(test)]
mod tests;
mod weigh;

use std::collections::BTreeMap;
use std::fmt;
#[cfg(feature = "client")]
use std::time::{Duration, SystemTime};

use fedispec_since::composed;
use fedispec_since::profile::Profile;
use serde::{Deserialize, Serialize};

use crate::known;
use crate::{Auth, Feature, Identity, Item, ItemTable, Operation, Scopes, Timestamp};

// The server, and what it has.
pub use discovery::Discovery;
#[cfg(feature = "client")]
pub use driver::{DiscoveryError, Unusable};
pub use fedispec_since::{Need, Verdict};
pub use support::{BelowFloor, Evidence, Note, Support};

// The limits of a server.
pub use fedispec_since::Counting;
pub use limits::{Attachment, Draft, Excess, InstanceLimits, Limit, PollDraft};

// The fate of a request.
pub use fallback::Fallback;
pub use gate::Gate;
pub use plan::{Basis, Missing, Outcome, Plan, Reason, Refusal, Unsure};
pub use policy::{Finding, Policy, Setting};
pub use weigh::plan;

#[cfg(feature = "client")]
pub(crate) use driver::{TIMEOUT, discover};
#[cfg(feature = "client")]
pub(crate) use fallback::rewrite;
#[cfg(feature = "client")]
pub(crate) use name::names_param;

/// Everything that is known of a server.
///
/// It goes into a cache and out of it with serde, and each of its fields may be set by hand:
///
/// ```
/// use fedispec_runtime::compatibility::RemoteServer;
///
/// let mut server = RemoteServer::of("gotosocial", "0.19.2+git-90851fc");
/// server.reported.characters = Some(5000);
/// let cached = serde_json::to_string(&server)?;
/// assert_eq!(serde_json::from_str::<RemoteServer>(&cached)?, server);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct RemoteServer {
    /// The program, its version and the version of Mastodon that it claims.
    pub identity: Identity,
    /// The numbers of the API that it publishes, by software: `mastodon`.
    pub api_versions: BTreeMap<String, u32>,
    /// The limits that it tells.
    pub reported: InstanceLimits,
    /// The address of its streams, as an instance document names it. `StreamAddress` tells whether a token may be sent there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub streaming: Option<String>,
    /// It answers its instance document to authenticated users only.
    pub closed: bool,
    /// When this was learned; a client takes it for a day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learned: Option<Timestamp>,
}

impl RemoteServer {
    /// The server of a program with a version string, as node info says them.
    pub fn of(software: &str, version: &str) -> Self {
        Self { identity: Identity::read(version, Some(software)), ..Self::default() }
    }

    /// The time at which this was learned.
    #[cfg(feature = "client")]
    pub(crate) fn learned_at(&self) -> Option<SystemTime> {
        let seconds = self.learned.as_ref()?.unix()?.try_into().ok()?;
        SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
    }

    /// The number of Mastodon's API that it publishes.
    pub fn api_version(&self) -> Option<u32> {
        self.api_versions.get(known::reference()).copied()
    }

    /// Whether it has an item: an operation, a parameter, a field, a value.
    pub fn supports_item(&self, items: &ItemTable, item: &Item) -> Support {
        judge::Judge::new(self, items).item(item)
    }

    /// Whether it has an item: by its id (`accounts.lookup.acct`, `Account.noindex`), its name in Rust (`accounts::Lookup`,
    /// `Account::noindex`) or with its name on the wire (`statuses.create.poll[options][]`). What no catalogue lists is unknown.
    ///
    /// ```
    /// # use fedispec_runtime as rt;
    /// # use rt::{ItemTable, Program, Release};
    /// # static PROGRAMS: &[Program] = &[Program::new("mastodon", "Mastodon").releases(&[Release::new(1, 0, 0), Release::new(4, 5, 0)])];
    /// # static ITEMS: ItemTable = ItemTable::new(
    /// #     PROGRAMS,
    /// #     r#"{"form": 3, "items": {"accounts.lookup": "operation"}}"#,
    /// #     &[r#"{"otherwise": "never", "items": {"accounts.lookup": "3.4.0"}}"#],
    /// # );
    /// use rt::compatibility::{RemoteServer, Verdict};
    ///
    /// let support = RemoteServer::of("mastodon", "3.3.0").supports(&ITEMS, "accounts.lookup");
    /// assert_eq!(support.verdict, Verdict::No);
    /// assert_eq!(support.evidence.to_string(), "mastodon: there since 3.4.0; the server is 3.3.0");
    /// ```
    pub fn supports(&self, items: &ItemTable, id: &str) -> Support {
        let item = items.get(id).or_else(|| name::row(items, id));
        item.map_or(Support::NOT_LISTED, |item| self.supports_item(items, item))
    }

    /// Whether it has a feature: all of the items that the feature needs, and one of those of which it needs one. A stub among them is not
    /// the feature. The evidence is that of the item that decides.
    ///
    /// ```
    /// # use fedispec_runtime as rt;
    /// # mod features {
    /// #     use fedispec_runtime::{Feature, ItemTable, Program, Release};
    /// #     static PROGRAMS: &[Program] = &[Program::new("mastodon", "Mastodon").releases(&[Release::new(1, 0, 0), Release::new(4, 5, 0)])];
    /// #     static ITEMS: ItemTable = ItemTable::new(
    /// #         PROGRAMS,
    /// #         r#"{"form": 3, "items": {"statuses.history": "operation"}}"#,
    /// #         &[r#"{"otherwise": "never", "items": {"statuses.history": "3.5.0"}}"#],
    /// #     );
    /// #     pub const EDIT_HISTORY: Feature = Feature::new("edit_history", || &ITEMS, &["statuses.history"], &[]);
    /// # }
    /// use rt::compatibility::RemoteServer;
    ///
    /// let support = RemoteServer::of("mastodon", "4.2.0").has(features::EDIT_HISTORY);
    /// assert!(support.is_yes());
    /// assert_eq!(support.evidence.to_string(), "mastodon: there since 3.5.0; the server is 4.2.0");
    /// ```
    pub fn has(&self, feature: Feature) -> Support {
        let items = feature.items();
        let judge = judge::Judge::new(self, items);
        let support =
            |id: &&str| items.get(id).map_or(Support::NOT_LISTED, |item| judge.item(item));
        let [all, one_of] = [feature.all(), feature.one_of()].map(|ids| ids.iter().map(support));
        composed(all, one_of, Support::compare).unwrap_or(Support::NOT_LISTED)
    }

    /// How it is older than the oldest release that the types of a table are made for; `None` where it is not, or where its release is not
    /// known.
    ///
    /// ```
    /// # use fedispec_runtime as rt;
    /// # static PROGRAMS: &[rt::Program] = &[rt::Program::new("mastodon", "Mastodon").floor(2, 0, 0)];
    /// # static ITEMS: rt::ItemTable = rt::ItemTable::empty(PROGRAMS);
    /// use rt::compatibility::RemoteServer;
    ///
    /// let old = RemoteServer::of("mastodon", "1.6.1").below_floor(&ITEMS);
    /// assert_eq!(
    ///     old.map(|old| old.to_string()).as_deref(),
    ///     Some("the server runs Mastodon 1.6.1, and the types are made for Mastodon 2.0.0 and later"),
    /// );
    /// assert!(RemoteServer::of("mastodon", "2.0.0").below_floor(&ITEMS).is_none());
    /// ```
    pub fn below_floor(&self, items: &ItemTable) -> Option<BelowFloor> {
        judge::Judge::new(self, items).below_floor(items)
    }

    /// The errors of an operation that it answers, or may answer, by nature of its release.
    pub fn notes(&self, items: &ItemTable, operation: &Operation) -> Vec<Note> {
        let judge = judge::Judge::new(self, items);
        let notes = operation.errors.iter().map(|error| {
            let lives = error.lives();
            let support = judge.lives(|column| lives.get(column)?.as_ref());
            Note { status: error.status, when: error.when, support }
        });
        notes.filter(|note| !note.support.is_no()).collect()
    }

    /// The token and the scopes that its release asks for an operation; `None` where the program or its release is not known.
    ///
    /// ```
    /// # use fedispec_runtime as rt;
    /// # use rt::{Method, Operation, Program, Release};
    /// # static PROGRAMS: &[Program] = &[Program::new("gotosocial", "GoToSocial").releases(&[Release::new(0, 19, 2)])];
    /// # static GET: Operation = Operation::new("accounts.get", Method::Get, "/api/v1/accounts/:id");
    /// # static ITEMS: rt::ItemTable = rt::ItemTable::new(
    /// #     PROGRAMS,
    /// #     r#"{"form": 3, "items": {"accounts.get": "operation"}}"#,
    /// #     &[r#"{"otherwise": "never", "items": {"accounts.get": {"life": "0.1.0", "auth": [
    /// #         {"is": {"token": "user"}},
    /// #         {"since": "0.19.0", "is": {"token": "user", "scopes": "read:accounts"}}
    /// #     ]}}}"#],
    /// # );
    /// use rt::compatibility::RemoteServer;
    ///
    /// let asked = RemoteServer::of("gotosocial", "0.19.2").auth(&ITEMS, &GET);
    /// assert_eq!(asked.unwrap().to_string(), "a user's token with read:accounts");
    /// ```
    pub fn auth(&self, items: &'static ItemTable, operation: &Operation) -> Option<Auth> {
        judge::Judge::new(self, items).auth(items, operation)
    }

    /// The least scopes with which a token may call these operations, by what its release asks for; of a program or a release that is not
    /// known, by what the newest release of the first program asks for. There are none where the release looks at no scopes: GoToSocial
    /// does since 0.19.0 only. A token that is to outlive an update of the server needs the scopes of the later release
    /// [as well](Scopes::and).
    pub fn scopes_for(
        &self,
        items: &'static ItemTable,
        operations: impl IntoIterator<Item = &'static Operation>,
    ) -> Scopes {
        let judge = judge::Judge::new(self, items);
        let operations = operations.into_iter();
        Scopes::least(
            operations.map(|operation| judge.auth(items, operation).unwrap_or(operation.auth)),
        )
    }

    /// Its limits: those that it reports, and otherwise those that its program is known to have.
    pub fn limits(&self) -> InstanceLimits {
        self.reported.clone().or(InstanceLimits::known(&self.identity))
    }
}

impl fmt::Display for RemoteServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.identity.program.as_deref().unwrap_or("a server of an unknown program"))?;
        if let Some(version) = &self.identity.version {
            write!(f, " {version}")?;
        }
        match self.identity.claims_mastodon {
            Some(claim) if Some(claim.to_string()) != self.identity.version => {
                let reference = known::profiles().reference().map_or("", Profile::name);
                write!(f, " (as {reference} {claim})")
            }
            _ => Ok(()),
        }
    }
}
