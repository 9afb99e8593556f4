//! The catalogue's format: what may stand in a YAML file of a layer.
//!
//! The same types read the documents, the supplement and overlays, and the JSON Schema is made from them. A key that
//! is absent says nothing; `unknown` says that nobody knows.

use fedispec_model::api::Since;
use fedispec_model::change::ChangedFact;
use fedispec_since::profile::{Versions, Ways};
use fedispec_since::{Class, Paging, SourceReader, StableVersion};
use serde::Deserialize;

use crate::map::IndexMap;

mod by;
mod fact;
mod items;
mod presence;
mod recognition;
mod vocabulary;
mod when;

pub(crate) use by::BY;
pub use by::{By, ByProgram};
pub(crate) use fact::FACT;
pub use fact::{Bound, Evidence, Fact, Mistake, Needed, TypeName};
pub use items::{
    Alternative, Change, Dated, Deciding, Entity, Enumeration, ErrorAnswer, Field, FieldMap, Head,
    Operation, Param, Value, ValueMap,
};
pub use presence::AbsentMeans;
pub use recognition::{Identified, VersionString, WholeVersionString};
pub use vocabulary::{FORMATS, SENDS};
pub use when::{Case, Names, When, Whose};

/// A map from a program's key (`mastodon`) to what is said of it.
pub type PerProgram<T> = IndexMap<String, T>;

/// One file of a layer: an area of the API.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct File {
    /// The subject of the file, in a few words.
    pub area: String,
    /// The facts of every item of the file that does not say otherwise.
    #[serde(default)]
    pub defaults: Defaults,
    /// The groups (Rust modules) that the file introduces.
    #[serde(default)]
    pub groups: IndexMap<String, Group>,
    /// Objects that parameters of this file are made of: their members by name. A parameter whose type is such a name stands for one
    /// parameter a member, `public[always]` for the member `always` of `public`. They are no types, and are resolved while the file is read.
    #[serde(default)]
    pub objects: IndexMap<String, IndexMap<String, Param>>,
    /// The Since of many items at once, by program. The statement of an item itself takes precedence.
    #[serde(default)]
    pub has: Vec<Has>,
    /// Operations by id: `accounts.lookup`, that is group and name.
    #[serde(default)]
    pub operations: IndexMap<String, Operation>,
    /// Entities by id: `Account`.
    #[serde(default)]
    pub entities: IndexMap<String, Entity>,
    /// Enumerations by id: `NotificationType`.
    #[serde(default)]
    pub enums: IndexMap<String, Enumeration>,
    /// Where this layer contradicts the one below, and who is right.
    #[serde(default)]
    pub disputes: Vec<Dispute>,
    /// Ids that are gone and must not be used again.
    #[serde(default)]
    pub tombstones: IndexMap<String, Tombstone>,
}

/// The facts of every item of a file that does not say otherwise.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Defaults {
    /// Since, per program; it goes before what an item would inherit from its container.
    pub since: PerProgram<Since>,
    /// A parameter, field or value of the file that states no Since for a program has that of what contains it, also where a layer below
    /// leaves it `unknown` by its defaults.
    pub inherits: bool,
    /// Facts that the file's source does not show for any item unless an item states them.
    pub unknown: Vec<FactName>,
    /// The evidence of Since values by program, and of everything else under `shape`.
    pub evidence: PerProgram<Evidence>,
}

/// The facts that a source may leave open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "each is the key of the same name")]
pub enum FactName {
    Method,
    Path,
    Auth,
    Returns,
    Success,
    Errors,
    Paging,
    In,
    Type,
    Required,
    Default,
    Nullable,
    Optional,
    Fields,
    Values,
}

/// Since when a program has many items: those of these names, and all that stands inside them.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Has {
    /// Its place in the list of its file.
    #[serde(skip)]
    pub number: usize,
    /// The first release that has them, per program.
    pub since: PerProgram<Since>,
    /// Groups, operations, entities, enumerations, or any items by id; `operations` stands for all that no closer name covers.
    pub of: Vec<String>,
    /// The exceptions, in the same way.
    #[serde(default)]
    pub but: Vec<String>,
    /// The proofs, by program.
    #[serde(default)]
    pub evidence: PerProgram<Evidence>,
}

