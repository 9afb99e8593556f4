//! Server identification from version strings.
//!
//! Version strings hold forks' names, two versions in either order, commit hashes, dates and remarks. No grammar covers all of them, so the
//! parser is best-effort: every string gives an [`Identity`], which may be empty.

mod lex;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::Version;
use lex::Numbered;

/// The program and versions that a version string names.
///
/// ```
/// use fedispec_runtime::Identity;
///
/// let identity = Identity::read("2.7.2 (compatible; Pleroma 2.7.0-70-g36d469cf)", None);
/// assert_eq!(identity.program.as_deref(), Some("pleroma"));
/// assert_eq!(identity.version.as_deref(), Some("2.7.0-70-g36d469cf"));
/// assert_eq!(identity.claims_mastodon.map(|claim| claim.to_string()), Some("2.7.2".to_owned()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Identity {
    /// The program's own name in lower case, whether or not a catalogue has it.
    pub program: Option<String>,
    /// The program's own version, without additions of its packager.
    pub version: Option<String>,
    /// The version of Mastodon that the server claims to be or to be compatible with.
    #[serde(with = "as_text")]
    pub claims_mastodon: Option<Version>,
    /// Whether the version is a pre-release.
    pub prerelease: bool,
}

/// Serializes versions as text.
mod as_text {
    use serde::{Deserialize as _, Deserializer, Serializer};

    use crate::Version;

    #[expect(clippy::ref_option, reason = "serde's signature")]
    pub(super) fn serialize<S: Serializer>(
        version: &Option<Version>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match version {
            Some(version) => to.collect_str(version),
            None => to.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Version>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| text.parse().map_err(serde::de::Error::custom)).transpose()
    }
}

/// Forks of Mastodon, which use Mastodon's version: the mark in the version string, and the name.
const FORKS: &[(&str, &str)] = &[
    ("hometown", "hometown"),
    ("kmyblue", "kmyblue"),
    ("chuckya", "chuckya"),
    ("fedibird", "fedibird"),
    ("ecko", "ecko"),
    ("catstodon", "catstodon"),
    ("cafe", "glitchcafe"),
    // Must be last: forks of glitch-soc name it besides themselves.
    ("glitch", GLITCH),
];

const MASTODON: &str = "mastodon";
const GOTOSOCIAL: &str = "gotosocial";
const GLITCH: &str = "glitch-soc";
const HOMETOWN: &str = "hometown";

/// The version of Mastodon that GoToSocial reports when its configuration asks for it.
const GOTOSOCIALS_CLAIM: Version = Version::new(3, 5, 3);

/// Major versions from here on are years or dates and cannot be Mastodon's.
const GREATEST_MAJOR: u32 = 50;

impl Identity {
    /// Parses a version string, with the program's name in `NodeInfo` if there is one.
    pub fn read(version: &str, software: Option<&str>) -> Self {
        let text = version.trim();
        let software = software.and_then(known_as);
        if let Some((outer, inner)) = lex::compatible(text) {
            return Self::compatible(outer, &inner, software);
        }
        match software.as_deref() {
            Some(GOTOSOCIAL) => Self::gotosocial(text),
            Some(MASTODON) => Self::mastodon(text, MASTODON),
            Some(name) if is_fork(name) => Self::mastodon(text, name),
            Some(name) => Self::other(text, Some(name)),
            None => Self::unnamed(text),
        }
    }

    /// Whether the program is a fork of Mastodon, so that the version of Mastodon that it claims is its code's.
    pub fn is_mastodon_fork(&self) -> bool {
        self.program.as_deref().is_some_and(is_fork)
    }

    /// The release of the program's own version, or the one that a pre-release precedes; `None` where it has not that format.
    pub fn release(&self) -> Option<Version> {
        let numbered = lex::numbered(self.version.as_deref()?)?;
        numbered.version().map(|version| version.release())
    }

    /// Parses `4.2.1 (compatible; Iceshrimp 2023.12.14)`, and the reverse, `0.9.0 (compatible; Mastodon/4.2.0)`.
    fn compatible(outer: &str, inner: &lex::Named<'_>, software: Option<String>) -> Self {
        let inner_name = known_as(&inner.name);
        if inner_name.as_deref() == Some(MASTODON) {
            let own = Self::other(outer, software.as_deref());
            let claim = lex::numbered(inner.version).and_then(|numbered| numbered.version());
            return own.claiming(claim);
        }
        let program = software.filter(|name| name != MASTODON).or(inner_name).unwrap_or_default();
        let claim = lex::numbered(outer).and_then(|numbered| numbered.version());
        let own = match &*program {
            GOTOSOCIAL => Self::gotosocial(inner.version),
            name => Self::other(inner.version, Some(name).filter(|name| !name.is_empty())),
        };
        own.claiming(claim)
    }

    fn claiming(mut self, claim: Option<Version>) -> Self {
        self.claims_mastodon = claim.filter(is_mastodons);
        self.prerelease |= self.claims_mastodon.is_some_and(|claim| claim.is_pre_release());
        self
    }

