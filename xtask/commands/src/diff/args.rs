//! The arguments of `diff`.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use fedispec_diff::Comparison;
use fedispec_diff::rules::Severity;
use fedispec_model::api::Api;
use fedispec_model::registered;
use fedispec_since::StableVersion;

use crate::failure::Failure;
use crate::output;

#[derive(clap::Args)]
pub struct DiffArgs {
    /// Revisions `A` or `A..B`, or two programs `mastodon@4.3.0 gotosocial@0.19.2` [default: HEAD and the files on disk]
    #[arg(value_name = "STATE", num_args = 0..=2)]
    pub(crate) states: Vec<String>,
    /// Two folders of catalogues, two api.json written by `gen`, or two states of a server's OpenAPI document
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], conflicts_with_all = ["states", "program"])]
    pub(crate) files: Vec<PathBuf>,
    /// Two versions of one program: `--program mastodon 4.2.0..4.3.0`
    #[arg(long, num_args = 2, value_names = ["PROGRAM", "V1..V2"], conflicts_with = "states")]
    pub(crate) program: Vec<String>,
    /// Output formats; the first is written to the first --output and so on, the rest to stdout
    #[arg(long = "format", value_enum, value_name = "FORMAT")]
    pub(crate) formats: Vec<Format>,
    /// Output files, `-` for stdout; without a --format the file's extension decides
    #[arg(long = "output", value_name = "FILE")]
    pub(crate) outputs: Vec<PathBuf>,
    /// Further things to show
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(crate) show: Vec<Show>,
    /// Show only these rules or items: `since-*`, `accounts.*`; --fail-on still judges all
    #[arg(long, value_name = "GLOB", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// Do not show these rules or items
    #[arg(long, value_name = "GLOB", value_delimiter = ',')]
    pub(crate) skip: Vec<String>,
    /// A program whose use of the crate is checked against the changes
    #[arg(long, value_name = "DIR")]
    pub(crate) used_by: Option<PathBuf>,
    /// Explain a rule; without one, or with `all`, list all rules
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "all")]
    pub(crate) explain: Option<String>,
    /// Accept changes until the crate's next release: fingerprints, or a rule and a glob of items: `since-*:Account.*`
    #[arg(long, value_name = "FP|RULE:GLOB", requires = "reason", num_args = 1.., value_delimiter = ',')]
    pub(crate) accept: Vec<String>,
    /// Why the change is accepted
    #[arg(long, value_name = "TEXT", requires = "accept")]
    pub(crate) reason: Option<String>,
    /// Exit with 1 if there are such changes
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT")]
    pub(crate) fail_on: Vec<FailOn>,
    /// The oldest supported release of a program: `mastodon=4.2.0` [default: its first registered release]
    #[arg(long = "floor", value_name = "PROGRAM=VERSION")]
    pub(crate) floor: Vec<String>,
    /// Do not generate the crate from both states to measure the bump
    #[arg(long)]
    pub(crate) no_measure: bool,
    /// When to use colours
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For a terminal
    Text,
    /// For a pull request
    Markdown,
    /// JSON for programs
    Json,
    /// The schema of the JSON
    JsonSchema,
    /// A line a change: `FILE:LINE RULE SEVERITY ID: what`
    Lines,
    /// Annotations, summary and outputs of a GitHub job
    Github,
    /// A self-contained web page
    Html,
    /// An upgrade guide
    Upgrade,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Show {
    /// Changes of documentation only
    Docs,
    /// Every item with an unknown version
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
    /// A fact about the past without sufficient evidence
    Unproven,
    /// An accepted change that no longer exists
    StaleAccepts,
}

/// The name of a value on the command line.
pub(super) fn name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

