//! What the folder of a program cannot say for the whole catalogue, and what the catalogue says of programs that are not spoken of.

use crate::support::{IMPLEMENTATIONS, Spec};

const SUPPLEMENT: &str = r#"area: test
defaults: {inherits: true, evidence: {mastodon: server, gotosocial: server, shape: server}}
groups: {accounts: {summary: Accounts.}}
operations:
  accounts.create:
    summary: Makes an account.
    since: {mastodon: "2.0.0", gotosocial: "0.1.0"}
    method: POST
    path: /a
    auth: {token: none}
    returns: A[]
    success: [200]
    paging: none
    params:
      a: {summary: A text., in: form, type: string, required: false, left_out: harmless}
      b: {summary: A kind., in: form, type: Kind, required: false, left_out: harmless}
entities:
  A:
    summary: An account.
    since: {mastodon: "2.0.0", gotosocial: "0.1.0"}
    fields:
      c: {summary: A text., type: string, nullable: false, optional: false}
enums:
  Kind:
    summary: What it is for.
    since: {mastodon: "2.0.0", gotosocial: "0.1.0"}
    values:
      one: {summary: For one.}
"#;

const REGISTRY: &str = r#"programs:
  pleroma: {name: Pleroma, nodeinfo: [pleroma], releases: {"1.0.0": {}}}
