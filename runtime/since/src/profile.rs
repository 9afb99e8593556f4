//! Profiles of server programs: how a program is recognized, and what it does in its own way, apart from the items that it has.
//!
//! The catalogue states them, and the generator, the check and the runtime read them as these types.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::pattern::Pattern;
use crate::{
    Clock, CountedBy, Counting, ErrorCase, Family, IdNotation, KnownLimit, ListsCount,
    NegativeLimit, StableVersion, TokenPlace,
};

/// The profiles of all known programs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profiles {
    /// The key of the program whose API this is: whose versions others claim.
    pub reference: String,
    /// The programs.
    pub programs: Vec<Profile>,
}

impl Profiles {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.programs.is_empty()
    }
}

/// A program, registered in a catalogue or only recognized.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Its key: `gotosocial`.
    pub key: String,
    /// Its name as people write it, where that is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its names in node info; the first is the one that identification answers.
    pub nodeinfo: Vec<String>,
    /// The key of the program that it is a fork of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub based_on: Option<String>,
    /// Its version strings.
    #[serde(default, skip_serializing_if = "is_default")]
    pub versions: Versions,
    /// Behaviour in which it differs from others.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ways: Ways,
}

impl Profile {
    /// The name that identification answers.
    pub fn software(&self) -> &str {
        self.nodeinfo.first().unwrap_or(&self.key)
    }

    /// Its name as people write it.
    pub fn name(&self) -> &str {
        self.name.as_ref().unwrap_or(&self.key)
    }

    /// Whether it has a name: its key, or one in node info.
    pub fn is_named(&self, name: &str) -> bool {
        self.key == name || self.nodeinfo.iter().any(|own| own == name)
    }
}

/// The patterns of a program's version strings, tried in their order. A fork's are tried before those of the program that it is a fork of,
/// and the reference program's last. A string that none fits is taken as a version in any format.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Versions {
    /// Patterns that tell the program, also where node info is not known or names the program that it is a fork of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub telling: Vec<Pattern>,
    /// Patterns that count where node info names the program, tried after the others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<Pattern>,
    /// Words in the node-info names of forks that nobody has registered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forks_are_named: Vec<String>,
}

/// The behaviour of a program apart from its items. Where nothing is said, it is that of the reference program, or unknown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Ways {
    /// The signs by which it is recognized where it does not name itself.
    #[serde(skip_serializing_if = "is_default")]
    pub betrayed_by: Betrayal,
    /// The number that it publishes in `api_versions` for what it alone has, beside that of the program that it is a fork of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api: Option<OwnApi>,
    /// Its instance documents.
    #[serde(skip_serializing_if = "is_default")]
    pub instance: InstanceDocuments,
    /// How it streams.
    #[serde(skip_serializing_if = "is_default")]
    pub streaming: StreamingWays,
    /// The limits that its releases are known to have, whatever a server's owner has set.
    #[serde(skip_serializing_if = "is_default")]
    pub limits: KnownLimits,
    /// The behaviour of a server that emulates it.
    #[serde(skip_serializing_if = "is_default")]
    pub server: ServerWays,
}

/// The signs of a program that does not name itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Betrayal {
    /// A word in the `source_url` of its instance document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_url: Option<String>,
    /// Fields that only its instance document has together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// The refusal of a client that does not say who it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<RefusalMark>,
}

/// A refusal that only one program answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RefusalMark {
    /// Its status.
    pub status: u16,
    /// A word of its body.
    pub body: String,
}

/// The number that a fork publishes for what it alone has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OwnApi {
    /// Its key in `api_versions`.
    pub name: String,
    /// The first release that publishes each number, which came with what that release brought.
    pub numbers: BTreeMap<StableVersion, u32>,
}

/// The instance documents of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct InstanceDocuments {
    /// The first release that has version 2 of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub v2: Option<StableVersion>,
    /// The first release whose version 1 of the document tells limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<StableVersion>,
}

/// How a program streams.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct StreamingWays {
    /// Where it looks for the token of a WebSocket, each place from its first release on.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub token: BTreeMap<TokenPlace, StableVersion>,
    /// It serves its streams itself: where it names a host of its configuration, the one that it is reached at is as good.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub at_own_host: bool,
}

/// Limits that releases of a program are known to have.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct KnownLimits {
    /// How it counts the characters of a post.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counting: Option<Counting>,
    /// Each limit by the release from which on it holds.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<KnownLimit, BTreeMap<StableVersion, u64>>,
    /// Where its instance document tells a limit, where others do not, as JSON pointers.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub told_at: BTreeMap<KnownLimit, String>,
    /// The limits that its forks leave as they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub forks_keep: Vec<KnownLimit>,
}

/// The behaviour of a server that emulates a program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ServerWays {
    /// The framework whose words and order of checks its errors have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub family: Option<Family>,
    /// Which count where a list and single values of one parameter are sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lists_count: Option<ListsCount>,
    /// How a negative `limit` is taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub negative_limit: Option<NegativeLimit>,
    /// The client that a rate limit counts a call for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted_by: Option<CountedBy>,
    /// How exactly the end of a rate limit is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    /// The words of a 429.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub too_many_requests: Option<String>,
    /// The version string, with `{version}` for the release, by the release from which on it has this form.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub version_string: BTreeMap<StableVersion, String>,
    /// The address of the source, by the release from which on it is there.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub source: BTreeMap<StableVersion, String>,
    /// The address where it is told about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub homepage: Option<String>,
    /// The address of the documentation that it names in its OAuth metadata.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documentation: Option<String>,
    /// How it writes ids.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ids: Option<IdNotation>,
    /// The releases at which errors change their form, and the handlers that differ, as the family asks for them.
    #[serde(skip_serializing_if = "is_default")]
    pub errors: ErrorReleases,
}

/// The releases at which a program's errors change their form. A family says what each means.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ErrorReleases {
    /// The first that tells why a token is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_words: Option<StableVersion>,
    /// The first that answers a path that it does not have with JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nothing_is_json: Option<StableVersion>,
    /// The first that tells methods that a path does not have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tells_methods: Option<StableVersion>,
    /// The first that quotes what it could not parse.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quotes_parameters: Option<StableVersion>,
    /// The first that parses a query in one place; by operation for handlers that came to it later, `never` for those that have not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parses_in_one_place: Option<StableVersion>,
    /// See `parses_in_one_place`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub handlers_parse_themselves: BTreeMap<String, crate::Availability<StableVersion>>,
    /// The operations whose pages are parsed in another place than the rest of their queries, with the first release that does so.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub pages_by_id: BTreeMap<String, StableVersion>,
    /// The answers of a family that leaves them to the profile, each from a release on.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub words: BTreeMap<ErrorCase, BTreeMap<StableVersion, Worded>>,
}

/// An answer to what a program refuses.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Worded {
    /// The status, where it is not that of the operation or of the handler.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The text of `error`, or a whole object of JSON. What stands for something is in braces: `{key}` and `{words}` of the parameter, `{most}`
    /// characters, `{scopes}`, `{path}`. A path without a route is answered a page where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The value of the newest state that a release has reached, or of the oldest.
pub fn at<'a, T>(
    states: &'a BTreeMap<StableVersion, T>,
    release: &crate::Version,
) -> Option<&'a T> {
    reached(states, release).or(states.values().next())
}

/// The value of the newest state that a release has reached.
pub fn reached<'a, T>(
    states: &'a BTreeMap<StableVersion, T>,
    release: &crate::Version,
) -> Option<&'a T> {
    states.iter().rfind(|(since, _)| since.version() <= *release).map(|(_, value)| value)
}
