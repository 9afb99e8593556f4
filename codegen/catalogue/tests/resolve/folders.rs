//! The facts that a program's folder cannot state for the whole catalogue, and those of programs that nobody speaks of.

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
        "spec/supplement/a.yaml:5:3: `accounts.create` is new, and `accounts.lost` is gone (mend the name, or write that it was renamed: `renamed_from: accounts.lost`)",
    );
    tells(
        &[
            ("of: [accounts]", "of: [accounts, accounts.lost]"),
            ("\"accounts.lost\"}", "\"accounts.lost\"}, {\"id\": \"accounts.create\"}"),
        ],
        "spec/programs/pleroma/a.yaml:3:50: `accounts.lost` is gone, which the catalogue had before (put it back, or take its name away here; it may have another name now)",
    );
    tells(
        &[
            (
                "  accounts.create:\n    auth: {pl",
                "  accounts.lost: {since: {pleroma: \"1.0.0\"}}\n  accounts.create:\n    auth: {pl",
            ),
            ("\"accounts.lost\"}", "\"accounts.lost\"}, {\"id\": \"accounts.create\"}"),
        ],
        "spec/programs/pleroma/a.yaml:5:3: nothing but a program's folder speaks of `accounts.lost`, and says not what it is (write its `summary`, or put back what was said of it)",
    );
}

/// The supplement has another name for what the folder speaks of.
#[test]
fn a_name_that_changed_is_told_where_it_stands() {
    tells(
        &[
            ("  accounts.create:\n    summary", "  accounts.loste:\n    summary"),
            ("  accounts.create:\n    auth: {pl", "  accounts.lost:\n    auth: {pl"),
        ],
        "spec/supplement/a.yaml:5:3: `accounts.loste` is new, and `accounts.lost` is gone (mend the name, or write that it was renamed: `renamed_from: accounts.lost`)",
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
            "optional: false, quirks: [{program: mastodon, sends: empty_object}]}",
            "22:85: `A.c` is no object, in whose place an empty one stands (write what is sent in its place, as `empty_string`, or mend the type)",
        ),
        (
            "optional: false}",
            "optional: false, changed: {mastodon: [{in: \"3.0.0\", what: type, from: integer, to: string}]}, quirks: [{program: mastodon, sends: integer, until: \"4.5.0\"}]}",
            "22:162: the quirk does not end with the type of `A.c` that Mastodon sends so (write under `until` the release of the change)",
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
            "8:25: in Mastodon, `accounts.create` cannot be absent from 3.0.0 until 3.0.0, as nothing lies between (mend it, or the Since of the item)",
        ),
        (
            "    method: POST",
            "    absent: {mastodon: [[\"3.0.0\", \"4.5.0\"], [\"2.0.0\", \"3.0.0\"]]}\n    method: POST",
            "8:45: in Mastodon, `accounts.create` cannot be absent from 2.0.0 until 3.0.0, as the stretch before it ends in 4.5.0 (mend it, or the Since of the item)",
        ),
        (
            "    method: POST",
            "    absent: {mastodon: [[\"3.0.0\", \"4.5.0\"]]}\n    removed: {mastodon: \"4.5.0\"}\n    method: POST",
            "9:25: in Mastodon, `accounts.create` is removed in 4.5.0, and is absent from 3.0.0 until 4.5.0 (an item is added, then deprecated, then removed)",
        ),
        (
            "    method: POST",
            "    absent: {mastodon: [[\"0.1.0\", \"0.2.0\"]]}\n    method: POST",
            "8:26: Mastodon has no registered release 0.1.0 (the first registered release is 1.0.0; else GoToSocial has released it, under whose key it may belong; else register 0.1.0 under `programs.mastodon.releases` in implementations.yaml first)",
        ),
        (
            "required: false, left_out: harmless}",
            "required: false, left_out: harmless, missing: {status: 422, text: No}}",
            "15:90: `missing` names no program (put it under a program, `missing: {PROGRAM: {status: ..}}`)",
        ),
        (
            "optional: false}",
            "optional: false}\n      evidence: {presence.mastodon: server}",
            "23:7: `evidence` stands among the `fields` (indent it as the facts of the item above it)",
        ),
        (
            "returns: A[]",
            "returns: [A]",
            "11:14: `returns` is a list, not text (write `A[]` for a list, and one text without brackets for anything else)",
        ),
        ("returns: A[]", "returns: id<A[]>", "11:14: `A[]` is no type (write `id<A>[]`)"),
        (
            "    method: POST",
            "    replacement: accounts.creates\n    method: POST",
            "8:18: there is no item `accounts.creates` (did you mean `accounts.create.a`?)",
        ),
    ] {
        tells(&[(from, to)], &format!("spec/supplement/a.yaml:{expected}"));
    }
}

