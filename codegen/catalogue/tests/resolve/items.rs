//! Items: ids, names, groups, and what must be stated.

use crate::support::Spec;

#[test]
fn an_id_in_two_files_of_a_layer() {
    Spec::new(
        r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {}
"#,
        "",
    )
    .and(
        "documents/b.yaml",
        r#"operations:
  accounts.lookup: {since: {mastodon: "1.0.0"}}
"#,
    )
    .reads(
        r#"
error[duplicate-id]: `accounts.lookup` stands twice in this layer
  --> spec/documents/b.yaml:8:3
   |
 8 |   accounts.lookup: {since: {mastodon: "1.0.0"}}
   |   ^^^^^^^^^^^^^^^
   |
   = help: keep one of the two
note: it stands here first
  --> spec/documents/a.yaml:10:3
   |
10 |   accounts.lookup:
   |   ^^^^^^^^^^^^^^^

1 problem in 1 file
"#,
    );
}

#[test]
fn two_names_of_one_item() {
    Spec::new(
        r#"entities:
  Status:
    fields:
      emojis: {since: {mastodon: "1.0.0"}}
      emojis[]: {since: {mastodon: "1.0.0"}}
"#,
        "",
    )
    .reads(
        r#"
error[duplicate-id]: `emojis[]` is `emojis` elsewhere, and both are `Status.emojis`
  --> spec/documents/a.yaml:13:7
   |
13 |       emojis[]: {since: {mastodon: "1.0.0"}}
   |       ^^^^^^^^
   |
   = help: keep one of the two
note: it stands here first
  --> spec/documents/a.yaml:12:7
   |
12 |       emojis: {since: {mastodon: "1.0.0"}}
   |       ^^^^^^

1 problem in 1 file
"#,
    );
}

#[test]
fn an_entity_and_an_enumeration_of_one_name() {
    Spec::new(
        "entities:
  Role: {fields: unknown}
enums:
  Role: {values: unknown}
",
        "",
    )
    .reads(
        "
error[duplicate-id]: there is another item with the id of `Role`, `Role`
  --> spec/documents/a.yaml:12:3
   |
12 |   Role: {values: unknown}
   |   ^^^^
   |
   = help: keep one of the two
note: it stands here first
  --> spec/documents/a.yaml:10:3
   |
10 |   Role: {fields: unknown}
   |   ^^^^

1 problem in 1 file
",
    );
}

#[test]
fn an_ordinal_twice() {
    Spec::new(
        r#"operations:
  accounts.lookup: {documented_as: U24, since: {mastodon: "2.0.0"}}
  accounts.search: {documented_as: U24, since: {mastodon: "2.0.0"}}
"#,
        "",
    )
    .reads(
        r#"
error[duplicate-ordinal]: `U24` already stands for another item
  --> spec/documents/a.yaml:11:36
   |
11 |   accounts.search: {documented_as: U24, since: {mastodon: "2.0.0"}}
   |                                    ^^^
   |
   = help: each item of the documents has one place in the catalogue
note: it stands here first
  --> spec/documents/a.yaml:10:36
   |
10 |   accounts.lookup: {documented_as: U24, since: {mastodon: "2.0.0"}}
   |                                    ^^^

1 problem in 1 file
"#,
    );
}

#[test]
fn a_malformed_id_of_an_operation() {
    Spec::new(
        r#"operations:
  accounts: {since: {mastodon: "2.0.0"}}
"#,
        "",
    )
    .reads(
        r#"
error[malformed-id]: `accounts` is no id of an operation
  --> spec/documents/a.yaml:10:3
   |
10 |   accounts: {since: {mastodon: "2.0.0"}}
   |   ^^^^^^^^
   |
   = help: write group and name, as in `accounts.lookup`, and indent what belongs to an operation below its id

1 problem in 1 file
"#,
    );
}

#[test]
fn a_malformed_id_of_an_entity() {
    Spec::new(
        "entities:
  Credential Account: {fields: unknown}
",
        "",
    )
    .reads(
        "
error[malformed-id]: `Credential Account` is no id of an entity or enumeration
  --> spec/documents/a.yaml:10:3
   |
10 |   Credential Account: {fields: unknown}
   |   ^^^^^^^^^^^^^^^^^^
   |
   = help: write it UpperCamelCase, as in `CredentialAccount`

1 problem in 1 file
",
    );
}

