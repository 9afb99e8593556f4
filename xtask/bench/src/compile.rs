//! `bench compile`: compile times of the crates and of similar crates, in one run.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use fedispec_commands::failure::Failure;
use fedispec_commands::output;
use fedispec_commands::place::{Place, root};

mod generator;
mod measure;
mod subject;
mod wrapper;

use measure::{Bench, Measured};
use subject::Subject;
pub(crate) use wrapper::instead_of_rustc;

/// The subject that the others are compared with.
const PEER: &str = "megalodon-user";
/// The subject whose code has to be generated before.
const GENERATED_PEER: &str = "progenitor-output";

/// The options of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Options {
    /// The number of compilations of each crate.
    pub(super) runs: u32,
    /// Whether to measure optimised builds too.
    pub(super) release: bool,
}

/// A subject with its measurements, or the reason why there are none.
struct Row {
    key: &'static str,
    title: &'static str,
    measured: Result<Measured, String>,
}

pub(super) fn run(place: &Place, options: Options, only: &[String]) -> Result<(), Failure> {
    if !cfg!(unix) {
        return Err(Failure::Other("only Unix reports what a process has used".to_owned()));
    }
    let root = fs::canonicalize(root()?).map_err(Failure::other)?;
    let api = super::open(place)?;
    let subjects = subject::all(&root, &api);
    let keys = subjects.iter().map(|subject| subject.key).chain([GENERATED_PEER]);
    let chosen = chosen(&keys.collect::<Vec<_>>(), only)?;
    let scratch = tempfile::tempdir().map_err(Failure::other)?;
    let mut rows = Vec::new();
    for (number, key) in chosen.iter().enumerate() {
        eprintln!("{} of {}: {key}", number + 1, chosen.len());
        rows.push(match subjects.iter().find(|subject| subject.key == *key) {
            Some(subject) => row(subject, scratch.path(), &root, options),
            None => match generator::output(&api, scratch.path()) {
                Ok(text) => row(&subject::progenitor(text), scratch.path(), &root, options),
                Err(failure) => refused(&subject::progenitor(String::new()), &failure),
            },
        });
    }
    output::stdout(&table(&rows, options.runs))
}

/// Compiles the subjects that are not of others, into the workspace's target folder: a second run finds what has not changed.
pub(super) fn try_out(place: &Place, only: &[String]) -> Result<(), Failure> {
    let root = fs::canonicalize(root()?).map_err(Failure::other)?;
    let mut subjects = subject::all(&root, &super::open(place)?);
    subjects.retain(|subject| !subject.peer);
    let keys: Vec<_> = subjects.iter().map(|subject| subject.key).collect();
    let chosen = chosen(&keys, only)?;
    let scratch = tempfile::tempdir().map_err(Failure::other)?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    for subject in subjects.iter().filter(|subject| chosen.contains(&subject.key)) {
        let folder = subject.write(scratch.path(), &root)?;
        let mut check = measure::cargo(&folder, &target);
        measure::finish(check.args(["check", "--offline"])).map_err(|failure| match failure {
            Failure::Other(why) => {
                Failure::Other(format!("{} does not compile: {why}", subject.key))
            }
            other => other,
        })?;
    }
    output::stdout(&format!("{} subjects compile\n", chosen.len()))
}

/// The subjects to measure: those asked for, or all.
fn chosen<'k>(keys: &[&'k str], only: &[String]) -> Result<Vec<&'k str>, Failure> {
    if let Some(unknown) = only.iter().find(|only| !keys.contains(&only.as_str())) {
        let keys = keys.join(", ");
        return Err(Failure::Other(format!("there is no subject `{unknown}`; there are {keys}")));
    }
    let wanted = |key: &&str| only.is_empty() || only.iter().any(|only| only == key);
    Ok(keys.iter().copied().filter(wanted).collect())
}

fn row(subject: &Subject, scratch: &Path, root: &Path, options: Options) -> Row {
    let target = scratch.join(format!("{}-target", subject.key));
    let measured = subject
        .write(scratch, root)
        .and_then(|place| Bench { subject, place, target: target.clone(), options }.run());
    let _ = fs::remove_dir_all(target);
    match measured {
        Ok(measured) => Row { key: subject.key, title: subject.title, measured: Ok(measured) },
        Err(failure) => refused(subject, &failure),
    }
}

fn refused(subject: &Subject, failure: &Failure) -> Row {
    Row { key: subject.key, title: subject.title, measured: Err(failure.to_string()) }
}

