//! Registering a release: it changes no type, and claims nothing of a release that nobody has looked at.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use fedispec_tests::catalogue::{self, Scratch};
use fedispec_tests::commands::{self, Ran};
use serde_json::Value;

fn run(scratch: &Scratch, args: &[&str]) -> Ran {
    let spec = scratch.spec().display().to_string();
    commands::run(args.iter().copied().chain(["--spec", &spec]))
}

fn generated(scratch: &Scratch) -> BTreeMap<String, String> {
    let files = catalogue::tree(&scratch.out()).into_iter();
    files.map(|(path, bytes)| (path, String::from_utf8(bytes).expect("UTF-8"))).collect()
}

/// The newest registered releases of both programs of the catalogue, and ones after them.
fn next(scratch: &Scratch, program: &str) -> (String, String) {
    let coverage = run(scratch, &["coverage", "--format", "json"]).succeeded().stdout;
    let coverage: Value = serde_json::from_str(&coverage).expect("JSON");
    let newest = coverage["looked_at"][program]["up_to"].as_str().expect("a version");
    let (line, patch) = newest.rsplit_once('.').expect("three numbers");
    let patch: u32 = patch.parse().expect("a number");
    (newest.to_owned(), format!("{line}.{}", patch + 1))
}

fn told(spec: &Path) -> String {
    fs::read_to_string(spec.join("implementations.yaml")).expect("a file")
}

#[test]
fn a_release_that_nobody_looked_at_changes_no_type() {
    let scratch = Scratch::generated();
    let before = generated(&scratch);
    let (newest, new) = next(&scratch, "mastodon");
    let said = run(&scratch, &["release", "mastodon", &new, "2026-12-24", "--api", "12"]);
    let said = said.succeeded().stdout;
    assert!(said.contains(&format!("Mastodon was looked at up to {newest}: ")), "{said}");
    assert!(said.contains("  - app/serializers/rest/: "), "{said}");
    assert!(said.contains(&format!("set `looked_at: \"{new}\"` of mastodon")), "{said}");
    let line = format!("      \"{new}\": {{date: \"2026-12-24\", api: 12}}\n");
    assert!(told(&scratch.spec()).contains(&line));

    commands::run(scratch.gen_args(&[])).succeeded();
    let after = generated(&scratch);
    let types = |files: &BTreeMap<String, String>| -> Vec<String> {
        let lines = files.values().flat_map(|text| text.lines());
        lines.filter(|line| line.contains("pub ")).map(str::to_owned).collect()
    };
    assert!(types(&before).len() > 1000);
    assert_eq!(types(&before), types(&after));
    let (major, rest) = newest.split_once('.').expect("three numbers");
    let looked_at = format!(".looked_at({major}, {})", rest.replace('.', ", "));
    assert!(after["src/items.rs"].contains(&looked_at), "{looked_at}");
    // Besides the table only the front page may name the newest release.
    let changed: Vec<_> =
        after.iter().filter(|(path, text)| before.get(*path) != Some(*text)).collect();
    assert!(changed.len() <= 3, "{:?}", changed.iter().map(|(path, _)| path).collect::<Vec<_>>());

    let coverage = run(&scratch, &["coverage", "--format", "json"]).succeeded().stdout;
    let coverage: Value = serde_json::from_str(&coverage).expect("JSON");
    let looked_at = &coverage["looked_at"]["mastodon"];
    assert_eq!(looked_at["up_to"], newest);
    assert_eq!(looked_at["not_looked_at"], serde_json::json!([new]));
    assert!(looked_at["never"].as_u64() > Some(0));
    let text = run(&scratch, &["coverage"]).succeeded().stdout;
    assert!(text.contains(&format!("not yet looked at: {new}; ")), "{text}");
    // A release may bring items that Mastodon never had.
    let notes = run(
        &scratch,
        &["diff", "--program", "mastodon", &format!("{newest}..{new}"), "--format", "json"],
    );
    let notes: Value = serde_json::from_str(&notes.succeeded().stdout).expect("JSON");
    let unknown = notes["unknown"].as_array().expect("a list");
    assert!(unknown.contains(&"interaction_requests.list".into()), "{notes}");
    assert_eq!(notes["events"], serde_json::json!([]));
}

#[test]
fn what_was_looked_at_becomes_a_statement() {
    let scratch = Scratch::new();
    let spec = scratch.path().join("small");
    let files = [
        (
            "implementations.yaml",
            "programs:\n  one:\n    name: One\n    nodeinfo: [one]\n    releases: {\"1.0.0\": {}, \"3.0.0\": {}} # two\n  two: {name: Two, nodeinfo: [two], releases: {\"1.0.0\": {}}}\nsources:\n  source: {class: B, title: A source}\n",
        ),
        ("documents/empty.yaml", "area: nothing\n"),
        ("supplement/empty.yaml", "area: nothing\n"),
    ];
    for (file, text) in files {
        catalogue::write(&spec.join(file), text.as_bytes());
    }
    let path = spec.display().to_string();
    let release = |args: &[&str]| {
        let args = ["release", "--spec", &path].into_iter().chain(args.iter().copied());
        commands::run(args)
    };
    release(&["one", "2.0.0", "2020-02-29"]).succeeded();
    release(&["two", "1.0.1", "2020-01-01"]).succeeded();
    release(&["two", "0.9.0", "2019-01-01"]).succeeded();
    assert_eq!(
        told(&spec),
        "programs:\n  one:\n    name: One\n    nodeinfo: [one]\n    looked_at: \"3.0.0\"\n    releases: {\"1.0.0\": {}, \"2.0.0\": {date: \"2020-02-29\"}, \"3.0.0\": {}} # two\n  two: {name: Two, nodeinfo: [two], looked_at: \"1.0.0\", releases: {\"0.9.0\": {date: \"2019-01-01\"}, \"1.0.0\": {}, \"1.0.1\": {date: \"2020-01-01\"}}}\nsources:\n  source: {class: B, title: A source}\n"
    );
    let before = told(&spec);
    for (args, why) in [
        (
            ["on", "4.0.0", "2020-01-01"],
            "the catalogue does not know the program `on`; did you mean `one`?",
        ),
        (["one", "3.0.0", "2020-01-01"], "One 3.0.0 is registered already"),
        (["one", "4.0", "2020-01-01"], "`4.0`: a version is three numbers, like 4.3.0"),
        (["one", "4.0.0", "2021-02-29"], "`2021-02-29` is no day; write it like 2026-08-20"),
    ] {
        let refused = release(&args);
        assert_eq!(refused.code, Some(2), "{args:?}");
        assert!(refused.stderr.contains(why), "{args:?}: {}", refused.stderr);
    }
    assert_eq!(told(&spec), before);
    let looked_at = before.replace("looked_at: \"3.0.0\"", "looked_at: \"3.0.1\"");
    catalogue::write(&spec.join("implementations.yaml"), looked_at.as_bytes());
    let refused = commands::run(["check", "--spec", &path]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.stderr.contains("One has no registered release 3.0.1")
            && refused
                .stderr
                .contains("register it under `releases`, or name one that is, up to 3.0.0"),
        "{}",
        refused.stderr
    );
}
