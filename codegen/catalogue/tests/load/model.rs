//! Mistakes that serde finds in items.

use super::report_of;

#[test]
fn an_unknown_key_is_named_with_the_nearest() {
    let text = r"area: A
operations:
  a.b:
    sinse: {mastodon: unknown}
    zzz: 1
";
    assert_eq!(
        report_of(text),
        "error[unknown-key]: unknown key `sinse`\n --> spec/documents/a.yaml:4:5\n  |\n4 |     sinse: {mastodon: unknown}\n  |     ^^^^^\n  |\n  = help: did you mean `since`?\n\nerror[unknown-key]: unknown key `zzz`\n --> spec/documents/a.yaml:5:5\n  |\n5 |     zzz: 1\n  |     ^^^\n  |\n  = help: known here are `documented_as`, `summary`, `since`, `works_since`, `deprecated`, `removed`, `absent`, `changed`, `replacement`, `renamed_from`, `rust`, `wire`, `undocumented`, `older_because`, `evidence`, `notes`, `method`, `path`, `also`, `stub`, `oauth`, `auth`, `body`, `params`, `alternatives`, `requests`, `arguments`, `returns`, `response`, `media_type`, `success`, `paging`, `errors`, `stands_in`\n\n2 problems in 1 file\n"
    );
}

#[test]
fn unknown_keys_of_the_file_itself() {
    let text = r"area: A
enum: {}
foo: {}
";
    assert_eq!(
        report_of(text),
        r"error[unknown-key]: unknown key `enum`
 --> spec/documents/a.yaml:2:1
  |
2 | enum: {}
  | ^^^^
  |
  = help: did you mean `enums`?

error[unknown-key]: unknown key `foo`
 --> spec/documents/a.yaml:3:1
  |
3 | foo: {}
  | ^^^
  |
  = help: known here are `area`, `defaults`, `groups`, `objects`, `has`, `operations`, `entities`, `enums`, `disputes`, `tombstones`

2 problems in 1 file
"
    );
}

#[test]
fn several_problems_of_one_item() {
    let text = r#"area: A
operations:
  a.b:
    method: [GET]
    success: [200, x, 201, 70000]
    auth: {tokn: none, all: yes}
    paging: lnk
    undocumented: "true"
"#;
    assert_eq!(
        report_of(text),
        "error[wrong-type]: `method` is a list, not text\n --> spec/documents/a.yaml:4:13\n  |\n4 |     method: [GET]\n  |             ^^^^^\n  |\n  = help: write one text, without brackets\n\nerror[wrong-type]: an element of `success` is text, not a whole number up to 65535\n --> spec/documents/a.yaml:5:20\n  |\n5 |     success: [200, x, 201, 70000]\n  |                    ^\n  |\n  = help: write digits without quotes\n\nerror[wrong-type]: an element of `success` is `70000`, not a whole number up to 65535\n --> spec/documents/a.yaml:5:28\n  |\n5 |     success: [200, x, 201, 70000]\n  |                            ^^^^^\n  |\n  = help: write a whole number up to 65535\n\nerror[missing-key]: the key `token` is missing in `auth`\n --> spec/documents/a.yaml:6:5\n  |\n6 |     auth: {tokn: none, all: yes}\n  |     ^^^^\n  |\n  = help: add `token: ..`\n\nerror[unknown-key]: unknown key `tokn`\n --> spec/documents/a.yaml:6:12\n  |\n6 |     auth: {tokn: none, all: yes}\n  |            ^^^^\n  |\n  = help: did you mean `token`?\n\nerror[wrong-type]: `all` is text, not `true` or `false`\n --> spec/documents/a.yaml:6:29\n  |\n6 |     auth: {tokn: none, all: yes}\n  |                             ^^^\n  |\n  = help: write `true` or `false`\n\nerror[unknown-value]: unknown value `lnk` of `paging`\n --> spec/documents/a.yaml:7:13\n  |\n7 |     paging: lnk\n  |             ^^^\n  |\n  = help: did you mean `link`?\n\nerror[wrong-type]: `undocumented` is text, not `true` or `false`\n --> spec/documents/a.yaml:8:19\n  |\n8 |     undocumented: \"true\"\n  |                   ^^^^^^\n  |\n  = help: write `true` or `false`\n\n8 problems in 1 file\n"
    );
}

