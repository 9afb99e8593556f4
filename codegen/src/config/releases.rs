//! Floors and ceilings: the releases that are supported.

use std::collections::BTreeMap;

use super::Config;
use fedispec_model::api::Api;
use fedispec_model::registered;
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
        let found = registered::release(api, key, version).ok()?;
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
        match registered::release(api, key, version) {
            Err(why) => wrong.push(format!("{what}: {why}")),
            Ok(one) => {
                let version = one.version;
                if let Some(other) = found.insert(key.clone(), version) {
                    wrong.push(format!("{what}: `{key}` has two, {other} and {version}; keep one"));
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use fedispec_model::api::{Layer, Program, Release};

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
}
