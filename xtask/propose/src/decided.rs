//! Decisions of the keeper, which are not asked for again.
//!
//! A row is recognized by its fingerprint. The releases are no part of it, so that a later release repeats the question under the same
//! fingerprint; a changed fact of the source or of the catalogue makes another one.

use std::path::Path;

use fedispec_commands::accept::{DECISIONS, File};
use fedispec_report::diff::accept::{End, Subject};
use fedispec_report::diff::fingerprint::fingerprint;

use crate::error::Error;
use crate::render::{Group, line};
use crate::row::{ItemKind, Proposal, Row};

const HEAD: &str = "\
# Rows of `cargo xtask propose` that were decided; `--accept FP --reason TEXT` adds one. What is decided is asked again when its facts change.
";

/// Gives every row its fingerprint, marks those that are decided, and sets aside the unread lines that are.
///
/// # Errors
///
/// When the file of decisions cannot be read.
pub fn recall(spec: &Path, proposal: &mut Proposal) -> Result<(), Error> {
    let file = open(spec)?;
    for at in 0..proposal.rows.len() {
        let fp = print(proposal, &proposal.rows[at]);
        let row = &mut proposal.rows[at];
        row.accepted = file.accepts.decided(&fp).map(str::to_owned);
        row.fp = fp;
    }
    let unread = std::mem::take(&mut proposal.unread);
    let is_decided = |text: &String| file.accepts.decided(&unread_print(proposal, text)).is_some();
    let (decided, unread) = unread.into_iter().partition(is_decided);
    (proposal.unread_decided, proposal.unread) = (decided, unread);
    Ok(())
}

/// Writes decisions down: rows by their fingerprints, or many by `CHANGE-KIND:GLOB`; lines that were not read are of the rule `unread`.
///
/// # Errors
///
/// When nothing is so called, or the file cannot be written.
pub fn accept(
    spec: &Path,
    proposal: &Proposal,
    which: &[String],
    reason: &str,
) -> Result<String, Error> {
    let rows: Vec<_> = proposal.rows.iter().collect();
    let rows = rows.iter().map(|row| {
        let rule = format!("{}-{}", row.change.name(), row.kind.name());
        (row.fp.clone(), rule, row.id.clone(), line(row))
    });
    let unread = proposal.unread.iter().map(|text| {
        let item = stable(proposal, text);
        (unread_print(proposal, text), "unread".to_owned(), item, text.clone())
    });
    let all: Vec<_> = rows.chain(unread).collect();
    let subjects = all.iter();
    let subjects: Vec<_> =
        subjects.map(|(fp, rule, item, message)| Subject { fp, rule, item, message }).collect();
    // Rows that are asked as one question have one answer.
    let asked: Vec<_> = proposal.rows.iter().filter(|row| row.accepted.is_none()).collect();
    let mut which = which.to_vec();
    for group in Group::all(&asked) {
        if which.contains(&group.first.fp) {
            which.extend(group.others.iter().map(|row| row.fp.clone()));
            let of_it = format!("{}.", group.first.id);
            let inside = asked.iter().filter(|row| row.id.starts_with(&of_it));
            let is_new = group.first.kind == ItemKind::Operation;
            which.extend(inside.filter(|_| is_new).map(|row| row.fp.clone()));
        }
    }
    let end = End::Decided(format!("{}@{}", proposal.program, proposal.version));
    let told = open(spec)?.add(HEAD, &subjects, &which, reason, &end);
    told.map_err(|failure| Error(failure.to_string()))
}

fn open(spec: &Path) -> Result<File, Error> {
    File::read(spec, DECISIONS).map_err(|failure| Error(failure.to_string()))
}

fn print(proposal: &Proposal, row: &Row) -> String {
    let or_none = |text: &Option<String>| text.as_ref().map(|text| stable(proposal, text));
    fingerprint(&[
        &proposal.program,
        &row.change.name(),
        &row.kind.name(),
        &row.id,
        &row.name,
        &or_none(&row.from).unwrap_or_default(),
        &or_none(&row.to).unwrap_or_default(),
    ])
}

fn unread_print(proposal: &Proposal, text: &str) -> String {
    fingerprint(&[&proposal.program, "unread", &stable(proposal, text)])
}

/// A text without the two releases, revisions and numbers of lines.
fn stable(proposal: &Proposal, text: &str) -> String {
    let text = match text.rsplit_once(" (") {
        Some((text, revision)) if revision.ends_with(')') && !revision.contains(' ') => text,
        _ => text,
    };
    let stable = text.replace(&proposal.version, "").replace(&proposal.from, "");
    let mut parts = stable.split(':');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        text + if rest.len() == part.len() { ":" } else { "" } + rest
    })
}

#[cfg(test)]
mod tests {
    use super::stable;
    use crate::row::{Proposal, SCHEMA};

    #[test]
    fn a_later_release_asks_the_same() {
        let proposal = |version: &str, from: &str| Proposal {
            schema: SCHEMA,
            program: "a".to_owned(),
            version: version.to_owned(),
            from: from.to_owned(),
            date: String::new(),
            api: None,
            rows: Vec::new(),
            unread: Vec::new(),
            unread_decided: Vec::new(),
        };
        let (one, other) = (proposal("4.6.0", "4.5.0"), proposal("4.6.5", "4.6.0"));
        for (text, later) in [
            ("there in 4.5.0", "there in 4.6.0"),
            (
                "app/a.rb:12: `b` could not be read (v4.6.0)",
                "app/a.rb:15: `b` could not be read (v4.6.5)",
            ),
            (
                "GET /api/v1/lists/:id: `c` could not be followed",
                "GET /api/v1/lists/:id: `c` could not be followed",
            ),
        ] {
            assert_eq!(stable(&one, text), stable(&other, later));
        }
        assert_ne!(stable(&one, "GET /:a: x"), stable(&one, "GET /:b: x"));
    }
}
