//! What may stand on the command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use fedispec_model::api;

/// Keeps the Fedispec catalogue and generates Rust from it.
#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    version,
    arg_required_else_help = true,
    after_help = "\
A keeper's round:
  cargo xtask show accounts.lookup     what is known of an item, and which line says so
  (edit a file in spec/supplement/)
  cargo xtask check                    every mistake, with its line and the mend
  cargo xtask gen                      write generated/ and what spec/ holds of it
  cargo test                           everything still holds

Exit codes: 0 done; 1 something is stale; 2 the catalogue is invalid, or there is no such item.
Results go to stdout, errors to stderr. NO_COLOR=1 turns colours off."
)]
pub(crate) struct Args {
    /// The catalogue's folder, where it is not spec/
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) spec: Option<PathBuf>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Generate the crate `fedispec` and the resolved JSON from the catalogue
    #[command(after_help = "\
Checks the whole catalogue first: if anything is wrong, all problems are printed and nothing is written.
Writes generated/, and api.json and schema/ in the catalogue's folder; files that are no longer made disappear.
The new files change places with the old ones in one step; where all are up to date, nothing is touched.

Examples:
  cargo xtask gen                            after every change in spec/ or codegen/
  cargo xtask gen --check                    in CI: exit 1 and the names of stale files
  cargo xtask gen --spec my-spec --out /tmp/generated")]
    Gen {
        /// Write nothing; exit 1 and name the files that are stale
        #[arg(long)]
        check: bool,
        /// Where the crate goes, where that is not generated/
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Check the catalogue alone
    #[command(after_help = "\
Prints every problem at once: file, line and column, the line underlined, and how to mend it.

Examples:
  cargo xtask check
  cargo xtask check --spec my-spec")]
    Check,
    /// Print the catalogue as flat JSON, one line an item
    #[command(after_help = "\
The form is stable (`fedispec-export/1`), for tools outside this repository.

Examples:
  cargo xtask export | jq -r '.items[] | select(.since.gotosocial == \"never\") | .id'
  cargo xtask export --layer documents       only what the two documents say, in their spelling")]
    Export {
        /// Which layers to print
        #[arg(long, value_enum, default_value_t = Layer::Full)]
        layer: Layer,
    },
    /// Count what is known of the catalogue, and what is not
    #[command(after_help = "\
Evidence classes: A recorded responses or running servers; B a server's own source at a tag; C documentation,
changelogs and the two documents; D inference.

Examples:
  cargo xtask coverage
  cargo xtask coverage --missing | grep type     items whose type nobody knows
  cargo xtask coverage --format json | jq .kinds.operation.known")]
    Coverage {
        /// How to print it
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
        /// Also list every item that lacks something
        #[arg(long)]
        missing: bool,
        /// Which layers to count
        #[arg(long, value_enum, default_value_t = Layer::Full)]
        layer: Layer,
    },
    /// Show one item as merged from the layers, each fact with the line that states it and its evidence
    #[command(after_help = "\
An item goes by its id, by its key in the documents, by its path or URL, or by its name alone where no other has it.
A group lists its operations.

Examples:
  cargo xtask show accounts.lookup           an operation
  cargo xtask show U24                       the same, by its number in the documents
  cargo xtask show GET /api/v1/accounts/lookup
  cargo xtask show accounts.lookup.acct      a parameter
  cargo xtask show Account.noindex           a field
  cargo xtask show NotificationType          an enumeration
  cargo xtask show accounts                  the operations of a group")]
    Show {
        /// The item
        #[arg(required = true, value_name = "ITEM")]
        item: Vec<String>,
    },
    /// Tell what a server's version string means
    ///
    /// Builds and starts the program `fedispec` of xtask/live, which links the generated crate.
    #[command(disable_help_flag = true)]
    Identify {
        /// What `fedispec identify` takes; `--help` lists it
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        rest: Vec<OsString>,
    },
    /// Hold recorded responses of servers against the catalogue and the generated types
    ///
    /// Builds and starts the program `fedispec` of xtask/live, which links the generated crate.
    #[command(disable_help_flag = true)]
    Verify {
        /// What `fedispec verify` takes; `--help` lists it
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        rest: Vec<OsString>,
    },
    /// Tell what changed in the catalogue, for whom, why, and what follows for the crate's version
    #[command(after_help = "\
Compares two states of the catalogue, two versions of one program, or two programs. Changes are known by a
fingerprint; diff-accept.toml in the catalogue's folder holds those that were looked at and accepted.

Examples:
  cargo xtask diff                                    HEAD and the files on disk
  cargo xtask diff origin/main --fail-on unbumped     in CI
  cargo xtask diff v0.1.0..v0.2.0 --format upgrade    a guide for those who upgrade
  cargo xtask diff --files ../other/spec spec         two folders, without git
  cargo xtask diff --program mastodon 4.2.0..4.3.0    release notes
  cargo xtask diff mastodon@4.3.0 gotosocial@0.19.2   what only one has, and who was first
  cargo xtask diff --only 'since-*,accounts.*'        some rules and items
  cargo xtask diff --used-by ../my-client             what of it hits my program
  cargo xtask diff --accept 5c0e91ab22d7 --reason 'docs and code agree since 4.3.0'
  cargo xtask diff --explain since-moved-earlier      what a rule means; alone it lists all
  cargo xtask diff --format github --output - --output report.html --output report.json

Exit codes: 0 done; 1 a threshold of --fail-on is hit; 2 usage, or a side is invalid; 3 a side cannot be reached.")]
    Diff(Box<crate::diff::DiffArgs>),
    /// Measure the tools themselves
    #[command(arg_required_else_help = true)]
    Bench {
        #[command(subcommand)]
        what: Bench,
    },
}

