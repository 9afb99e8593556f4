//! A backport: what Mastodon 4.3.14 brought, 4.4.0 to 4.4.5 lack, and 4.4.6 has again, through the gate, the diff and the
//! documentation.

use std::fs;

use fedispec_model::change::{ChangedFact, state_at};
use fedispec_runtime::compatibility::{RemoteServer, Verdict};
use fedispec_runtime::{ItemTable, Program, Release};
use fedispec_tests::catalogue::Scratch;
use fedispec_tests::commands;

/// The releases around the backport, and whether they have it.
const RELEASES: [(&str, bool); 9] = [
    ("4.3.13", false),
    ("4.3.14", true),
    ("4.4.0", false),
    ("4.4.1", false),
    ("4.4.4", false),
    ("4.4.5", false),
    ("4.4.6", true),
    ("4.4.7", true),
    ("4.5.0", true),
];

/// An operation that came by a backport.
const OPERATION: &str = r#"  streaming.health:
    summary: Whether the streaming server is up.
    since: {mastodon: "4.3.14", gotosocial: never}
    absent: {mastodon: [["4.4.0", "4.4.6"]]}
"#;

/// The item's row for Mastodon in the item table, as `gen` writes it.
const ROW: &str = r#""streaming.health": "4.3.14 absent 4.4.0..4.4.6""#;

fn health() -> Scratch {
    let scratch = Scratch::new();
    let file = "supplement/streaming.yaml";
    let stated = "  streaming.health:\n    summary: Whether the streaming server is up.\n    since: {mastodon: \"2.5.0\", gotosocial: never}\n";
    scratch.edit(file, stated, OPERATION);
    scratch
}

fn notes(scratch: Option<&Scratch>, from: &str, to: &str) -> String {
    let mut args = vec!["diff".to_owned()];
    if let Some(scratch) = scratch {
        args.extend(["--spec".to_owned(), scratch.spec().display().to_string()]);
    }
    args.extend(["--program", "mastodon"].map(str::to_owned));
    args.push(format!("{from}..{to}"));
    commands::run(args).succeeded().stdout
}

/// From the first to the last release of each stretch of [`RELEASES`], and on to the next one.
fn steps() -> impl Iterator<Item = (&'static str, &'static str, bool, bool)> {
    let stretches = RELEASES.chunk_by(|one, next| one.1 == next.1);
    let mut ends: Vec<_> = stretches.flat_map(|all| [all.first(), all.last()]).flatten().collect();
    ends.dedup();
    let pairs: Vec<_> = ends.windows(2).map(|pair| (*pair[0], *pair[1])).collect();
    pairs.into_iter().map(|((from, had), (to, has))| (from, to, had, has))
}

#[test]
fn an_item_in_the_gate() {
    static PROGRAMS: &[Program] = &[Program::new("mastodon", "Mastodon")
        .nodeinfo(&["mastodon"])
        .releases(&[Release::new(4, 3, 0), Release::new(4, 3, 14), Release::new(4, 6, 5)])];
    static ITEMS: ItemTable = ItemTable::new(
        PROGRAMS,
        r#"{"form": 3, "items": {"streaming.health": "operation"}}"#,
        &[r#"{"otherwise": "never", "items": {"streaming.health": "4.3.14 absent 4.4.0..4.4.6"}}"#],
    );
    let scratch = health();
    commands::run(scratch.gen_args(&[])).succeeded();
    let table = fs::read_to_string(scratch.out().join("src/items.rs")).expect("a table");
    assert!(table.lines().any(|line| line.trim_end_matches(',') == ROW), "{ROW}");
    for (version, has) in RELEASES {
        let support = RemoteServer::of("mastodon", version).supports(&ITEMS, "streaming.health");
        let expected = if has { Verdict::Yes } else { Verdict::No };
        assert_eq!(support.verdict, expected, "{version}: {}", support.evidence);
    }
    let docs = fs::read_to_string(scratch.out().join("src/streaming.rs")).expect("a module");
    assert!(
        docs.contains("/// Absent from Mastodon 4.4.0 on, and there again since 4.4.6."),
        "{docs}"
    );
}

#[test]
fn an_item_in_the_diff() {
    let scratch = health();
    for (from, to, had, has) in steps() {
        let notes = notes(Some(&scratch), from, to);
        let told = |heading: &str| {
            let start = notes.find(heading);
            start.is_some_and(|start| {
                let section = &notes[start..];
                let end = section.find("\n\n").unwrap_or(section.len());
                section[..end].contains("streaming.health")
            })
        };
        assert_eq!(told("\nNew operations ("), !had && has, "{from}..{to}: {notes}");
        assert_eq!(told("\nGone ("), had && !has, "{from}..{to}: {notes}");
    }
}

#[test]
fn a_change_in_the_catalogue() {
    let (_, api) = fedispec_reader::open(
        &fedispec_tests::root().join("spec"),
        fedispec_model::api::Layer::Full,
    )
    .expect("the catalogue is sound");
    let id = "streaming.public";
    let mut operations = api.operations.iter();
    let operation = operations.find(|one| one.item.id == id).expect(id);
    for (version, has) in RELEASES {
        let at = version.parse().expect(version);
        let scopes = state_at(&operation.item.life[0].changed, ChangedFact::Scopes, at);
        let scopes = scopes.map(|value| ChangedFact::Scopes.text(value));
        let expected = if has { "read:statuses" } else { "none" };
        assert_eq!(scopes.as_deref(), Some(expected), "{version}");
    }
}

#[test]
fn a_change_in_the_diff_and_the_documentation() {
    for (from, to, had, has) in steps() {
        let notes = notes(None, from, to);
        let of_five = |what: &str| format!("5 items  {what}\n     streaming.hashtag, ");
        let tightened = &*of_five("scopes: read:statuses (was none)  scope-tightened");
        let loosened = &*of_five("scopes: none (was read:statuses)  scope-loosened");
        assert_eq!(notes.contains(tightened), !had && has, "{from}..{to}: {notes}");
        assert_eq!(notes.contains(loosened), had && !has, "{from}..{to}: {notes}");
    }
    // One that spans the gap tells the change once.
    let whole = notes(None, "4.3.13", "4.5.0");
    assert_eq!(whole.matches("streaming.public_local").count(), 1, "{whole}");
    let docs = include_str!("../../../generated/src/streaming.rs");
    assert!(docs.contains(
        "Changed in Mastodon 4.3.14, except in 4.4.0 to 4.4.5: the scopes from `none` to `read:statuses`."
    ));
}
