//! The maintainer's commands.

use std::process::ExitCode;

use clap::Parser;

mod args;
mod bench;
mod diff;
mod failure;
mod fmt;
mod generate;
mod live;
mod output;
mod place;
mod release;
mod reports;

use args::{Args, Command};
use failure::Failure;
use place::Place;

fn main() -> ExitCode {
    if let Some(code) = bench::compile::instead_of_rustc() {
        return code;
    }
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
        Command::Coverage {
            format,
            missing,
            layer,
        } => reports::coverage(&place()?, (*layer).into(), *format, *missing),
        Command::Release(args) => release::run(&place()?, args),
        Command::Show { item } => reports::show(&place()?, &item.join(" ")),
        Command::Openapi(arguments) => reports::openapi(&place()?, arguments),
        Command::Diff(args) => diff::run(place, args),
        Command::Identify { rest } => live::run("identify", rest),
        Command::Verify { rest } => live::run("verify", rest),
        Command::Propose { rest } => live::propose(&place()?, rest),
        Command::Bench { what } => bench::run(&place()?, what),
    }
}
