//! A third program comes as data: one entry in the registry, and the items that it adds. Nothing else changes.

use std::fs;
use std::path::Path;

use fedispec_codegen::emit;
use fedispec_diff::rules::{Bump, RuleId, Severity};
use fedispec_model::api::{Api, Layer, Since};
use fedispec_since::StableVersion;
use tempfile::TempDir;

use super::measured::{held, surface};
use super::support::real;

const SPEC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec");

/// The line, and what else the registry says of a program.
const PROGRAM: &str = r#"
  newroma:
    name: Newroma
    nodeinfo: [newroma]
    unlisted: unknown
    held_against: {presence: newroma-docs}
    releases:
      "1.0.0": {date: "2019-06-28"}
      "2.0.0": {date: "2020-03-08"}
      "2.5.0": {date: "2022-12-23"}
      "2.9.0": {date: "2025-03-01"}
"#;

const SOURCE: &str = r"
  newroma-docs: {class: C, title: Newroma's documentation of what differs from the Mastodon API}
";

/// Its reactions, which have operations of their own.
const REACTIONS: &str = r#"area: reactions of Newroma
defaults:
  since: {mastodon: never, gotosocial: never}
  evidence: {mastodon: mastodon-source, gotosocial: gotosocial-source, newroma: newroma-docs, shape: newroma-docs}
groups:
  newroma_reactions: {summary: Emoji with which users react to statuses.}
operations:
  newroma_reactions.list:
    summary: Lists the reactions to a status.
    since: {newroma: "2.0.0"}
    method: GET
    path: /api/v1/newroma/statuses/:id/reactions
    auth: {token: optional}
    returns: NewromaReaction[]
    success: [200]
    paging: none
    errors: {}
    params:
      id: {summary: The id of the status., since: {newroma: "2.0.0"}, in: path, type: id<Status>, required: true}
  newroma_reactions.add:
    summary: Reacts to a status.
    since: {newroma: "2.0.0"}
    method: PUT
    path: /api/v1/newroma/statuses/:id/reactions/:emoji
    auth: {token: user, scopes: ["write:statuses"]}
    returns: Status
    success: [200]
    paging: none
    errors: {}
    params:
      id: {summary: The id of the status., since: {newroma: "2.0.0"}, in: path, type: id<Status>, required: true}
      emoji: {summary: A character., since: {newroma: "2.0.0"}, in: path, type: string, required: true}
entities:
  NewromaStatus:
    summary: What Newroma alone says of a status.
    fields:
      local: {summary: Whether it was posted on this server., since: {newroma: "1.0.0"}, type: boolean, nullable: false, optional: false}
      emoji_reactions: {summary: The reactions., since: {newroma: "2.0.0"}, type: "NewromaReaction[]", nullable: false, optional: true}
  NewromaAccount:
    summary: What Newroma alone says of an account.
    fields:
      is_admin: {summary: Whether it administrates its server., since: {newroma: "1.0.0"}, type: boolean, nullable: true, optional: true}
  NewromaReaction:
    summary: An emoji, and who reacted with it.
    fields:
      name: {summary: The emoji., since: {newroma: "2.0.0"}, type: string, nullable: false, optional: false}
      count: {summary: The number of reactions., since: {newroma: "2.0.0"}, type: integer, nullable: false, optional: false}
      me: {summary: Whether the user reacted with it., since: {newroma: "2.0.0"}, type: boolean, nullable: false, optional: false}
"#;

/// Its best known extensions of what all programs have: file, what stands there, what comes before it.
const EXTENSIONS: [(&str, &str, &str); 3] = [
    (
        "supplement/statuses.yaml",
        "      id:\n        summary: The status's id on this server",
        r#"      newroma:
        summary: What Newroma alone says of the status.
        since: {mastodon: never, gotosocial: never, newroma: "1.0.0"}
        evidence: {newroma: newroma-docs, shape: newroma-docs}
        type: NewromaStatus
        nullable: false
        optional: false
"#,
    ),
    (
        "supplement/accounts.yaml",
        "      id:\n        summary: The account's id on this server",
        r#"      newroma:
        summary: What Newroma alone says of the account.
        since: {mastodon: never, gotosocial: never, newroma: "1.0.0"}
        evidence: {newroma: newroma-docs, shape: newroma-docs}
        type: NewromaAccount
        nullable: false
        optional: false
"#,
    ),
    (
        "supplement/statuses.yaml",
        "      language:\n",
        r#"      expires_in:
        summary: The seconds after which the status is deleted.
        since: {mastodon: never, gotosocial: never, newroma: "2.0.0"}
        evidence: {newroma: newroma-docs, shape: newroma-docs}
        in: form
        type: integer
        format: seconds
        required: false
        left_out: harmless
"#,
    ),
];

fn insert(folder: &Path, file: &str, before: &str, more: &str) {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).expect("reads");
    assert!(text.contains(before), "{file} has no {before:?}");
    let text = text.replacen(before, &format!("{more}{before}"), 1);
    fs::write(path, text).expect("writes");
}

