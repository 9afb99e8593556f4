//! Mistakes that are found in YAML before and beside decoding.

use super::report_of;

#[test]
fn a_syntax_error() {
    let text = r"area: A
operations: {a.b: {}
entities: {}
";
    assert_eq!(
        report_of(text),
        r"error[yaml-syntax]: this is not YAML: invalid indentation in flow construct
 --> spec/documents/a.yaml:2:13
  |
2 | operations: {a.b: {}
  |             ^
  |
  = help: close the brackets, and separate what is in them by commas

1 problem in 1 file
"
    );
}

#[test]
fn a_bracket_that_its_line_leaves_open() {
    let text = r"area: A
operations:
  a.b:
    params:
      c: {in: query, required: true

  a.c:
    method: GET
";
    assert_eq!(
        report_of(text),
        r"error[yaml-syntax]: this is not YAML: invalid indentation
 --> spec/documents/a.yaml:5:10
  |
5 |       c: {in: query, required: true
  |          ^
  |
  = help: close the brackets, and separate what is in them by commas

1 problem in 1 file
"
    );
}

#[test]
fn text_with_a_colon() {
    let text = r"area: A
groups:
  g: {summary: x}
  h: a: b
";
    assert_eq!(
        report_of(text),
        r"error[yaml-syntax]: this is not YAML: mapping values are not allowed in this context
 --> spec/documents/a.yaml:4:7
  |
4 |   h: a: b
  |       ^
  |
  = help: put text that holds `: ` in quotes, or indent this line like its neighbours

1 problem in 1 file
"
    );
}

#[test]
fn a_tab_in_the_indentation() {
    let text = "area: A\ngroups:\n\tg: {summary: x}\n";
    assert_eq!(
        report_of(text),
        r"error[yaml-syntax]: this is not YAML: tabs disallowed within this context (block indentation)
 --> spec/documents/a.yaml:3:1
  |
3 |     g: {summary: x}
  | ^^^^
  |
  = help: indent with spaces; YAML takes no tabs there

1 problem in 1 file
"
    );
}

#[test]
fn a_duplicate_key() {
    let text = r"area: A
operations:
  a.b:
    params:
      acct: {in: query}
      acct: {in: path}
";
    assert_eq!(
        report_of(text),
        r"error[duplicate-key]: the key `acct` stands twice
 --> spec/documents/a.yaml:6:7
  |
6 |       acct: {in: path}
  |       ^^^^
  |
  = help: remove one of the two, or make them one
note: it stands here first
 --> spec/documents/a.yaml:5:7
  |
5 |       acct: {in: query}
  |       ^^^^

1 problem in 1 file
"
    );
}

#[test]
fn a_duplicate_id() {
    let text = r"area: A
operations:
  a.b:
    method: GET
  a.c: {}
  a.b: {}
";
    assert_eq!(
        report_of(text),
        r"error[duplicate-id]: the id `a.b` stands twice
 --> spec/documents/a.yaml:6:3
  |
6 |   a.b: {}
  |   ^^^
  |
  = help: remove one of the two, or make them one
note: it stands here first
 --> spec/documents/a.yaml:3:3
  |
3 |   a.b:
  |   ^^^

1 problem in 1 file
"
    );
}

#[test]
fn an_alias_and_its_anchor() {
    let text = r"area: A
operations:
  a.b:
    notes: &n [x]
  a.c:
    notes: *n
    metod: GET
";
    assert_eq!(
        report_of(text),
        "error[anchor]: anchors are not read\n --> spec/documents/a.yaml:4:12\n  |\n4 |     notes: &n [x]\n  |            ^^\n  |\n  = help: remove it: aliases are not read either\n\nerror[alias]: aliases are not read\n --> spec/documents/a.yaml:6:12\n  |\n6 |     notes: *n\n  |            ^^\n  |\n  = help: write out what the alias stands for\n\nerror[unknown-key]: unknown key `metod`\n --> spec/documents/a.yaml:7:5\n  |\n7 |     metod: GET\n  |     ^^^^^\n  |\n  = help: did you mean `method`?\n\n3 problems in 1 file\n"
    );
}

#[test]
fn a_merge_key() {
    let text = r"area: A
operations:
  a.b:
    <<: {method: GET}
";
    assert_eq!(
        report_of(text),
        r"error[merge-key]: merge keys are not read
 --> spec/documents/a.yaml:4:5
  |
4 |     <<: {method: GET}
  |     ^^
  |
  = help: write out the keys that it would bring

1 problem in 1 file
"
    );
}

#[test]
fn a_tag() {
    let text = r"area: A
operations:
  a.b:
    method: !verb GET
";
    assert_eq!(
        report_of(text),
        r"error[tag]: tags are not read
 --> spec/documents/a.yaml:4:13
  |
4 |     method: !verb GET
  |             ^^^^^
  |
  = help: remove it; put text that begins with `!` in quotes

1 problem in 1 file
"
    );
}

#[test]
fn a_second_document() {
    let text = r"area: A
---
area: B
";
    assert_eq!(
        report_of(text),
        r"error[second-document]: a second document begins here
 --> spec/documents/a.yaml:2:1
  |
2 | ---
  | ^^^
  |
  = help: one file holds one document: move it to a file of its own, or remove the `---`

1 problem in 1 file
"
    );
}

#[test]
fn keys_that_are_no_text() {
    let text = r"area: A
operations:
  a.b:
    errors:
      422: {}
      ? [x]
      : {}
      true: {}
";
    assert_eq!(
        report_of(text),
        "error[key-not-text]: the key `422` is no text\n --> spec/documents/a.yaml:5:7\n  |\n5 |       422: {}\n  |       ^^^\n  |\n  = help: put it in quotes: \"422\"\n\nerror[key-not-text]: a key is missing, or is no text\n --> spec/documents/a.yaml:6:9\n  |\n6 |       ? [x]\n  |         ^^^\n  |\n  = help: a key is one word, or text in quotes\n\nerror[key-not-text]: the key `true` is no text\n --> spec/documents/a.yaml:8:7\n  |\n8 |       true: {}\n  |       ^^^^\n  |\n  = help: put it in quotes: \"true\"\n\n3 problems in 1 file\n"
    );
}

#[test]
fn nested_too_deeply() {
    let text = format!("area: A\nfoo: {}{}\n", "[".repeat(60), "]".repeat(60));
    assert_eq!(
        report_of(&text),
        r"error[too-deep]: more than 48 maps and lists stand in each other
 --> spec/documents/a.yaml:2:53
  |
2 | foo: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
  |                                                     ^
  |
  = help: nothing in a catalogue is nested that deep: close brackets, or indent less

1 problem in 1 file
"
    );
}

#[test]
fn columns_count_characters() {
    let text = "area: \"ß日本𝄞\"\r\ngroups: {\"日\": {summary: x, 本: y}}\r\n";
    assert_eq!(
        report_of(text),
        r#"error[unknown-key]: unknown key `本`
 --> spec/documents/a.yaml:2:28
  |
2 | groups: {"日": {summary: x, 本: y}}
  |                             ^^
  |
  = help: known here are `summary`

1 problem in 1 file
"#
    );
}

#[test]
fn a_tab_between_words() {
    let text = "area: A\t# x\nfoo:\t\tbar\n";
    assert_eq!(
        report_of(text),
        r"error[yaml-syntax]: this is not YAML: ':' must be followed by a valid YAML whitespace
 --> spec/documents/a.yaml:2:7
  |
2 | foo:        bar
  |             ^
  |
  = help: write spaces before this, not tabs

1 problem in 1 file
"
    );
}

#[test]
fn a_long_line_is_cut() {
    let text = format!(
        "area: A # {}\ngroups: {{g: {{summary: \"{}\", foo: 1, summry: \"{}\"}}}}\n",
        "x".repeat(300),
        "y".repeat(300),
        "z".repeat(300)
    );
    assert_eq!(
        report_of(&text),
        "error[unknown-key]: unknown key `foo`\n --> spec/documents/a.yaml:2:327\n  |\n2 | ...yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\", foo: 1, summry: \"zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz...\n  |                                                                   ^^^\n  |\n  = help: known here are `summary`\n\nerror[unknown-key]: unknown key `summry`\n --> spec/documents/a.yaml:2:335\n  |\n2 | ...yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\", foo: 1, summry: \"zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz...\n  |                                                                  ^^^^^^\n  |\n  = help: did you mean `summary`?\n\n2 problems in 1 file\n"
    );
}

#[test]
fn a_very_long_line_is_quoted() {
    let text = format!("area: A\ngroups: {{g: {{summary: \"{}\", foo: 1}}}}\n", "y".repeat(3000));
    assert_eq!(
        report_of(&text),
        r#"error[unknown-key]: unknown key `foo`
--> spec/documents/a.yaml:2:3027
 = note: it stands in a long line, at …yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy", foo: 1}}
 = help: known here are `summary`

1 problem in 1 file
"#
    );
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let text = "area: \"\u{1b}[31mred\"\nfo\u{202e}o: \"\\e[31m\"\n";
    assert_eq!(
        report_of(text),
        "error[control-character]: the file has the invisible character U+001B, and 1 more like it\n --> spec/documents/a.yaml:1:8\n  |\n1 | area: \"�[31mred\"\n  |        ^\n  |\n  = help: remove it; to speak of it, write `U+001B`\n\nerror[unknown-key]: unknown key `fo…o`\n --> spec/documents/a.yaml:2:1\n  |\n2 | fo�o: \"\\e[31m\"\n  | ^^^^\n  |\n  = help: known here are `area`, `defaults`, `groups`, `objects`, `has`, `operations`, `entities`, `enums`, `disputes`, `tombstones`\n\nerror[control-character]: the text stands for the invisible character U+001B\n --> spec/documents/a.yaml:2:7\n  |\n2 | fo�o: \"\\e[31m\"\n  |       ^^^^^^^^\n  |\n  = help: remove it; to speak of it, write `U+001B`\n\n3 problems in 1 file\n"
    );
}

#[test]
fn text_without_quotes_that_yaml_reads_otherwise() {
    let text = r"area: A
groups:
  g: {summary: @x}
";
    assert_eq!(
        report_of(text),
        r"error[yaml-syntax]: this is not YAML: unexpected character: `@'
 --> spec/documents/a.yaml:3:16
  |
3 |   g: {summary: @x}
  |                ^
  |
  = help: put text that begins with this character in quotes

1 problem in 1 file
"
    );
}

#[test]
fn a_quote_that_does_not_end() {
    let text = r#"area: A
groups:
  g: {summary: "x}
"#;
    assert_eq!(
        report_of(text),
        r#"error[yaml-syntax]: this is not YAML: while scanning a quoted scalar, found unexpected end of stream
 --> spec/documents/a.yaml:3:16
  |
3 |   g: {summary: "x}
  |                ^
  |
  = help: close the quotes; inside ".." write a backslash twice, or use '..'

1 problem in 1 file
"#
    );
}

#[test]
fn a_reference_to_no_anchor() {
    let text = r"area: A
groups:
  g: {summary: *x}
";
    assert_eq!(
        report_of(text),
        r"error[yaml-syntax]: this is not YAML: while parsing node, found unknown anchor
 --> spec/documents/a.yaml:3:16
  |
3 |   g: {summary: *x}
  |                ^
  |
  = help: aliases are not read: put text that begins with `*` in quotes

1 problem in 1 file
"
    );
}

#[test]
fn messages_are_printable() {
    let text = r#"area: A
"f\e[31moo": 1
"#;
    assert_eq!(
        report_of(text),
        r#"error[control-character]: the text stands for the invisible character U+001B
 --> spec/documents/a.yaml:2:1
  |
2 | "f\e[31moo": 1
  | ^^^^^^^^^^^
  |
  = help: remove it; to speak of it, write `U+001B`

error[unknown-key]: unknown key `f�[31moo`
 --> spec/documents/a.yaml:2:1
  |
2 | "f\e[31moo": 1
  | ^^^^^^^^^^^
  |
  = help: known here are `area`, `defaults`, `groups`, `objects`, `has`, `operations`, `entities`, `enums`, `disputes`, `tombstones`

2 problems in 1 file
"#
    );
}

#[test]
fn an_escape_is_no_way_around() {
    let text = "area: A\ngroups:\n  \"x\\x9b\": {summary: \"e\\u202ev\\u0007\"}\n";
    assert_eq!(
        report_of(text),
        r#"error[control-character]: the text stands for the invisible character U+009B
 --> spec/documents/a.yaml:3:3
  |
3 |   "x\x9b": {summary: "e\u202ev\u0007"}
  |   ^^^^^^^
  |
  = help: remove it; to speak of it, write `U+009B`

error[control-character]: the text stands for the invisible character U+202E, and 1 more like it
 --> spec/documents/a.yaml:3:22
  |
3 |   "x\x9b": {summary: "e\u202ev\u0007"}
  |                      ^^^^^^^^^^^^^^^^
  |
  = help: remove it; to speak of it, write `U+202E`

2 problems in 1 file
"#
    );
    assert_eq!(report_of("area: \"A\\tB\\n\\u00e5\"\n"), "");
}

/// Asserts the problems of a text, each on a line: place, message and mend.
#[track_caller]
fn says(text: &str, expected: &[&str]) {
    let folder = super::Folder::new(&[("documents/a.yaml", text)]);
    let loaded = folder.load();
    let report = fedispec_reader::diagnostic::Report::new(loaded.diagnostics);
    let lines = report.diagnostics().iter();
    let lines = lines.map(|one| one.short(&loaded.catalogue.sources));
    let root = folder.path().display().to_string();
    let lines: Vec<_> = lines.map(|line| line.replace(&root, "spec")).collect();
    assert_eq!(lines, expected);
}

#[test]
fn what_a_merge_left() {
    says(
        "area: A\n<<<<<<< HEAD\nenums: {}\n=======\nentities: {}\n>>>>>>> branch\n",
        &[
            "spec/documents/a.yaml:2:1: an unfinished merge left this (keep what holds of the two states, and remove the markers)",
        ],
    );
    says("area: |\n  A\n  =======\n", &[]);
}

#[test]
fn text_that_a_comment_cuts_short() {
    says(
        "area: Number #1 of all # and a comment\n",
        &[
            "spec/documents/a.yaml:1:14: the text ends here: ` #` begins a comment (put the whole text in quotes; a comment is written `# like this`)",
        ],
    );
    says("area: A # a comment\nenums: {} #: another\n", &[]);
    says(
        "area: A\ngroups:\n  a: {summary: Number #1}\n",
        &[
            "spec/documents/a.yaml:3:23: the text ends here: ` #` begins a comment (put the whole text in quotes; a comment is written `# like this`)",
            "spec/documents/a.yaml:4:1: this is not YAML: while parsing a flow mapping, did not find expected ',' or '}' (`#1}` begins a comment: put text that holds ` #` in quotes)",
        ],
    );
}

#[test]
fn text_that_a_comma_or_brackets_cut_short() {
    says(
        "area: A\ngroups:\n  a: {summary: One, two and three}\n",
        &[
            "spec/documents/a.yaml:3:21: unknown key `two and three` (put text that holds a comma in quotes)",
        ],
    );
    says(
        "area: A\nenums: {a: {type: id<Account>[], x: 1}}\n",
        &[
            "spec/documents/a.yaml:2:30: this is not YAML: while parsing a flow mapping, did not find expected ',' or '}' (brackets end text without quotes: write \"id<Account>[]\")",
        ],
    );
    says(
        "area: A\nenums: {a: {type: \"x\"[]}}\n",
        &[
            "spec/documents/a.yaml:2:22: this is not YAML: invalid trailing content after quoted scalar (close the quotes; inside \"..\" write a backslash twice, or use '..')",
        ],
    );
}

#[test]
fn what_stands_twice_or_says_nothing() {
    says(
        "area: ' '\noperations:\n  a.b:\n    success: [200, 200]\n    auth: {token: user, scopes: [a, b, a]}\n    params: {c: {default: [1, 1]}}\n",
        &[
            "spec/documents/a.yaml:1:7: `area` is empty (give it a value, or remove the key)",
            "spec/documents/a.yaml:4:20: `200` stands twice in the list (remove one of the two)",
            "spec/documents/a.yaml:5:40: `a` stands twice in the list (remove one of the two)",
        ],
    );
}

#[test]
fn a_mistake_is_shown_where_it_is_and_not_where_the_parser_stops() {
    for (item, place, help) in [
        ("    notes: []\n    returns empty\n    method: GET\n", "5:5", "write `:` behind the key"),
        ("    notes: []\n    returns:empty\n    method: GET\n", "5:5", "write a space behind"),
        ("    notes: [\"x\" \"y\"]\n", "4:17", "write a comma before this"),
        ("    summary: 'a list's id'\n", "4:22", "write a quote twice"),
        ("    notes: [\"x]\n    method: GET\n    path: \"/a\"\n", "4:13", "close the quotes"),
        ("     summary: x\n    method: GET\n    path: /a\n", "4:6", "like its neighbours"),
        ("    auth {token: none, all: true}\n", "4:10", "write `: ` before this"),
        ("    a:\n\u{a0}     b: x\n      c: y\n", "5:1", "ordinary spaces"),
    ] {
        let report = report_of(&format!("area: A\noperations:\n  a.b:\n{item}"));
        let place = format!("--> spec/documents/a.yaml:{place}\n");
        assert!(report.contains(&place) && report.contains(help), "{item}{report}");
        assert!(report.ends_with("1 problem in 1 file\n"), "{report}");
    }
}
