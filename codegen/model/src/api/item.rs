//! The common part of all items: identity, documentation, and the life in each program.

use std::collections::BTreeMap;

use fedispec_since::{Availability, Hole, StableVersion};
use serde::{Deserialize, Serialize};

use super::{At, Evidence, Held, Type};
use crate::change::{Change, ChangedFact};

/// The facts that every item has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Its identity: `accounts.lookup.acct`.
    pub id: String,
    /// Its name in the catalogue: `exclude_types[]`; for operations empty.
    pub name: String,
    /// The spelling on the wire.
    pub wire: String,
    /// The Rust identifier, without `r#`.
    pub rust: String,
    /// How the documents call it, where that differs from `name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub documented_as: Option<String>,
    /// Which layers and programs' sources know it.
    pub origin: Origin,
    /// One line in our own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Further notes for a user.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Since and what follows, one per program in the order of [`Api::programs`](super::Api::programs).
    pub life: Vec<Life>,
    /// The item has no Since of its own anywhere and is no row: made up while resolving (`data[]` of `data[][date]`).
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub implied: bool,
    /// The id of what to use instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replacement: Option<String>,
    /// An earlier id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    /// The replacement for this value of an enumeration in a release that lacks it: `drop_element`, `null`, or another
    /// value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_older: Option<String>,
    /// The type of the data that comes with this value of an enumeration where it is an event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<Type>,
    /// The proof of its shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// Where it stands.
    #[serde(skip)]
    pub at: At,
}

/// Where an item comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The two documents.
    Documents,
    /// Documentation beyond the two documents.
    Beyond,
    /// Served and nowhere documented.
    Undocumented,
}

/// The life of an item in one program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Life {
    /// Its own Since, or the one that it inherits.
    pub since: Since,
    /// The latest of its own and its containers' (a version < unknown < never).
    pub effective: Since,
    /// Where its Since stands; absent where it is inherited. The JSON form says only that it is stated.
    #[serde(
        rename = "stated",
        alias = "at",
        with = "stated",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub at: Option<At>,
    /// The proof of the Since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// The first release in which it really does something, where that is later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub works_since: Option<Since>,
    /// The first release in which an operation is a stub: until it works it answers, and there is never anything in its list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stub: Option<StableVersion>,
    /// The release that discourages it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<StableVersion>,
    /// The first release without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed: Option<StableVersion>,
    /// Holes: first release without it, first with it again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<(StableVersion, StableVersion)>,
    /// The changes in place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<Change>,
    /// The facts that the program says otherwise than the item says of all programs together.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub facts: BTreeMap<ChangedFact, Held>,
}

/// The first release that has an item: a version, `unknown` (no source says) or `never` (absent up to the newest release
/// looked at). The later of two is the greater one.
pub type Since = Availability<StableVersion>;

impl Life {
    /// A life of which only the Since is known.
    pub fn new(since: Since, effective: Since) -> Self {
        Self {
            since,
            effective,
            at: None,
            evidence: None,
            works_since: None,
            stub: None,
            deprecated: None,
            removed: None,
            absent: Vec::new(),
            changed: Vec::new(),
            facts: BTreeMap::new(),
        }
    }

    /// The part of it that tells whether a release has the item.
    pub fn presence(&self) -> fedispec_since::Life<Vec<Hole>> {
        self.presence_since(self.effective)
    }

    /// All of it, for an item that is really there only since `effective`.
    pub fn whole(&self, effective: Since) -> fedispec_since::Life<Vec<Hole>> {
        let presence = self.presence_since(effective);
        presence.saying(self.since, self.works_since, self.deprecated)
    }

    /// Whether it does what it says in a release that has it.
    pub fn works_at(&self, release: StableVersion) -> bool {
        match self.works_since {
            None => true,
            Some(Since::Since(version)) => version <= release,
            Some(Since::Unknown | Since::Never) => false,
        }
    }

    /// Whether a release answers it with an empty list and nothing else.
    pub fn is_stub_at(&self, release: StableVersion) -> bool {
        self.stub.is_some_and(|since| since <= release) && !self.works_at(release)
    }

    fn presence_since(&self, effective: Since) -> fedispec_since::Life<Vec<Hole>> {
        let holes = self.absent.iter();
        let holes = holes.map(|(from, until)| (from.numbers(), until.numbers()));
        fedispec_since::Life::lived(effective, self.removed, holes.collect())
    }
}

/// A stated Since in the JSON form: `"stated": true`, or the position that the form before had.
mod stated {
    use serde::{Deserialize as _, Deserializer, Serializer};
    use serde_json::Value;

    use super::At;

    #[allow(clippy::ref_option, reason = "serde wants a reference")]
    pub(super) fn serialize<S: Serializer>(
        at: &Option<At>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(at.is_some())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<At>, D::Error> {
        let stated = Value::deserialize(deserializer)?;
        let is_stated = !matches!(stated, Value::Null | Value::Bool(false));
        Ok(is_stated.then(At::default))
    }
}
