//! How programs are recognized: names that belong to one of them, forks of programs that exist, and version strings that are read right.

use fedispec_model::suggest::did_you_mean;
use fedispec_since::identify::Identified as Found;
use fedispec_since::profile::{Profile, Profiles};
use fedispec_since::text::WordOr;

use crate::load::Catalogue;
use crate::model::{Implementations, VersionString, WholeVersionString};
use crate::problems::{NodePath, Problems};
use crate::source::FileId;

/// Reports what is wrong with the recognition of programs.
pub(crate) fn check<'a>(catalogue: &'a Catalogue, problems: &mut Problems<'a>) {
    let implementations = &catalogue.implementations;
    let profiles = implementations.profiles();
    let root = NodePath::root(catalogue.implementations_file);
    let mut misread = Vec::new();
    if let Some(named) = &implementations.reference
        && !implementations.programs.contains_key(named)
    {
        let keys = implementations.programs.keys().map(String::as_str);
        return problems.no_program(named, &root.then("reference"), keys);
    }
    for (statement, profile) in statements(implementations).zip(&profiles.programs) {
        let Statement { section, file, strings } = statement;
        let place =
            NodePath::root(catalogue.registry(file)).then(section).then(profile.key.clone());
        let mut recognition = Recognition { profiles: &profiles, profile, problems };
        if section == IDENTIFIED {
            recognition.has_one_entry(&place);
            recognition.base(&place.then("based_on"));
        }
        // Where the strings of its base are misread, a fork's are too.
        if profile.based_on.as_ref().is_some_and(|base| misread.contains(&base)) {
            misread.push(&profile.key);
            continue;
        }
        let found = recognition.problems.count();
        for (number, string) in strings.iter().enumerate() {
            recognition.string(string, &place.then("strings").then(number.to_string()));
        }
        if recognition.problems.count() > found {
            misread.push(&profile.key);
        } else if section != IDENTIFIED {
            recognition.emulated(&place.under(&["ways", "server", "version_string"]));
        }
    }
}

const IDENTIFIED: &str = "identified";

/// The version strings of a program, and where they stand.
struct Statement<'c> {
    section: &'static str,
    file: Option<FileId>,
    strings: &'c [VersionString],
}

/// The statement about each program, in the order of the profiles.
fn statements(implementations: &Implementations) -> impl Iterator<Item = Statement<'_>> {
    let registered = implementations.programs.values().map(|one| Statement {
        section: "programs",
        file: one.file,
        strings: &one.strings,
    });
    let identified = implementations.identified.values();
    registered.chain(identified.map(|one| Statement {
        section: IDENTIFIED,
        file: None,
        strings: &one.strings,
    }))
}

struct Recognition<'p, 'c> {
    profiles: &'p Profiles,
    profile: &'p Profile,
    problems: &'p mut Problems<'c>,
}

impl Recognition<'_, '_> {
    /// Reports a name that another program has. Registered programs come first.
    fn has_one_entry(&mut self, place: &NodePath<'_>) {
        let mut names = self.profile.nodeinfo.iter();
        let taken = names.find_map(|name| {
            let other = self.profiles.find(name)?;
            (!std::ptr::eq(other, self.profile)).then_some((name, &other.key))
        });
        if let Some((name, other)) = taken {
            let message =
                format!("`{other}` is registered under `programs` with the name `{name}`");
            let help = format!("move what recognizes it to `{other}`, and remove it here");
            self.problems.key("duplicate-id", place, message, help);
        }
    }

    fn base(&mut self, place: &NodePath<'_>) {
        let Some(named) = &self.profile.based_on else { return };
        let base = |key: &str| self.profiles.programs.iter().find(|one| one.key == key);
        if base(named).is_none() {
            let keys = self.profiles.programs.iter().map(|profile| profile.key.as_str());
            return self.problems.no_program(named, place, keys);
        }
        let all = &self.profiles.programs;
        let bases = || std::iter::successors(Some(&**named), |key| base(key)?.based_on.as_deref());
        let Some(length) = bases().take(all.len()).position(|key| key == self.profile.key) else {
            return;
        };
        // A circle is told at the first of its programs.
        let is_within = |one: &&Profile| bases().take(length + 1).any(|key| key == one.key);
        if all.iter().find(is_within).is_some_and(|first| first.key == self.profile.key) {
            let message = format!("`{}` is a fork of itself", self.profile.key);
            let help = "remove `based_on` where the programs begin";
            self.problems.value("circular-base", place, message, help);
        }
    }

