//! The programs and releases that the catalogue knows, by the names that people type.

use std::str::FromStr as _;

use fedispec_since::{StableVersion, Version};

use crate::api::{Api, Program};
use crate::suggest::nearest;

/// A release of a program.
#[derive(Debug, Clone, Copy)]
pub struct Registered<'a> {
    /// The program's position among the programs.
    pub place: usize,
    /// The program.
    pub program: &'a Program,
    /// The release.
    pub version: StableVersion,
    /// The release that was asked for, where that is a later one of its line that is not registered.
    pub asked: Option<StableVersion>,
}

impl Registered<'_> {
    /// The note for a release that stands for another: `4.2.20: as 4.2.11, the newest looked at of 4.2`.
    pub fn stands_for(&self) -> Option<String> {
        let StableVersion(major, minor, _) = self.version;
        let asked = self.asked?;
        Some(format!("{asked}: as {}, the newest looked at of {major}.{minor}", self.version))
    }
}

/// Reads `PROGRAM@VERSION`: `mastodon@4.3.0`.
///
/// # Errors
/// Where it is written otherwise, or the catalogue knows no such release: the nearest one, and which there are.
pub fn named<'a>(api: &'a Api, text: &str) -> Result<Registered<'a>, String> {
    let Some((key, version)) = text.split_once('@') else {
        return Err(format!(
            "`{text}` is no release; write PROGRAM@VERSION, such as `{}`",
            example(api)
        ));
    };
    release(api, key, version)
}

fn example(api: &Api) -> String {
    let newest = api.programs.iter().find_map(|program| {
        let newest = program.releases.last()?;
        Some(format!("{}@{}", program.key, newest.version))
    });
    newest.unwrap_or_default()
}

/// Finds a release by its program's key and its version. One that is not registered counts as the newest before it in its line.
///
/// # Errors
/// Where the catalogue knows no such release: the nearest one, and which there are.
pub fn release<'a>(api: &'a Api, key: &str, version: &str) -> Result<Registered<'a>, String> {
    let (place, program) = program(api, key)?;
    if let Ok(asked) = version.parse()
        && let Some(version) = program.counts_as(asked)
    {
        let asked = Some(asked).filter(|asked| *asked != version);
        return Ok(Registered { place, program, version, asked });
    }
    Err(format!(
        "the catalogue does not know {} {version}; {}",
        program.name,
        near(program, version)
    ))
}

/// Finds a program by its key, with its position among the programs.
///
/// # Errors
/// Where the catalogue knows no such program: the nearest one, and which there are.
pub fn program<'a>(api: &'a Api, key: &str) -> Result<(usize, &'a Program), String> {
    let mut programs = api.programs.iter().enumerate();
    let keys = || api.programs.iter().map(|program| program.key.as_str());
    programs.find(|(_, program)| program.key == key).ok_or_else(|| {
        let meant = nearest(key, keys());
        let meant = meant.map_or_else(String::new, |meant| format!("did you mean `{meant}`? "));
        let all = keys().collect::<Vec<_>>().join(", ");
        format!("the catalogue does not know the program `{key}`; {meant}it knows {all}")
    })
}

/// The greatest number of releases to list.
const LISTED: usize = 40;

/// The releases of the same minor or major version, or the first and the last of all.
fn near(program: &Program, version: &str) -> String {
    let versions: Vec<String> =
        { program.releases.iter() }.map(|release| release.version.to_string()).collect();
    let of = |series: &str| {
        let start = format!("{series}.");
        let versions = versions.iter().map(String::as_str);
        versions.filter(|known| known.starts_with(&start)).collect::<Vec<_>>()
    };
    let series = version.rsplit_once('.').map_or("", |(series, _)| series);
    let near =
        [of(version), of(series)].into_iter().find(|near| !near.is_empty() && near.len() <= LISTED);
    let listed = near.map_or_else(
        || {
            let ends = [versions.first(), versions.last()];
            let ends = ends.map(|end| end.map_or("none", String::as_str));
            format!("its releases are {}", ends.join(" to "))
        },
        |near| format!("it knows {}", near.join(", ")),
    );
    let below = Version::from_str(version.trim_start_matches('v')).ok().and_then(|meant| {
        let mut releases = program.releases.iter().rev().map(|release| release.version);
        releases.find(|known| known.version() <= meant)
    });
    below.map_or(listed.clone(), |below| format!("the nearest before it is {below}; {listed}"))
}

#[cfg(test)]
mod tests {
    use super::named;
    use crate::resolved::from_json;
    use fedispec_since::StableVersion;

    const SMALL: &str = include_str!("../tests/fedispec-api-2.json");

    #[test]
    fn a_release_is_found_or_the_nearest_named() {
        let api = from_json(SMALL).expect("a catalogue");
        let program = &api.programs[0];
        let newest = program.releases.last().expect("a release").version;
        let found = named(&api, &format!("{}@{newest}", program.key)).expect("it is registered");
        assert_eq!((found.place, found.version), (0, newest));
        let later = StableVersion(newest.0, newest.1, newest.2 + 7);
        let found = named(&api, &format!("{}@{later}", program.key)).expect("it is of a line");
        let StableVersion(major, minor, _) = newest;
        let says = format!("{later}: as {newest}, the newest looked at of {major}.{minor}");
        assert_eq!((found.version, found.stands_for()), (newest, Some(says)));
        let told = |text: &str| named(&api, text).expect_err(text);
        assert!(told("4.3.0").contains("write PROGRAM@VERSION"));
        let slip = format!("{}x@{newest}", program.key);
        assert!(told(&slip).contains(&format!("did you mean `{}`?", program.key)));
        let unknown = told(&format!("{}@99.9.9", program.key));
        assert!(unknown.contains(&format!("{} 99.9.9; ", program.name)), "{unknown}");
        assert!(unknown.contains(&newest.to_string()), "{unknown}");
    }
}