impl Has {
    /// With its place in the list.
    pub(crate) fn numbered((number, line): (usize, Self)) -> Self {
        Self { number, ..line }
    }

    /// The name that stands for all operations.
    pub const OPERATIONS: &'static str = "operations";

    /// Whether an item is, or stands in, an exception of the line.
    pub fn excepts(&self, id: &str) -> bool {
        self.but.iter().any(|name| {
            id.strip_prefix(&**name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    }
}

/// A group of operations: a Rust module, a server trait.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// One line about the group.
    pub summary: String,
}

/// A declared contradiction between two layers.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Dispute {
    /// Its place in the list of its file.
    #[serde(skip)]
    pub number: usize,
    /// The id of the item.
    pub item: String,
    /// The fact: `since.mastodon`, `wire`, `type`, `in`, `returns` ..
    pub fact: String,
    /// The value of the layer below; another one there is an error.
    pub documents: serde_json::Value,
    /// The value of this layer.
    pub supplement: serde_json::Value,
    /// Which of the two holds.
    pub verdict: Verdict,
    /// The proof of it.
    pub evidence: Evidence,
    /// Why, in a sentence of our own.
    #[serde(default)]
    pub why: Option<String>,
}

impl Dispute {
    /// With its place in the list.
    pub(crate) fn numbered((number, dispute): (usize, Self)) -> Self {
        Self { number, ..dispute }
    }
}

/// Which side of a [`Dispute`] holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "each is the key of the same name")]
pub enum Verdict {
    Documents,
    Supplement,
}

impl Verdict {
    /// The key of the value that holds.
    pub(crate) fn side(self) -> &'static str {
        match self {
            Self::Documents => "documents",
            Self::Supplement => "supplement",
        }
    }
}

/// An id that is gone.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tombstone {
    /// Why it is gone.
    pub why: String,
    /// It never existed on any server.
    #[serde(default)]
    pub never_existed: bool,
    /// The proof of it.
    #[serde(default)]
    pub evidence: Option<Evidence>,
}

/// `spec/implementations.yaml`: the programs and what sources the facts come from.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Implementations {
    /// Programs by key, in the order of their columns.
    pub programs: IndexMap<String, Program>,
    /// The program whose API this is, and whose versions others claim. Absent: the first.
    #[serde(default)]
    pub reference: Option<String>,
    /// Programs that are only recognized, by the name that they go by: nobody has looked what they have.
    #[serde(default)]
    pub identified: IndexMap<String, Identified>,
    /// Where facts come from, by the name that `evidence` uses.
    pub sources: IndexMap<String, Source>,
    /// The facts of every item over the documents that does not say otherwise.
    #[serde(default)]
    pub defaults: Usual,
}

/// `spec/features.yaml`: what people ask for, made up of items. Since when a program has a feature is computed from its items.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Features {
    /// Features by id: `edit_history`. Its words are the name of the feature.
    pub features: IndexMap<String, Feature>,
}

/// A feature. It has items under `all`, under `one_of`, or under both.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Feature {
    /// A sentence about it.
    pub summary: String,
    /// Other names that people have for it; a name belongs to one feature.
    #[serde(default)]
    pub synonyms: Vec<String>,
    /// The ids of the items that it needs.
    #[serde(default)]
    pub all: Vec<String>,
    /// The ids of the items of which it needs one.
    #[serde(default)]
    pub one_of: Vec<String>,
}

/// Facts that are the same nearly everywhere, stated once. The documents say nothing by them, nor does a file that lists the fact
/// under `unknown`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Usual {
    /// The statuses of success.
    pub success: Option<Vec<u16>>,
    /// How a list is cut into pages.
    pub paging: Option<Paging>,
    /// Whether a field may be null.
    pub nullable: Option<bool>,
    /// Whether a field may be absent.
    pub optional: Option<bool>,
    /// When an error is answered, by status: `errors: [401, 404]` of an operation needs no more words.
    pub errors: IndexMap<String, String>,
}

