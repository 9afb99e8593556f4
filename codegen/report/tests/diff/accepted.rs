//! The file of accepted changes.

use fedispec_diff::{Options, compare};
use fedispec_report::diff::accept::{Accepts, Now};
use fedispec_report::diff::assemble::{self, Known};
use fedispec_report::diff::report::Report;

use super::support::edited;

fn report(known: &Known<'_>) -> Report {
    let new = edited(&[("max: 40", "max: 20"), ("summary: One book.", "summary: A book.")]);
    assemble::report(compare(&edited(&[]), &new, &Options::default()), known)
}

fn applied(text: &str, now: Now<'_>) -> Report {
    let accepts = Accepts::read(text).expect("a file that can be used");
    report(&Known { accepted: Some((&accepts, now)), ..Known::default() })
}

#[test]
fn what_is_accepted_does_not_count() {
    let before = report(&Known::default());
    assert_eq!((before.counts.breaking, before.counts.docs, before.counts.accepted), (1, 1, 0));
    let fp = &before.changes[0].fp;
    let entry = format!(
        "[[accept]]\nfp = \"{fp}\"\nreason = \"it was never more\"\nuntil = \"release\"\nversion = \"0.1.0\"\n"
    );
    let now = Now { version: Some("0.1.0"), base: [None; 2] };
    let after = applied(&entry, now);
    assert_eq!((after.counts.breaking, after.counts.docs, after.counts.accepted), (0, 1, 1));
    assert_eq!(after.changes[0].accepted.as_deref(), Some("it was never more"));
    assert!(after.stale_accepts.is_empty());
}

#[test]
fn entries_end() {
    let fp = report(&Known::default()).changes[0].fp.clone();
    let entry = |rest: &str| format!("[[accept]]\nfp = \"{fp}\"\nreason = \"seen\"\n{rest}\n");
    let of_version = entry("until = \"release\"\nversion = \"0.1.0\"");
    let now = |version, base| Now { version: Some(version), base: [Some(base), None] };
    assert!(applied(&of_version, now("0.1.0", "main")).stale_accepts.is_empty());
    assert_eq!(
        applied(&of_version, now("0.2.0", "main")).stale_accepts,
        [fp.as_str()],
        "the release has come"
    );
    let of_base = entry("base = \"v0.1.0\"");
    assert_eq!(applied(&of_base, now("0.1.0", "v0.1.0")).counts.accepted, 1);
    let elsewhere = applied(&of_base, now("0.1.0", "main"));
    assert_eq!(
        (elsewhere.counts.accepted, elsewhere.stale_accepts.len()),
        (0, 0),
        "another base is not its business"
    );
}

/// A base is a revision by its whole name, or a commit by the beginning of its id.
#[test]
fn a_base_is_not_the_beginning_of_another_name() {
    let commit = "e3779b97f4a7c15a5be6f0d2c1908f7e6d5c4b3a";
    let fp = report(&Known::default()).changes[0].fp.clone();
    let accepted = |base: &str, names: [Option<&str>; 2]| {
        let entry = format!("[[accept]]\nfp = \"{fp}\"\nreason = \"seen\"\nbase = \"{base}\"\n");
        applied(&entry, Now { version: Some("0.1.0"), base: names }).counts.accepted == 1
    };
    let tag = |name| [Some(name), Some(commit)];
    assert!(accepted("v0.1.1", tag("v0.1.1")));
    assert!(!accepted("v0.1.1", tag("v0.1.10")));
    assert!(!accepted("main", tag("main-2")));
    assert!(accepted(&commit[..7], tag("v0.1.10")));
    assert!(accepted(commit, tag("v0.1.10")));
    assert!(!accepted(&commit[..6], tag("v0.1.10")), "too short to mean one commit");
    assert!(!accepted("", tag("v0.1.10")));
    assert!(!accepted(&commit[..7], [Some("e3779b97f4a7"), None]), "a name, and no commit");
}

#[test]
fn what_is_not_there_is_stale() {
    let stale = "[[accept]]\nfp = \"0123456789ab\"\nreason = \"seen\"\nuntil = \"release\"\n";
    assert_eq!(applied(stale, Now::default()).stale_accepts, ["0123456789ab"]);
}
