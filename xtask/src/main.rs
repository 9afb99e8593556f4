//! The maintainer's commands.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

mod args;
mod diff;
mod failure;
mod fmt;
mod forward;
mod generate;
mod output;
mod place;
mod release;
mod reports;
mod site;

use args::{Args, Command};
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
        Command::Diff(args) => diff::run(place, args),
        Command::Identify { rest } => live("identify", rest),
        Command::Probe { rest } => live("probe", rest),
        Command::Record { rest } => live("record", rest),
        Command::Verify { rest } => live("verify", rest),
        Command::Serve { rest } => live("serve", rest),
        Command::Propose { rest } => {
            let spec = ["--spec".into(), place()?.spec.into_os_string()];
            let rest: Vec<OsString> = spec.into_iter().chain(rest.iter().cloned()).collect();
            forward::run("fedispec-propose", &[], &rest)
        }
        Command::Bench { rest } => {
            let spec = args.spec.iter();
            let spec = spec.flat_map(|spec| ["--spec".into(), spec.clone().into_os_string()]);
            let rest: Vec<OsString> = spec.chain(rest.iter().cloned()).collect();
            forward::run("fedispec-bench", &["--release"], &rest)
        }
    }
}

/// Runs a command of the program that links the generated crate.
fn live(command: &str, rest: &[OsString]) -> Result<(), Failure> {
    let args = std::iter::once(command.into()).chain(rest.iter().cloned());
    forward::run("fedispec-cli", &[], &args.collect::<Vec<_>>())
}
