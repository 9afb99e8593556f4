//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use fedispec_model::api;

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
  cargo xtask check --spec my-spec")]
    Check,
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
    /// Print the catalogue as flat JSON, one line per item
    #[command(after_help = "\
The format is stable (`fedispec-export/1`), for tools outside this repository.

Examples:
  cargo xtask export | jq -r '.items[] | select(.since.gotosocial == \"never\") | .id'
  cargo xtask export --layer documents       only what the two documents say, in their spelling")]
    Export {
        /// The layers to print
        #[arg(long, value_enum, default_value_t = Layer::Full)]
        layer: Layer,
    },
    /// Count the known and unknown facts of the catalogue
    #[command(after_help = "\
Evidence classes: A recorded responses or running servers; B a server's own source at a tag; C documentation,
changelogs and the two documents; D inference.

Examples:
  cargo xtask coverage
  cargo xtask coverage --missing | grep type     items of unknown type
  cargo xtask coverage --format json | jq .kinds.operation.known")]
    Coverage {
        /// The output format
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
        /// Also list every item with unknown facts
        #[arg(long)]
        missing: bool,
        /// The layers to count
        #[arg(long, value_enum, default_value_t = Layer::Full)]
        layer: Layer,
    },
    /// Register a release of a program, and say what is to be looked at in it
    #[command(after_help = "\
Writes the release into implementations.yaml, in its place, and nothing else: no type changes, and nothing is claimed of a
release that nobody has looked at. What the program never had is unknown there until `looked_at` says otherwise.

Examples:
  cargo xtask release mastodon 4.6.6 2026-08-20 --api 11
  cargo xtask release gotosocial 0.20.0 2026-09-01")]
    Release(crate::release::ReleaseArgs),
    /// Show one item as merged from the layers, with the line and the evidence of each fact
    #[command(after_help = "\
An item is named by its id, by its key in the documents, by its path or URL, or by its name alone if that is unique.
A group lists its operations. A feature is named by its id, its name or a synonym.

Examples:
  cargo xtask show accounts.lookup           an operation
  cargo xtask show U24                       the same, by its number in the documents
  cargo xtask show GET /api/v1/accounts/lookup
  cargo xtask show accounts.lookup.acct      a parameter
  cargo xtask show Account.noindex           a field
  cargo xtask show NotificationType          an enumeration
  cargo xtask show accounts                  the operations of a group
  cargo xtask show edit history              a feature: its items, and since when each program has it")]
    Show {
        /// The item
        #[arg(required = true, value_name = "ITEM")]
        item: Vec<String>,
    },
    /// Print the catalogue as OpenAPI: the API of one release, or of all with `x-since` on each item
    #[command(after_help = "\
What OpenAPI cannot say stands under keys that begin with `x-`. A file in a body can only be sent as multipart/form-data, so
that `--bodies one` leaves it out and names it under `x-left-out`.

Examples:
  cargo xtask openapi > api.json
  cargo xtask openapi --as mastodon@4.3.0 --format yaml
  cargo xtask openapi --as gotosocial@0.19.2 --groups accounts,statuses --enums closed
  cargo xtask openapi --openapi 3.0 --bodies one     for generators that take one body an operation")]
    Openapi(fedispec_openapi::Arguments),
    /// Write the catalogue as a static site
    #[command(after_help = "\
The pages need no server and ask for nothing elsewhere: they can be opened from the folder, or published below any path. The folder is
replaced in one step; one that holds anything else is left alone.

Examples:
  cargo xtask site --out target/site
  cargo xtask site --out public --base https://fedispec.example/")]
    Site(crate::site::SiteArgs),
    /// Write the catalogue as data for other languages, with test vectors
    #[command(after_help = "\
Each folder has the rules that its data follows, and vectors.json: questions with the verdicts that every implementation must give.

Examples:
  cargo xtask data --format npm --out /tmp/npm          ES modules with types: has, supports, identify
  cargo xtask data --format python --out /tmp/python    the same, typed, for Python 3.9 and newer
  cargo xtask data --format csv --out /tmp/csv          tables of what each release has; --format json as one object")]
    Data(crate::data::DataArgs),
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
    /// Report what changed in the catalogue, whom it affects, why, and which version bump follows
    #[command(after_help = "\
Compares two states of the catalogue, two versions of one program, or two programs. Each change has a
fingerprint; diff-accept.toml in the catalogue's folder lists the changes that were reviewed and accepted.

Examples:
  cargo xtask diff                                    HEAD and the files on disk
  cargo xtask diff origin/main --fail-on unbumped     in CI
  cargo xtask diff v0.1.0..v0.2.0 --format upgrade    an upgrade guide
  cargo xtask diff --files ../other/spec spec         two folders, without git
  cargo xtask diff --program mastodon 4.2.0..4.3.0    release notes
  cargo xtask diff mastodon@4.3.0 gotosocial@0.19.2   what only one has, and which had it first
  cargo xtask diff --only 'since-*,accounts.*'        some rules and items
  cargo xtask diff --used-by ../my-client             changes that affect my program
  cargo xtask diff --accept 5c0e91ab22d7 --reason 'docs and code agree since 4.3.0'
  cargo xtask diff --explain since-moved-earlier      what a rule means; without a rule, lists all
  cargo xtask diff --format github --output - --output report.html --output report.json

Exit codes: 0 done; 1 a threshold of --fail-on is reached; 2 wrong usage, or a side is invalid; 3 a side is unreachable.")]
    Diff(Box<crate::diff::DiffArgs>),
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
    /// Tables for people
    Text,
    /// JSON for programs
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