#[test]
fn what_contradicts_a_life_or_a_type() {
    for (from, to, expected) in [
        ("Accounts.", "\"FIXME: say it.\"", "3:30: the text is still to be written (write it)"),
        (
            "left_out: harmless",
            "left_out: {effect: changes_meaning, so: TODO}",
            "15:110: the text is still to be written (write it)",
        ),
        (
            "    method: POST",
            "    removed: {mastodon: \"3.0.0\"}\n    method: POST\n    errors: {\"404\": {when: It is gone., since: {mastodon: \"4.5.0\", gotosocial: never}}}",
            "10:59: `accounts.create.404` has its `since` in Mastodon 4.5.0, and `accounts.create` around it is gone in 3.0.0 (mend one of the two)",
        ),
        (
            "    fields:",
            "    removed: {mastodon: \"3.0.0\"}\n    fields:\n      d: {summary: A number., since: {mastodon: \"3.0.0\", gotosocial: never}, type: integer, nullable: false, optional: false}",
            "21:25: Mastodon 3.0.0 has `accounts.create`, whose `returns` names `A`; that is gone in 3.0.0 (mend one of the two)",
        ),
        (
            "    values:",
            "    removed: {mastodon: \"3.0.0\"}\n    values:\n      two: {summary: For two., since: {mastodon: \"4.5.0\", gotosocial: never}}",
            "27:25: Mastodon 3.0.0 has `accounts.create.b`, whose `type` names `Kind`; that is gone in 3.0.0 (mend one of the two)",
        ),
        (
            "    method: POST",
            "    errors: {\"404\": {when: It is gone., text: {mastodon: {text: Gone, since: \"1.0.0\"}}}}\n    method: POST",
            "8:78: `text` of `accounts.create.404` begins in 1.0.0, before it is there (write 2.0.0 or a later release)",
        ),
        (
            "    method: POST",
            "    errors: {\"404\": {when: It is gone., removed: {mastodon: \"3.0.0\"}, text: {mastodon: {text: Gone, since: \"4.5.0\"}}}}\n    method: POST",
            "8:108: `text` of `accounts.create.404` begins in 4.5.0, after it is removed in 3.0.0 (mend one of the two)",
        ),
        (
            "    params:",
            "    errors: {\"422\": {when: It lacks something., since: {gotosocial: never}}}\n    params:\n      d: {summary: A word., in: form, type: string, required: true, missing: {gotosocial: {status: 422, text: No}}}",
            "16:91: GoToSocial 0.1.0 has `accounts.create.d`, whose `missing` names `accounts.create.422`; that is never there (mend one of the two)",
        ),
        (
            "    params:",
            "    errors: {\"422\": {when: It lacks something., since: {mastodon: \"4.5.0\"}}}\n    params:\n      d: {summary: A word., in: form, type: string, required: true, missing: {mastodon: {status: 422, text: No, since: \"3.0.0\"}}}",
            "16:89: Mastodon 3.0.0 has `accounts.create.d`, whose `missing` names `accounts.create.422`; that comes in 4.5.0 (mend one of the two)",
        ),
        (
            "returns: A[]",
            "returns: empty[]",
            "11:14: `accounts.create` cannot hold what is `empty` (say what it holds, or write `empty` alone)",
        ),
        (
            "returns: A[]",
            "returns: map<empty>",
            "11:14: `accounts.create` cannot hold what is `empty` (say what it holds, or write `empty` alone)",
        ),
        (
            "returns: A[]",
            "returns: cursor",
            "11:14: `accounts.create` answers a cursor, which is sent alone (write what it answers)",
        ),
        (
            "c: {summary: A text., type: string",
            "c: {summary: A text., type: empty",
            "22:35: `A.c` is answered, and cannot be `empty` (write `string`, or `id`)",
        ),
        (
            "    paging: none",
            "    paging: none\n    body: none",
            "14:11: `accounts.create` has no body, in which `a` stands (write how the body is sent, or take `body` away)",
        ),
        (
            "{token: none}",
            "{token: client, permissions: [manage_users]}",
            "10:40: a role has the permissions of a user, of whom a client's token tells nothing (write `token: user`, or remove `permissions`)",
        ),
        (
            "in: form, type: string, required: false, left_out: harmless}",
            "in: form, type: boolean, limit_from: A.d, required: false, left_out: harmless}",
            "15:66: there is no item `A.d` (did you mean `A.c`?)",
        ),
    ] {
        tells(&[(from, to)], &format!("spec/supplement/a.yaml:{expected}"));
    }
    tells(
        &[
            ("c: {summary: A text., type: string", "c: {summary: A number., type: integer"),
            ("in: form, type: string", "in: form, type: boolean, limit_from: A.c"),
        ],
        "spec/supplement/a.yaml:15:66: `accounts.create.a` is a `boolean`, and has no limit (mend its type, or remove it)",
    );
}

