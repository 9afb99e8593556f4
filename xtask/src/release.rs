//! `release`: registers a release of a program, and says what is to be looked at in it.
//!
//! Only the list of releases changes. Up to which release the program's facts were looked up stays as it was, so that nothing is claimed
//! of the new one: what the program never had is unknown there.

use std::fmt::Write as _;
use std::fs;

use fedispec_model::api::{Api, Layer, Program, Release, Since};
use fedispec_model::registered;
use fedispec_model::rows::rows;
use fedispec_reader::calendar::is_day;
use fedispec_reader::registry;
use fedispec_since::StableVersion;

use fedispec_commands::failure::Failure;
use fedispec_commands::output;
use fedispec_commands::place::Place;

/// The release to register.
#[derive(clap::Args)]
pub(crate) struct ReleaseArgs {
    /// The program's key: mastodon
    program: String,
    /// The version: 4.6.6
    version: String,
    /// The day it came out: 2026-08-20
    date: String,
    /// The number of the API that it publishes, where it publishes one
    #[arg(long, value_name = "NUMBER")]
    api: Option<u32>,
}

pub(crate) fn run(place: &Place, args: &ReleaseArgs) -> Result<(), Failure> {
    let (catalogue, api) = place.open(Layer::Full)?;
    let program = find(&api, &args.program)?;
    let version: StableVersion = args
        .version
        .parse()
        .map_err(|error| Failure::Other(format!("`{}`: {error}", args.version)))?;
    let taken = program.releases.iter().any(|known| known.version == version);
    if taken {
        return Err(Failure::Other(format!("{} {version} is registered already", program.name)));
    }
    if !is_day(&args.date) {
        return Err(Failure::Other(format!("`{}` is no day; write it like 2026-08-20", args.date)));
    }
    let release = Release { version, date: Some(args.date.clone()), api: args.api };
    let listed = catalogue.implementations.programs.get(&args.program);
    let file = catalogue.registry(listed.and_then(|program| program.file));
    let path = place.spec.join(catalogue.sources.path(file));
    let before = catalogue.sources.text(file);
    let after = registry::registered(&catalogue, program, &release).ok_or_else(|| {
        let name = path.display();
        Failure::Other(format!("{name} lists no release of {} to write it beside", program.name))
    })?;
    write(&path, &after)?;
    // A file that `check` refuses is not left behind.
    let (catalogue, now) = place.open(Layer::Full).inspect_err(|_| {
        let _ = fs::write(&path, before);
    })?;
    let program = find(&now, &args.program)?;
    let look_at = { catalogue.implementations.programs.get(&args.program) }
        .map_or(&[][..], |program| &program.look_at);
    output::stdout(&what_to_do(&now, program, version, look_at, place))
}

fn find<'a>(api: &'a Api, key: &str) -> Result<&'a Program, Failure> {
    registered::program(api, key).map(|(_, program)| program).map_err(Failure::Other)
}

fn write(path: &std::path::Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| Failure::file("write", path, &error))
}

/// Tells what has changed, and what is left to do.
fn what_to_do(
    api: &Api,
    program: &Program,
    version: StableVersion,
    look_at: &[String],
    place: &Place,
) -> String {
    let name = &program.name;
    let looked_at =
        program.newest_looked_at().map_or_else(|| "none".to_owned(), |release| release.to_string());
    let mut text =
        format!("{name} {version} is registered in {}/implementations.yaml\n", place.spec_name);
    let column = api.column(&program.key);
    let is_unseen = program.not_looked_at().any(|release| release == version);
    if is_unseen {
        let never = rows(api).into_iter().filter(|row| {
            let life = column.and_then(|column| row.item.life.get(column));
            !row.inherited() && life.is_some_and(|life| life.since == Since::Never)
        });
        let never = never.count();
        _ = writeln!(
            text,
            "{name} was looked at up to {looked_at}: its {never} items that are `never` are unknown in {version} until it is looked at"
        );
    }
    text.push_str("No generated type changes by it.\n\n");
    let before = { program.releases.iter().rev() }.find(|known| known.version < version);
    let since = before.map_or_else(String::new, |known| format!(" {} and", known.version));
    _ = writeln!(text, "To look at, between{since} {version}:");
    for place in look_at {
        _ = writeln!(text, "  - {place}");
    }
    if look_at.is_empty() {
        text.push_str("  - its routes, parameters, entities and enumerations\n");
    }
    _ = write!(
        text,
        "\nThen:
  - write down each change in spec/supplement/, with `{key}: \"{version}\"`, and its evidence
  - {next}
  - cargo xtask check && cargo xtask gen
  - cargo xtask verify RECORDING.jsonl --program {key} --version {version}
",
        key = program.key,
        next = if is_unseen {
            format!(
                "set `looked_at: \"{version}\"` of {key} in implementations.yaml",
                key = program.key
            )
        } else {
            format!("nothing else: the facts of {name} were looked up to {looked_at} already")
        },
    );
    text
}
