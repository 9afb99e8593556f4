//! Server programs and their releases.

use fedispec_since::{At, StableVersion, Version};
use serde::{Deserialize, Serialize};

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
    /// Its facts stand in a folder of their own: what is said without naming it does not hold in it.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub apart: bool,
    /// The program that it is a fork of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub based_on: Option<String>,
    /// The oldest release that the ready-made crate's types are made for; see [`Api::floors`](super::Api::floors).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor: Option<StableVersion>,
    /// The release at which the constructors of entities are frozen; the newest where nobody says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constructors: Option<StableVersion>,
    /// Stable releases in version order.
    pub releases: Vec<Release>,
    /// The newest release that its facts were looked up in; the last one where nobody says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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

    /// Whether what is said without naming it does not hold of it. A fork has what holds of its base.
    pub fn stands_apart(&self) -> bool {
        self.apart && self.based_on.is_none()
    }

    /// The registered release that one counts as: itself, or else the newest before it in its line.
    pub fn counts_as(&self, release: StableVersion) -> Option<StableVersion> {
        release.counts_as(self.releases.iter().map(|known| known.version))
    }

    /// The newest release that its facts were looked up in.
    pub fn newest_looked_at(&self) -> Option<StableVersion> {
        let last = || self.releases.last().map(|release| release.version);
        self.looked_at.or_else(last)
    }

    /// The releases that are registered and were not looked at.
    pub fn not_looked_at(&self) -> impl Iterator<Item = StableVersion> + '_ {
        let looked_at = self.newest_looked_at();
        let is_looked_at = |release: &Release| Some(release.version) <= looked_at;
        let later = self.releases.partition_point(is_looked_at);
        self.releases[later..].iter().map(|release| release.version)
    }

    /// Whether it has a name: its key, or one in node info.
    pub fn is_named(&self, name: &str) -> bool {
        self.key == name || self.nodeinfo.iter().any(|own| own == name)
    }

    /// The place of a release among what was looked at.
    pub fn place(&self, release: StableVersion) -> At {
        self.place_of(&release.version())
    }

    /// The same of any version.
    pub fn place_of(&self, version: &Version) -> At {
        let first = self.releases.first().map(|first| first.version);
        At::new(version)
            .oldest(first)
            .newest(self.newest_looked_at())
            .not_looked_at(self.not_looked_at().next())
    }
}

/// A stable release.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Release {
    /// `4.3.0`
    pub version: StableVersion,
    /// `2024-10-08`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The api number it publishes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api: Option<u32>,
}
