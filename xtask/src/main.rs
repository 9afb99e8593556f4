//! The maintainer's commands.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

mod args;
mod data;
mod diff;
mod failure;
mod fmt;
mod folder;
mod forward;
mod generate;
mod output;
mod place;
mod release;
mod reports;
mod site;

use args::{Args, Command, Forwarded};
use failure::Failure;
use place::Place;

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::failure(failure),
    }
}

fn run(args: &Args) -> Result<(), Failure> {
    let place = || Place::find(args.spec.as_deref());
    match &args.command {
        Command::Gen { check, out } => generate::generate(&place()?, out.as_deref(), *check),
        Command::Check => reports::check(&place()?),
        Command::Fmt { check } => fmt::run(&place()?, *check),
        Command::Export { layer } => reports::export(&place()?, (*layer).into()),
        Command::Coverage { format, missing, layer } => {
            reports::coverage(&place()?, (*layer).into(), *format, *missing)
        }
        Command::Release(args) => release::run(&place()?, args),
        Command::Show { item } => reports::show(&place()?, &item.join(" ")),
        Command::Openapi(arguments) => reports::openapi(&place()?, arguments),
        Command::Site(args) => site::run(&place()?, args),
        Command::Data(args) => data::run(&place()?, args),
        Command::Diff(args) => diff::run(place, args),
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
