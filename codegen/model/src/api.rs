//! The resolved API as one value: every item is named, sorted and merged, and every reference is resolved.
//!
//! `gen` writes it as one JSON file, every emitter is a function of it, and two of them can be compared.

use std::hash::{Hash, Hasher};
use std::ops::Deref;

use fedispec_since::{Availability, Hole, StableVersion, Version};
use serde::{Deserialize, Serialize};

use crate::change::{Change, ChangedFact};
use crate::condition::Condition;
use crate::presence::Presence;
use crate::version::{optional, pairs, text};

/// The version of the JSON form.
pub const SCHEMA: &str = "fedispec-api/3";

/// The forms before, which are still read: the first had positions in it, and in both the values of a [`Change`] were texts,
/// nothing said what leaving a parameter out does, and an operation had one [`Auth`] for all programs.
pub const FORMER_SCHEMAS: [&str; 2] = ["fedispec-api/1", "fedispec-api/2"];

/// The whole API.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Api {
    /// [`SCHEMA`].
    pub schema: String,
    /// Which layers it was made from.
    pub layer: Layer,
    /// The programs, in the order of every [`Since`] row.
    pub programs: Vec<Program>,
    /// The groups, by name.
    pub groups: Vec<Group>,
    /// The operations, sorted by group, then as the catalogue orders them.
    pub operations: Vec<Operation>,
    /// The entities by id; objects nested in another follow it.
    pub entities: Vec<Entity>,
    /// The enumerations by id.
    pub enums: Vec<Enumeration>,
    /// Ids that are gone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tombstones: Vec<Tombstone>,
    /// The declared contradictions, for `show`, `coverage` and the diff.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disputes: Vec<Dispute>,
    /// The files that positions refer to, relative to the catalogue's folder. Like positions, only known of what was read
    /// from YAML.
    #[serde(skip)]
    pub files: Files,
}

impl Api {
    /// The oldest release of each program that types are made for, in the order of the programs: the stated ones, and none
    /// for a program without. Where no program states any, each has its first release.
    pub fn floors(&self) -> impl Iterator<Item = Option<StableVersion>> {
        let stated = self.programs.iter().any(|program| program.floor.is_some());
        self.programs.iter().map(move |program| {
            let first = program.releases.first().filter(|_| !stated);
            program.floor.or(first.map(|release| release.version))
        })
    }
}

/// Which layers an [`Api`] was made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// The transcription of the two documents alone.
    Documents,
    /// Both layers, and overlays.
    Full,
}

/// A server program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// `gotosocial`
    pub key: String,
    /// `GoToSocial`
    pub name: String,
    /// `B`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub letter: Option<String>,
    /// The names in node info.
    pub nodeinfo: Vec<String>,
    /// The oldest release that the ready-made crate's types are made for; see [`Api::floors`].
    #[serde(
        default,
        with = "crate::version::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub floor: Option<StableVersion>,
    /// Stable releases in version order.
    pub releases: Vec<Release>,
    /// The newest release that its facts were looked up in; the last one where nobody says.
    #[serde(with = "optional", default, skip_serializing_if = "Option::is_none")]
    pub looked_at: Option<StableVersion>,
}

impl Program {
    /// Its name, with the first and the last of its releases: `Mastodon 0.1.0 to 4.6.5`.
    pub fn span(&self) -> String {
        match (self.releases.first(), self.releases.last()) {
            (Some(first), Some(last)) => {
                format!("{} {} to {}", self.name, first.version, last.version)
            }
            _ => self.name.clone(),
        }
    }

    /// The newest release that its facts were looked up in.
    pub fn newest_looked_at(&self) -> Option<StableVersion> {
        let last = || self.releases.last().map(|release| release.version);
        self.looked_at.or_else(last)
    }

    /// The releases that are registered and were not looked at.
    pub fn not_looked_at(&self) -> impl Iterator<Item = StableVersion> + '_ {
        let looked_at = self.newest_looked_at();
        let releases = self.releases.iter().map(|release| release.version);
        releases.filter(move |release| Some(*release) > looked_at)
    }

    /// The place of a release among what was looked at.
    pub fn place(&self, release: StableVersion) -> fedispec_since::At {
        fedispec_since::At::new(&release.version())
            .newest(self.newest_looked_at())
            .not_looked_at(self.not_looked_at().next())
    }
}

