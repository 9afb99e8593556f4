//! Identification of servers from version strings.
//!
//! Version strings hold forks' names, two versions in either order, commits, dates and remarks. Profiles give patterns of them; what no
//! pattern fits is read as far as it goes, so that every string has an answer, which may be empty.

#[cfg(test)]
mod tests;

use crate::Version;
use crate::pattern::{Found, Pattern, lex};
use crate::profile::{Profile, Profiles};

/// The program and versions that a version string names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Identified {
    /// The program's own name in lower case, whether or not a profile has it.
    pub program: Option<String>,
    /// The program's own version, without additions of its packager.
    pub version: Option<String>,
    /// The version of the reference program that the server claims to be or to be compatible with.
    pub claim: Option<Version>,
    /// Whether the version is a pre-release.
    pub prerelease: bool,
}

/// Major versions from here on are years or dates, and no claim.
const GREATEST_MAJOR: u32 = 50;

/// Forks of forks of forks are not looked through any further; a circle is not either.
const GREATEST_DEPTH: usize = 8;

/// The release of a program's own version, or the one that a pre-release precedes; `None` where it has not that format.
pub fn release(version: &str) -> Option<Version> {
    lex::numbered(version)?.version().map(|version| version.release())
}

impl Profiles {
    /// The profile of a program, by its key or one of its names in node info.
    pub fn find(&self, name: &str) -> Option<&Profile> {
        self.programs.iter().find(|profile| profile.is_named(name))
    }

    /// The profile of the reference program.
    pub fn reference(&self) -> Option<&Profile> {
        self.programs.iter().find(|profile| profile.key == self.reference)
    }

    /// The program that a name stands for, and those that it is a fork of, one after another.
    fn lineage<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a Profile> {
        let parent = |fork: &&'a Profile| self.find(fork.based_on.as_deref()?);
        std::iter::successors(self.find(name), parent).take(GREATEST_DEPTH)
    }

    /// Whether a program is a fork of the reference program, so that the version that it claims is its code's.
    pub fn is_fork(&self, name: &str) -> bool {
        match self.find(name) {
            Some(_) => self.lineage(name).skip(1).any(|profile| profile.key == self.reference),
            None => self.named_like(name).is_some(),
        }
    }

    /// The program whose unregistered forks have such names.
    fn named_like(&self, name: &str) -> Option<&Profile> {
        self.programs.iter().find(|profile| {
            profile.versions.forks_are_named.iter().any(|word| name.contains(&**word))
        })
    }

    /// The profiles in the order in which their patterns are tried: forks before what they are forks of, and the reference program last.
    fn tried(&self) -> Vec<&Profile> {
        let mut tried: Vec<_> = self.programs.iter().collect();
        let depth = |profile: &&Profile| self.lineage(&profile.key).count();
        tried.sort_by_cached_key(|profile| {
            (profile.key == self.reference, std::cmp::Reverse(depth(profile)))
        });
        tried
    }

    /// Parses a version string, with the program's name in node info if there is one.
    pub fn identify(&self, text: &str, software: Option<&str>) -> Identified {
        let text = text.trim();
        let software = software.and_then(|name| self.known_as(name));
        if let Some((outer, inner)) = lex::compatible(text) {
            return self.compatible(outer, &inner, software);
        }
        match software {
            Some(name) => self.named(text, &name),
            None => self.unnamed(text),
        }
    }

    /// The one name that a program goes by, in lower case.
    fn known_as(&self, name: &str) -> Option<String> {
        let name = name.trim().to_lowercase();
        let known = self.find(&name).map(|profile| profile.software().to_owned());
        known.or(Some(name).filter(|name| !name.is_empty()))
    }

    /// Parses `4.2.1 (compatible; Name 2023.12.14)`, and the reverse, where the reference program stands inside.
    fn compatible(
        &self,
        outer: &str,
        inner: &lex::Named<'_>,
        software: Option<String>,
    ) -> Identified {
        let is_reference = |name: &String| self.find(name) == self.reference();
        let inner_name = self.known_as(&inner.name);
        let (own, program, claim) = if inner_name.as_ref().is_some_and(is_reference) {
            (outer, software, inner.version)
        } else {
            (inner.version, software.filter(|name| !is_reference(name)).or(inner_name), outer)
        };
        let own = match program {
            Some(name) => self.named(own, &name),
            None => any_format(own, None),
        };
        let claim = lex::numbered(claim).and_then(|numbered| numbered.version());
        let claim = claim.filter(|claim| claim.major < GREATEST_MAJOR);
        let prerelease = own.prerelease || claim.is_some_and(|claim| claim.is_pre_release());
        Identified { claim, prerelease, ..own }
    }

    /// Parses a string of a program that node info names: by the patterns of its forks, which may name it there, and its own.
    fn named(&self, text: &str, name: &str) -> Identified {
        let (_, text) = lex::without_name(text);
        let own = self.find(name);
        let Some(profile) = own.or_else(|| self.named_like(name)) else {
            return any_format(text, Some(name));
        };
        let is_it = |one: &&&Profile| self.lineage(&one.key).any(|of| of.key == profile.key);
        let tried = self.tried();
        let telling = tried.iter().filter(is_it).flat_map(telling);
        let patterns = telling.chain(profile.versions.named.iter().map(|one| (profile, one)));
        let found = matched(patterns, text).map(|(of, found)| {
            // A fork without a profile goes by its own name.
            let is_other = own.is_some() || of.key != profile.key;
            Identified {
                program: Some(if is_other { of.software() } else { name }.into()),
                ..found
            }
        });
        found.unwrap_or_else(|| any_format(text, Some(name)))
    }

    /// Parses a string of a program that node info does not name.
    fn unnamed(&self, text: &str) -> Identified {
        if let (Some(name), rest) = lex::without_name(text) {
            return self.identify(rest, Some(name));
        }
        let tried = self.tried();
        let found = matched(tried.iter().flat_map(telling), text);
        let found = found
            .map(|(of, found)| Identified { program: Some(of.software().to_owned()), ..found });
        found.unwrap_or_else(|| any_format(text, None))
    }
}

fn telling<'a>(profile: &&'a Profile) -> impl Iterator<Item = (&'a Profile, &'a Pattern)> {
    let profile = *profile;
    profile.versions.telling.iter().map(move |pattern| (profile, pattern))
}

/// The first program of which a pattern fits.
fn matched<'a>(
    mut patterns: impl Iterator<Item = (&'a Profile, &'a Pattern)>,
    text: &str,
) -> Option<(&'a Profile, Identified)> {
    patterns.find_map(|(profile, pattern)| {
        let Found { own, claim, prerelease } = pattern.find(text)?;
        // Equal versions are written in one way.
        let version = match (own, claim) {
            (Some(own), Some(claim)) if release(own) == Some(claim.release()) => {
                Some(claim.to_string())
            }
            (own, _) => own.map(str::to_owned),
        };
        Some((profile, Identified { program: None, version, claim, prerelease }))
    })
}

/// Parses a version in any format, without commits and packagers' marks.
fn any_format(text: &str, name: Option<&str>) -> Identified {
    let own = lex::own(text);
    Identified {
        program: name.map(str::to_owned),
        version: own.map(|own| own.text.to_owned()),
        claim: None,
        prerelease: own.is_some_and(|own| own.prerelease),
    }
}
