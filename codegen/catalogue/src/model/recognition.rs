//! How programs are recognized.

use fedispec_since::profile::{Profile, Profiles, Versions, Ways};
use fedispec_since::text::WordOr;
use serde::Deserialize;

use super::Implementations;

/// A program that is only recognized.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Identified {
    /// Its other names in node info.
    pub nodeinfo: Vec<String>,
    /// The program that it is a fork of.
    pub based_on: Option<String>,
    /// Its version strings. Absent: it is known by its name in node info, or in `(compatible; NAME VERSION)`.
    pub versions: Versions,
    /// Real version strings, as tests.
    pub strings: Vec<VersionString>,
    /// Behaviour in which it differs from others.
    pub ways: Ways,
}

/// A real version string with what it means; a text alone is the program's own version, named by node info.
pub type VersionString = WordOr<String, WholeVersionString>;

/// A version string with what it means.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WholeVersionString {
    /// The string.
    pub text: String,
    /// The name in node info. Absent: it is not known, and the string tells the program alone.
    #[serde(default)]
    pub software: Option<String>,
    /// The program's own version. Absent: none can be read.
    #[serde(default)]
    pub version: Option<String>,
    /// The version of the reference program that it claims. Absent: it claims none.
    #[serde(default)]
    pub claims: Option<String>,
    /// Both of these, where they are one.
    #[serde(default)]
    pub both: Option<String>,
}

impl Implementations {
    /// The profiles of all programs, registered or only recognized.
    pub fn profiles(&self) -> Profiles {
        let registered = self.programs.iter().map(|(key, program)| Profile {
            key: key.clone(),
            name: Some(program.name.clone()),
            nodeinfo: program.nodeinfo.clone(),
            based_on: program.based_on.clone(),
            versions: program.versions.clone(),
            ways: program.ways.clone(),
        });
        let identified = self.identified.iter().map(|(key, program)| Profile {
            key: key.clone(),
            name: None,
            nodeinfo: std::iter::once(key).chain(&program.nodeinfo).cloned().collect(),
            based_on: program.based_on.clone(),
            versions: program.versions.clone(),
            ways: program.ways.clone(),
        });
        Profiles {
            reference: self.reference_key().unwrap_or_default().to_owned(),
            programs: registered.chain(identified).collect(),
        }
    }

    /// The key of the program whose API this is.
    pub fn reference_key(&self) -> Option<&str> {
        let first = || self.programs.keys().next().map(String::as_str);
        self.reference.as_deref().or_else(first)
    }
}