/// A stable release.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Release {
    /// `4.3.0`
    #[serde(with = "text")]
    pub version: StableVersion,
    /// `2024-10-08`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The api number it publishes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api: Option<u32>,
}

/// A group of operations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// Its id and Rust module: `accounts`.
    pub id: String,
    /// The name of its server trait: `Accounts`.
    pub rust: String,
    /// One line about it.
    pub summary: String,
}

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
    /// Since and what follows, one per program in the order of [`Api::programs`].
    pub life: Vec<Life>,
    /// The item has no Since of its own anywhere and is no row: made up while resolving (`data[]` of `data[][date]`).
    #[serde(default, skip_serializing_if = "is_false")]
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
    /// What proves its shape.
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
    #[serde(with = "text")]
    pub since: Since,
    /// The latest of its own and its containers' (a version < unknown < never).
    #[serde(with = "text")]
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
    /// What proves the Since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// The first release in which it really does something, where that is later.
    #[serde(with = "optional", default, skip_serializing_if = "Option::is_none")]
    pub works_since: Option<Since>,
    /// The release that discourages it.
    #[serde(with = "optional", default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<StableVersion>,
    /// The first release without it.
    #[serde(with = "optional", default, skip_serializing_if = "Option::is_none")]
    pub removed: Option<StableVersion>,
    /// Holes: first release without it, first with it again.
    #[serde(with = "pairs", default, skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<(StableVersion, StableVersion)>,
    /// What changed in place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<Change>,
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
            deprecated: None,
            removed: None,
            absent: Vec::new(),
            changed: Vec::new(),
        }
    }

    /// The part of it that tells whether a release has the item.
    pub fn presence(&self) -> fedispec_since::Life<Vec<Hole>> {
        let holes = self.absent.iter();
        let holes = holes.map(|(from, until)| (from.numbers(), until.numbers()));
        fedispec_since::Life::lived(self.effective, self.removed, holes.collect())
    }
}

/// What proves a fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// How much it proves.
    pub class: Class,
    /// The source's title, with its revision.
    pub source: String,
    /// The place in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// What to know about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The item or what contains it names it; else the defaults of its file do.
    #[serde(default, skip_serializing_if = "Own::is_default")]
    pub own: Own,
}

/// Whether evidence is an item's own and no default of its file. Evidence that proves the same compares equal, whoever
/// names it.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Own(pub bool);

impl Own {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
    fn is_default(&self) -> bool {
        !self.0
    }
}

impl PartialEq for Own {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Own {}

/// How much a source proves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Class {
    /// Recorded responses or running servers.
    A,
    /// The program's own source at a tag.
    B,
    /// Documentation, changelogs, and the two documents.
    C,
    /// Inference.
    D,
}

/// A position: an index into [`Api::files`] and a line, from 1 on; line 0 is no position.
///
/// Positions always compare equal, as spans do in [syn](https://docs.rs/syn/latest/syn/#spans), so that two values of the API
/// are equal when they state the same facts. The JSON form has none: a line that is added to a file moves all that follow.
#[derive(Debug, Clone, Copy, Default)]
pub struct At(pub u32, pub u32);

impl PartialEq for At {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for At {}

impl Hash for At {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// The files that positions refer to. As positions do, they always compare equal.
#[derive(Debug, Clone, Default)]
pub struct Files(pub Vec<String>);

impl PartialEq for Files {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Deref for Files {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.0
    }
}

impl FromIterator<String> for Files {
    fn from_iter<I: IntoIterator<Item = String>>(files: I) -> Self {
        Self(files.into_iter().collect())
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

/// An operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Operation {
    /// The facts that every item has; `rust` is the struct (`Lookup`), unique in its group.
    pub item: Item,
    /// The group: `accounts`.
    pub group: String,
    /// The method of the server trait: `lookup`.
    pub rust_fn: String,
    /// The route, where method and path are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub route: Option<Route>,
    /// Other methods that do the same on its path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Twin>,
    /// What it has of its own as an endpoint of OAuth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oauth: Option<Oauth>,
    /// The tokens that may call it at the newest release; absent where no source says. Earlier states are in the lives'
    /// changes: see [`states`](crate::auth::states).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth: Option<Auths>,
    /// How a body is sent.
    pub body: Body,
    /// The parameters as the catalogue has them, in its order: the rows. After them those that are only implied: the
    /// list `keywords_attributes[]` around `keywords_attributes[][keyword]`.
    pub params: Vec<Param>,
    /// Ways of calling it; empty where the required parameters say it all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Alternative>,
    /// The parameters (wire names) that constructors take, in the order of their arguments; empty where nobody says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// The type of its answer.
    pub returns: Type,
    /// Whether a source gives the type of its answer.
    pub returns_known: bool,
    /// The documents' name for the answer: `Account[]`, `[]`, or nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns_documented: Option<String>,
    /// The statuses of success; empty where no source says.
    pub success: Vec<u16>,
    /// How its list is cut into pages.
    pub paging: Paging,
    /// Other answers.
    pub errors: Vec<ErrorAnswer>,
    /// What its parameters (wire names) are made of where it stands in for its replacement.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stands_in: Vec<(String, String)>,
}

/// A method and a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Route {
    /// `GET`
    pub method: String,
    /// `/api/v1/accounts/:id`
    pub path: String,
}

/// Another method that does the same as an operation on its path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Twin {
    /// The key of the program that has it.
    pub program: String,
    /// `PATCH`
    pub method: String,
}

/// An endpoint of OAuth, whose errors have the shape of RFC 6749, 5.2.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Oauth {
    /// The wire names of the parameters, of the client's id and its secret, that a header `Authorization: Basic` may hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub basic: Option<(String, String)>,
}

