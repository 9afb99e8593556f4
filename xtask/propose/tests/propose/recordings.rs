//! Proposals from recorded answers of a release.

use fedispec_propose::recording::propose;
use fedispec_propose::row::{Change, ItemKind};

use crate::repository::Scratch;

const REPORT: &str = r#"{"schema": "fedispec-verify/1", "total": 3, "matched": 3, "decoded": 3, "failed": [], "unmatched": {},
    "too_early": [{"id": "Note.colour", "program": "gotosocial", "version": "0.1.0", "since": "never", "line": 2, "count": 1}],
    "promised_but_absent": [{"id": "Note.text", "line": 3, "count": 4}],
    "promised_but_null": [{"id": "Note.text", "line": 2, "count": 1}],
    "unknown_fields": [{"id": "Note.folder.size", "line": 1, "count": 2}],
    "unknown_values": [{"id": "NoteColour.pink", "line": 1, "count": 1}]}"#;

#[test]
fn findings_become_rows_with_recorded_evidence() {
    let scratch = Scratch::new("gotosocial");
    let proposal = propose(&scratch.spec(), "gotosocial", "0.1.0", "answers.jsonl", REPORT)
        .expect("a proposal");
    let told: Vec<_> = proposal
        .rows
        .iter()
        .map(|row| (row.change, row.kind, row.id.as_str(), row.to.as_deref()))
        .collect();
    let expected = [
        (Change::Added, ItemKind::Field, "Note.folder.size", Some("seen 2 times in 0.1.0")),
        (Change::Added, ItemKind::Value, "NoteColour.pink", Some("seen once in 0.1.0")),
        (Change::Contradicts, ItemKind::Field, "Note.colour", Some("seen once in 0.1.0")),
        (Change::Contradicts, ItemKind::Presence, "Note.text", Some("left out 4 times in 0.1.0")),
        (Change::Contradicts, ItemKind::Presence, "Note.text", Some("null once in 0.1.0")),
    ];
    assert_eq!(told, expected);
    let row = &proposal.rows[0];
    assert_eq!(row.file, "spec/supplement/notes.yaml");
    assert!(
        row.yaml.contains(
            "\"folder[size]\": {type: json, since: {mastodon: never, gotosocial: \"0.1.0\"}"
        ),
        "{}",
        row.yaml
    );
    assert!(row.yaml.contains("{source: recordings, at: \"answers.jsonl:1\"}"), "{}", row.yaml);
}

#[test]
fn what_is_no_report_is_refused() {
    let scratch = Scratch::new("gotosocial");
    let refused = |version, report| {
        let proposal = propose(&scratch.spec(), "gotosocial", version, "answers.jsonl", report);
        proposal.expect_err("refused").to_string()
    };
    assert!(refused("0.1.0", "[]").contains("no report of `verify --format json`"));
    assert!(refused("new", REPORT).contains("`new` is no version"));
}