#[test]
fn one_bad_item_does_not_hide_the_next() {
    let text = r"area: A
entities:
  A:
    fields:
      a: {type: [x]}
      b: {nullable: 1}
  B: nothing
  C: {fields: unknwon}
enums:
  E: {values: {a: {sumary: x}}}
";
    assert_eq!(
        report_of(text),
        "error[wrong-type]: `type` is a list, not text\n --> spec/documents/a.yaml:5:17\n  |\n5 |       a: {type: [x]}\n  |                 ^^^\n  |\n  = help: write `x[]` for a list, and one text without brackets for anything else\n\nerror[wrong-type]: `nullable` is `1`, not `true` or `false`\n --> spec/documents/a.yaml:6:21\n  |\n6 |       b: {nullable: 1}\n  |                     ^\n  |\n  = help: write `true` or `false`\n\nerror[wrong-type]: `B` is text, not a map\n --> spec/documents/a.yaml:7:6\n  |\n7 |   B: nothing\n  |      ^^^^^^^\n  |\n  = help: write a map: lines of `key: value`, indented\n\nerror[wrong-type]: `fields` is text, not a map\n --> spec/documents/a.yaml:8:15\n  |\n8 |   C: {fields: unknwon}\n  |               ^^^^^^^\n  |\n  = help: did you mean `unknown`?\n\nerror[unknown-key]: unknown key `sumary`\n  --> spec/documents/a.yaml:10:20\n   |\n10 |   E: {values: {a: {sumary: x}}}\n   |                    ^^^^^^\n   |\n   = help: did you mean `summary`?\n\n5 problems in 1 file\n"
    );
}

#[test]
fn an_error_body_and_its_fields() {
    let text = r#"area: A
operations:
  a.b:
    errors:
      "404": {when: 1, fields: {error: {tpe: string}}}
"#;
    assert_eq!(
        report_of(text),
        "error[wrong-type]: `when` is `1`, not text\n --> spec/documents/a.yaml:5:21\n  |\n5 |       \"404\": {when: 1, fields: {error: {tpe: string}}}\n  |                     ^\n  |\n  = help: put it in quotes: \"1\"\n\nerror[unknown-key]: unknown key `tpe`\n --> spec/documents/a.yaml:5:41\n  |\n5 |       \"404\": {when: 1, fields: {error: {tpe: string}}}\n  |                                         ^^^\n  |\n  = help: did you mean `type`?\n\n2 problems in 1 file\n"
    );
}

#[test]
fn versions_without_quotes() {
    let text = r#"area: A
operations:
  a.b:
    since: {mastodon: 4.3.0, gotosocial: 1.10}
    removed: {mastodon: 4}
    absent: {mastodon: [["1.0.0", 1.10], ["1.0.0"]]}
"#;
    assert_eq!(
        report_of(text),
        "error[unquoted-version]: the version 4.3.0 is not quoted\n --> spec/documents/a.yaml:4:23\n  |\n4 |     since: {mastodon: 4.3.0, gotosocial: 1.10}\n  |                       ^^^^^\n  |\n  = help: write \"4.3.0\"\n\nerror[unquoted-version]: the version 1.10 is not quoted\n --> spec/documents/a.yaml:4:42\n  |\n4 |     since: {mastodon: 4.3.0, gotosocial: 1.10}\n  |                                          ^^^^\n  |\n  = help: write \"1.10.0\"\n\nerror[unquoted-version]: the version 4 is not quoted\n --> spec/documents/a.yaml:5:25\n  |\n5 |     removed: {mastodon: 4}\n  |                         ^\n  |\n  = help: write \"4.0.0\"\n\nerror[unquoted-version]: the version 1.10 is not quoted\n --> spec/documents/a.yaml:6:35\n  |\n6 |     absent: {mastodon: [[\"1.0.0\", 1.10], [\"1.0.0\"]]}\n  |                                   ^^^^\n  |\n  = help: write \"1.10.0\"\n\nerror[wrong-type]: an element of `mastodon` has a wrong number of elements\n --> spec/documents/a.yaml:6:42\n  |\n6 |     absent: {mastodon: [[\"1.0.0\", 1.10], [\"1.0.0\"]]}\n  |                                          ^^^^^^^^^\n  |\n  = help: write a list of two\n\n5 problems in 1 file\n"
    );
}