/// The tokens that may call an operation, by program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Auths {
    /// Every program asks for the same.
    Same(Auth),
    /// One for each program, in the order of [`Api::programs`]; `None` where no source says.
    Each(Vec<Option<Auth>>),
}

impl Auths {
    /// What the programs ask for, in their order; `None` where no source says of any.
    pub fn new(each: Vec<Option<Auth>>) -> Option<Self> {
        match each.split_first() {
            Some((Some(first), others)) if others.iter().all(|one| one.as_ref() == Some(first)) => {
                each.into_iter().next().flatten().map(Self::Same)
            }
            _ => each.iter().any(Option::is_some).then_some(Self::Each(each)),
        }
    }

    /// What a program asks for, by its place among the programs.
    pub fn of(&self, program: usize) -> Option<&Auth> {
        match self {
            Self::Same(auth) => Some(auth),
            Self::Each(each) => each.get(program)?.as_ref(),
        }
    }
}

/// The tokens that may call an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Auth {
    /// The kind of token.
    pub token: Token,
    /// The scopes of which one is enough.
    pub scopes: Vec<String>,
    /// All scopes are needed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub all: bool,
    /// The permissions that the user's role must have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub permissions: Vec<String>,
    /// The status that answers a request without a token.
    #[serde(default = "unauthorized", skip_serializing_if = "is_unauthorized")]
    pub unauthenticated: u16,
}

impl Auth {
    /// A kind of token, without scopes.
    pub fn new(token: Token) -> Self {
        Self {
            token,
            scopes: Vec::new(),
            all: false,
            permissions: Vec::new(),
            unauthenticated: UNAUTHORIZED,
        }
    }
}

/// The status that answers a request without a token, unless an operation says otherwise.
pub const UNAUTHORIZED: u16 = 401;

fn unauthorized() -> u16 {
    UNAUTHORIZED
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_unauthorized(status: &u16) -> bool {
    *status == UNAUTHORIZED
}

/// The kind of token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "as in the model")]
pub enum Token {
    None,
    Optional,
    App,
    Client,
    User,
}

impl Token {
    /// Its name in the catalogue.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Optional => "optional",
            Self::App => "app",
            Self::Client => "client",
            Self::User => "user",
        }
    }
}

/// How a body is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "each is the encoding of that name")]
pub enum Body {
    None,
    Form,
    Multipart,
    Json,
}

/// How a list is cut into pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "as in the model")]
pub enum Paging {
    Unknown,
    None,
    Link,
    Offset,
}

