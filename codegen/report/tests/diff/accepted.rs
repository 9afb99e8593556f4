//! The file of accepted changes.

use fedispec_diff::{Options, compare};
use fedispec_report::diff::accept::{Accepts, End, Now, Subject};
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
    let long = &commit.repeat(2)[..64];
    assert!(accepted(&long[..12], [Some("v0.1.10"), Some(long)]), "SHA-256");
    assert!(!accepted(&long[..12], [Some("v0.1.10"), Some(&long[..50])]), "no id has that length");
    let branch = &format!("{:-<40}", "feature-x");
    assert!(!accepted("feature-x", [Some(branch), None]), "a name as long as an id");
}

#[test]
fn what_is_not_there_is_stale() {
    let stale = "[[accept]]\nfp = \"0123456789ab\"\nreason = \"seen\"\nuntil = \"release\"\n";
    assert_eq!(applied(stale, Now::default()).stale_accepts, ["0123456789ab"]);
}

/// Adds changes to a file: the text and the fingerprints, or what is wrong.
fn added(text: &str, which: &[&str], reason: &str) -> Result<(String, Vec<String>), String> {
    let which: Vec<_> = which.iter().map(|which| (*which).to_owned()).collect();
    let report = report(&Known::default());
    let subjects: Vec<_> = report.changes.iter().map(Subject::from).collect();
    let end = End::Release(report.head.version.clone());
    Accepts::add(text, "# A head.\n", &subjects, &which, reason, &end)
}

#[test]
fn a_change_is_added_under_its_fingerprint_or_its_rule() {
    let fps: Vec<_> =
        report(&Known::default()).changes.iter().map(|entry| entry.fp.clone()).collect();
    let [limit, docs] = [&fps[0], &fps[1]].map(String::as_str);
    let entry = |fp: &str, what: &str, reason: &str| {
        format!("[[accept]]\nfp = \"{fp}\"  # {what}\nreason = \"{reason}\"\nuntil = \"release\"\n")
    };
    let about_limit = "param-limit-tightened books.list.limit: the greatest number is 20, was 40";
    let about_docs = "docs-only-changed books.get: summary changed";

    let (text, named) = added("", &[&limit.to_uppercase()], "looked\n at  it").expect("adds");
    assert_eq!(named, [limit]);
    let (head, rest) = text.split_at(text.find("\n[[accept]]").expect("an entry"));
    assert!(head.lines().all(|line| line.starts_with("# ")), "{head}");
    assert_eq!(rest, format!("\n{}", entry(limit, about_limit, "looked at it")));

    // An earlier entry of the same change goes. All else stays, also where no line break ends the text.
    let other = format!("{}\n[freeze]\nmastodon = \"4.0.0\"", entry(limit, "x", "before"));
    let (text, named) =
        added(&other, &["param-*:books.*", "*:books.get", limit], "again").expect("adds");
    assert_eq!(named, [limit, docs], "each once");
    assert_eq!(
        text,
        format!(
            "[freeze]\nmastodon = \"4.0.0\"\n\n{}\n{}",
            entry(limit, about_limit, "again"),
            entry(docs, about_docs, "again")
        )
    );
}

#[test]
fn what_cannot_be_added_is_told() {
    let fp = report(&Known::default()).changes[0].fp.clone();
    for (which, reason, expected) in [
        ("0123456789ab", "seen", "nothing has the fingerprint `0123456789ab`"),
        ("param-*:books.get", "seen", "nothing is of the rule `param-*` and about an item like"),
        (fp.as_str(), " ", "needs a reason"),
    ] {
        let mistake = added("", &[which], reason).expect_err(which);
        assert!(mistake.contains(expected), "{mistake}");
    }
}

/// Of several entries of one change the last one that counts gives the reason.
#[test]
fn the_last_reason_counts() {
    let fp = report(&Known::default()).changes[0].fp.clone();
    let entry = |reason: &str, version: &str| {
        format!(
            "[[accept]]\nfp = \"{fp}\"\nreason = \"{reason}\"\nuntil = \"release\"\nversion = \"{version}\"\n"
        )
    };
    let entries = [entry("first", "0.2.0"), entry("second", "0.2.0"), entry("old", "0.1.0")];
    let report = applied(&entries.concat(), Now { version: Some("0.2.0"), base: [None; 2] });
    assert_eq!(report.changes[0].accepted.as_deref(), Some("second"));
    assert_eq!(report.changes[1].accepted, None, "another change");
}
