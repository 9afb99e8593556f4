//! The scalars of the format: versions, Since, evidence, and facts that may be unknown.

use fedispec_since::{Class, Required};
use serde::{Deserialize, Serialize};

mod read;
#[cfg(feature = "schema")]
mod schema;

pub(crate) use read::FACT;
pub use read::Mistake;

/// A fact that a source states or leaves open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact<T> {
    /// `unknown`: nobody says.
    Unknown,
    /// The statement.
    Known(T),
}

/// A type in the catalogue's notation: `string`, `Account[]`, `map<string[]>`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TypeName(pub String);

/// Whether a parameter must be sent: `true`, `false`, or `sometimes`, see `required_when` and the operation's `alternatives`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Needed(pub Required);

/// A limit: a value, or `none` where it was looked for and there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Bound<T>(pub Option<T>);

/// The proof of a fact: the name of a source, or that with a place in it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(from = "fedispec_since::text::WordOr<String, read::EvidenceMap>")]
pub struct Evidence {
    /// A key of `sources` in implementations.yaml.
    pub source: String,
    /// The place in it: a file, a heading, a tag.
    pub at: Option<String>,
    /// A class lower than the source's own.
    pub class: Option<Class>,
    /// A remark about it.
    pub note: Option<String>,
}

impl Evidence {
    /// The tags of the places that it names: `4.6.5` of `app/models/list.rb:30@4.6.5`.
    pub(crate) fn tags(&self) -> impl Iterator<Item = &str> {
        let tags = self.at.iter().flat_map(|at| at.split('@').skip(1));
        tags.filter_map(|tag| tag.split([' ', ',', ';', ')']).next())
    }
}
