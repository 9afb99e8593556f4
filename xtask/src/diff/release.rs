//! The programs and releases that an argument names.

use fedispec_model::api::{Api, Program};
use fedispec_since::StableVersion;

use crate::failure::Failure;

fn known<'a>(api: &'a Api, program: &str) -> Result<&'a Program, Failure> {
    let found = api.programs.iter().find(|known| known.key == program);
    found.ok_or_else(|| {
        let all: Vec<_> = api
            .programs
            .iter()
            .map(|known| known.key.as_str())
            .collect();
        Failure::Other(format!(
            "the catalogue does not know the program `{program}`; it knows {}",
            all.join(", ")
        ))
    })
}

/// The greatest number of releases to list in an error.
const NEAR: usize = 40;

/// Reads the version of a release that the program is known to have.
pub(super) fn release(api: &Api, program: &str, version: &str) -> Result<StableVersion, Failure> {
    let program = known(api, program)?;
    let releases = program.releases.iter().map(|release| release.version);
    if let Ok(version) = version.parse()
        && releases.clone().any(|known| known == version)
    {
        return Ok(version);
    }
    let versions: Vec<String> = releases.map(|release| release.to_string()).collect();
    let of = |series: &str| {
        let start = format!("{series}.");
        let versions = versions.iter().map(String::as_str);
        versions
            .filter(|known| known.starts_with(&start))
            .collect::<Vec<_>>()
    };
    let series = version.rsplit_once('.').map_or("", |(series, _)| series);
    let near = [of(version), of(series)]
        .into_iter()
        .find(|near| !near.is_empty() && near.len() <= NEAR);
    let near = near.map_or_else(
        || {
            let ends = [versions.first(), versions.last()];
            let ends = ends.map(|end| end.map_or("none", String::as_str));
            format!("its releases are {}", ends.join(" to "))
        },
        |near| format!("it knows {}", near.join(", ")),
    );
    Err(Failure::Other(format!(
        "the catalogue does not know {} {version}; {near}",
        program.name
    )))
}