sources:
  pleroma-source: {class: B, title: Pleroma's source, programs: [pleroma]}
"#;

const FOLDER: &str = r#"area: Pleroma
defaults: {evidence: {pleroma: pleroma-source, shape: pleroma-source}}
has: [{since: {pleroma: "1.0.0"}, of: [accounts]}]
operations:
  accounts.create:
    auth: {pleroma: {token: user}}
    params:
      a: {required: {pleroma: false}, left_out: {pleroma: harmless}}
"#;

/// The catalogue with a text in each of its files in place of another one; what is wrong is told, if anything.
#[track_caller]
fn tells(edits: &[(&str, &str)], expected: &str) {
    let mut files = [
        (
            "implementations.yaml",
            format!(
                "reference: mastodon\n{IMPLEMENTATIONS}  docs: {{class: C, title: The documentation, programs: [mastodon]}}\n  other: {{class: B, title: GoToSocial's source, programs: [gotosocial], revision: v0.19.0}}\n"
            ),
        ),
        ("documents/a.yaml", "area: test\n".to_owned()),
        ("supplement/a.yaml", SUPPLEMENT.to_owned()),
        ("programs/pleroma/implementations.yaml", REGISTRY.to_owned()),
        ("programs/pleroma/a.yaml", FOLDER.to_owned()),
        ("api.json", r#"{"items": [{"id": "accounts.lost"}]}"#.to_owned()),
    ];
    for (from, to) in edits {
        let file = files.iter_mut().map(|(_, text)| text).find(|text| text.contains(from));
        let text = file.unwrap_or_else(|| panic!("no {from}"));
        *text = text.replacen(from, to, 1);
    }
    let [(_, implementations), rest @ ..] = &files;
    let spec = Spec {
        implementations,
        files: rest.iter().map(|(name, text)| (*name, text.clone())).collect(),
    };
    if expected.is_empty() {
        spec.full();
    } else {
        spec.tells(expected);
    }
}

#[test]
fn a_fact_of_the_catalogue_is_stated_there() {
    tells(&[], "");
    for (from, expected) in [
        (
            "    auth: {token: none}\n",
            "spec/supplement/a.yaml:5:3: `accounts.create` neither states `auth` nor says that it is unknown (state it, write `unknown`, or list it under `unknown` in the file's `defaults` if its source never shows it)",
        ),
        (
            "required: false, ",
            "spec/supplement/a.yaml:15:7: `accounts.create.a` neither states `required` nor says that it is unknown (state it, write `unknown`, or list it under `unknown` in the file's `defaults` if its source never shows it)",
        ),
        (
            ", left_out: harmless",
            "spec/supplement/a.yaml:15:7: nobody says what leaving `accounts.create.a` out does (write `left_out: harmless`, or its effect: `left_out: {effect: changes_meaning, so: the status is posted at once}`)",
        ),
    ] {
        tells(&[(from, "")], expected);
    }
}

#[test]
fn an_entry_of_a_folder_says_something() {
    tells(
        &[("a: {required: {pleroma: false}, left_out: {pleroma: harmless}}", "a: {}")],
        "spec/programs/pleroma/a.yaml:8:7: the folder of a program says nothing of `accounts.create.a` here (write since when the program has it, or remove the entry)",
    );
}

#[test]
fn what_a_source_does_not_speak_of_it_does_not_prove() {
    let evidence = |said: &str| format!("    paging: none\n    evidence: {{{said}}}\n");
    for (said, expected) in [
        (
            "gotosocial: docs",
            "`docs` speaks of Mastodon, and proves nothing of GoToSocial (name a source that speaks of the program, or add it to `programs` of this one)",
        ),
        (
            "auth.gotosocial: docs",
            "`docs` speaks of Mastodon, and proves nothing of GoToSocial (name a source that speaks of the program, or add it to `programs` of this one)",
        ),
        (
            "gotosocial: {source: other, at: \"a.go:1@4.5.0\"}",
            "`@4.5.0` names no release of GoToSocial (Mastodon has it: write the one that was read, or name another source)",
        ),
    ] {
        let place = format!("    paging: none\n    evidence: {{{said}");
        let column = place.rfind(['"', ' ']).unwrap_or_default();
        let column = if said.contains("at:") { place.find("\"a.go").unwrap() } else { column + 1 };
        let column = column - "    paging: none\n".len() + 1;
        tells(
            &[("    paging: none\n", &evidence(said))],
            &format!("spec/supplement/a.yaml:14:{column}: {expected}"),
        );
    }
    // The documents tell of other programs.
    let documents = "area: test\ndefaults: {evidence: {gotosocial: docs}}\n";
    let mut files = vec![("documents/a.yaml", documents.to_owned())];
    files.push(("supplement/a.yaml", SUPPLEMENT.to_owned()));
    let registry = format!(
        "{IMPLEMENTATIONS}  docs: {{class: C, title: The documentation, programs: [mastodon]}}\n"
    );
    Spec { implementations: &registry, files }.full();
}

#[test]
fn what_the_catalogue_has_lost_is_not_misspelt() {
    tells(
        &[("of: [accounts]", "of: [accounts, accounts.lost]")],
        "spec/programs/pleroma/a.yaml:3:50: `accounts.lost` is gone, which the catalogue had before (put it back, or take its name away here; it may have another name now)",
    );
    tells(
        &[(
            "  accounts.create:\n    auth: {pl",
            "  accounts.lost: {since: {pleroma: \"1.0.0\"}}\n  accounts.create:\n    auth: {pl",
        )],
        "spec/programs/pleroma/a.yaml:5:3: only the folder of a program speaks of `accounts.lost`, and says not what it is (write its `summary`, or put back what `documents` or `supplement` said of it)",
    );
}

#[test]
fn a_tombstone_is_of_what_was_there() {
    let stone = |id: &str| format!("tombstones:\n  {id}: {{why: It is gone.}}\nentities:\n");
    tells(&[("entities:\n", &stone("accounts.lost"))], "");
    tells(
        &[("entities:\n", &stone("accounts.lst"))],
        "spec/supplement/a.yaml:18:3: there never was an item `accounts.lst` (did you mean `accounts.lost`?)",
    );
}

#[test]
fn a_program_has_a_name_of_its_own() {
    tells(
        &[("name: Pleroma", "name: Mastodon")],
        "spec/programs/pleroma/implementations.yaml:2:19: another program has the name `Mastodon` (give it to one of the two)",
    );
}

#[test]
fn what_contradicts_what_is_around_it() {
    tells(&[("    method: POST", "    media_type: text/xml\n    method: POST")], "");
    for (from, to, expected) in [
        (
            "paging: none",
            "paging: none\n    media_type: application/jsn",
            "14:17: nobody sends the media type `application/jsn` (did you mean `application/json`?)",
        ),
        (
            "optional: false}",
            "optional: false, presence: {mastodon: always}, quirks: [{program: mastodon, sends: absent_if_empty}]}",
            "22:115: Mastodon sends `absent_if_empty` in place of `A.c`, whose `presence` says otherwise (mend `presence`, or write under `until` when the quirk ended)",
        ),
        (
            "optional: false}",
            "optional: false, quirks: [{program: mastodon, sends: integer, since: \"1.0.0\"}]}",
            "22:85: the quirk begins before Mastodon has `A.c`, since 2.0.0 (leave out its `since`, or mend one of the two)",
        ),
        (
            "    method: POST",
            "    absent: {mastodon: [[\"3.0.0\", \"4.5.0\"]]}\n    works_since: {mastodon: \"3.0.0\"}\n    method: POST",
            "9:29: in Mastodon, `accounts.create` works since 3.0.0, and is absent from 3.0.0 until 4.5.0 (mend it, or the Since of the item)",
        ),
        (
            "    method: POST",
            "    absent: {mastodon: [[\"3.0.0\", \"3.0.0\"]]}\n    method: POST",
            "8:25: in Mastodon, `accounts.create` cannot be absent from 3.0.0 until 3.0.0 (mend it, or the Since of the item)",
        ),
        (
            "    method: POST",
            "    absent: {mastodon: [[\"3.0.0\", \"4.5.0\"], [\"2.0.0\", \"3.0.0\"]]}\n    method: POST",
            "8:45: in Mastodon, `accounts.create` cannot be absent from 2.0.0 until 3.0.0, as the stretch before it ends in 4.5.0 (mend it, or the Since of the item)",
        ),
        (
            "    method: POST",
            "    replacement: accounts.creates\n    method: POST",
            "8:18: there is no item `accounts.creates` (did you mean `accounts.create.a`?)",
        ),
    ] {
        tells(&[(from, to)], &format!("spec/supplement/a.yaml:{expected}"));
    }
}
