//! What is proposed of a small program written like Mastodon.

use std::fs;

use fedispec_propose::row::{Change, Kind, Proposal};
use fedispec_propose::{Request, propose};

use crate::repository::Scratch;

/// The catalogue in which the other program is the one that lacks what is new.
fn scratch() -> Scratch {
    let scratch = Scratch::new("mastodon");
    let file = scratch.spec().join("supplement/notes.yaml");
    let text = fs::read_to_string(&file).expect("the catalogue");
    let (first, rest) = text.split_once("  notes.pinned:").expect("the operation");
    let since = "mastodon: \"4.0.0\", gotosocial: never";
    let first = first.replace(since, "mastodon: never, gotosocial: \"0.1.0\"");
    let swapped = format!("{first}  notes.pinned:{rest}");
    let swapped = swapped.replace("since: {gotosocial: never}", "since: {mastodon: never}");
    fs::write(&file, swapped).expect("written");
    scratch
}

fn request(scratch: &Scratch, tag: &str) -> Proposal {
    let source = scratch.source();
    let request = Request {
        program: "mastodon",
        source: &source,
        tag,
        from: None,
        version: Some("4.1.0"),
    };
    propose(&scratch.spec(), &request).expect("a proposal")
}

#[test]
fn a_release_is_read_whole() {
    let proposal = request(&scratch(), "v4.1.0");
    let told: Vec<String> = proposal
        .rows
        .iter()
        .map(|row| {
            format!(
                "{} {} {} {}",
                row.change.name(),
                row.kind.name(),
                row.id,
                row.to.as_deref().unwrap_or_default()
            )
        })
        .collect();
    let expected = [
        "added operation notes.create 4.1.0",
        "added operation notes.pin 4.1.0",
        "added operation streaming.colours 4.1.0",
        "added param notes.create.colour 4.1.0",
        "added param notes.create.folder[name] 4.1.0",
        "added param notes.create.text 4.1.0",
        "added param notes.list.beyond 4.1.0",
        "added param notes.list.newest 4.1.0",
        "added field Note.colour 4.1.0",
        "renamed field Note.colour colour",
        "added field Note.folder 4.1.0",
        "added field Note.folder.name 4.1.0",
        "added field Note.mood 4.1.0",
        "removed field Note.old_name ",
        "added value NoteColour.blue 4.1.0",
        "changed auth notes.list user read",
        "contradicts operation streaming.notes served in 4.0.0",
        "contradicts value NoteColour.green declared in 4.0.0",
    ];
    assert_eq!(told, expected, "{told:#?}");
    assert_eq!(proposal.api, Some(3));
    let broken = "app/models/broken.rb";
    assert!(
        proposal.unread.iter().any(|text| text.starts_with(broken)),
        "{:?}",
        proposal.unread
    );
}

#[test]
fn a_route_without_an_action_is_none() {
    let proposal = request(&scratch(), "v4.1.0");
    let paths: Vec<_> = proposal
        .rows
        .iter()
        .filter_map(|row| row.path.as_deref())
        .collect();
    // `notes/gone` names an action that the controller has not, `history` a controller that is not there.
    assert!(
        !paths
            .iter()
            .any(|path| path.ends_with("gone") || path.ends_with("history")),
        "{paths:?}"
    );
}

#[test]
fn the_place_of_a_row_is_where_the_source_says_it() {
    let proposal = request(&scratch(), "v4.1.0");
    let at = |kind, id: &str| {
        let mut rows = proposal.rows.iter();
        let row =
            rows.find(|row| row.change != Change::Contradicts && row.kind == kind && row.id == id);
        row.expect(id).at.clone()
    };
    assert_eq!(
        at(Kind::Operation, "notes.create"),
        "config/routes/api.rb:9@v4.1.0"
    );
    assert_eq!(
        at(Kind::Param, "notes.list.newest"),
        "app/controllers/api/v1/notes_controller.rb:7@v4.1.0"
    );
    assert_eq!(
        at(Kind::Field, "Note.folder"),
        "app/serializers/rest/note_serializer.rb:3@v4.1.0"
    );
    assert_eq!(
        at(Kind::Auth, "notes.list"),
        "app/controllers/api/v1/notes_controller.rb:2@v4.1.0"
    );
}

#[test]
fn a_tree_of_another_release_is_told() {
    let scratch = scratch();
    let source = scratch.source();
    let request = Request {
        program: "mastodon",
        source: &source,
        tag: "v4.1.0",
        from: None,
        version: Some("4.0.5"),
    };
    let proposal = propose(&scratch.spec(), &request).expect("a proposal");
    assert!(
        proposal
            .unread
            .iter()
            .any(|text| text.contains("calls itself 4.1.0, not 4.0.5")),
        "{:?}",
        proposal.unread
    );
}