/// The two sides to compare.
pub(crate) enum Question {
    /// A revision, and another one or the files on disk.
    Revisions(String, Option<String>),
    Files(PathBuf, PathBuf),
    Program(String, String, String),
    /// Two programs, each with its version.
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
        let states: Vec<&str> = self.states().collect();
        match states.as_slice() {
            [] => Ok(Question::Revisions("HEAD".to_owned(), None)),
            [one] => revisions(one),
            [a, b, ..] => programs(a, b),
        }
    }

    /// The states that are named. A revision behind `--accept FP` is one, and no fingerprint.
    fn states(&self) -> impl Iterator<Item = &str> {
        let behind = self.accept.iter().skip(1).filter(|one| !is_acceptable(one));
        self.states.iter().chain(behind).map(String::as_str)
    }

    /// The changes to accept.
    pub(crate) fn accepted(&self) -> Vec<String> {
        let first = self.accept.iter().take(1);
        let others = self.accept.iter().skip(1).filter(|one| is_acceptable(one));
        first.chain(others).cloned().collect()
    }

    /// Refuses options that apply only to two states of the catalogue, but for those of these names.
    pub(crate) fn only_about_states(&self, but: &[&str]) -> Result<(), Failure> {
        let given = [
            ("--fail-on", !self.fail_on.is_empty()),
            ("--accept", !self.accept.is_empty()),
            ("--used-by", self.used_by.is_some()),
            ("--floor", !self.floor.is_empty()),
            ("--no-measure", self.no_measure),
        ];
        match given.iter().find(|(option, given)| *given && !but.contains(option)) {
            Some((option, _)) => Err(Failure::Other(format!(
                "{option} applies to two states of the catalogue, not to versions or programs"
            ))),
            None => Ok(()),
        }
    }

    /// The floors given on the command line.
    pub(crate) fn floors(&self, apis: &[&Api]) -> Result<BTreeMap<String, StableVersion>, Failure> {
        let mut floors = BTreeMap::new();
        for floor in &self.floor {
            let Some((program, version)) = floor.split_once('=') else {
                return Err(Failure::Other(format!(
                    "`{floor}` is not a floor; write `PROGRAM=VERSION`"
                )));
            };
            for api in apis {
                floors.insert(program.to_owned(), release(api, program, version)?);
            }
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

    /// Whether to measure the bump; changes of text alone change no public item.
    pub(crate) fn measures(&self, found: &Comparison) -> bool {
        !self.no_measure && found.changes.iter().any(|change| change.severity > Severity::Docs)
    }
}

/// The release that a version names. Where another one stands for it, that is said.
pub(super) fn release(api: &Api, program: &str, version: &str) -> Result<StableVersion, Failure> {
    let found = registered::release(api, program, version).map_err(Failure::Other)?;
    output::stands_for(&found);
    Ok(found.version)
}

/// Whether a word is a fingerprint or a rule and a glob.
fn is_acceptable(word: &str) -> bool {
    word.contains(':') || (word.len() == 12 && word.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn versions(program: &str, range: &str) -> Result<Question, Failure> {
    match range.split_once("..") {
        Some((from, to)) if !from.is_empty() && !to.is_empty() && !to.starts_with('.') => {
            Ok(Question::Program(program.to_owned(), plain(from), plain(to)))
        }
        _ => Err(Failure::Other(format!(
            "`{range}` is not a range of versions; write `4.2.0..4.3.0`"
        ))),
    }
}

/// Removes the `v` of a tag.
fn plain(version: &str) -> String {
    let number =
        version.strip_prefix('v').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    number.unwrap_or(version).to_owned()
}

fn revisions(one: &str) -> Result<Question, Failure> {
    match one.split_once("..") {
        Some((_, new)) if new.starts_with('.') => Err(Failure::Other(format!(
            "`{one}` has three dots; write `A..B`, for a merge base `$(git merge-base A B)..B`"
        ))),
        Some((old, new)) => {
            let or_head = |rev: &str| {
                if rev.is_empty() { "HEAD".to_owned() } else { rev.to_owned() }
            };
            Ok(Question::Revisions(or_head(old), Some(or_head(new))))
        }
        None if one.is_empty() => Err(Failure::Other(
            "an empty argument is not a revision; write one, or no argument for HEAD".into(),
        )),
        None if one.contains('@') && !one.starts_with('@') && !one.contains("@{") => {
            Err(Failure::Other(format!(
                "`{one}` is only one program; name two: `PROGRAM@VERSION OTHER@VERSION`"
            )))
        }
        None => Ok(Question::Revisions(one.to_owned(), None)),
    }
}

fn programs(a: &str, b: &str) -> Result<Question, Failure> {
    match (a.split_once('@'), b.split_once('@')) {
        (Some((a, of_a)), Some((b, of_b))) => {
            Ok(Question::Programs((a.to_owned(), plain(of_a)), (b.to_owned(), plain(of_b))))
        }
        _ if Path::new(a).exists() && Path::new(b).exists() => {
            Err(Failure::Other(format!("use `--files {a} {b}` to compare two folders")))
        }
        _ => Err(Failure::Other(format!(
            "two arguments must be programs, `PROGRAM@VERSION OTHER@VERSION`; write revisions as `{a}..{b}`"
        ))),
    }
}
