//! The life of an item in a program.

use std::collections::BTreeMap;
use std::fmt;

use fedispec_since::text::WordOr;
use fedispec_since::{Availability, StableVersion};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{At, Evidence, Held};
use crate::change::{Change, ChangedFact};

/// The life of an item in one program. Its JSON form is the Since alone where nothing else is known.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
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
    /// The facts of the program stand apart from those of others ([`Program::apart`](super::Program::apart)): what it does not say itself is
    /// unknown.
    #[serde(skip)]
    pub apart: bool,
}

impl Serialize for Life {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_short() {
            self.since.serialize(serializer)
        } else {
            Self::serialize(self, serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Life {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match WordOr::<Since, Whole>::deserialize(deserializer)? {
            WordOr::Word(since) => Self::new(since, since),
            WordOr::Map(Whole(life)) => life,
        })
    }
}

/// How a release lacks an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lack {
    /// No release has it.
    Never,
    /// It comes later, in this one.
    Until(StableVersion),
    /// It is gone since this one.
    Since(StableVersion),
    /// It is absent: the first release without it, and the first with it again.
    Between(StableVersion, StableVersion),
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Never => f.write_str("is never there"),
            Self::Until(comes) => write!(f, "comes in {comes}"),
            Self::Since(gone) => write!(f, "is gone in {gone}"),
            Self::Between(from, until) => write!(f, "is absent from {from} until {until}"),
        }
    }
}

/// A life in its longer form.
struct Whole(Life);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Life::deserialize(deserializer).map(Self)
    }
}

/// Writes the lives of an item but for those at the end of which nothing is known. One is left, because an empty list says something else.
pub(super) fn known<S: Serializer>(lives: &[Life], serializer: S) -> Result<S::Ok, S::Error> {
    let is_unknown = |life: &Life| life.is_short() && life.since == Since::Unknown;
    let known = lives.iter().rposition(|life| !is_unknown(life)).map_or(1, |last| last + 1);
    lives[..known.min(lives.len())].serialize(serializer)
}

/// The first release that has an item: a version, `unknown` (no source says) or `never` (absent up to the newest release
/// looked at). The later of two is the greater one.
pub type Since = Availability<StableVersion>;

impl Life {
    /// A life of which only the Since is known.
    pub fn new(since: Since, effective: Since) -> Self {
        Self { since, effective, ..Self::default() }
    }

    /// Whether it says no more than its Since.
    fn is_short(&self) -> bool {
        let plain = Self { apart: self.apart, ..Self::new(self.since, self.since) };
        *self == plain
    }

    /// The part of it that tells whether a release has the item.
    pub fn presence(&self) -> fedispec_since::Life {
        self.presence_since(self.effective)
    }

    /// All of it, for an item that is really there only since `effective`.
    pub fn whole(&self, effective: Since) -> fedispec_since::Life {
        let presence = self.presence_since(effective);
        presence.saying(self.since, self.works_since, self.deprecated)
    }

    /// Since when an item is heeded that is really there since `effective`: before, it may be accepted and ignored.
    pub fn heeded_since(&self, effective: Since) -> Since {
        self.works_since.map_or(effective, |works| effective.max(works))
    }

    /// Whether it does what it says in a release that has it.
    pub fn works_at(&self, release: StableVersion) -> bool {
        match self.works_since {
            None => true,
            Some(Since::Since(version)) => version <= release,
            Some(Since::Unknown | Since::Never) => false,
        }
    }

    /// How a release lacks it; nothing where it does not, or nobody knows.
    pub fn lack_at(&self, release: StableVersion) -> Option<Lack> {
        let since = match self.effective {
            Since::Never => return Some(Lack::Never),
            Since::Unknown => return None,
            Since::Since(since) => since,
        };
        if release < since {
            return Some(Lack::Until(since));
        }
        let removed = self.removed.filter(|removed| *removed <= release).map(Lack::Since);
        removed.or_else(|| self.absent_at(release).map(|(from, until)| Lack::Between(from, until)))
    }

    /// Whether a release is known to have it.
    pub fn is_there_at(&self, release: StableVersion) -> bool {
        self.effective.version().is_some() && self.lack_at(release).is_none()
    }

    /// Whether a release is known to have it, and to do what it says.
    pub fn is_heeded_at(&self, release: StableVersion) -> bool {
        self.is_there_at(release) && self.works_at(release)
    }

    /// The releases in which it may begin to be there or to be heeded, or end.
    pub fn turns(&self) -> impl Iterator<Item = StableVersion> {
        let works = self.works_since.and_then(Since::version);
        let gaps = self.absent.iter().flat_map(|(from, until)| [*from, *until]);
        self.effective.version().into_iter().chain(works).chain(self.removed).chain(gaps)
    }

    /// The stretch without it that a release lies in: from its first release to the one that has it again.
    pub fn absent_at(&self, release: StableVersion) -> Option<(StableVersion, StableVersion)> {
        let mut gaps = self.absent.iter().copied();
        gaps.find(|(from, until)| (*from..*until).contains(&release))
    }

    /// Whether a release answers it with an empty list and nothing else.
    pub fn is_stub_at(&self, release: StableVersion) -> bool {
        self.stub.is_some_and(|since| since <= release) && !self.works_at(release)
    }

    fn presence_since(&self, effective: Since) -> fedispec_since::Life {
        fedispec_since::Life::lived(effective, self.removed, self.absent.clone())
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