#[test]
fn what_follows_from_a_name_is_not_told() {
    // An item that a folder speaks of has another name, or none.
    let param =
        "      b: {summary: A kind., in: form, type: Kind, required: false, left_out: harmless}\n";
    let folder =
        ("      a: {required: {", "      b: {since: {pleroma: \"1.0.0\"}}\n      a: {required: {");
    tells(
        &[(param, &param.replace("b:", "\"b[\":")), folder],
        "spec/supplement/a.yaml:16:7: `b[` is no name in bracket notation: a bracket is never closed (brackets come in pairs and do not nest: `configuration[polls][max_options]`)",
    );
    // A list of objects whose object is misspelt leaves its members without a statement.
    let named = param.replace("type: Kind", "type: Opts");
    let member = (
        "      a: {required: {",
        "      b[c]: {since: {pleroma: \"1.0.0\"}}\n      a: {required: {",
    );
    tells(
        &[(param, &named), member],
        "spec/supplement/a.yaml:16:45: there is no object, entity or enumeration `Opts` (write the name of an object as `objects` of this file has it)",
    );
    // Nothing lies below what a folder says where a file cannot be read.
    tells(
        &[("    method: POST", "\tmethod: POST"), folder],
        "spec/supplement/a.yaml:8:1: this is not YAML: tabs disallowed within this context (block indentation) (indent with spaces; YAML takes no tabs there)",
    );
    // Nothing is known of any program.
    tells(
        &[("name: Mastodon", "name: \"Mastodon")],
        "spec/implementations.yaml:4:11: this is not YAML: invalid indentation in quoted scalar (close the quotes; inside \"..\" write a backslash twice, or use '..')",
    );
    // A member has another object around it than the one that the folder speaks of.
    let field = "type: string, nullable: false, optional: false";
    let member = format!("      e[f]: {{summary: A word., {field}}}\n      c: {{summary: A text.");
    let of = ("of: [accounts]", "of: [accounts, A.g.f]");
    tells(
        &[("      c: {summary: A text.", &member), of],
        "spec/supplement/a.yaml:22:7: `e[f]` stands in `A.e`, which is nowhere (add `e` with the type `object` or `object[]`, or mend the name)",
    );
    let folder = (
        "operations:\n  accounts.create:\n    auth",
        "entities:\n  A:\n    fields:\n      e[f]: {summary: A word., since: {pleroma: \"1.0.0\"}, type: string, nullable: false, optional: false}\noperations:\n  accounts.create:\n    auth",
    );
    tells(
        &[folder],
        "spec/programs/pleroma/a.yaml:7:7: `e[f]` stands in `A.e`, which is nowhere (add `e` with the type `object` or `object[]`, or mend the name)",
    );
    // The documents have another name for what the supplement describes.
    let listed = |name: &str| {
        format!(
            "area: test\ngroups: {{accounts: {{summary: Accounts.}}}}\noperations:\n  accounts.create:\n    params: {{{name}: {{in: form, type: string, required: false}}}}\n"
        )
    };
    let former = ("\"accounts.lost\"}]", "\"accounts.lost\"}, {\"id\": \"accounts.create.a\"}]");
    tells(
        &[("area: test\n", &listed("aa")), former],
        "spec/documents/a.yaml:5:14: `accounts.create.aa` is new, and the documents list `accounts.create.a` no longer (mend the name)",
    );
    // Another field is meant than the one that has none of the values, and another bound in both programs.
    let other = format!(
        "      d: {{summary: A number., {}}}\n      c: {{when: {{field: A.d, is: [one, two]}}, summary: A text.",
        field.replace("string", "integer")
    );
    let sometimes = ("optional: false}\nenums", "optional: true}\nenums");
    tells(
        &[("      c: {summary: A text.", &other), sometimes],
        "spec/supplement/a.yaml:23:35: `A.d` has no value `one` (write a whole number in quotes)",
    );
    tells(
        &[("type: string, required", "type: string, max: {mastodon: 5, gotosocial: 6}, required")],
        "spec/supplement/a.yaml:15:69: `max` bounds a number, which `accounts.create.a` is not (mend its type, or remove the bound)",
    );
}