/// A parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Param {
    /// The facts that every item has. `rust` is the field of the request or, with a [`Param::parent`], of that; `wire`
    /// is the
    /// whole name: `keywords_attributes[][keyword]`.
    pub item: Item,
    /// Where it stands.
    pub location: Location,
    /// Its type; the element's for what is nested in an array.
    pub r#type: Type,
    /// Whether a source gives its type.
    pub type_known: bool,
    /// The id of the entity (role [`EntityRole::Argument`]) that it is a field of:
    /// `filters.create.keywords_attributes`.
    /// Without one it is a field of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// Whether it must be sent.
    pub required: Required,
    /// When it must be sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required_when: Option<Condition>,
    /// Whether null may be sent.
    #[serde(default, skip_serializing_if = "is_false")]
    pub nullable: bool,
    /// What its text holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The value that the server assumes when it is left out, as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<serde_json::Value>,
    /// What bounds it.
    #[serde(default, skip_serializing_if = "Limits::is_empty")]
    pub limits: Limits,
    /// The only values taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// The entity or enumeration that the documents name behind it, in their spelling.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refers_to: Option<String>,
    /// What happens without it; absent where nobody has classed it, and where it is always required.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOut>,
    /// What an update does to it where it is not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unset: Option<Unset>,
    /// Releases that know it and answer an error where it is sent, one per program in the order of [`Api::programs`].
    /// Empty where none does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Option<Refused>>,
    /// What programs do with unlisted values where that is not what their other operations do, one per program in the order of
    /// [`Api::programs`]. Empty where none does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unlisted_values: Vec<Option<UnlistedValues>>,
}

/// What a server does with a value that it does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnlistedValues {
    /// As if it were not sent.
    Ignored,
    /// It answers an error.
    Refused,
}

impl UnlistedValues {
    /// Its name in the catalogue.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ignored => "ignored",
            Self::Refused => "refused",
        }
    }
}

/// What happens without a parameter, compared with a server that heeds it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeftOut {
    /// How much is lost.
    pub effect: LeftOutEffect,
    /// What happens instead, as a clause: `the status is posted at once`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub so: Option<String>,
    /// The values that mean the same as none, one list per program in the order of [`Api::programs`]. Empty where no
    /// value does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub safe: Vec<SafeValues>,
    /// What proves it, where that is not what proves the shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// How much is lost without a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftOutEffect {
    /// Comfort, presentation, or precision.
    Harmless,
    /// Something else happens than was asked for.
    ChangesMeaning,
    /// The server refuses the request.
    Fails,
}

impl LeftOutEffect {
    /// Its name in the catalogue and in `export`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Harmless => "harmless",
            Self::ChangesMeaning => "changes_meaning",
            Self::Fails => "fails",
        }
    }
}

/// Values of a parameter that mean the same as none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SafeValues {
    /// Every value.
    Any,
    /// These, as they go over the wire.
    #[serde(untagged)]
    Only(Vec<String>),
}

/// What an update does to what the caller does not set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unset {
    /// It stays as it is.
    Keep,
    /// It is emptied, or goes back to a default.
    Reset,
}

/// Releases that answer an error where a parameter is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// The first release that does.
    #[serde(with = "text")]
    pub since: StableVersion,
    /// The first release that no longer does.
    #[serde(with = "optional", default, skip_serializing_if = "Option::is_none")]
    pub until: Option<StableVersion>,
    /// The status.
    pub status: u16,
}

/// What bounds a parameter.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// The least number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The greatest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// The greatest number of characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u64>,
    /// The greatest number of elements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u64>,
    /// The field of the instance document that tells the limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_from: Option<String>,
}

impl Limits {
    /// Nothing bounds it.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Where a parameter stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "each is the place of that name")]
pub enum Location {
    Unknown,
    Path,
    Query,
    Form,
    Header,
}

/// Whether a parameter must be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "as in the model")]
pub enum Required {
    Unknown,
    Always,
    Never,
    Sometimes,
}

/// One of the ways of calling an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alternative {
    /// The Rust name of its constructor.
    pub rust: String,
    /// One line about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Parameters (wire names) that it sets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<(String, String)>,
    /// Parameters (wire names) that it needs: the arguments.
    pub requires: Vec<String>,
    /// Parameters (wire names) that it excludes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excludes: Vec<String>,
}

/// An answer that is not a success.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ErrorAnswer {
    /// The status.
    pub status: u16,
    /// When it is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// The type of its body; the API's plain error where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<Type>,
    /// The releases that give it, where only some do: one per program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub life: Vec<Life>,
}

/// A type.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Type {
    /// Any JSON value: the type is unknown, or anything is allowed.
    Json,
    /// Nothing of interest: `{}` or no body.
    Empty,
    /// Text.
    String,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// true or false.
    Boolean,
    /// A point in time, or a day.
    Timestamp,
    /// A file to upload.
    File,
    /// An opaque paging position.
    Cursor,
    /// An id of an entity, or of no entity that the catalogue names.
    Id(Option<String>),
    /// An entity, by id.
    Entity(String),
    /// An enumeration, by id.
    Enum(String),
    /// A list.
    List(Box<Type>),
    /// A map with text keys.
    Map(Box<Type>),
    /// One of two, tried in this order.
    OneOf(Vec<Type>),
    /// A stream of an enumeration's values, by its id, each with the payload of [`Item::payload`].
    Events(String),
}