#[test]
fn malformed_versions() {
    let text = r#"area: A
operations:
  a.b:
    since: {mastodon: "4.3", gotosocial: nevr}
    removed: {mastodon: "3.ff.1"}
    deprecated: {mastodon: v4.3.0-rc1, gotosocial: unknown}
"#;
    assert_eq!(
        report_of(text),
        "error[malformed-version]: `4.3` is not a version\n --> spec/documents/a.yaml:4:23\n  |\n4 |     since: {mastodon: \"4.3\", gotosocial: nevr}\n  |                       ^^^^^\n  |\n  = help: write \"4.3.0\"\n\nerror[malformed-version]: `nevr` is not a version\n --> spec/documents/a.yaml:4:42\n  |\n4 |     since: {mastodon: \"4.3\", gotosocial: nevr}\n  |                                          ^^^^\n  |\n  = help: did you mean `never`?\n\nerror[malformed-version]: `3.ff.1` is not a version\n --> spec/documents/a.yaml:5:25\n  |\n5 |     removed: {mastodon: \"3.ff.1\"}\n  |                         ^^^^^^^^\n  |\n  = help: a version is three numbers in quotes: \"4.3.0\"\n\nerror[malformed-version]: `v4.3.0-rc1` is not a version\n --> spec/documents/a.yaml:6:28\n  |\n6 |     deprecated: {mastodon: v4.3.0-rc1, gotosocial: unknown}\n  |                            ^^^^^^^^^^\n  |\n  = help: a version is three numbers in quotes: \"4.3.0\"\n\nerror[malformed-version]: `unknown` is not a version\n --> spec/documents/a.yaml:6:52\n  |\n6 |     deprecated: {mastodon: v4.3.0-rc1, gotosocial: unknown}\n  |                                                    ^^^^^^^\n  |\n  = help: a version is three numbers in quotes: \"4.3.0\"\n\n5 problems in 1 file\n"
    );
}

#[test]
fn required_is_one_of_three() {
    let text = r"area: A
operations:
  a.b:
    params:
      p: {required: maybe}
";
    assert_eq!(
        report_of(text),
        r"error[wrong-type]: `required` is text, not `true`, `false` or `sometimes`
 --> spec/documents/a.yaml:5:21
  |
5 |       p: {required: maybe}
  |                     ^^^^^
  |
  = help: write `true`, `false` or `sometimes`

1 problem in 1 file
"
    );
}

#[test]
fn a_missing_key() {
    let text = r"area: A
tombstones:
  a.b: {never_existed: true}
";
    assert_eq!(
        report_of(text),
        r"error[missing-key]: the key `why` is missing in `a.b`
 --> spec/documents/a.yaml:3:3
  |
3 |   a.b: {never_existed: true}
  |   ^^^
  |
  = help: add `why: ..`

1 problem in 1 file
"
    );
}

#[test]
fn a_missing_area() {
    let text = r"operations: {}
";
    assert_eq!(
        report_of(text),
        r"error[missing-key]: the key `area` is missing in the file
 --> spec/documents/a.yaml:1:1
  |
1 | operations: {}
  | ^^^^^^^^^^^^^^
  |
  = help: add `area: ..`

1 problem in 1 file
"
    );
}