#[test]
fn a_malformed_name() {
    Spec::new(
        r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      source[privacy: {}
"#,
        "",
    )
    .reads(
        "
error[malformed-name]: `source[privacy` is no name in bracket notation: a bracket is never closed
  --> spec/documents/a.yaml:13:7
   |
13 |       source[privacy: {}
   |       ^^^^^^^^^^^^^^
   |
   = help: brackets come in pairs and do not nest: `configuration[polls][max_options]`

1 problem in 1 file
",
    );
}

#[test]
fn a_group_that_nobody_introduces() {
    Spec::new(
        r#"operations:
  acounts.lookup: {since: {mastodon: "2.0.0"}}
"#,
        "",
    )
    .reads(
        r#"
error[unknown-group]: there is no group `acounts`
  --> spec/documents/a.yaml:10:3
   |
10 |   acounts.lookup: {since: {mastodon: "2.0.0"}}
   |   ^^^^^^^^^^^^^^
   |
   = help: did you mean `accounts`?

1 problem in 1 file
"#,
    );
}

#[test]
fn a_group_named_like_a_module() {
    Spec::new(
        "",
        "groups:
  entities: {summary: Entities.}
",
    )
    .reads(
        "
error[group-name]: `entities` cannot be a group
 --> spec/supplement/a.yaml:5:3
  |
5 |   entities: {summary: Entities.}
  |   ^^^^^^^^
  |
  = help: the generated crate has a module or method of that name; give the group another name

1 problem in 1 file
",
    );
}

#[test]
fn a_group_named_like_a_keyword() {
    Spec::new(
        "",
        "groups:
  match: {summary: Matches.}
",
    )
    .reads(
        "
error[group-name]: `match` cannot be a group
 --> spec/supplement/a.yaml:5:3
  |
5 |   match: {summary: Matches.}
  |   ^^^^^
  |
  = help: Rust keeps that word for itself; give the group another name

1 problem in 1 file
",
    );
}

#[test]
fn a_group_described_twice() {
    Spec::new(
        r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {}
"#,
        "groups:
  accounts: {summary: Other words.}
",
    )
    .reads(
        "
error[undeclared-contradiction]: the group `accounts` is described twice, and differently
 --> spec/supplement/a.yaml:5:3
  |
5 |   accounts: {summary: Other words.}
  |   ^^^^^^^^
  |
  = help: keep one of the two
note: it stands here first
 --> spec/documents/a.yaml:8:3
  |
8 |   accounts: {summary: Accounts.}
  |   ^^^^^^^^

1 problem in 1 file
",
    );
}

#[test]
fn an_empty_summary() {
    Spec::new(
        r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, summary: " "}
"#,
        "",
    )
    .reads(
        r#"
error[empty-summary]: the summary is empty
  --> spec/documents/a.yaml:10:58
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, summary: " "}
   |                                                          ^^^
   |
   = help: describe the item in a line

1 problem in 1 file
"#,
    );
}

