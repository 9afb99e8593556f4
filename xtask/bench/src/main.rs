//! Measurements: the cost of the generator and of a comparison and how it grows with the catalogue, and what it costs to compile
//! what is generated. A crate of its own, since what measures is not needed to keep the catalogue.

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
mod enlarge;
mod generation;
mod meter;

/// The size of the large catalogue, as a multiple of the catalogue's.
const LARGE: u32 = 10;

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
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Time each step of the generation, for the catalogue and for one 10 times its size
    #[command(after_help = "\
Prints the median CPU time of each step, the peak memory, and the growth from size 1 to size 10.

Examples:
  cargo xtask bench gen
  cargo xtask bench gen --runs 21")]
    Gen {
        /// The number of runs of each step
        #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=1000))]
        runs: u32,
        /// Measure only a catalogue of this many times the size, and print JSON
        #[arg(long, hide = true)]
        times: Option<u32>,
    },
    /// Compare the compile times of the crates with those of similar crates
    #[command(after_help = "\
Measures CPU seconds and peak memory of each crate alone, and the CPU seconds of a check from scratch.
It lets cargo fetch and compile megalodon and progenitor too: expect a quarter of an hour and 2 GB.

Examples:
  cargo xtask bench compile
  cargo xtask bench compile --runs 1 client-core sample-client")]
    Compile {
        /// The number of compilations of each crate
        #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
        runs: u32,
        /// Skip the release builds, which take most of the time
        #[arg(long)]
        check_only: bool,
        /// Only compile the subjects that are not of others, and fail where one does not
        #[arg(long, conflicts_with_all = ["runs", "check_only"])]
        try_out: bool,
        /// The subjects to measure: client-core, client, server, both, calls, sample-client, megalodon-user, progenitor-output
        only: Vec<String>,
    },
    /// Time the comparison of two loaded catalogues, also at 10 times their size
    #[command(after_help = "\
Prints the median CPU time of comparing two equal catalogues, and two that differ in one item of 20, and the growth from
size 1 to size 10.

Examples:
  cargo xtask bench diff
  cargo xtask bench diff --runs 21")]
    Diff {
        /// The number of comparisons
        #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=1000))]
        runs: u32,
        /// Compare a catalogue of only this many times the size
        #[arg(long, hide = true)]
        times: Option<u32>,
    },
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
    match args.what {
        What::Gen { runs, times: Some(times) } => {
            output::stdout(&format!("{}\n", generation::measure(&place, runs, times)?))
        }
        What::Gen { runs, .. } => generation::compare(&place, runs),
        What::Diff { runs, times } => diff::run(&place, runs, times),
        What::Compile { try_out: true, only, .. } => compile::try_out(&place, &only),
        What::Compile { runs, check_only, only, .. } => {
            let release = !check_only;
            compile::run(&place, compile::Options { runs, release }, &only)
        }
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