/// The headings of the columns, in two lines.
const HEAD: [[&str; 10]; 2] = [
    ["check", "", "release", "", "cold", "", "", "script", "check", "cold"],
    ["s", "MiB", "s", "MiB", "s", "units", "lines", "s", "of peer", "of peer"],
];
const WIDTHS: [usize; 10] = [8, 7, 9, 7, 8, 7, 8, 8, 9, 9];

fn table(rows: &[Row], runs: u32) -> String {
    let mut text = String::new();
    for (first, head) in ["CPU seconds, memory", ""].iter().zip(HEAD) {
        line(&mut text, first, &head.map(str::to_owned));
    }
    let peer = rows.iter().find(|row| row.key == PEER);
    let peer = peer.and_then(|row| row.measured.as_ref().ok());
    for row in rows {
        match &row.measured {
            Ok(measured) => line(&mut text, row.title, &cells(measured, peer)),
            Err(why) => {
                let _ = writeln!(text, "{:<40}not measured: {why}", row.title);
            }
        }
    }
    let runs = if runs == 1 { "one run".to_owned() } else { format!("median of {runs} runs") };
    let _ = writeln!(
        text,
        "\ncheck, release: rustc on that crate alone, its dependencies being there, and the most memory; {runs}.\n\
         cold: `cargo check` with nothing compiled before, all processes, one run. units: how often it runs rustc.\n\
         lines: Rust in the crate, what build.rs makes being formatted first. script: what build.rs takes, unoptimised.\n\
         of peer: that column divided by megalodon's. -: not asked for, or there is none."
    );
    text
}

fn line(text: &mut String, first: &str, cells: &[String; 10]) {
    let _ = write!(text, "{first:<40}");
    for (cell, width) in cells.iter().zip(WIDTHS) {
        let _ = write!(text, "{cell:>width$}");
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
}

fn cells(measured: &Measured, peer: Option<&Measured>) -> [String; 10] {
    let number = |number: Option<f64>, digits: usize| {
        number.map_or("-".to_owned(), |number| format!("{number:.digits$}"))
    };
    let of_peer = |of: fn(&Measured) -> f64| number(peer.map(|peer| of(measured) / of(peer)), 2);
    [
        number(Some(measured.check.0), 2),
        number(Some(measured.check.1), 0),
        number(measured.release.map(|release| release.0), 2),
        number(measured.release.map(|release| release.1), 0),
        number(Some(measured.cold), 1),
        measured.units.to_string(),
        measured.lines.to_string(),
        number(measured.script, 2),
        of_peer(|one| one.check.0),
        of_peer(|one| one.cold),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_measurement_says_why() {
        let measured =
            || Measured { cold: 37.0, units: 60, check: (2.5, 300.0), ..Measured::default() };
        let row = |key, measured| Row { key, title: key, measured };
        let rows = [
            row("client", Ok(measured())),
            row(PEER, Ok(Measured { cold: 74.0, check: (20.0, 900.0), ..measured() })),
            row("progenitor-output", Err("no network".to_owned())),
        ];
        let text = table(&rows, 3);
        let line = |start: &str| {
            let line = text.lines().find(|line| line.starts_with(start));
            line.expect("a row").split_whitespace().collect::<Vec<_>>()
        };
        assert_eq!(line("client")[1], "2.50");
        assert_eq!(line("client")[3..5], ["-", "-"], "no release");
        assert!(line("client").ends_with(&["-", "0.12", "0.50"]));
        let widths: Vec<_> = text.lines().take(4).map(|line| line.chars().count()).collect();
        assert!(widths.iter().all(|width| *width == widths[0]), "{text}");
        assert!(text.contains("not measured: no network"));
    }

    #[test]
    fn an_unknown_subject_is_an_error() {
        let chosen = |only: &[&str]| {
            let only: Vec<String> = only.iter().map(|only| (*only).to_owned()).collect();
            chosen(&["client", "calls"], &only)
        };
        let chosen = |only: &[&str]| chosen(only).map_err(|failure| failure.to_string());
        assert_eq!(chosen(&[]), Ok(vec!["client", "calls"]));
        assert_eq!(chosen(&["calls"]), Ok(vec!["calls"]));
        let said = "there is no subject `cals`; there are client, calls";
        assert_eq!(chosen(&["calls", "cals"]), Err(said.to_owned()));
    }
}