/// An entity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entity {
    /// The facts that every item has; entities are containers and no rows. Its Since: stated, or the earliest of its
    /// fields'.
    pub item: Item,
    /// Where it is used.
    pub role: EntityRole,
    /// Whether a source lists its fields.
    pub fields_known: bool,
    /// The entity that it takes fields from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub includes: Option<String>,
    /// How it becomes the entity that replaced it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stands_in: Option<StandsIn>,
    /// The fields that are decoded: inherited ones first, then its own, in the catalogue's order.
    pub fields: Vec<Field>,
}

/// How an entity becomes another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandsIn {
    /// The id of the other.
    pub r#for: String,
    /// The other's fields, and the fields of this entity that each is made of.
    pub fields: Vec<(String, String)>,
}

/// Where an entity is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntityRole {
    /// The catalogue names it.
    Named,
    /// An object inside another entity, by that entity's id: `configuration[polls]`.
    Nested(String),
    /// The answer of an operation, by its id, where that is no named entity.
    Response(String),
    /// The body of an error of an operation, by its id and status.
    Error(String, u16),
    /// An element of an array parameter, by the operation's id.
    Argument(String),
}

/// A field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Field {
    /// The facts that every item has. Its `id` and `name` are those of the named owner: `Instance.configuration.polls`,
    /// `configuration[polls]`; `wire` is the key in this object: `polls`.
    pub item: Item,
    /// Its type.
    pub r#type: Type,
    /// Whether a source gives its type.
    pub type_known: bool,
    /// Whether it may be null.
    pub nullable: bool,
    /// Whether it may be absent.
    pub optional: bool,
    /// Whether anybody says so.
    pub presence_known: bool,
    /// What the programs do that differ from that, in the order of [`Api::programs`]. Empty where none does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub presence: Vec<Option<Presence>>,
    /// The value that its absence means. Absent where no value would be true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absent_means: Option<AbsentMeans>,
    /// When it is present.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition>,
    /// How its absence is sent, where it is both nullable and optional or neither: `true` null, `false` left out.
    #[serde(default, skip_serializing_if = "is_false")]
    pub none_is_null: bool,
    /// What its text holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The entity it was taken over from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inherited_from: Option<String>,
    /// The entity or enumeration that the documents name behind it, in their spelling.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refers_to: Option<String>,
    /// What real servers send instead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quirks: Vec<Quirk>,
    /// The item that the catalogue lists for the values of this map, `api_versions[<software_key>]` beside
    /// `api_versions`: a row, and no member of the struct.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<Box<Field>>,
}

/// What the absence of a field means.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AbsentMeans {
    /// The value, as JSON.
    pub value: serde_json::Value,
    /// Servers that have the field leave it out where it has this value.
    #[serde(default, skip_serializing_if = "is_false")]
    pub omitted: bool,
    /// Null means the same.
    #[serde(default, skip_serializing_if = "is_false")]
    pub or_null: bool,
    /// What proves it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// What a program does with a field from a release on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PresenceState {
    /// The first release of the state; `None` where it is the first one.
    pub since: Option<StableVersion>,
    /// Whether the field is there.
    pub presence: Presence,
}

impl Field {
    /// Whether answers of the programs that say nothing else may lack it or have null there.
    pub fn common_presence(&self) -> Presence {
        Presence {
            optional: self.optional,
            nullable: self.nullable,
        }
    }

    /// What a program says of its presence that is its own.
    pub fn own_presence(&self, program: usize) -> Option<Presence> {
        self.presence.get(program).copied().flatten()
    }

    /// Whether the newest answers of a program may lack it or have null there.
    pub fn presence_in(&self, program: usize) -> Presence {
        let states = self.presence_states(program);
        let newest = states.last().map(|state| state.presence);
        newest.unwrap_or_else(|| self.common_presence())
    }

