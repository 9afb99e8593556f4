//! The file of accepted changes.

use std::fs;

use super::{AUTH, BOOKS, PROVEN, TYPE, edited};
use fedispec_tests::catalogue::write;
use fedispec_tests::repository::Repository;

fn fingerprint(repository: &Repository, rule: &str) -> String {
    let told = repository.diff(&["--format", "json"]).succeeded();
    let report: serde_json::Value = serde_json::from_str(&told.stdout).expect("JSON");
    let changes = report["changes"].as_array().expect("a list");
    let change = changes.iter().find(|change| change["rule"] == rule).expect("such a change");
    change["fp"].as_str().expect("text").to_owned()
}

fn file(repository: &Repository) -> String {
    fs::read_to_string(repository.spec().join("diff-accept.toml")).expect("the file is there")
}

#[test]
fn what_is_accepted_hits_no_threshold() {
    let repository = edited(&[AUTH, PROVEN]);
    let fp = fingerprint(&repository, "auth-added");
    let told = repository
        .diff(&["--accept", &fp, "--reason", "seen with \"quotes\"\nand lines"])
        .succeeded();
    assert!(told.stdout.contains(&fp), "{}", told.stdout);
    let text = file(&repository);
    assert!(text.contains(&format!("fp = \"{fp}\"  # auth-added books.search: ")), "{text}");
    assert!(text.contains("until = \"release\"\nversion = \"0.1.0\""), "{text}");

    let told = repository.diff(&["--fail-on", "breaking,stale-accepts"]).succeeded();
    assert!(told.stdout.contains("accepted seen with \"quotes\" and lines"), "{}", told.stdout);
    assert!(told.stdout.contains("1 accepted"), "{}", told.stdout);
    assert_eq!(repository.diff(&["--fail-on", "risky"]).code, Some(1));

    // Accepting again with another reason replaces the entry.
    repository.diff(&["--accept", &fp.to_uppercase(), "--reason", "looked again"]).succeeded();
    let text = file(&repository);
    assert_eq!(text.matches("[[accept]]").count(), 1, "{text}");
    assert!(text.contains("looked again") && !text.contains("quotes"), "{text}");

    let second = fingerprint(&repository, "since-moved-earlier");
    repository.diff(&["--accept", &second, "--reason", "both"]).succeeded();
    repository.diff(&["--fail-on", "breaking,risky,any,stale-accepts"]).succeeded();
}

#[test]
fn many_are_accepted_at_once() {
    let repository = edited(&[AUTH, PROVEN, TYPE]);
    let fps = ["auth-added", "since-moved-earlier"].map(|rule| fingerprint(&repository, rule));
    // A revision behind them is one.
    let told = repository.diff(&["--accept", &fps[0], &fps[1], "HEAD", "--reason", "both"]);
    let told = told.succeeded();
    assert!(fps.iter().all(|fp| told.stdout.contains(fp)), "{}", told.stdout);
    assert_eq!(file(&repository).matches("[[accept]]").count(), 2);
    repository.diff(&["--accept", "field-type-*:Book.*", "--reason", "all of it"]).succeeded();
    let text = file(&repository);
    assert_eq!(text.matches("[[accept]]").count(), 3, "{text}");
    assert!(text.contains("# field-type-changed Book.pages: "), "{text}");
    repository.diff(&["--fail-on", "any,stale-accepts"]).succeeded();
    // Again: the last word counts, and nothing stands twice.
    repository.diff(&["--accept", "*:*", "--reason", "looked again"]).succeeded();
    let text = file(&repository);
    assert_eq!(text.matches("looked again").count(), 3, "{text}");
    assert_eq!(text.matches("[[accept]]").count(), 3, "{text}");
}

#[test]
fn an_entry_ends() {
    let repository = edited(&[AUTH]);
    let fp = fingerprint(&repository, "auth-added");
    repository.diff(&["--accept", &fp, "--reason", "seen"]).succeeded();
    // The entry is stale after the next release ..
    repository.version("0.2.0");
    let told = repository.diff(&["--fail-on", "breaking"]);
    assert_eq!(told.code, Some(1), "{}", told.stdout);
    assert_eq!(repository.diff(&["--fail-on", "stale-accepts"]).code, Some(1));
    // .. and once the change itself is gone.
    repository.version("0.1.0");
    repository.edit(BOOKS, AUTH.1, AUTH.0);
    let told = repository.diff(&["--fail-on", "stale-accepts"]);
    assert_eq!(told.code, Some(1), "{}", told.stdout);
    assert!(told.stdout.contains(&fp), "{}", told.stdout);
}

#[test]
fn an_entry_may_count_against_one_base_only() {
    let repository = edited(&[AUTH]);
    let fp = fingerprint(&repository, "auth-added");
    repository.git(&["tag", "v0.1.0"]);
    let entry =
        format!("# ours\n[[accept]]\nfp = \"{fp}\"\nreason = \"seen\"\nbase = \"v0.1.0\"\n");
    write(&repository.spec().join("diff-accept.toml"), entry.as_bytes());
    repository.diff(&["v0.1.0", "--fail-on", "breaking,stale-accepts"]).succeeded();
    let told = repository.diff(&["--fail-on", "stale-accepts"]).succeeded();
    assert!(!told.stdout.contains("accepted"), "{}", told.stdout);
    assert_eq!(repository.diff(&["--fail-on", "breaking"]).code, Some(1));
    // Comments written by hand are kept.
    repository.edit(BOOKS, TYPE.0, TYPE.1);
    let other = fingerprint(&repository, "field-type-changed");
    repository.diff(&["--accept", &other, "--reason", "too"]).succeeded();
    let text = file(&repository);
    assert!(text.starts_with("# ours\n[[accept]]\n"), "{text}");
    assert!(text.contains("base = \"v0.1.0\""), "{text}");
}

#[test]
fn a_bad_file_is_told() {
    let repository = Repository::new();
    for (text, expected) in [
        ("[[accept]]\nfp = \"5c0e91ab22d7\"\nreason = \"x\"\n", "never ends"),
        ("[[accept]]\nfp = \"5c0e\"\nreason = \"x\"\nuntil = \"release\"\n", "no fingerprint"),
        ("[[accept]]\nfp = 5\n", "fp"),
        ("[[accept\n", "line 1"),
        ("[accepted]\n", "accepted"),
    ] {
        write(&repository.spec().join("diff-accept.toml"), text.as_bytes());
        let told = repository.diff(&[]);
        assert_eq!(told.code, Some(2), "{text}: {}", told.stdout);
        assert!(
            told.stderr.contains("diff-accept.toml") && told.stderr.contains(expected),
            "{text}: {}",
            told.stderr
        );
    }
    write(&repository.spec().join("diff-accept.toml"), &[0xff, 0xfe]);
    assert_eq!(repository.diff(&[]).code, Some(2));
}
