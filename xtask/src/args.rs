//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Parser, Subcommand};
use fedispec_commands::Reading;

/// Maintain the Fedispec catalogue and generate Rust from it
#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    version,
    arg_required_else_help = true,
    after_help = "\
A maintainer's round:
  cargo xtask show accounts.lookup     the facts of an item, and the lines that state them
  (edit a file in spec/supplement/)
  cargo xtask check                    all mistakes, with their lines and how to fix them
  cargo xtask gen                      write generated/ and the generated files of spec/
  cargo test                           run the tests

Exit codes: 0 done; 1 generated files are stale; 2 the catalogue is invalid, or there is no such item.
Results go to stdout, errors to stderr. NO_COLOR=1 turns colours off."
)]
pub(crate) struct Args {
    /// The catalogue's folder [default: spec]
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
Writes generated/, and api.json and schema/ in the catalogue's folder, and removes files that are no longer
generated. The folder is replaced in one step; if everything is up to date, no file is touched.

Examples:
  cargo xtask gen                            after every change in spec/ or codegen/
  cargo xtask gen --check                    in CI: exit with 1 and list the stale files
  cargo xtask gen --spec my-spec --out /tmp/generated")]
    Gen {
        /// Write nothing; list stale files and exit with 1 if there are any
        #[arg(long)]
        check: bool,
        /// The folder to write the crate to [default: generated]
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Check the catalogue without generating anything
    #[command(after_help = "\
Prints all problems at once: file, line and column, the underlined text, and how to fix it.

Examples:
  cargo xtask check
  cargo xtask check --watch                  again after each change, until Ctrl-C
  cargo xtask check --spec my-spec")]
    Check {
        /// Check again whenever a file changes, until the process is ended
        #[arg(long)]
        watch: bool,
    },
    /// Write the skeleton of a new item into the file that it belongs to
    #[command(after_help = "\
Every fact that has to be stated is there, and empty: `check` then lists what is left to fill in.

Examples:
  cargo xtask new operation lists.rename --method PUT --path /api/v1/lists/:id --params title,replies_policy
  cargo xtask new operation things.list      into supplement/things.yaml, which is made")]
    New(crate::new::NewArgs),
    /// Lay out the YAML of the catalogue in one way, with its comments
    #[command(after_help = "\
What fits on a line stands on one, in braces or brackets; items stand on lines of their own. What a file says never changes.

Examples:
  cargo xtask fmt                            after every change in spec/
  cargo xtask fmt --check                    in CI: exit with 1 and list the files that would change")]
    Fmt {
        /// Write nothing: list the files that would change
        #[arg(long)]
        check: bool,
    },
    #[command(flatten)]
    Reading(Reading),
    /// Register a release of a program, and say what is to be looked at in it
    #[command(after_help = "\
Writes the release into implementations.yaml, in its place, and nothing else: no type changes, and nothing is claimed of a
release that nobody has looked at. What the program never had is unknown there until `looked_at` says otherwise.

Examples:
  cargo xtask release mastodon 4.6.6 2026-08-20 --api 11
  cargo xtask release gotosocial 0.20.0 2026-09-01")]
    Release(crate::release::ReleaseArgs),
    /// Identify the program and versions in a server's version string
    ///
    /// Builds and starts the program `fedispec` of xtask/live, which links the generated crate.
    #[command(disable_help_flag = true)]
    Identify(Forwarded),
    /// Tell whether a server, or a release, has an item or a feature, and how that is known
    ///
    /// Builds and starts the program `fedispec` of xtask/live, which links the generated crate.
    #[command(disable_help_flag = true)]
    Has(Forwarded),
    /// Run a server that stands in for a release, for the tests of a client
    ///
    /// Builds and starts the program `fedispec` of xtask/live, which links the generated crate.
    #[command(disable_help_flag = true)]
    Serve(Forwarded),
    /// Walk a running server, and report what it has against what its release should have
    ///
    /// Builds and starts the program `fedispec` of xtask/live, which links the generated crate.
    #[command(disable_help_flag = true)]
    Probe(Forwarded),
    /// Record what a running server answers, for `verify`
    ///
    /// Builds and starts the program `fedispec` of xtask/live, which links the generated crate.
    #[command(disable_help_flag = true)]
    Record(Forwarded),
    /// Check recorded responses of servers against the catalogue and the generated types
    ///
    /// Builds and starts the program `fedispec` of xtask/live, which links the generated crate.
    #[command(disable_help_flag = true)]
    Verify(Forwarded),
    /// Propose what a release of a program brings, read from the program's own source
    ///
    /// Builds and starts the program of xtask/propose, which compiles parsers and git from C.
    #[command(disable_help_flag = true)]
    Propose(Forwarded),
    /// Benchmark the tools
    ///
    /// Builds xtask/bench with optimisations and starts it.
    #[command(disable_help_flag = true)]
    Bench(Forwarded),
}

/// The arguments of a program that a command starts.
#[derive(clap::Args)]
pub(crate) struct Forwarded {
    /// The arguments of the program; `--help` lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) rest: Vec<OsString>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound() {
        super::Args::command().debug_assert();
    }
}