/// A copy of the real catalogue in which one more program is registered.
fn registered(program: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for file in fedispec_reader::load::files(Path::new(SPEC)).expect("the catalogue") {
        let to = folder.path().join(&file);
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        fs::copy(Path::new(SPEC).join(file), to).expect("copies");
    }
    let file = "implementations.yaml";
    let after_programs = "\n# Programs that clients meet";
    insert(folder.path(), file, after_programs, program);
    folder
}

/// The real catalogue with the third program in it.
fn with_newroma() -> Api {
    let folder = registered(PROGRAM);
    let insert = |file: &str, before: &str, more: &str| insert(folder.path(), file, before, more);
    insert("implementations.yaml", "  inference:\n", SOURCE.trim_start_matches('\n'));
    for (file, before, more) in EXTENSIONS {
        insert(file, before, more);
    }
    fs::write(folder.path().join("supplement/newroma.yaml"), REACTIONS).expect("writes");
    match fedispec_reader::open(folder.path(), Layer::Full) {
        Ok((_, api)) => api.typed(),
        Err(failure) => panic!("{failure}"),
    }
}

fn pub_lines(api: &Api) -> Vec<(String, Vec<String>)> {
    let files = emit::files(api, &emit::Options::default()).expect("it is generated");
    let lines = |text: String| {
        let lines = text.lines().map(str::trim).filter(|line| line.starts_with("pub "));
        lines.map(str::to_owned).collect()
    };
    files.into_iter().map(|(name, text)| (name, lines(text))).collect()
}

/// Newroma is registered, with its reactions and extensions: no mistake, nothing breaks, no type changes.
#[test]
fn a_third_program_is_a_line() {
    let (old, new) = (real(), with_newroma());
    let at = new.programs.iter().position(|one| one.key == "newroma");
    let at = at.expect("is registered");
    let since = |id: &str| {
        let mut operations = new.operations.iter();
        let found = operations.find(|one| one.item.id == id).expect("is there");
        found.item.life[at].since
    };
    assert_eq!(since("accounts.lookup"), Since::Unknown);
    assert_eq!(since("newroma_reactions.add"), Since::Since(StableVersion(2, 0, 0)));

    let report = held(old, &new, &surface(old).measure(&surface(&new)));
    let breaking: Vec<_> = { report.changes.iter() }
        .filter(|entry| entry.change.severity == Severity::Breaking)
        .map(|entry| format!("{:?} {}", entry.change.rule, entry.change.item.id))
        .collect();
    assert!(breaking.is_empty(), "{breaking:#?}");
    assert!(report.changes.iter().any(|entry| entry.change.rule == RuleId::ImplementationAdded));
    assert_eq!(report.bump.implied, Bump::Minor);
    assert_eq!(report.bump.measured, Some(Bump::Minor));

    let after = pub_lines(&new);
    for (name, lines) in pub_lines(old) {
        let mut left = { after.iter() }
            .find(|(other, _)| *other == name)
            .map(|(_, lines)| lines.iter())
            .unwrap_or_default();
        for line in &lines {
            assert!(left.any(|other| other == line), "{name} lost `{line}`");
        }
    }
}

#[test]
fn without_the_line_the_items_are_a_mistake() {
    let folder = registered(&PROGRAM.replace("    unlisted: unknown\n", ""));
    let failure = fedispec_reader::open(folder.path(), Layer::Full).expect_err("it is incomplete");
    let text = failure.to_string();
    let first = "nobody says since when Newroma has `accounts.create` (and ";
    assert!(text.contains(first), "{text}");
    assert_eq!(text.matches("nobody says since when Newroma has").count(), 1, "{text}");
}