    /// Parses a version of Mastodon or of a fork: the numbers and the forks' marks.
    fn mastodon(text: &str, name: &str) -> Self {
        if let Some(identity) = Self::old_hometown(text) {
            return identity;
        }
        let (named, text) = lex::without_name(text);
        debug_assert!(named.is_none_or(|named| !named.is_empty()));
        let numbered = lex::numbered(text);
        let fork = numbered.as_ref().and_then(|numbered| fork_in(numbered.rest));
        let program = match fork {
            // NodeInfo is more specific than a mark, except that most forks report `mastodon` there.
            Some((fork, _)) if name == MASTODON || name == GLITCH => fork,
            _ => name,
        };
        let claim = numbered.as_ref().and_then(Numbered::version).filter(is_mastodons);
        let marked = numbered.as_ref().is_some_and(|numbered| !numbered.rest.is_empty());
        let own = match fork.and_then(|(_, own)| own) {
            Some(own) => Some(own.to_owned()),
            None if program == MASTODON || marked => claim.map(|claim| claim.to_string()),
            None => None,
        };
        Self {
            program: Some(program.to_owned()),
            version: own,
            claims_mastodon: claim,
            prerelease: claim.is_some_and(|claim| claim.is_pre_release())
                || numbered.is_some_and(|numbered| lex::has_word(numbered.rest, "nightly")),
        }
    }

    /// Parses `1.0.5+3.5.2`, Hometown's version followed by Mastodon's.
    fn old_hometown(text: &str) -> Option<Self> {
        let (first, second) = text.split_once('+')?;
        let (own, claim) = (lex::numbered(first)?, lex::numbered(second)?);
        let (version, claim) = (own.version()?, claim.version()?);
        let old =
            version.major < 2 && own.rest.is_empty() && is_mastodons(&claim) && claim.major >= 2;
        old.then(|| Self {
            program: Some(HOMETOWN.to_owned()),
            version: Some(version.to_string()),
            claims_mastodon: Some(claim),
            prerelease: claim.is_pre_release() || version.is_pre_release(),
        })
    }

    /// Parses `0.13.3 git-fb3e3ca`, `v0.19.2+git-90851fc`, `3.5.3+0.19.2+git-90851fc`.
    fn gotosocial(text: &str) -> Self {
        let (_, text) = lex::without_name(text);
        let (claim, text) = match text.split_once('+') {
            Some((claim, rest)) if is_gotosocials_claim(claim) => (Some(GOTOSOCIALS_CLAIM), rest),
            _ => (None, text),
        };
        let version = lex::numbered(text).and_then(|numbered| numbered.version());
        Self {
            program: Some(GOTOSOCIAL.to_owned()),
            version: version.map(|version| version.to_string()),
            claims_mastodon: claim,
            prerelease: version.is_some_and(|version| version.is_pre_release()),
        }
    }

    /// Parses the version of another program, without commits and packagers' marks.
    fn other(text: &str, name: Option<&str>) -> Self {
        let (named, text) = lex::without_name(text);
        let name = name.map(str::to_owned).or_else(|| named.and_then(known_as));
        let own = lex::own(text, name.as_deref() == Some("friendica"));
        Self {
            program: name,
            version: own.map(|own| own.text.to_owned()),
            claims_mastodon: None,
            prerelease: own.is_some_and(|own| own.prerelease),
        }
    }

    /// Parses a string of a program that `NodeInfo` does not name, by its format.
    fn unnamed(text: &str) -> Self {
        if let (Some(name), rest) = lex::without_name(text) {
            return Self::read(rest, Some(name));
        }
        if looks_like_gotosocial(text) {
            return Self::gotosocial(text);
        }
        if let Some(identity) = Self::old_hometown(text) {
            return identity;
        }
        let version = lex::numbered(text).and_then(|numbered| numbered.version());
        match version {
            Some(version) if is_mastodons(&version) && version.major > 0 => {
                Self::mastodon(text, MASTODON)
            }
            _ => Self::other(text, None),
        }
    }
}

fn is_mastodons(version: &Version) -> bool {
    version.major < GREATEST_MAJOR
}

fn is_gotosocials_claim(text: &str) -> bool {
    text.parse() == Ok(GOTOSOCIALS_CLAIM)
}

/// Normalises a program's name: lower case, and one name for each program.
fn known_as(name: &str) -> Option<String> {
    let name = name.trim().to_lowercase();
    let one = match &*name {
        "" => return None,
        "glitch" | "glitchsoc" | "glitch_soc" | "mastodon-glitch" => GLITCH,
        "iceshrimpnet" => "iceshrimp.net",
        _ => return Some(name),
    };
    Some(one.to_owned())
}

fn is_fork(name: &str) -> bool {
    FORKS.iter().any(|(_, fork)| *fork == name)
        || (name != MASTODON && name.contains("mastodon"))
        || name.starts_with("glitch")
}

/// The fork that a mark after the version names, and the fork's own version if the mark has one.
fn fork_in(rest: &str) -> Option<(&'static str, Option<&str>)> {
    let marks = || rest.split_whitespace().next().unwrap_or_default().split(['+', '.', '-', '~']);
    let (mark, fork) = FORKS
        .iter()
        .find(|(mark, _)| marks().any(|word| word.to_ascii_lowercase().starts_with(mark)))?;
    let own = rest.to_ascii_lowercase().find(mark).and_then(|at| {
        let behind = rest.get(at + mark.len()..)?.strip_prefix(['-', '.'])?;
        // `cafe.41a1757` is a commit, not a version.
        lex::numbered(behind).filter(|own| own.parts() > 1)
    });
    Some((fork, own.map(|own| own.text)))
}

/// Whether a string has GoToSocial's format: its way to name a commit, on a version below 2.
fn looks_like_gotosocial(text: &str) -> bool {
    let (claim, text) = match text.split_once('+') {
        Some((claim, rest)) if is_gotosocials_claim(claim) => (true, rest),
        _ => (false, text),
    };
    let commit = lex::names_commit(text);
    let Some(numbered) = lex::numbered(text) else {
        return commit && (claim || text.starts_with("git-"));
    };
    let young = numbered.version().is_some_and(|version| version.major < 2);
    young && (commit || claim)
}