/// A server program.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// Where it is registered.
    #[serde(skip)]
    pub origin: Origin,
    /// The file that registers it, where that is not the catalogue's own registry.
    #[serde(skip)]
    pub file: Option<crate::source::FileId>,
    /// Its name as people write it: `GoToSocial`.
    pub name: String,
    /// The program that it is a fork of: a release has what the release of the same version of that one has, unless its own folder says
    /// otherwise.
    #[serde(default)]
    pub based_on: Option<String>,
    /// The letter that the documents give it: `A`.
    #[serde(default)]
    pub letter: Option<String>,
    /// The names under which it appears in node info. A fork may have none of its own.
    #[serde(default)]
    pub nodeinfo: Vec<String>,
    /// Its version strings. Absent: it is known by its name in node info, or in `(compatible; NAME VERSION)`.
    #[serde(default)]
    pub versions: Versions,
    /// Real version strings, as tests.
    #[serde(default)]
    pub strings: Vec<VersionString>,
    /// Behaviour in which it differs from others.
    #[serde(default)]
    pub ways: Ways,
    /// How `propose` reads its source.
    #[serde(default)]
    pub reader: Option<SourceReader>,
    /// The Since of every item that says nothing of it. Without it, such an item is a mistake.
    #[serde(default)]
    pub unlisted: Option<Unlisted>,
    /// The oldest release that the types of the ready-made crate are made for. Where no program states one, each has its
    /// first release; else a program without one changes no type.
    #[serde(default)]
    pub floor: Option<StableVersion>,
    /// The release whose answers the constructors of entities are made from. It moves with a major version of the crate alone. Absent:
    /// the newest one.
    #[serde(default)]
    pub constructors: Option<StableVersion>,
    /// The first release that looks at the scopes of tokens; before it, any scope will do.
    #[serde(default)]
    pub scopes_since: Option<StableVersion>,
    /// The facts of parameters that were read for all of its items, each with the source: a value without a program, whatever its
    /// evidence, holds in this one too, unless the item says otherwise of it.
    #[serde(default)]
    pub held_against: IndexMap<ChangedFact, Evidence>,
    /// Its stable releases in version order.
    pub releases: IndexMap<StableVersion, Release>,
    /// The newest release that its facts were looked up in. What is `never` there is unknown in later ones. Absent: the last
    /// release.
    #[serde(default)]
    pub looked_at: Option<StableVersion>,
    /// The places to look at in a new release.
    #[serde(default)]
    pub look_at: Vec<String>,
}

/// Where a program is registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Origin {
    /// In the catalogue's own registry.
    #[default]
    Registry,
    /// In a folder of its own.
    Folder,
    /// In an overlay.
    Overlay,
}

impl Program {
    /// Whether its facts stand apart from those of others: what is said without naming it holds for the others, and nobody has looked
    /// whether it does here.
    pub fn is_apart(&self) -> bool {
        self.origin == Origin::Folder
    }
}

/// The Since of items that say nothing of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Unlisted {
    /// Nobody has looked, and they inherit nothing from what contains them.
    Unknown,
}

/// A stable release of a program.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// The day it came out, `2024-10-08`; absent where nobody knows.
    #[serde(default)]
    pub date: Option<String>,
    /// The number it publishes of itself under `api_versions`.
    #[serde(default)]
    pub api: Option<u32>,
}

/// A source of facts.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// How much it proves.
    pub class: Class,
    /// A description in a few words.
    pub title: String,
    /// Where it is found.
    #[serde(default)]
    pub url: Option<String>,
    /// The revision that was read.
    #[serde(default)]
    pub revision: Option<String>,
    /// The programs that it speaks of. A fact without a program is unknown in any other. Absent: all.
    #[serde(default)]
    pub programs: Option<Vec<String>>,
    /// The file that registers it, where that is not the catalogue's own registry.
    #[serde(skip)]
    pub file: Option<crate::source::FileId>,
}

impl Source {
    /// Its title, with its revision.
    pub fn full_title(&self) -> String {
        match &self.revision {
            Some(revision) => format!("{} ({revision})", self.title),
            None => self.title.clone(),
        }
    }
}
