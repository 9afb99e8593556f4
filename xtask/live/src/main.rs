//! The program `fedispec`: what the catalogue says, and the commands that link the generated crate, which check servers and recordings
//! against it, and stand in for servers.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use fedispec::runtime::compatibility::Verdict;
use fedispec_commands::failure::Failure;
use fedispec_commands::place::{BuiltIn, Place, Source};
use fedispec_commands::{Format, Reading, output};
use serde::Serialize;

mod asker;
mod bodies;
mod has;
mod identify;
mod live;
mod probe;
mod record;
mod recording;
mod routes;
mod serve;
mod verify;
mod walk;

/// The Mastodon client API: what each server has since when, and how servers and recordings compare.
#[derive(Parser)]
#[command(name = "fedispec", version, arg_required_else_help = true)]
struct Arguments {
    /// The folder of a catalogue [default: the catalogue that is built in].
    #[arg(long, value_name = "DIR", global = true)]
    spec: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[command(flatten)]
    Reading(Reading),
    /// Identify the program and versions in a server's version string.
    ///
    /// Always exits with 0.
    #[command(
        after_help = "Example: fedispec identify '2.7.2 (compatible; Pleroma 2.7.0)' --format json"
    )]
    Identify {
        /// The version string, as the server serves it.
        #[arg(allow_hyphen_values = true)]
        string: String,
        /// The program's name in `NodeInfo`.
        #[arg(long, value_name = "NAME")]
        software: Option<String>,
        /// The output format.
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
    /// Tell whether a server, or a release, has an item or a feature, and how that is known.
    ///
    /// A URL is asked what it runs, for 10 seconds at most; a version string is taken as it stands. Exits with 0 for yes, also where the
    /// server answers and there is never anything in the answer (stub); 1 for no; 3 if nobody knows; 2 if nothing has that name, or the
    /// server cannot be reached.
    #[command(after_help = "\
A host that begins with a digit, or has no dot, needs its `https://`.

Examples:
  fedispec has social.example edit history
  fedispec has gotosocial@0.19.2 scheduled_posts --format json
  fedispec has '2.7.2 (compatible; Pleroma 2.7.0)' bookmarks
  fedispec has 4.3.0 --software mastodon statuses.create.quoted_status_id")]
    Has {
        #[command(flatten)]
        question: has::Question,
        /// The output format.
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
    /// Run a server that stands in for a release, for the tests of a client.
    ///
    /// It keeps what it is sent in memory, or in a file, and listens on this machine only unless told otherwise. The first line it prints is
    /// JSON: the URL, a token of the owner with every scope, the token of the control API, and what signs the owner in. The control API below
    /// /_standin/ resets it, moves its clock, adds accounts and lets calls fail; /_standin/openapi.json describes it. It stops on SIGTERM and
    /// Ctrl-C, and exits with 0; with 2 if it cannot start.
    #[command(after_help = "\
Examples:
  fedispec serve --as mastodon@4.3.0
  fedispec serve --as gotosocial --port 8080 --data state.json
  fedispec serve --as mastodon@4.5.0 --seed 7
  fedispec serve --host 0.0.0.0 --port 8443 --public-url https://social.test:8443 --tls certificates")]
    Serve(serve::Serve),
    /// Walk a running server, and report what it has against what its release should have.
    ///
    /// Sends nothing but GETs that change nothing, one at a time. Exits with 0 if the server has what its release should have, 1 if it
    /// differs, 2 if it cannot be reached, is no server of this API, or refuses the token.
    #[command(after_help = "\
Without a token only what everybody may read is looked at. `expected` is what the catalogue says of the release that the server claims,
`found` what it answered; unknown is what cannot be told.

Examples:
  fedispec probe https://social.example
  FEDISPEC_TOKEN=.. fedispec probe social.example --format json
  fedispec probe http://localhost:8080 --token-file token.txt --all")]
    Probe {
        #[command(flatten)]
        server: live::Server,
        /// List also what is as expected.
        #[arg(long)]
        all: bool,
        /// Write the result as a badge, an SVG.
        #[arg(long, value_name = "FILE")]
        badge: Option<PathBuf>,
        /// The output format.
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
    /// Record what a running server answers, for `verify`.
    ///
    /// Sends nothing but GETs that change nothing, one at a time. The file is written whole or not at all; tokens and other secrets are
    /// struck out, but what the token's user may see is in it. Exits with 0, or 2 if the server cannot be reached, is no server of this
    /// API, or refuses the token.
    #[command(after_help = "\
Examples:
  fedispec record https://social.example --out social.jsonl
  FEDISPEC_TOKEN=.. fedispec record social.example --out social.jsonl && fedispec verify social.jsonl")]
    Record {
        #[command(flatten)]
        server: live::Server,
        /// The recording, one JSON object a line.
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Check recorded responses against the generated types and the catalogue.
    ///
    /// A recording is a file with one JSON object per line: method, path, status, body, and the server's software and
    /// version. Exits with 0 if every body decodes, 1 if one does not, 2 if a file cannot be read.
    #[command(after_help = "Example: fedispec verify recordings/*.jsonl --format json")]
    Verify {
        /// The recordings.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The program that answered; overrides the recordings.
        #[arg(long)]
        program: Option<String>,
        /// The program's version; overrides the recordings.
        #[arg(long)]
        version: Option<String>,
        /// Check too whether bindings whose floor is the release that answered would decode the answers.
        #[arg(long)]
        own_floor: bool,
        /// The output format.
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
}

fn main() -> ExitCode {
    let arguments: Arguments = fedispec_commands::parse();
    match arguments.command {
        Command::Reading(command) => {
            let source = || match &arguments.spec {
                Some(spec) => Place::find(Some(spec)).map(Source::Folder),
                None => Ok(Source::BuiltIn(BUILT_IN)),
            };
            command.run::<Arguments>(source).map_or_else(output::failure, |()| ExitCode::SUCCESS)
        }
        _ if arguments.spec.is_some() => output::failure(Failure::Other(
            "this command has the catalogue that it was built with: leave `--spec` out; only export, coverage, show, openapi, site, data and diff take one".to_owned(),
        )),
        command => match run(command) {
            Ok(code) => code,
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Err(error) => output::failure(Failure::other(error)),
        },
    }
}

fn run(command: Command) -> io::Result<ExitCode> {
    match command {
        Command::Reading(_) => Ok(ExitCode::SUCCESS),
        Command::Identify { string, software, format } => {
            let identity = identify::identify(&string, software.as_deref());
            if has::is_address(&string) {
                let note = "note: this is an address; `probe URL` asks a server what it is\n";
                output::stderr(note);
            }
            let mut out = io::stdout().lock();
            match format {
                Format::Text => identify::print(&identity, &mut out)?,
                Format::Json => {
                    serde_json::to_writer(&mut out, &identity)?;
                    writeln!(out)?;
                }
            }
            Ok(ExitCode::SUCCESS)
        }
        Command::Has { question, format } => {
            let report = has::has(&catalogue()?, &question).map_err(io::Error::other)?;
            print(&report, format, |out| has::print(&report, out))?;
            Ok(ExitCode::from(match report.verdict {
                Verdict::Yes | Verdict::Stub => 0,
                Verdict::No => 1,
                Verdict::Unknown => 3,
            }))
        }
        Command::Serve(args) => {
            serve::run(args)?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Probe { server, all, badge, format } => {
            let report = live::probe(&catalogue()?, &server).map_err(io::Error::other)?;
            if let Some(file) = badge {
                let written = output::file(&file, &report.badge());
                written.map_err(|failure| io::Error::other(failure.to_string()))?;
            }
            print(&report, format, |out| probe::print(&report, all, out))?;
            Ok(ExitCode::from(u8::from(report.differs())))
        }
        Command::Record { server, out } => {
            let done = live::record(&catalogue()?, &server, &out).map_err(io::Error::other)?;
            record::print(&done, &out, &mut io::stdout().lock())?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Verify { files, program, version, own_floor, format } => {
            let api = catalogue()?;
            let question = verify::Question { files, program, version, own_floor };
            let report = verify::verify(&api, fedispec::client::readers(), &question).map_err(
                |unreadable| {
                    io::Error::new(
                        unreadable.error.kind(),
                        format!("{}: {}", unreadable.file.display(), unreadable.error),
                    )
                },
            )?;
            print(&report, format, |out| verify::print(&report, out))?;
            let floors_hold = report.fails_with_floor.as_ref().is_none_or(Vec::is_empty);
            Ok(ExitCode::from(u8::from(!(report.failed.is_empty() && floors_hold))))
        }
    }
}

/// Prints a report as text, or as indented JSON.
fn print(
    report: &impl Serialize,
    format: Format,
    text: impl FnOnce(&mut io::StdoutLock<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match format {
        Format::Text => text(&mut out),
        Format::Json => {
            serde_json::to_writer_pretty(&mut out, report)?;
            writeln!(out)
        }
    }
}

/// The catalogue that was built in.
const BUILT_IN: BuiltIn = BuiltIn {
    resolved: fedispec_catalogue::API_JSON,
    files: include!(concat!(env!("OUT_DIR"), "/catalogue.rs")),
};

/// Its resolved form.
fn catalogue() -> io::Result<fedispec_model::api::Api> {
    fedispec_model::resolved::from_json(BUILT_IN.resolved).map_err(io::Error::other)
}
