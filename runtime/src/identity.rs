//! What a server's version string means.
//!
//! Servers put forks, two versions in either order, hashes, dates and remarks into it. No grammar holds them all, so this is a reading and not
//! a check: whatever the string, there is an answer, which may be that nothing is known.

mod lex;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::Version;
use lex::Numbered;

/// What a version string means.
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
    /// The program's own name in lower case, whether a catalogue knows it or not.
    pub program: Option<String>,
    /// The program's own version, without what its builder added.
    pub version: Option<String>,
    /// The version of Mastodon that it claims to be, or to be compatible with.
    #[serde(with = "as_text")]
    pub claims_mastodon: Option<Version>,
    /// It comes before the release that it names.
    pub prerelease: bool,
}

/// Versions as their text, for caches.
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
        text.map(|text| text.parse().map_err(serde::de::Error::custom))
            .transpose()
    }
}

/// Programs made of Mastodon's code, whose version is Mastodon's: the mark in the version, and the name.
const FORKS: &[(&str, &str)] = &[
    ("hometown", "hometown"),
    ("kmyblue", "kmyblue"),
    ("chuckya", "chuckya"),
    ("fedibird", "fedibird"),
    ("ecko", "ecko"),
    ("catstodon", "catstodon"),
    ("cafe", "glitchcafe"),
    // The last, because forks of the fork name it beside themselves.
    ("glitch", GLITCH),
];

const MASTODON: &str = "mastodon";
const GOTOSOCIAL: &str = "gotosocial";
const GLITCH: &str = "glitch-soc";
const HOMETOWN: &str = "hometown";

/// The version of Mastodon that GoToSocial says to be where its owner asks for it.
const GOTOSOCIALS_CLAIM: Version = Version::new(3, 5, 3);

/// Greater first numbers are years and days: no Mastodon.
const GREATEST_MAJOR: u32 = 50;

impl Identity {
    /// Reads a version string, with the program's name in node info where one has it.
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

    /// Whether the program is made of Mastodon's code, so that the version of Mastodon it claims is its own.
    pub fn is_mastodon_fork(&self) -> bool {
        self.program.as_deref().is_some_and(is_fork)
    }

    /// The release that the program's own version is, or comes before; `None` where it does not have the shape of one.
    pub fn release(&self) -> Option<Version> {
        let numbered = lex::numbered(self.version.as_deref()?)?;
        numbered.version().map(|version| version.release())
    }

    /// `4.2.1 (compatible; Iceshrimp 2023.12.14)`, or inside out: `0.9.0 (compatible; Mastodon/4.2.0)`.
    fn compatible(outer: &str, inner: &lex::Named<'_>, software: Option<String>) -> Self {
        let inner_name = known_as(&inner.name);
        if inner_name.as_deref() == Some(MASTODON) {
            let own = Self::other(outer, software.as_deref());
            let claim = lex::numbered(inner.version).and_then(|numbered| numbered.version());
            return own.claiming(claim);
        }
        let program = software
            .filter(|name| name != MASTODON)
            .or(inner_name)
            .unwrap_or_default();
        let claim = lex::numbered(outer).and_then(|numbered| numbered.version());
        let own = match &*program {
            GOTOSOCIAL => Self::gotosocial(inner.version),
            name => Self::other(inner.version, Some(name).filter(|name| !name.is_empty())),
        };
        own.claiming(claim)
    }

    fn claiming(mut self, claim: Option<Version>) -> Self {
        self.claims_mastodon = claim.filter(is_mastodons);
        self.prerelease |= self
            .claims_mastodon
            .is_some_and(|claim| claim.is_pre_release());
        self
    }

    /// Mastodon, and what is made of its code: the version and the forks' marks.
    fn mastodon(text: &str, name: &str) -> Self {
        if let Some(identity) = Self::old_hometown(text) {
            return identity;
        }
        let (named, text) = lex::without_name(text);
        debug_assert!(named.is_none_or(|named| !named.is_empty()));
        let numbered = lex::numbered(text);
        let fork = numbered
            .as_ref()
            .and_then(|numbered| fork_in(numbered.rest));
        let program = match fork {
            // Node info knows better than a mark, except that most forks leave Mastodon's name there.
            Some((fork, _)) if name == MASTODON || name == GLITCH => fork,
            _ => name,
        };
        let claim = numbered
            .as_ref()
            .and_then(Numbered::version)
            .filter(is_mastodons);
        let marked = numbered
            .as_ref()
            .is_some_and(|numbered| !numbered.rest.is_empty());
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

    /// `1.0.5+3.5.2`: Hometown's version first, then Mastodon's.
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

    /// `0.13.3 git-fb3e3ca`, `v0.19.2+git-90851fc`, `3.5.3+0.19.2+git-90851fc`.
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

    /// Another program: its version as it says it, without the commit and the marks that are no part of it.
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

    /// A string without a name from elsewhere: by what it looks like.
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

/// A name as it is kept: in lower case, one name for one program.
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

/// The fork that a mark behind the version names, and its own version where the mark has one.
fn fork_in(rest: &str) -> Option<(&'static str, Option<&str>)> {
    let marks = || {
        rest.split_whitespace()
            .next()
            .unwrap_or_default()
            .split(['+', '.', '-', '~'])
    };
    let (mark, fork) = FORKS
        .iter()
        .find(|(mark, _)| marks().any(|word| word.to_ascii_lowercase().starts_with(mark)))?;
    let own = rest.to_ascii_lowercase().find(mark).and_then(|at| {
        let behind = rest.get(at + mark.len()..)?.strip_prefix(['-', '.'])?;
        // `cafe.41a1757` is a commit.
        lex::numbered(behind).filter(|own| own.parts() > 1)
    });
    Some((fork, own.map(|own| own.text)))
}

/// Only GoToSocial names its commit like this, and before 1.0 nobody else was seen to.
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
