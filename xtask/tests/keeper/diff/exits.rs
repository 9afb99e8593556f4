//! The exit codes, on which CI relies.

use super::{AUTH, BOOKS, PROVEN, RELEASE, SINCE, TEXT, TYPE, edited};
use fedispec_tests::repository::Repository;

#[test]
fn nothing_differs() {
    let told =
        Repository::new().diff(&["--fail-on", "any,unbumped,unproven,stale-accepts"]).succeeded();
    assert!(told.stdout.contains("no difference"), "{}", told.stdout);
    assert_eq!(told.stderr, "");
}

#[test]
fn a_threshold_is_hit_or_not() {
    for (edit, thresholds, code) in [
        (AUTH, "breaking", 1),
        (AUTH, "risky", 1),
        (AUTH, "any", 1),
        (AUTH, "none", 0),
        (AUTH, "unproven", 0),
        (SINCE, "breaking", 0),
        (SINCE, "risky", 1),
        (SINCE, "breaking,any", 1),
        // The file's defaults name a source for every Since; this one was rewritten all the same.
        (SINCE, "unproven", 1),
        (PROVEN, "unproven", 0),
        (RELEASE, "risky", 0),
        (RELEASE, "any", 1),
        (TEXT, "breaking,risky", 0),
        (TEXT, "any", 1),
    ] {
        let told = edited(&[edit]).diff(&["--fail-on", thresholds, "--no-measure"]);
        assert_eq!(told.code, Some(code), "{} with {thresholds}: {}", edit.1, told.stderr);
        assert!(
            told.stdout.starts_with("catalogue  HEAD"),
            "the report comes first: {}",
            told.stdout
        );
        assert_eq!(told.stderr.contains("--fail-on"), code == 1, "{}", told.stderr);
    }
    edited(&[AUTH, TYPE]).diff(&[]).succeeded();
}

#[test]
fn the_version_must_be_raised_by_enough() {
    for (edit, version, code) in [
        (TYPE, "0.1.0", 1),
        (TYPE, "0.1.1", 1),
        (TYPE, "0.2.0", 0),
        (RELEASE, "0.1.0", 1),
        (RELEASE, "0.1.1", 0),
        (AUTH, "0.1.1", 0),
    ] {
        let repository = edited(&[edit]);
        repository.version(version);
        let told = repository.diff(&["--fail-on", "unbumped"]);
        assert_eq!(
            told.code,
            Some(code),
            "{} with {version}: {}{}",
            edit.1,
            told.stdout,
            told.stderr
        );
        assert!(
            code == 0 || told.stderr.contains("raise `version` in Cargo.toml"),
            "{}",
            told.stderr
        );
    }
    let told = edited(&[TYPE]).diff(&["--fail-on", "unbumped"]);
    assert!(told.stdout.contains("bump implied major, measured major"), "{}", told.stdout);
}

#[test]
fn an_unproven_past_is_told() {
    let genre = "genre: {since: {mastodon: \"4.2.0\"";
    let added = format!(
        "colour: {{since: {{mastodon: \"4.1.0\", gotosocial: never}}, in: query, type: string, required: false, evidence: {{mastodon: guess, gotosocial: guess, shape: guess}}}}\n      {genre}"
    );
    let repository = Repository::new();
    repository.edit(BOOKS, genre, &added);
    let told = repository.diff(&["--fail-on", "unproven"]);
    assert!(told.stdout.contains("books.list.colour"), "{}", told.stdout);
    assert!(
        told.code == Some(1) || told.stdout.contains("item-added-backdated"),
        "{}{}",
        told.stdout,
        told.stderr
    );
}

#[test]
fn usage_is_explained() {
    let repository = edited(&[AUTH]);
    let cases: &[(&[&str], &str)] = &[
        (&["HEAD...HEAD"], "three dots"),
        (&["mastodon@4.3.0"], "name two"),
        (&["a", "b"], "a..b"),
        (&["spec", "spec/documents"], "--files spec spec/documents"),
        (&["mastodon@4.3.0", "mastodon@4.2.0"], "--program mastodon"),
        (&["mastodon@9.9.9", "gotosocial@0.17.0"], "does not know Mastodon 9.9.9"),
        (&["--program", "mastodon", "4.2.0"], "4.2.0..4.3.0"),
        (&["--program", "mastodon", "4.3.0..4.2.0"], "4.3.0 is newer than 4.2.0"),
        (&["--program", "pleroma", "4.2.0..4.3.0"], "it knows mastodon, gotosocial"),
        (
            &["--program", "mastodon", "4.2.0..4.3.0", "--fail-on", "any"],
            "--fail-on applies to two states",
        ),
        (
            &["--program", "mastodon", "4.2.0..4.3.0", "--format", "lines"],
            "markdown, html and json",
        ),
        (&["--explain", "since-moved"], "since-moved-earlier"),
        (&["--explain", "auth-aded"], "there is auth-added"),
        (&["--explain", "nullable-field"], "field-became-nullable"),
        (&["--explain", "zzz"], "`--explain all` lists them"),
        (&["--accept", "no-such-rule:*", "--reason", "x"], "nothing is of the rule"),
        (&["--fail-on", "everything"], "possible values"),
        (&["--floor", "mastodon"], "PROGRAM=VERSION"),
        (&["--floor", "mastodon=1.0.0"], "does not know Mastodon 1.0.0"),
        (&["--accept", "5c0e91ab22d7"], "--reason"),
        (&["--accept", "5c0e91ab22d7", "--reason", "x"], "nothing has the fingerprint"),
        (&["--format", "json", "--format", "html"], "only one format"),
        (&["--output", "report"], "add a --format"),
        (&["--format", "github", "--output", "report.html"], "does not look like github"),
        (&["--output", "a.md", "--output", "a.md"], "twice"),
        (&["--files", "spec"], "2 values"),
        (&["--files", "spec", "nowhere"], "cannot read nowhere"),
        (&["--files", "spec", "Cargo.toml"], "not a resolved catalogue"),
        (&["--files", "spec", "spec", "--fail-on", "unbumped"], "declared bump is unknown"),
        (&["--used-by", "nowhere"], "nowhere"),
        (&["--used-by", "spec"], "no Rust files"),
        (&["-x"], "unexpected argument"),
        (&[""], "not a revision"),
    ];
    for (args, expected) in cases {
        let told = repository.diff(args);
        assert_eq!(told.code, Some(2), "{args:?}: {}{}", told.stdout, told.stderr);
        assert!(told.stderr.contains(expected), "{args:?}: {}", told.stderr);
    }
}

#[test]
fn rules_are_explained() {
    let repository = Repository::new();
    let one = repository.diff(&["--explain", "since-moved-earlier"]).succeeded();
    for part in ["risky", "running calls", "backward since-moved-later", "G3"] {
        assert!(one.stdout.contains(part), "{part}: {}", one.stdout);
    }
    let all = repository.diff(&["--explain"]).succeeded();
    assert!(all.stdout.lines().count() > 90, "{}", all.stdout);
    let never = repository.diff(&["--explain", "schema-version-changed"]).succeeded();
    assert!(never.stdout.contains("never reported"), "{}", never.stdout);
}
