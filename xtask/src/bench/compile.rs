//! `bench compile`: what compiling the crates costs, beside others that do the same, in one run.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use fedispec_codegen::api::Layer;

use crate::failure::Failure;
use crate::output;
use crate::place::{self, Place};

mod generator;
mod measure;
mod openapi;
mod subject;
mod wrapper;

use measure::{Bench, Measured};
use subject::Subject;
pub(crate) use wrapper::instead_of_rustc;

/// Who the others are compared with.
const PEER: &str = "megalodon-user";

/// How much is measured.
#[derive(Debug, Clone, Copy)]
pub(super) struct How {
    /// How often each crate is compiled.
    pub(super) runs: u32,
    /// Optimised too.
    pub(super) release: bool,
}

/// A subject with what it took, or why it was not measured.
struct Row {
    key: &'static str,
    title: &'static str,
    measured: Result<Measured, String>,
}

pub(super) fn run(place: &Place, how: How, only: &[String]) -> Result<(), Failure> {
    if !cfg!(unix) {
        return Err(Failure::Other(
            "only Unix tells what a process took".to_owned(),
        ));
    }
    let root = fs::canonicalize(place::root()?).map_err(Failure::other)?;
    let (_, api) = place.open(Layer::Full)?;
    let scratch = tempfile::tempdir().map_err(Failure::other)?;
    let wanted = |key: &str| only.is_empty() || only.iter().any(|only| only == key);
    let mut rows = Vec::new();
    let subjects = subject::all(&root, &api);
    for subject in subjects.iter().filter(|subject| wanted(subject.key)) {
        rows.push(row(subject, scratch.path(), &root, how));
    }
    let made = wanted("progenitor-output").then(|| generator::output(&api, scratch.path()));
    match made {
        Some(Ok(text)) => rows.push(row(&subject::progenitor(text), scratch.path(), &root, how)),
        Some(Err(failure)) => {
            let subject = subject::progenitor(String::new());
            rows.push(refused(&subject, failure));
        }
        None => {}
    }
    if rows.is_empty() {
        let keys: Vec<&str> = subjects.iter().map(|subject| subject.key).collect();
        return Err(Failure::Other(format!(
            "nothing to measure; there are {}, progenitor-output",
            keys.join(", ")
        )));
    }
    output::stdout(&table(&rows, how.runs))
}

fn row(subject: &Subject, scratch: &Path, root: &Path, how: How) -> Row {
    output::stderr(&format!("measuring {}\n", subject.title));
    let target = scratch.join(format!("{}-target", subject.key));
    let measured = subject.write(scratch, root).and_then(|place| {
        Bench {
            subject,
            place,
            target: target.clone(),
            how,
        }
        .run()
    });
    let _ = fs::remove_dir_all(target);
    match measured {
        Ok(measured) => Row {
            key: subject.key,
            title: subject.title,
            measured: Ok(measured),
        },
        Err(failure) => refused(subject, failure),
    }
}

fn refused(subject: &Subject, failure: Failure) -> Row {
    let why = match failure {
        Failure::Other(why) => why,
        _ => "it failed".to_owned(),
    };
    Row {
        key: subject.key,
        title: subject.title,
        measured: Err(why),
    }
}

fn table(rows: &[Row], runs: u32) -> String {
    let mut text = format!(
        "{:<40}{:>9}{:>7}{:>9}{:>7}{:>9}{:>7}{:>8}{:>8}{:>8}{:>9}\n",
        "CPU seconds, MiB",
        "check",
        "MiB",
        "release",
        "MiB",
        "cold",
        "units",
        "lines",
        "script",
        "check/",
        "cold/",
    );
    let peer = rows.iter().find(|row| row.key == PEER);
    let peer = peer.and_then(|row| row.measured.as_ref().ok());
    for row in rows {
        let measured = match &row.measured {
            Ok(measured) => measured,
            Err(why) => {
                let _ = writeln!(text, "{:<40}not measured: {why}", row.title);
                continue;
            }
        };
        let Measured {
            cold,
            units,
            check,
            release,
            lines,
            script,
        } = measured;
        let script = script.map_or("-".to_owned(), |seconds| format!("{seconds:.2}"));
        let ratio = |own: f64, of: fn(&Measured) -> f64| {
            peer.map_or("-".to_owned(), |peer| format!("{:.2}", own / of(peer)))
        };
        let _ = writeln!(
            text,
            "{:<40}{:>9.2}{:>7.0}{:>9.2}{:>7.0}{cold:>9.1}{units:>7}{lines:>8}{script:>8}{:>8}{:>9}",
            row.title,
            check.0,
            check.1,
            release.0,
            release.1,
            ratio(check.0, |peer| peer.check.0),
            ratio(*cold, |peer| peer.cold),
        );
    }
    let _ = writeln!(
        text,
        "\ncheck, release: rustc of that crate alone, medians of {runs}. cold: cargo check with nothing compiled before, \
         all processes.\nunits: runs of rustc in it. script: what build.rs takes. The last two columns are ratios to megalodon's."
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_be_measured_says_why() {
        let measured = || Measured {
            cold: 37.0,
            units: 60,
            check: (2.5, 300.0),
            ..Measured::default()
        };
        let row = |key, measured| Row {
            key,
            title: key,
            measured,
        };
        let rows = [
            row("client", Ok(measured())),
            row(
                PEER,
                Ok(Measured {
                    cold: 74.0,
                    check: (20.0, 900.0),
                    ..measured()
                }),
            ),
            row("progenitor-output", Err("no network".to_owned())),
        ];
        let text = table(&rows, 3);
        let line = |start: &str| {
            let line = text.lines().find(|line| line.starts_with(start));
            line.expect("a row").split_whitespace().collect::<Vec<_>>()
        };
        assert_eq!(line("client")[1], "2.50");
        assert!(line("client").ends_with(&["-", "0.12", "0.50"]));
        assert!(text.contains("not measured: no network"));
    }
}
