//! What may stand behind `diff`.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use fedispec_diff::Comparison;
use fedispec_diff::rules::Severity;
use fedispec_model::api::Api;

use crate::failure::Failure;

#[derive(clap::Args)]
pub(crate) struct DiffArgs {
    /// Revisions `A` or `A..B`, or two programs `mastodon@4.3.0 gotosocial@0.19.2`; nothing is HEAD and the files on disk
    #[arg(value_name = "STATE", num_args = 0..=2)]
    pub(crate) states: Vec<String>,
    /// Two folders of catalogues, or two api.json that `gen` wrote
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], conflicts_with_all = ["states", "program"])]
    pub(crate) files: Vec<PathBuf>,
    /// Two versions of one program: `--program mastodon 4.2.0..4.3.0`
    #[arg(long, num_args = 2, value_names = ["PROGRAM", "V1..V2"], conflicts_with = "states")]
    pub(crate) program: Vec<String>,
    /// How to print it; the first goes into the first --output and so on, what is left over to the standard output
    #[arg(long = "format", value_enum, value_name = "FORMAT")]
    pub(crate) formats: Vec<Format>,
    /// Where to write it: `-` is the standard output; without a --format its ending tells what
    #[arg(long = "output", value_name = "FILE")]
    pub(crate) outputs: Vec<PathBuf>,
    /// What to show besides
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(crate) show: Vec<Show>,
    /// Show only rules or items like this: `since-*`, `accounts.*`; --fail-on judges all the same
    #[arg(long, value_name = "GLOB", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Show no rules or items like this
    #[arg(long, value_name = "GLOB", value_delimiter = ',')]
    pub(crate) skip: Vec<String>,
    /// Which changes hit what this program uses
    #[arg(long, value_name = "DIR")]
    pub(crate) used_by: Option<PathBuf>,
    /// What a rule means; without one, or with `all`, every rule on a line
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "all")]
    pub(crate) explain: Option<String>,
    /// Accept the change with this fingerprint until the crate's next release
    #[arg(long, value_name = "FP", requires = "reason")]
    pub(crate) accept: Option<String>,
    /// Why it is accepted
    #[arg(long, value_name = "TEXT", requires = "accept")]
    pub(crate) reason: Option<String>,
    /// Exit with 1 on these
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT")]
    pub(crate) fail_on: Vec<FailOn>,
    /// The oldest supported release of a program: `mastodon=4.2.0`; its first registered one unless told
    #[arg(long = "floor", value_name = "PROGRAM=VERSION")]
    pub(crate) floor: Vec<String>,
    /// Do not generate the crate twice to measure the bump
    #[arg(long)]
    pub(crate) no_measure: bool,
    /// Colours
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For a terminal
    Text,
    /// For a pull request
    Markdown,
    /// For a program
    Json,
    /// The schema of the JSON
    JsonSchema,
    /// Annotations of a job, its summary and its outputs
    Github,
    /// One page without anything beside it
    Html,
    /// A guide for those who upgrade
    Upgrade,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Show {
    /// What only people read
    Docs,
    /// Every item whose version nobody knows
    Unknown,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    None,
    Breaking,
    Risky,
    Any,
    /// The crate's version was raised by less than needed
    Unbumped,
    /// Something is said without evidence
    Unproven,
    /// An accepted change is not there any more
    StaleAccepts,
}

impl FailOn {
    pub(crate) fn name(self) -> String {
        name(&self)
    }
}

impl Format {
    pub(crate) fn name(self) -> String {
        name(&self)
    }
}

