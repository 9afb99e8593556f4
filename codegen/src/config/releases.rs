//! Floors and ceilings: the releases that are supported.

use std::collections::BTreeMap;

use super::Config;
use super::list::list;
use fedispec_model::api::{Api, Program};
use fedispec_model::suggest::did_you_mean;
use fedispec_since::StableVersion;

/// A release by program.
pub(super) type Releases = BTreeMap<String, StableVersion>;

/// Reads the floors and ceilings that were set; adds each mistake to `wrong`.
pub(super) fn named(config: &Config, api: &Api, wrong: &mut Vec<String>) -> (Releases, Releases) {
    let floors = releases("floor", &config.floors, api, wrong);
    let ceilings = releases("ceiling", &config.ceilings, api, wrong);
    for program in &api.programs {
        let (name, key) = (&program.name, &program.key);
        if let (Some(floor), Some(ceiling)) = (floors.get(key), ceilings.get(key))
            && floor > ceiling
        {
            wrong.push(format!(
                "the floor of {name}, {floor}, is above its ceiling, {ceiling}; \
                 the ceiling may be {name} {floor} or newer"
            ));
        }
    }
    (floors, ceilings)
}

/// Tells which releases that were named stand for others: they are not registered, and count as the newest known one of their line.
pub(super) fn stand_ins(config: &Config, api: &Api) -> Vec<String> {
    let named = config.floors.iter().chain(&config.ceilings);
    let told = named.filter_map(|(key, version)| {
        let found = fedispec_model::registered::release(api, key, version).ok()?;
        Some(format!("{} {}", found.program.name, found.stands_for()?))
    });
    told.collect()
}

/// The floor of each program that counts: those that are named, or else the catalogue's own.
pub(super) fn floors(
    named: &Releases,
    ceilings: &Releases,
    api: &Api,
    own_programs: &[String],
) -> Releases {
    let any = !(named.is_empty() && ceilings.is_empty());
    let counts = |key: &String| {
        if any {
            named.contains_key(key) || ceilings.contains_key(key)
        } else {
            own_programs.contains(key)
        }
    };
    let counted = api.programs.iter().zip(api.floors());
    let counted = counted.filter(|(program, _)| counts(&program.key));
    counted
        .filter_map(|(program, own)| {
            let named = named.get(&program.key).copied();
            // With a ceiling alone it is the user who says that the program counts.
            let first = program.releases.first().filter(|_| any);
            let first = first.map(|release| release.version);
            Some((program.key.clone(), named.or(own).or(first)?))
        })
        .collect()
}

fn releases(
    what: &str,
    named: &[(String, String)],
    api: &Api,
    wrong: &mut Vec<String>,
) -> Releases {
    let mut found = Releases::new();
    for (key, version) in named {
        let Some(program) = api.program(key) else {
            wrong.push(no_program(what, key, api));
            continue;
        };
        let Some(version) = registered(program, version) else {
            wrong.push(format!(
                "{what}: {} has no release `{version}` here; {}",
                program.name,
                near(program, version)
            ));
            continue;
        };
        if let Some(other) = found.insert(key.clone(), version) {
            wrong.push(format!("{what}: `{key}` has two, {other} and {version}; keep one"));
        }
    }
    found
}

fn no_program(what: &str, key: &str, api: &Api) -> String {
    let keys = || api.programs.iter().map(|program| program.key.as_str());
    let known = format!("the programs are {}", list(keys()));
    let meant = did_you_mean(key, keys(), "");
    let mend = [meant, known].join(" ");
    format!("{what}: there is no program `{key}`; {}", mend.trim_start())
}

fn registered(program: &Program, version: &str) -> Option<StableVersion> {
    program.counts_as(version.parse().ok()?)
}

/// How many releases are named at most.
const SHOWN: usize = 8;

/// The release that was probably meant, those of the same minor, or the span of all and the latest of them.
fn near(program: &Program, version: &str) -> String {
    let versions: Vec<String> =
        program.releases.iter().map(|release| release.version.to_string()).collect();
    let plain = version.trim().trim_start_matches(['v', 'V']);
    for meant in [plain.to_owned(), format!("{plain}.0")] {
        if versions.contains(&meant) {
            return format!("did you mean `{meant}`?");
        }
    }
    let minor: Vec<&str> = plain.split('.').take(2).collect();
    let same: Vec<&str> = versions
        .iter()
        .map(String::as_str)
        .filter(|known| known.split('.').take(2).eq(minor.iter().copied()))
        .collect();
    match same.as_slice() {
        [] => {}
        [first, .., last] if same.len() > SHOWN => {
            return format!("there are `{first}` to `{last}`");
        }
        few => return format!("there are {}", list(few.iter().copied())),
    }
    let newest = versions.iter().skip(versions.len().saturating_sub(SHOWN));
    match versions.first() {
        Some(first) => format!(
            "they begin with `{first}`, and the newest are {}",
            list(newest.map(String::as_str))
        ),
        None => "it has no releases".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fedispec_model::api::{Layer, Release};

    fn program(key: &str, floor: Option<&str>, releases: &[String]) -> Program {
        let release = |version: &String| Release {
            version: version.parse().expect(version),
            date: None,
            api: None,
        };
        Program {
            key: key.into(),
            name: key.into(),
            letter: None,
            nodeinfo: Vec::new(),
            floor: floor.map(|floor| floor.parse().expect(floor)),
            constructors: None,
            releases: releases.iter().map(release).collect(),
            looked_at: None,
            apart: false,
            based_on: None,
        }
    }

    #[test]
    fn a_program_without_a_floor_counts_only_where_it_is_named() {
        let releases = ["1.0.0".to_owned(), "2.0.0".to_owned()];
        let with = program("with", Some("2.0.0"), &releases);
        let spec = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/spec");
        let (_, mut api) = fedispec_reader::open(&spec, Layer::Full).expect("the golden catalogue");
        api.programs = vec![with, program("without", None, &releases)];
        let own = ["with".to_owned(), "without".to_owned()];
        let counted = |ceilings: &Releases| {
            let floors = floors(&Releases::new(), ceilings, &api, &own);
            let floors = floors.iter().map(|(key, floor)| format!("{key} {floor}"));
            floors.collect::<Vec<_>>()
        };
        assert_eq!(counted(&Releases::new()), ["with 2.0.0"]);
        let ceilings = Releases::from([("without".to_owned(), StableVersion(2, 0, 0))]);
        assert_eq!(counted(&ceilings), ["without 1.0.0"]);
    }

    #[test]
    fn eight_releases_are_named_and_of_more_the_ends() {
        let releases = |count: usize| (0..count).map(|patch| format!("1.0.{patch}"));
        let said = |count: usize, version: &str| {
            near(&program("one", None, &releases(count).collect::<Vec<_>>()), version)
        };
        let named = |numbers: std::ops::Range<usize>| {
            let names: Vec<String> = releases(numbers.end).skip(numbers.start).collect();
            list(names.iter().map(String::as_str))
        };
        assert_eq!(said(8, "1.0.99"), format!("there are {}", named(0..8)));
        assert_eq!(said(9, "1.0.99"), "there are `1.0.0` to `1.0.8`");
        assert_eq!(
            said(9, "7.0.0"),
            format!("they begin with `1.0.0`, and the newest are {}", named(1..9))
        );
    }
}
