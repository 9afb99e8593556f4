//! `cargo xtask propose`: what a release brings, read from the program's own source.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use fedispec_commands::failure::Failure;
use fedispec_commands::output;
use fedispec_propose::error::Error;
use fedispec_propose::render::{Format, render};
use fedispec_propose::row::Proposal;
use fedispec_propose::write::{Written, write};
use fedispec_propose::{Request, decided, propose, surface};

/// Proposes what a release of a program brings, read from the program's own source, against the catalogue.
///
/// The source is a git clone, bare or ordinary; it is not checked out. Exit codes: 0 done, 2 no such tag, source or program.
#[derive(Parser)]
#[command(
    name = "cargo xtask propose",
    bin_name = "cargo xtask propose",
    after_help = "Examples:
  cargo xtask propose gotosocial --source ../gotosocial --tag v0.19.2
  cargo xtask propose gotosocial --source ../gotosocial.git --tag v0.20.0-rc1 --as 0.20.0 --format markdown
  cargo xtask propose mastodon --source ../mastodon --tag v4.6.5 --from v4.6.4 --write
  cargo xtask propose mastodon --source ../mastodon --tag v4.6.5 --accept 5c0e91ab22d7 --reason 'reads a header, no parameter'"
)]
struct Args {
    /// The program's key: gotosocial, mastodon
    program: String,
    /// A clone of the program's repository
    #[arg(long, value_name = "GITDIR")]
    source: PathBuf,
    /// The tag or commit of the release
    #[arg(long, value_name = "NEW")]
    tag: String,
    /// The release to compare with: a tag, a commit or a version [default: up to which the program was looked at]
    #[arg(long, value_name = "OLD")]
    from: Option<String>,
    /// The version that the tag stands for, where it is not its name: 0.20.0
    #[arg(long = "as", value_name = "VERSION")]
    version: Option<String>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Markdown)]
    format: Format,
    /// Write the rows that need no decision into the supplement, and register the release
    #[arg(long)]
    write: bool,
    /// Print what the source serves, and what the catalogue calls it, as JSON
    #[arg(long, conflicts_with_all = ["from", "format", "write"])]
    surface: bool,
    /// Judge as if the catalogue knew nothing after the older release: to measure the reading
    #[arg(long, conflicts_with = "write")]
    unlearn: bool,
    /// Do not ask these again: fingerprints, or `CHANGE-KIND:GLOB`, such as `contradicts-*:Account.*` and `unread:*`
    #[arg(long, value_name = "FP|RULE:GLOB", requires = "reason", num_args = 1.., value_delimiter = ',', conflicts_with_all = ["write", "surface", "unlearn"])]
    accept: Vec<String>,
    /// Why
    #[arg(long, value_name = "TEXT", requires = "accept")]
    reason: Option<String>,
    /// The catalogue's folder
    #[arg(long, value_name = "DIR", default_value = "spec", overrides_with = "spec")]
    spec: PathBuf,
}

fn main() -> ExitCode {
    let told = run(&Args::parse()).map_err(Failure::other);
    let told = told.and_then(|text| output::stdout(&text));
    told.map_or_else(output::failure, |()| ExitCode::SUCCESS)
}

fn run(args: &Args) -> Result<String, Error> {
    let request = Request {
        program: &args.program,
        source: &args.source,
        tag: &args.tag,
        from: args.from.as_deref(),
        version: args.version.as_deref(),
        unlearn: args.unlearn,
    };
    if args.surface {
        let surface = surface(&args.spec, &request)?;
        let text = serde_json::to_string_pretty(&surface);
        return text.map(|text| text + "\n").map_err(|error| Error(error.to_string()));
    }
    let mut proposal = propose(&args.spec, &request)?;
    decided::recall(&args.spec, &mut proposal)?;
    if !args.accept.is_empty() {
        let reason = args.reason.as_deref().unwrap_or_default();
        return decided::accept(&args.spec, &proposal, &args.accept, reason);
    }
    if args.write {
        let written = write(&args.spec, &proposal)?;
        tell(&proposal, &written);
    }
    Ok(render(&proposal, args.format))
}

/// Says on stderr what was written: stdout has the proposal.
fn tell(proposal: &Proposal, written: &Written) {
    let (program, version) = (&proposal.program, &proposal.version);
    if written.registered {
        eprintln!("{program} {version} is registered");
    }
    eprintln!("{} rows were written into {} files", written.rows, written.files.len());
    for file in &written.files {
        eprintln!("  {file}");
    }
    for kept in &written.kept {
        eprintln!("  kept as it is: {kept}");
    }
    eprintln!(
        "next: decide the rest, set `looked_at: \"{version}\"` of {program}, and run `cargo xtask check && cargo xtask gen`"
    );
}
