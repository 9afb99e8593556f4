//! The maintainer's commands.

use std::ffi::OsString;
use std::process::ExitCode;

mod args;
mod check;
mod fmt;
mod forward;
mod generate;
mod new;
mod release;

use args::{Args, Command, Forwarded};
use fedispec_commands::failure::Failure;
use fedispec_commands::output;
use fedispec_commands::place::{Place, Source};

fn main() -> ExitCode {
    match run(&fedispec_commands::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::failure(failure),
    }
}

fn run(args: &Args) -> Result<(), Failure> {
    let place = || Place::find(args.spec.as_deref());
    match &args.command {
        Command::Gen { check, out } => generate::generate(&place()?, out.as_deref(), *check),
        Command::Check { watch } => check::run(&place()?, *watch),
        Command::New(args) => new::run(&place()?, args),
        Command::Fmt { check } => fmt::run(&place()?, *check),
        Command::Reading(command) => command.run::<Args>(|| place().map(Source::Folder)),
        Command::Release(args) => release::run(&place()?, args),
        Command::Identify(Forwarded { rest }) => live("identify", rest),
        Command::Has(Forwarded { rest }) => live("has", rest),
        Command::Probe(Forwarded { rest }) => live("probe", rest),
        Command::Record(Forwarded { rest }) => live("record", rest),
        Command::Verify(Forwarded { rest }) => live("verify", rest),
        Command::Serve(Forwarded { rest }) => live("serve", rest),
        Command::Propose(Forwarded { rest }) => {
            let spec = ["--spec".into(), place()?.spec.into_os_string()];
            forward::run("fedispec-propose", &[], &[&spec[..], rest].concat())
        }
        Command::Bench(Forwarded { rest }) => {
            let spec = args.spec.iter();
            let spec = spec.flat_map(|spec| ["--spec".into(), spec.clone().into_os_string()]);
            forward::run(
                "fedispec-bench",
                &["--release"],
                &[&spec.collect::<Vec<_>>(), &rest[..]].concat(),
            )
        }
    }
}

/// Runs a command of the program that links the generated crate.
fn live(command: &str, rest: &[OsString]) -> Result<(), Failure> {
    forward::run("fedispec-cli", &[], &[&[command.into()], rest].concat())
}