    /// Whether a release of a program, or a pre-release, may lack it or send null there, but for quirks.
    pub fn presence_at(&self, program: usize, release: impl Into<Version>) -> Presence {
        let release = release.into();
        let states = self.presence_states(program).into_iter().rev();
        let reached = |since: StableVersion| Version::from(since) <= release;
        let mut reached = states.filter(|state| state.since.is_none_or(reached));
        let state = reached.next();
        state.map_or_else(|| self.common_presence(), |state| state.presence)
    }

    /// Its presence in a program release by release, from the oldest state to the newest.
    pub fn presence_states(&self, program: usize) -> Vec<PresenceState> {
        let life = self.item.life.get(program);
        let changes = life.into_iter().flat_map(|life| &life.changed);
        let changes = changes.filter(|change| change.what == ChangedFact::Presence);
        let mut steps: Vec<Change> = changes.flat_map(Change::steps).collect();
        steps.sort_by_key(|step| step.r#in);
        let said = |value: &Option<serde_json::Value>| {
            let name = value.as_ref().and_then(serde_json::Value::as_str);
            name.and_then(Presence::named)
        };
        // What is said for all programs may be wider than what one of them does.
        let common = self.common_presence();
        let own = self.own_presence(program);
        let oldest = steps.first().and_then(|step| said(&step.from));
        let mut states = vec![PresenceState {
            since: None,
            presence: oldest.or(own).unwrap_or(common),
        }];
        for step in &steps {
            states.push(PresenceState {
                since: Some(step.r#in),
                presence: said(&step.to).or(own).unwrap_or(common),
            });
        }
        states
    }

    /// What the answers of a program's releases from one on may do, but for quirks.
    pub fn presence_from(&self, program: usize, floor: StableVersion) -> Presence {
        let states = self.presence_states(program);
        let ends = states.iter().skip(1).map(|state| state.since);
        let states = states.iter().zip(ends.chain([None]));
        let reached = states.filter(|(_, end)| end.is_none_or(|end| end > floor));
        let presences = reached.map(|(state, _)| state.presence);
        presences.fold(Presence::ALWAYS, Presence::or)
    }

    /// What the answers of any release of any program may do, but for quirks.
    pub fn widest_presence(&self) -> Presence {
        let programs = 0..self.item.life.len();
        let states = programs.flat_map(|program| self.presence_states(program));
        let presences = states.map(|state| state.presence);
        presences.fold(self.common_presence(), Presence::or)
    }

    /// Whether it is known to be neither null nor absent in the releases that have it, of every program.
    pub fn is_always_there(&self) -> bool {
        let mut quirks = self.quirks.iter().map(Quirk::presence);
        self.type_known
            && self.presence_known
            && self.widest_presence() == Presence::ALWAYS
            && quirks.all(|presence| presence == Presence::ALWAYS)
    }
}

/// Something else than the type promises.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quirk {
    /// The program.
    pub program: String,
    /// The value that the program sends.
    pub sends: String,
    /// The first release that does.
    #[serde(with = "optional", default, skip_serializing_if = "Option::is_none")]
    pub since: Option<StableVersion>,
    /// The first release that no longer does.
    #[serde(with = "optional", default, skip_serializing_if = "Option::is_none")]
    pub until: Option<StableVersion>,
}

impl Quirk {
    /// Whether the field is there where this is sent.
    pub fn presence(&self) -> Presence {
        Presence {
            optional: matches!(self.sends.as_str(), "absent" | "nothing"),
            nullable: self.sends == "null",
        }
    }
}

/// An enumeration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Enumeration {
    /// The facts that every item has.
    pub item: Item,
    /// Whether a source lists its values.
    pub values_known: bool,
    /// Some operation takes it.
    pub sent: bool,
    /// Some operation answers it.
    pub received: bool,
    /// Its values, in the catalogue's order; `wire` is the value.
    pub values: Vec<Item>,
}

/// An id that is gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tombstone {
    /// The id.
    pub id: String,
    /// Why it is gone.
    pub why: String,
    /// It never existed on any server.
    pub never_existed: bool,
}

/// A declared contradiction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dispute {
    /// The item's id.
    pub item: String,
    /// The fact.
    pub fact: String,
    /// The documents' value, as JSON.
    pub documents: serde_json::Value,
    /// The supplement's value, as JSON.
    pub supplement: serde_json::Value,
    /// The supplement's value holds.
    pub supplement_holds: bool,
    /// What proves it.
    pub evidence: Evidence,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Where it is declared.
    #[serde(skip)]
    pub at: At,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_false(value: &bool) -> bool {
    !value
}