#[test]
fn a_fact_that_the_documents_leave_out() {
    Spec::bare(&[("documents/b.yaml", r#"area: test
groups:
  accounts: {summary: Accounts.}
operations:
  accounts.lookup: {since: {mastodon: "2.0.0", gotosocial: unknown}, method: GET, path: unknown}
"#)])
        .reads(r#"
error[missing-evidence]: `accounts.lookup` has facts without evidence
 --> spec/documents/b.yaml:5:3
  |
5 |   accounts.lookup: {since: {mastodon: "2.0.0", gotosocial: unknown}, method: GET, path: unknown}
  |   ^^^^^^^^^^^^^^^
  |
  = help: name a source under `evidence.shape` of the item, of what contains it, or of the file's `defaults`

error[missing-fact]: `accounts.lookup` neither states `auth`, `returns`, `success`, `errors`, `paging` nor says that it is unknown
 --> spec/documents/b.yaml:5:3
  |
5 |   accounts.lookup: {since: {mastodon: "2.0.0", gotosocial: unknown}, method: GET, path: unknown}
  |   ^^^^^^^^^^^^^^^
  |
  = help: state it, write `unknown`, or list it under `unknown` in the file's `defaults` if its source never shows it

error[missing-evidence]: nothing proves `since.mastodon` of `accounts.lookup`
 --> spec/documents/b.yaml:5:39
  |
5 |   accounts.lookup: {since: {mastodon: "2.0.0", gotosocial: unknown}, method: GET, path: unknown}
  |                                       ^^^^^^^
  |
  = help: name a source under `evidence.mastodon` of the item, of what contains it, or of the file's `defaults`

3 problems in 1 file
"#);
}

#[test]
fn a_since_that_nobody_states() {
    Spec::new(
        "operations:
  accounts.lookup: {}
",
        "",
    )
    .reads(
        "
error[missing-since]: nobody says since when Mastodon has `accounts.lookup`
  --> spec/documents/a.yaml:10:3
   |
10 |   accounts.lookup: {}
   |   ^^^^^^^^^^^^^^^
   |
   = help: state it under `since`, or that it is unknown: `since: {mastodon: unknown}`

1 problem in 1 file
",
    );
}

#[test]
fn a_field_whose_entity_states_no_since() {
    Spec::new(
        r#"entities:
  Account:
    fields:
      id: {since: {mastodon: "1.0.0"}}
      acct: {}
"#,
        "",
    )
    .reads(
        "
error[missing-since]: nobody says since when Mastodon has `Account.acct`
  --> spec/documents/a.yaml:13:7
   |
13 |       acct: {}
   |       ^^^^
   |
   = help: state it under `since`, or that it is unknown: `since: {mastodon: unknown}`

1 problem in 1 file
",
    );
}

#[test]
fn an_error_that_is_none() {
    Spec::new(
        r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    errors: {"200": {}}
"#,
        "",
    )
    .reads(
        r#"
error[error-status]: `200` is not a status of an error
  --> spec/documents/a.yaml:12:14
   |
12 |     errors: {"200": {}}
   |              ^^^^^
   |
   = help: errors have a status from 400 to 599; others belong to `success`

1 problem in 1 file
"#,
    );
}

#[test]
fn two_answers() {
    Spec::new(
        r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    returns: json
    response:
      count: {}
"#,
        "",
    )
    .reads(
        "
error[two-answers]: `accounts.lookup` answers `returns` and `response` at once
  --> spec/documents/a.yaml:12:5
   |
12 |     returns: json
   |     ^^^^^^^
   |
   = help: name the entity under `returns`, or list the fields under `response`

1 problem in 1 file
",
    );
}

#[test]
fn what_the_loader_has_refused_is_not_missed_again() {
    Spec::new(
        r#"operations:
  accounts.lookup: {since: {mastodon: 4.5}}
"#,
        "",
    )
    .reads(
        r#"
error[unquoted-version]: the version 4.5 is not quoted
  --> spec/documents/a.yaml:10:39
   |
10 |   accounts.lookup: {since: {mastodon: 4.5}}
   |                                       ^^^
   |
   = help: write "4.5.0"

1 problem in 1 file
"#,
    );
}

#[test]
fn a_success_that_is_none() {
    Spec::new(
        r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    success: [103, 200, 302, 404, 700]
"#,
        "",
    )
    .reads(
        r#"
error[success-status]: `404` is not a status of success
  --> spec/documents/a.yaml:12:30
   |
12 |     success: [103, 200, 302, 404, 700]
   |                              ^^^
   |
   = help: successes have a status from 100 to 399; those from 400 to 599 belong to `errors`

error[success-status]: `700` is not a status of success
  --> spec/documents/a.yaml:12:35
   |
12 |     success: [103, 200, 302, 404, 700]
   |                                   ^^^
   |
   = help: successes have a status from 100 to 399; those from 400 to 599 belong to `errors`

2 problems in 1 file
"#,
    );
}

#[test]
fn two_spellings_of_one_parameter() {
    Spec::new(
        r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      type: {}
      type[]: {}
"#,
        "",
    )
    .reads(
        r#"
error[duplicate-id]: `type[]` is `type` elsewhere, and both are `accounts.lookup.type`
  --> spec/documents/a.yaml:14:7
   |
14 |       type[]: {}
   |       ^^^^^^
   |
   = help: keep one of the two
note: it stands here first
  --> spec/documents/a.yaml:13:7
   |
13 |       type: {}
   |       ^^^^

error[two-spellings]: `type` is there in two spellings
  --> spec/documents/a.yaml:14:7
   |
14 |       type[]: {}
   |       ^^^^^^
   |
   = help: keep the one that goes over the wire

2 problems in 1 file
"#,
    );
}