    /// Checks that the version string of a server that emulates the program is read as that release of it.
    fn emulated(&mut self, place: &NodePath<'_>) {
        for (release, text) in &self.profile.ways.server.version_string {
            let text = text.replace("{version}", &release.to_string());
            let found = self.profiles.identify(&text, None);
            let software = self.profile.software();
            let version = found.version.as_deref().and_then(|version| version.parse().ok());
            if found.program.as_deref() == Some(software) && version == Some(*release) {
                self.is_closed(&text, &place.then(release.to_string()));
                continue;
            }
            let message =
                format!("`{text}` is read as {}, and not as {software} {release}", words(&found));
            let help = "write the version string of the program, with `{version}` for the release";
            let place = place.then(release.to_string());
            self.problems.value("misread-version", &place, message, help);
        }
    }

    /// Checks that a version string closes its brackets.
    fn is_closed(&mut self, text: &str, place: &NodePath<'_>) {
        let count = |sign| text.matches(sign).count();
        if count('(') != count(')') {
            let message = format!("`{text}` leaves a bracket open");
            let help = "write the string as servers send it";
            self.problems.value("misread-version", place, message, help);
        }
    }

    /// Checks that a version string is read as it is said to be.
    fn string(&mut self, string: &VersionString, place: &NodePath<'_>) {
        let profile = self.profile;
        let whole = match string {
            WordOr::Map(whole) => whole.clone(),
            WordOr::Word(text) => version_alone(text, profile, self.profiles),
        };
        let found = self.profiles.identify(&whole.text, whole.software.as_deref());
        let told = words(&found);
        let both = || whole.both.as_deref();
        let expected = format!(
            "{} {}, claiming {}",
            profile.software(),
            whole.version.as_deref().or_else(both).unwrap_or("without a version"),
            whole.claims.as_deref().or_else(both).unwrap_or("nothing")
        );
        if told == expected {
            return self.is_closed(&whole.text, place);
        }
        let message = format!("`{}` is read as {told}, and not as {expected}", whole.text);
        let unknown = whole.software.as_deref().filter(|name| self.profiles.find(name).is_none());
        if let Some(name) = unknown {
            let keys = self.profiles.programs.iter().map(|profile| profile.key.as_str());
            let help = did_you_mean(name, keys, "write the name that node info has for it");
            let place = place.then("software");
            self.problems.value("misread-version", &place, message, help);
            return;
        }
        let taken_by = found.program.filter(|program| program != profile.software());
        let help = match taken_by.and_then(|program| self.profiles.find(&program)) {
            Some(other) => {
                let is_alone = profile.based_on.is_none() && other.key == self.profiles.reference;
                let or_fork = if is_alone {
                    format!("; those of a fork, with `based_on: {}`, go before", other.key)
                } else {
                    String::new()
                };
                format!(
                    "mend the string, or narrow the patterns of `{}`, which takes it{or_fork}",
                    other.key
                )
            }
            None => "mend the patterns under `versions`, or what is said here".to_owned(),
        };
        self.problems.value("misread-version", place, message, help);
    }
}

/// The reading of a version string that is stated as a text alone.
fn version_alone(text: &str, profile: &Profile, profiles: &Profiles) -> WholeVersionString {
    let version = Some(text.to_owned());
    WholeVersionString {
        text: text.to_owned(),
        software: Some(profile.software().to_owned()),
        claims: version.clone().filter(|_| profile.key == profiles.reference),
        version,
        both: None,
    }
}

fn words(found: &Found) -> String {
    let claim = found.claim.map(|claim| claim.to_string());
    format!(
        "{} {}, claiming {}",
        found.program.as_deref().unwrap_or("no program"),
        found.version.as_deref().unwrap_or("without a version"),
        claim.as_deref().unwrap_or("nothing")
    )
}
