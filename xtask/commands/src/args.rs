//! The command line of the commands that only read the catalogue.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use fedispec_model::api;

use crate::failure::Failure;
use crate::place::Source;
use crate::reports::Format;
use crate::{data, diff, manuals, reports, site};

/// A command that only reads the catalogue, or the definition of the program itself.
#[derive(Subcommand)]
pub enum Reading {
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
    Openapi(fedispec_openapi::Options),
    /// Write the catalogue as a static site
    #[command(after_help = "\
The pages need no server and ask for nothing elsewhere: they can be opened from the folder, or published below any path. The folder is
replaced in one step; one that holds anything else is left alone.

Examples:
  cargo xtask site --out target/site
  cargo xtask site --out public --base https://fedispec.example/")]
    Site(site::SiteArgs),
    /// Write the catalogue as data for other languages, with test vectors
    #[command(after_help = "\
Each folder has the rules that its data follows, and vectors.json: questions with the verdicts that every implementation must give.

Examples:
  cargo xtask data --format npm --out /tmp/npm          ES modules with types: has, supports, identify
  cargo xtask data --format python --out /tmp/python    the same, typed, for Python 3.9 and newer
  cargo xtask data --format csv --out /tmp/csv          tables of what each release has; --format json as one object")]
    Data(data::DataArgs),
    /// Report what changed in the catalogue, whom it affects, why, and which version bump follows
    #[command(after_help = "\
Compares two states of the catalogue, two versions of one program, or two programs. Each change has a
fingerprint; diff-accept.toml in the catalogue's folder lists the changes that were reviewed and accepted.

Examples:
  cargo xtask diff                                    HEAD and the files on disk
  cargo xtask diff origin/main --fail-on unbumped     in CI
  cargo xtask diff v0.1.0..v0.2.0 --format upgrade    an upgrade guide
  cargo xtask diff --files ../other/spec spec         two folders, without git
  cargo xtask diff --files old.json new.json          a server's OpenAPI document, as two releases of that server
  cargo xtask diff --program mastodon 4.2.0..4.3.0    release notes
  cargo xtask diff mastodon@4.3.0 gotosocial@0.19.2   what only one has, and which had it first
  cargo xtask diff --only 'since-*,accounts.*'        some rules and items
  cargo xtask diff --used-by ../my-client             changes that affect my program
  cargo xtask diff --accept 5c0e91ab22d7 --reason 'docs and code agree since 4.3.0'
  cargo xtask diff --explain since-moved-earlier      what a rule means; without a rule, lists all
  cargo xtask diff --format github --output - --output report.html --output report.json

Exit codes: 0 done; 1 a threshold of --fail-on is reached; 2 wrong usage, or a side is invalid; 3 a side is unreachable.")]
    Diff(Box<diff::DiffArgs>),
    /// Print the completions of a shell
    #[command(after_help = "\
`cargo xtask` is two words, and a shell completes one: its completions are those of a function `xtask() { cargo xtask \"$@\"; }`.

Examples:
  cargo xtask completions bash > ~/.local/share/bash-completion/completions/NAME
  cargo xtask completions fish > ~/.config/fish/completions/NAME.fish
  cargo xtask completions zsh > ~/.zfunc/_NAME")]
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Write man pages: of the program, and of each command
    #[command(after_help = "Example: cargo xtask man ~/.local/share/man/man1")]
    Man {
        /// The folder to write them to
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

impl Reading {
    /// Runs the command on a catalogue that is looked up only where the command needs one. `P` is the whole program.
    pub fn run<P: Parser>(
        &self,
        source: impl Fn() -> Result<Source, Failure>,
    ) -> Result<(), Failure> {
        match self {
            Self::Export { layer } => reports::export(&source()?, (*layer).into()),
            Self::Coverage { format, missing, layer } => {
                reports::coverage(&source()?, (*layer).into(), *format, *missing)
            }
            Self::Show { item } => reports::show(&source()?, &item.join(" ")),
            Self::Openapi(options) => reports::openapi(&source()?, options),
            Self::Site(args) => site::run(&source()?, args),
            Self::Data(args) => data::run(&source()?, args),
            Self::Diff(args) => diff::run(source, args),
            Self::Completions { shell } => manuals::completions(manuals::command::<P>(), *shell),
            Self::Man { folder } => manuals::man(manuals::command::<P>(), folder),
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Layer {
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