fn name(value: &impl ValueEnum) -> String {
    value
        .to_possible_value()
        .map(|value| value.get_name().to_owned())
        .unwrap_or_default()
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

/// What is asked.
pub(crate) enum Question {
    /// A revision, and another or the files on disk.
    Revisions(String, Option<String>),
    Files(PathBuf, PathBuf),
    Program(String, String, String),
    /// Programs with their versions.
    Programs((String, String), (String, String)),
}

impl DiffArgs {
    pub(crate) fn question(&self) -> Result<Question, Failure> {
        if let [old, new] = self.files.as_slice() {
            return Ok(Question::Files(old.clone(), new.clone()));
        }
        if let [program, range] = self.program.as_slice() {
            return versions(program, range);
        }
        match self.states.as_slice() {
            [] => Ok(Question::Revisions("HEAD".to_owned(), None)),
            [one] => revisions(one),
            [a, b, ..] => programs(a, b),
        }
    }

    /// Refuses what only means something between two states.
    pub(crate) fn only_about_states(&self) -> Result<(), Failure> {
        let given = [
            ("--fail-on", !self.fail_on.is_empty()),
            ("--accept", self.accept.is_some()),
            ("--used-by", self.used_by.is_some()),
            ("--floor", !self.floor.is_empty()),
            ("--no-measure", self.no_measure),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((option, _)) => Err(Failure::Other(format!(
                "{option} is about two states of the catalogue; versions and programs are only told apart"
            ))),
            None => Ok(()),
        }
    }

    /// The floors that the user names.
    pub(crate) fn floors(&self, apis: &[&Api]) -> Result<BTreeMap<String, String>, Failure> {
        let mut floors = BTreeMap::new();
        for floor in &self.floor {
            let Some((program, version)) = floor.split_once('=') else {
                return Err(Failure::Other(format!(
                    "`{floor}` is no floor; write `mastodon=4.2.0`"
                )));
            };
            for api in apis {
                super::programs::release(api, program, version)?;
            }
            floors.insert(program.to_owned(), version.to_owned());
        }
        Ok(floors)
    }

    pub(crate) fn shows_docs(&self) -> bool {
        self.show.contains(&Show::Docs)
    }

    pub(crate) fn color(&self) -> bool {
        match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                std::io::stdout().is_terminal()
                    && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        }
    }

    /// Text alone changes no public item.
    pub(crate) fn measures(&self, found: &Comparison) -> bool {
        !self.no_measure
            && found
                .changes
                .iter()
                .any(|change| change.severity > Severity::Docs)
    }
}

fn versions(program: &str, range: &str) -> Result<Question, Failure> {
    match range.split_once("..") {
        Some((from, to)) if !from.is_empty() && !to.is_empty() && !to.starts_with('.') => Ok(
            Question::Program(program.to_owned(), plain(from), plain(to)),
        ),
        _ => Err(Failure::Other(format!(
            "`{range}` is no range of versions; write `4.2.0..4.3.0`"
        ))),
    }
}

/// Tags begin with a `v`, versions do not.
fn plain(version: &str) -> String {
    let number = version
        .strip_prefix('v')
        .filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    number.unwrap_or(version).to_owned()
}

fn revisions(one: &str) -> Result<Question, Failure> {
    match one.split_once("..") {
        Some((_, new)) if new.starts_with('.') => Err(Failure::Other(format!(
            "`{one}` has three dots; write `A..B`, with `$(git merge-base A B)` for A if that is what you want"
        ))),
        Some((old, new)) => {
            let or_head = |rev: &str| {
                if rev.is_empty() {
                    "HEAD".to_owned()
                } else {
                    rev.to_owned()
                }
            };
            Ok(Question::Revisions(or_head(old), Some(or_head(new))))
        }
        None if one.is_empty() => Err(Failure::Other(
            "an empty word is no revision; write one, or nothing for HEAD".into(),
        )),
        None if one.contains('@') && !one.starts_with('@') && !one.contains("@{") => {
            Err(Failure::Other(format!(
                "`{one}` is one program; name two: `mastodon@4.3.0 gotosocial@0.19.2`"
            )))
        }
        None => Ok(Question::Revisions(one.to_owned(), None)),
    }
}

fn programs(a: &str, b: &str) -> Result<Question, Failure> {
    match (a.split_once('@'), b.split_once('@')) {
        (Some((a, of_a)), Some((b, of_b))) => Ok(Question::Programs(
            (a.to_owned(), plain(of_a)),
            (b.to_owned(), plain(of_b)),
        )),
        _ if Path::new(a).exists() && Path::new(b).exists() => Err(Failure::Other(format!(
            "two folders are compared by `--files {a} {b}`"
        ))),
        _ => Err(Failure::Other(format!(
            "two states are programs, `mastodon@4.3.0 gotosocial@0.19.2`; revisions are written `{a}..{b}`"
        ))),
    }
}
