//! `cargo xtask propose`: what a release brings, read from the program's own source.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use fedispec_propose::error::Error;
use fedispec_propose::render::{Format, render};
use fedispec_propose::{Request, propose, surface};

/// Proposes what a release of a program brings, read from the program's own source, against the catalogue.
///
/// The source is a git clone, bare or ordinary; it is not checked out. Exit codes: 0 done, 2 no such tag, source or program.
#[derive(Parser)]
#[command(
    name = "cargo xtask propose",
    after_help = "Examples:
  cargo xtask propose gotosocial --source ../gotosocial --tag v0.19.2
  cargo xtask propose gotosocial --source ../gotosocial.git --tag v0.20.0-rc1 --as 0.20.0 --format markdown
  cargo xtask propose mastodon --source ../mastodon --tag v4.6.5 --from v4.6.4"
)]
struct Args {
    /// The program's key: gotosocial
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
    #[arg(long, value_enum, default_value_t = PrintedAs::Text)]
    format: PrintedAs,
    /// Print what the source serves, without the catalogue, as JSON
    #[arg(long, conflicts_with_all = ["from", "version", "format"])]
    surface: bool,
    /// The catalogue's folder
    #[arg(
        long,
        value_name = "DIR",
        default_value = "spec",
        overrides_with = "spec"
    )]
    spec: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum PrintedAs {
    Text,
    Markdown,
    Json,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(text) => {
            let mut out = std::io::stdout().lock();
            match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
                // A closed pipe (`| head`) is no error.
                Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                    anstream::eprintln!("\x1b[1;31merror\x1b[0m: cannot write to stdout: {error}");
                    ExitCode::from(2)
                }
                _ => ExitCode::SUCCESS,
            }
        }
        Err(error) => {
            anstream::eprintln!("\x1b[1;31merror\x1b[0m: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<String, Error> {
    if args.surface {
        let surface = surface(&args.program, &args.source, &args.tag)?;
        let text = serde_json::to_string_pretty(&surface);
        return text
            .map(|text| text + "\n")
            .map_err(|error| Error::Other(error.to_string()));
    }
    let request = Request {
        program: &args.program,
        source: &args.source,
        tag: &args.tag,
        from: args.from.as_deref(),
        version: args.version.as_deref(),
    };
    let proposal = propose(&args.spec, &request)?;
    let format = match args.format {
        PrintedAs::Text => Format::Text,
        PrintedAs::Markdown => Format::Markdown,
        PrintedAs::Json => Format::Json,
    };
    Ok(render(&proposal, format))
}