#[test]
fn a_key_without_a_value() {
    let text = r"area: A
operations:
  a.b:
    summary:
    params:
      acct:
";
    assert_eq!(
        report_of(text),
        r"error[wrong-type]: `summary` is empty
 --> spec/documents/a.yaml:4:5
  |
4 |     summary:
  |     ^^^^^^^
  |
  = help: give it a value, or remove the key

error[wrong-type]: `acct` is empty
 --> spec/documents/a.yaml:6:7
  |
6 |       acct:
  |       ^^^^
  |
  = help: indent what belongs to it below it; write `{}` where there is nothing to say, or remove the key

2 problems in 1 file
"
    );
}

#[test]
fn a_dispute_is_an_item() {
    let text = r"area: A
disputes:
  - {item: 1, fact: wire, documents: null, supplement: x, verdict: nobody, evidence: s}
  - {}
";
    assert_eq!(
        report_of(text),
        "error[wrong-type]: `item` is `1`, not text\n --> spec/documents/a.yaml:3:12\n  |\n3 |   - {item: 1, fact: wire, documents: null, supplement: x, verdict: nobody, evidence: s}\n  |            ^\n  |\n  = help: put it in quotes: \"1\"\n\nerror[unknown-value]: unknown value `nobody` of `verdict`\n --> spec/documents/a.yaml:3:68\n  |\n3 |   - {item: 1, fact: wire, documents: null, supplement: x, verdict: nobody, evidence: s}\n  |                                                                    ^^^^^^\n  |\n  = help: write one of `documents`, `supplement`\n\nerror[missing-key]: the key `item` is missing in an element of `disputes`\n --> spec/documents/a.yaml:4:5\n  |\n4 |   - {}\n  |     ^^\n  |\n  = help: add `item: ..`\n\n3 problems in 1 file\n"
    );
}

#[test]
fn evidence_is_a_name_or_a_map() {
    let text = r"area: A
operations:
  a.b:
    evidence: {shape: {source: s, att: x}, mastodon: 1}
";
    assert_eq!(
        report_of(text),
        "error[unknown-key]: unknown key `att`\n --> spec/documents/a.yaml:4:35\n  |\n4 |     evidence: {shape: {source: s, att: x}, mastodon: 1}\n  |                                   ^^^\n  |\n  = help: did you mean `at`?\n\nerror[wrong-type]: `mastodon` is `1`, not a word, or a map that says more\n --> spec/documents/a.yaml:4:54\n  |\n4 |     evidence: {shape: {source: s, att: x}, mastodon: 1}\n  |                                                      ^\n  |\n  = help: write a word, or a map that says more\n\n2 problems in 1 file\n"
    );
}

#[test]
fn the_file_is_a_map() {
    let text = r"- area
";
    assert_eq!(
        report_of(text),
        r"error[wrong-type]: the file is a list, not a map
 --> spec/documents/a.yaml:1:1
  |
1 | - area
  | ^^^^^^
  |
  = help: write a map: lines of `key: value`, indented

1 problem in 1 file
"
    );
}

#[test]
fn numbers_where_text_is_due() {
    let text = r"area: A
operations:
  a.b:
    documented_as: 24
    summary: true
    notes: one
";
    assert_eq!(
        report_of(text),
        "error[wrong-type]: `documented_as` is `24`, not text\n --> spec/documents/a.yaml:4:20\n  |\n4 |     documented_as: 24\n  |                    ^^\n  |\n  = help: put it in quotes: \"24\"\n\nerror[wrong-type]: `summary` is `true`, not text\n --> spec/documents/a.yaml:5:14\n  |\n5 |     summary: true\n  |              ^^^^\n  |\n  = help: put it in quotes: \"true\"\n\nerror[wrong-type]: `notes` is text, not a list\n --> spec/documents/a.yaml:6:12\n  |\n6 |     notes: one\n  |            ^^^\n  |\n  = help: write a list: [one]\n\n3 problems in 1 file\n"
    );
}