#[test]
fn what_is_gone_is_told_once() {
    let had = ["accounts.create", "A", "A.c", "Kind"].join("\"}, {\"id\": \"");
    let had = format!("\"accounts.lost\"}}, {{\"id\": \"{had}\"}}]");
    let had = ("\"accounts.lost\"}]", had.as_str());
    let fields =
        "entities:\n  A:\n    fields:\n      c: {since: {pleroma: \"1.0.0\"}}\n".to_owned();
    let kept = "operations:\n  accounts.create:\n    auth";
    let fields = fields + kept;
    let folder = (kept, fields.as_str());
    // A type is known by what it holds, whatever its name, and the answer and the folder by it.
    tells(
        &[had, ("  A:\n    summary", "  Person:\n    summary"), folder],
        "spec/supplement/a.yaml:18:3: `Person` is new, and `A` is gone (mend the name, or write that it was renamed: `renamed_from: A`)",
    );
    // What names it follows.
    let own = "  A:\n    summary: An account.\n    since: {mastodon: \"2.0.0\", gotosocial: \"0.1.0\"}\n    fields:\n      c: {summary: A text., type: string, nullable: false, optional: false}\n";
    tells(
        &[had, (own, ""), ("entities:\nenums", "enums"), folder],
        "spec/programs/pleroma/a.yaml:5:3: nothing but a program's folder speaks of `A`, and says not what it is (write its `summary`, or put back what was said of it)",
    );
}

#[test]
fn evidence_that_is_missing_is_told_once() {
    let of_file = (
        "defaults: {inherits: true, evidence: {mastodon: server, gotosocial: server, shape: server}}",
        "defaults: {inherits: true}",
    );
    tells(
        &[of_file],
        "spec/supplement/a.yaml:5:3: `accounts.create` has facts without evidence (name a source under `evidence.shape` of the item, of what contains it, or of the file's `defaults`)",
    );
}
