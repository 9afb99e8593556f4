//! The release that a stand-in presents.

use std::str::FromStr;

use fedispec::items;
use fedispec::runtime::compatibility::RemoteServer;
use fedispec::runtime::profile::ServerWays;
use fedispec::runtime::{IdNotation, Program, StableVersion, Version, profiles};
use fedispec::server::{UnknownRelease, emulation};

use crate::family::Habit;

/// A registered release of a program.
#[derive(Debug, Clone)]
pub(crate) struct Release {
    program: &'static Program,
    version: Version,
    api: Option<u32>,
}

impl Release {
    /// The newest release of a program.
    fn newest(program: &'static Program) -> Option<Self> {
        let release = program.known_releases().last()?;
        Some(Self { program, version: release.version(), api: release.api_number() })
    }

    /// The program's key: `mastodon`.
    pub(crate) fn program(&self) -> &'static str {
        self.program.key()
    }

    /// The program's name: `Mastodon`.
    pub(crate) fn program_name(&self) -> &'static str {
        self.program.name()
    }

    /// The number of the API that the release publishes.
    pub(crate) fn api_number(&self) -> Option<u32> {
        self.api
    }

    /// The version.
    pub(crate) fn version(&self) -> &Version {
        &self.version
    }

    /// The version as the program writes it.
    pub(crate) fn version_string(&self) -> String {
        self.version.to_string()
    }

    /// Where the program's source is.
    pub(crate) fn source_url(&self) -> &'static str {
        let source = self.ways().and_then(|ways| ways.source.values().next_back());
        source.map_or("", String::as_str)
    }

    /// Where the program is told about.
    pub(crate) fn homepage(&self) -> &'static str {
        self.ways().and_then(|ways| ways.homepage.as_deref()).unwrap_or_default()
    }

    /// Where the program's API is documented.
    pub(crate) fn documentation(&self) -> &'static str {
        self.ways().and_then(|ways| ways.documentation.as_deref()).unwrap_or_default()
    }

    /// Whether ids are ULIDs.
    pub(crate) fn has_ulids(&self) -> bool {
        self.ways().is_some_and(|ways| ways.ids == Some(IdNotation::Ulid))
    }

    /// The framework behind the program.
    pub(crate) fn framework(&self) -> Option<fedispec::runtime::Family> {
        self.ways()?.family
    }

    /// Whether the release has a habit.
    pub(crate) fn does(&self, habit: Habit) -> bool {
        habit.is_of(self.program(), self.version)
    }

    /// The behaviour of a server that is the program.
    fn ways(&self) -> Option<&'static ServerWays> {
        Some(&profiles().find(self.program())?.ways.server)
    }

    /// The id of a request as the release writes it, of random bytes: a UUID of version 4, or base 32 from GoToSocial 0.8.0 on.
    pub(crate) fn request_id(&self, mut random: [u8; 16]) -> Option<String> {
        if self.has_ulids() {
            let digits = b"0123456789abcdefghjkmnpqrstvwxyz";
            let digit = |byte: &u8| char::from(digits[usize::from(byte % 32)]);
            let id = random.iter().chain(&random[..4]).map(digit).collect();
            return (self.version >= Version::new(0, 8, 0)).then_some(id);
        }
        random[6] = random[6] & 0x0f | 0x40;
        random[8] = random[8] & 0x3f | 0x80;
        let digits = format!("{:032x}", u128::from_be_bytes(random));
        let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &digits[part]);
        Some(parts.join("-"))
    }

    /// Whether the release has an item, by its id; what nobody knows counts as there.
    pub(crate) fn has(&self, id: &str) -> bool {
        let server = RemoteServer::of(self.program(), &self.version_string());
        !server.supports(items(), id).is_no()
    }

    /// A note where it is not registered: `4.2.20: as 4.2.11, the newest looked at of 4.2`.
    pub(crate) fn stands_for(&self) -> Option<String> {
        let asked: StableVersion = self.version_string().parse().ok()?;
        let known = self.program.counts_as(asked)?.version();
        let line = format!("{}.{}", known.major, known.minor);
        (known != self.version)
            .then(|| format!("{asked}: as {known}, the newest looked at of {line}"))
    }

    /// `mastodon@4.3.0`.
    pub(crate) fn name(&self) -> String {
        format!("{}@{}", self.program(), self.version)
    }
}

/// The newest release of the first program.
impl Default for Release {
    fn default() -> Self {
        let first = items().programs().first().and_then(Self::newest);
        first.unwrap_or(Self {
            program: const { &Program::new("none", "none") },
            version: Version::new(0, 0, 0),
            api: None,
        })
    }
}

/// Reads `mastodon@4.3.0`, or `mastodon` for the newest.
impl FromStr for Release {
    type Err = UnknownRelease;

    fn from_str(asked: &str) -> Result<Self, UnknownRelease> {
        let programs = items().programs();
        if let Some(newest) = programs.iter().find(|program| program.key() == asked) {
            return Ok(Self::newest(newest).unwrap_or_default());
        }
        let release = emulation(asked)?;
        let (target, version) = (release.target(), release.target().version);
        let program = programs.iter().find(|program| program.key() == &*target.program);
        let stable = version.to_string().parse::<StableVersion>().ok();
        Ok(program.map_or_else(Self::default, |program| {
            let known = stable.and_then(|stable| program.counts_as(stable));
            Self { program, version, api: known.and_then(fedispec::runtime::Release::api_number) }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(asked: &str) -> String {
        match asked.parse::<Release>() {
            Ok(release) => release.name(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn releases_are_found_or_the_nearest_is_told() {
        assert_eq!(told("mastodon@4.3.0"), "mastodon@4.3.0");
        assert_eq!(told("gotosocial@0.17.0"), "gotosocial@0.17.0");
        assert_eq!(Release::default().program(), "mastodon");
        assert_eq!(told("mastodon"), Release::default().name());
        // It counts as the newest known release of its line.
        let later: Release = "mastodon@4.2.20".parse().expect("a line");
        assert_eq!(later.name(), "mastodon@4.2.20");
        let told_of = later.stands_for().expect("it is not registered");
        assert!(told_of.starts_with("4.2.20: as 4.2."), "{told_of}");
        assert_eq!(Release::default().stands_for(), None);
        let beyond = told("mastodon@4.99.0");
        assert!(beyond.contains("the nearest is 4."), "{beyond}");
        assert!(told("mastodon@0.0.1").ends_with("the nearest is 0.1.0"));
        assert!(told("mastodn@4.3.0").contains("did you mean `mastodon`?"));
        assert!(told("gotosocial@4").contains("GoToSocial 4 is not registered"));
    }
}