#[derive(Subcommand)]
pub(crate) enum Bench {
    /// Time the generation step by step, on the catalogue and on one 10 times its size
    #[command(after_help = "\
Prints the median CPU time of each step, the peak memory, and the growth from size 1 to size 10. Measures an optimised
build: from a debug build it starts `cargo run --release` by itself.

Examples:
  cargo xtask bench gen
  cargo xtask bench gen --runs 21")]
    Gen {
        /// How often to run each step
        #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=1000))]
        runs: u32,
        /// Measure only a catalogue of this many times the size, and print JSON
        #[arg(long, hide = true)]
        times: Option<u32>,
    },
    /// Compile the crates and others that do the same, and compare what that takes
    #[command(after_help = "\
Measures CPU seconds and peak memory of each crate alone, and the CPU seconds of a check with nothing compiled before.
It compiles megalodon and progenitor too, which it lets cargo fetch: count on a quarter of an hour and 2 GB.

Examples:
  cargo xtask bench compile
  cargo xtask bench compile --runs 1 client-core sample-client")]
    Compile {
        /// How often to compile each crate
        #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
        runs: u32,
        /// Leave the release builds out, which take most of the time
        #[arg(long)]
        check_only: bool,
        /// Only these: client-core, client, server, both, calls, sample-client, megalodon-user, progenitor-output
        only: Vec<String>,
    },
    /// Time a comparison of two loaded catalogues, and of ones 10 times the size
    #[command(after_help = "\
Prints the median CPU time of comparing two equal catalogues, and two that differ in one item of 20, and the growth from
size 1 to size 10. Measures an optimised build, as `bench gen` does.

Examples:
  cargo xtask bench diff
  cargo xtask bench diff --runs 21")]
    Diff {
        /// How often to compare
        #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=1000))]
        runs: u32,
    },
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Layer {
    /// Only the transcription of the two documents
    Documents,
    /// All layers merged
    Full,
}

impl From<Layer> for api::Layer {
    fn from(layer: Layer) -> Self {
        match layer {
            Layer::Documents => Self::Documents,
            Layer::Full => Self::Full,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Format {
    /// Tables for a person
    Text,
    /// For a program
    Json,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound() {
        super::Args::command().debug_assert();
    }
}
