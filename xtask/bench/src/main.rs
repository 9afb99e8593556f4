//! Measurements: the cost of the generator and of a comparison, and what it costs to compile what is generated. A crate of its own,
//! since what measures is not needed to keep the catalogue.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};
use fedispec_commands::failure::Failure;
use fedispec_commands::output;
use fedispec_commands::place::Place;
use fedispec_model::api::{Api, Layer};

mod compile;
mod diff;
mod generation;
mod meter;

/// Benchmark the tools
#[derive(Parser)]
#[command(
    name = "cargo xtask bench",
    bin_name = "cargo xtask bench",
    version,
    arg_required_else_help = true
)]
struct Args {
    /// The catalogue's folder [default: spec]
    #[arg(long, value_name = "DIR", global = true)]
    spec: Option<PathBuf>,
    /// The number of runs [default: 9, and 3 of compilations]
    #[arg(long, global = true, value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: Option<u32>,
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Time each step of the generation
    #[command(after_help = "\
Prints the median CPU time of each step, and the peak memory.

Examples:
  cargo xtask bench gen
  cargo xtask bench gen --runs 21")]
    Gen,
    /// Compare the compile times of the crates with those of similar crates
    #[command(after_help = "\
Measures CPU seconds and peak memory of each crate alone, and the CPU seconds of a check from scratch.
It lets cargo fetch and compile megalodon and progenitor too: expect a quarter of an hour and 2 GB.

Examples:
  cargo xtask bench compile
  cargo xtask bench compile --runs 1 client-core sample-client")]
    Compile {
        /// Skip the release builds, which take most of the time
        #[arg(long)]
        check_only: bool,
        /// Only compile the subjects that are not of others, and fail where one does not
        #[arg(long, conflicts_with_all = ["runs", "check_only"])]
        try_out: bool,
        /// The subjects to measure: client-core, client, server, both, calls, sample-client, megalodon-user, progenitor-output
        only: Vec<String>,
    },
    /// Time the comparison of two loaded catalogues
    #[command(after_help = "\
Prints the median CPU time of comparing two equal catalogues, and two that differ in one item of 20.

Examples:
  cargo xtask bench diff
  cargo xtask bench diff --runs 21")]
    Diff,
}

/// Loads, checks and resolves the catalogue: the part that types are made from.
fn open(place: &Place) -> Result<Api, Failure> {
    Ok(place.open(Layer::Full)?.1.typed())
}

fn main() -> ExitCode {
    if let Some(code) = compile::instead_of_rustc() {
        return code;
    }
    match run(Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::failure(failure),
    }
}

fn run(args: Args) -> Result<(), Failure> {
    let place = Place::find(args.spec.as_deref())?;
    let runs = |usual| args.runs.unwrap_or(usual);
    match args.what {
        What::Gen => output::stdout(&generation::measured(&place, runs(9))?),
        What::Diff => output::stdout(&diff::measured(&place, runs(9))?),
        What::Compile { try_out: true, only, .. } => compile::try_out(&place, &only),
        What::Compile { check_only, only, .. } => {
            let options = compile::Options { runs: runs(3), release: !check_only };
            compile::run(&place, options, &only)
        }
    }
}

/// The median in milliseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    let time = times.get(times.len() / 2).copied().unwrap_or_default();
    time.as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use super::{Duration, median};

    #[test]
    fn the_median_is_in_the_middle() {
        let times = [9, 1, 5].map(Duration::from_secs);
        assert!((median(times.to_vec()) - 5000.0).abs() < 0.001);
    }
}
