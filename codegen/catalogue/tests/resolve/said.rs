//! Statements of items besides their facts, and the programs that a source speaks of.

use crate::support::{IMPLEMENTATIONS, SUPPLEMENT, Spec};

/// A catalogue that names its reference program, and is more than a sketch by that.
fn says(supplement: &str, expected: &str) {
    told(&|registry| registry, supplement, expected);
}

fn told(edit: &dyn Fn(String) -> String, supplement: &str, expected: &str) {
    let registry = format!("reference: mastodon\n{IMPLEMENTATIONS}").replace(
        "revision: v4.5.0}",
        "revision: v4.5.0}\n  other: {class: B, title: Another source, programs: [gotosocial], revision: v0.19.0}",
    );
    let registry = edit(registry);
    let mut spec = Spec::new("", "");
    spec.implementations = &registry;
    let groups = "groups:\n  accounts: {summary: Accounts.}\n";
    spec.files = vec![("supplement/a.yaml", format!("{SUPPLEMENT}{groups}{supplement}"))];
    spec.tells(expected);
}

const OPERATION: &str = r#"operations:
  accounts.create:
    summary: Makes an account.
    since: {mastodon: "2.0.0", gotosocial: never}
    method: POST
    path: /a
    auth: {token: none}
    returns: A
    success: [200]
    paging: none
    errors: ERRORS
    params:
      a: PARAM
entities:
  A:
    summary: An account.
    fields:
      a: {summary: A text., since: {mastodon: "2.0.0", gotosocial: never}, type: string, nullable: true, optional: false}
      FIELD
"#;

#[track_caller]
fn planted(errors: &str, param: &str, field: &str, expected: &str) {
    let text = OPERATION.replace("ERRORS", errors).replace("PARAM", param);
    says(&text.replace("      FIELD\n", &format!("      {field}\n")), expected);
}

/// Edits of the catalogue, each with the one problem that it makes.
#[track_caller]
fn each_is_told(edits: &[(&str, &str, &str)]) {
    let text = OPERATION.replace("ERRORS", "{}").replace("PARAM", PARAM).replace("FIELD", FIELD);
    for (from, to, expected) in edits {
        says(&text.replacen(from, to, 1), &format!("spec/supplement/a.yaml:{expected}"));
    }
}

const PARAM: &str =
    "{summary: A text., in: form, type: string, required: false, left_out: harmless}";
const FIELD: &str = "b: {summary: One., since: {mastodon: \"2.0.0\", gotosocial: never}, type: string, nullable: true, optional: false}";

#[test]
fn a_since_that_is_too_late_is_told_once() {
    let text = OPERATION.replace("ERRORS", "[]").replace("PARAM", PARAM).replace("FIELD", FIELD);
    says(
        &text.replace("  A:\n", "  A:\n    since: {mastodon: \"3.0.0\", gotosocial: never}\n"),
        "spec/supplement/a.yaml:13:14: Mastodon has `accounts.create` since 2.0.0, which answers what comes in 3.0.0 \
         (mend one of the two; where it was another type, write `changed: {mastodon: [{in: .., what: returns, from: .., to: ..}]}`)",
    );
}

#[test]
fn a_since_that_an_answer_needs_is_stated() {
    let text = OPERATION.replace("ERRORS", "[]").replace("PARAM", PARAM).replace("FIELD", FIELD);
    let since = "since: {mastodon: \"2.0.0\", gotosocial: never}, type";
    let removed =
        "since: {mastodon: \"2.0.0\", gotosocial: never}, removed: {mastodon: \"4.5.0\"}, type";
    let entity = "  A:\n    since: {mastodon: \"2.0.0\", gotosocial: never}\n    removed: {mastodon: \"3.0.0\"}\n";
    says(
        &text.replace("since: {mastodon: \"2.0.0\", gotosocial: never}, type", "type"),
        "spec/supplement/a.yaml:20:3: nobody says since when Mastodon has `A` (state it, `since: {mastodon: ..}`)",
    );
    says(
        &text.replacen(since, removed, 1).replace("  A:\n", entity),
        "spec/supplement/a.yaml:22:25: Mastodon 3.0.0 has `accounts.create`, whose `returns` names `A`; that is gone in 3.0.0 (mend one of the two)",
    );
}

#[test]
fn a_summary_is_whole_and_says_more_than_the_name() {
    for (summary, expected) in [
        (
            "One",
            "24:20: the summary of `A.b` ends without a full stop (end it; ` #` begins a comment, before which text is cut off)",
        ),
        (
            "\"One `more.\"",
            "24:20: the summary of `A.b` has an open backtick (close it, or take it away)",
        ),
        ("TODO.", "24:20: the text is still to be written (write it)"),
        (
            "One\u{a0}more.",
            "24:20: the summary of `A.b` is not plain text: its `\u{a0}` (U+00A0) is a no-break character (write it anew)",
        ),
        (
            "The b.",
            "24:20: the summary of `A.b` says no more than its name (say what it is, or is for)",
        ),
    ] {
        planted(
            "{}",
            PARAM,
            &FIELD.replace("One.", summary),
            &format!("spec/supplement/a.yaml:{expected}"),
        );
    }
}

#[test]
fn words_are_asked_for() {
    planted(
        "[418]",
        PARAM,
        FIELD,
        "spec/supplement/a.yaml:16:5: nobody says when 418 is answered (say it in a sentence under `when`)",
    );
    planted(
        "{}",
        "{in: form, type: string, required: false, left_out: harmless}",
        FIELD,
        "spec/supplement/a.yaml:18:7: nobody says what `accounts.create.a` is (write a `summary`, a sentence or noun phrase that says what it is)",
    );
    planted(
        "{}",
        "{summary: A text., in: form, type: string, required: false}",
        FIELD,
        "spec/supplement/a.yaml:18:7: nobody says what leaving `accounts.create.a` out does (write `left_out: harmless`, or its effect: `left_out: {effect: changes_meaning, so: the status is posted at once}`)",
    );
    planted(
        "{}",
        PARAM,
        &FIELD.replace("summary: One., ", ""),
        "spec/supplement/a.yaml:24:7: nobody says what `A.b` is (write a `summary`, a sentence or noun phrase that says what it is)",
    );
}

#[test]
fn what_cannot_be_is_told() {
    let sent = "{summary: One., in: form, type: A, required: false, left_out: harmless}";
    planted(
        "{}",
        sent,
        FIELD,
        "spec/supplement/a.yaml:18:42: `accounts.create.a` is an entity, which servers answer and nobody sends (name its id, as `id<Status>`, or list what is sent under `members`)",
    );
    planted(
        "{}",
        PARAM,
        &FIELD.replace("b:", "\"c[d]\":"),
        "spec/supplement/a.yaml:24:7: `c[d]` stands in `A.c`, which is nowhere (add `c` with the type `object` or `object[]`, or mend the name)",
    );
    planted(
        "{\"404\": {when: Nobody.}}",
        "{summary: A text., in: form, type: string, required: true, missing: {mastodon: {status: 422, text: No.}}}",
        FIELD,
        "spec/supplement/a.yaml:18:98: `accounts.create` is not said to answer 422 (mend it, or add it to the `errors` of the operation)",
    );
    planted(
        "{}",
        "{summary: A text., in: query, type: json, required: false, left_out: harmless}",
        FIELD,
        "spec/supplement/a.yaml:18:46: `accounts.create.a` stands in a query, which holds texts (write the type of the text, or another place under `in`)",
    );
    let endless = "b: {summary: One., since: {mastodon: \"2.0.0\", gotosocial: never}, type: A, nullable: false, optional: false, evidence: {presence.mastodon: server}}";
    planted(
        "{}",
        PARAM,
        endless,
        "spec/supplement/a.yaml:24:79: `A.b` always holds another `A`, without an end (say where it is absent or null, or make it a list)",
    );
    let foreign = FIELD.replace(
        "optional: false",
        "optional: false, evidence: {mastodon: {source: other, at: \"a.go:1@main\"}}",
    );
    planted(
        "{}",
        PARAM,
        &foreign,
        "spec/supplement/a.yaml:24:150: `other` speaks of GoToSocial, and proves nothing of Mastodon (name a source that speaks of the program, or add it to `programs` of this one)",
    );
}

#[test]
fn each_mistake_is_told_once_and_where_it_is() {
    let text = OPERATION.replace("ERRORS", "{}").replace("PARAM", PARAM).replace("FIELD", FIELD);
    let second = "  accounts.change:
    summary: Changes an account.
    since: {mastodon: \"2.0.0\", gotosocial: never}
    method: PUT
    path: /a
    also: {mastodon: [POST]}
    auth: {token: none}
    returns: A
    success: [200]
    paging: none
    errors: {}
    params: {}
entities:";
    for (from, to, expected) in [
        (
            "path: /a",
            "path: \"/a/{a}\"",
            "11:11: `/a/{a}` is no path (write a placeholder as `:id`)",
        ),
        (
            "  accounts.create:",
            "  params:",
            "7:3: `params` is no id of an operation (write group and name, as in `accounts.lookup`, and indent what belongs to an operation below its id)",
        ),
        (
            "    auth:",
            "    replacement: A\n    auth:",
            "12:18: `A` is a type as a whole, and no replacement of `accounts.create` (name what came after it, or remove `replacement`)",
        ),
        (
            "    auth:",
            "    changed: {mastodon: [{in: \"3.0.0\", what: token, from: user, to: opt}, {in: \"4.5.0\", what: token, from: optional, to: none}]}\n    auth:",
            "12:69: `opt` is no value of `token` (write one of `none`, `optional`, `app`, `client`, `user`)",
        ),
        (
            "type: string",
            "type: String",
            "18:45: there is no entity or enumeration `String` (did you mean `string`?)",
        ),
        (
            "type: string",
            "type: \"id<A>[ ]\"",
            "18:45: a type has no spaces in it (write `id<A>[]`)",
        ),
        (
            "left_out: harmless",
            "left_out: harmless, evidence: {left_out: {source: server, at: \"a.rb:1@main\"}}",
            "18:132: `@main` names no release (write the one that was read, as `app/models/list.rb:30@4.3.0`)",
        ),
        (
            "left_out: harmless",
            "left_out: harmless, limit_from: A.a",
            "18:102: `A.a` is no field with a number, and tells no limit (name a field of an entity, as `Instance.configuration.statuses.max_characters`)",
        ),
        (
            "optional: false}\n",
            "optional: false, quirks: [{program: gotosocial, sends: zero}]}\n",
            "23:131: GoToSocial never has `A.a`, and sends nothing in its place (name another program, or remove the quirk)",
        ),
        (
            "required: false",
            "required: sometimes, required_when: {if: \"\"}",
            "18:94: the condition is empty (complete \"when ..\")",
        ),
        (
            "optional: false}\n",
            "optional: false, quirks: [{program: mastodon, sends: zero}]}\n",
            "23:131: `A.a` is no number and no boolean, which `zero` stands for (write what is sent in its place, as `empty_string`, or mend the type)",
        ),
        (
            "optional: false}\n",
            "optional: false, quirks: [{program: mastodon, sends: empty_string, until: \"2.0.0\"}]}\n",
            "23:131: the quirk ends before Mastodon has `A.a`, since 2.0.0 (mend one of the two, or remove the quirk)",
        ),
        (
            "entities:",
            second,
            "24:11: `accounts.change` has the route of `accounts.create`, POST /a (a method on a path is one operation; mend one of the two)",
        ),
    ] {
        says(&text.replacen(from, to, 1), &format!("spec/supplement/a.yaml:{expected}"));
    }
}

#[test]
fn what_follows_from_a_mistake_is_not_told() {
    each_is_told(&[
        (
            "    auth:",
            "    changed: {mastodon: [{in: \"1.0.0\", what: path, from: /b, to: /a}]}\n    auth:",
            "12:31: in Mastodon, `accounts.create` changes in 1.0.0, which is no later than its Since, 2.0.0 (mend it, or the Since of the item)",
        ),
        (
            "since: {mastodon: \"2.0.0\", gotosocial: never}\n    method",
            "since: {mastodon: \"4.9.0\", gotosocial: never}\n    changed: {mastodon: [{in: \"3.0.0\", what: path, from: /b, to: /a}]}\n    method",
            "9:23: Mastodon has not released 4.9.0: the newest registered release is 4.5.0 (register 4.9.0 under `programs.mastodon.releases` in implementations.yaml first)",
        ),
        (
            "type: string, required",
            "type: integer, max: -80, default: 40, required",
            "18:59: `max` of `accounts.create.a` leaves nothing to send (write a greater number, or remove it)",
        ),
        (
            "in: form",
            "in: path",
            "18:33: `accounts.create.a` stands in the path, which has no `:a` (mend the path or the parameter's place)",
        ),
        (
            "required: false",
            "required: sometimes, required_when: {snt: b, is: y}",
            "18:90: unknown key `snt` (did you mean `sent`?)",
        ),
        (
            "left_out: harmless",
            "left_out: harmless, evidence: {left_out: {source: other, at: \"a.go:1@0.5.0\"}}",
            "18:131: `@0.5.0` names no release (write the one that was read, as `app/models/list.rb:30@4.3.0`)",
        ),
        (
            "    params:",
            "    alternatives: {with_b: {summary: b, requires: [b]}}\n    params:",
            "17:52: `accounts.create` has no parameter `b` (an alternative names parameters of its operation)",
        ),
        (
            "optional: false}\n",
            "optional: true, when: [{if: x}, {sent: x}]}\n",
            "23:145: `accounts.create` has no parameter `x` (write its name on the wire, with brackets)",
        ),
        (
            "errors: {}\n    params:\n      a: {summary: A text., in: form, type: string, required: false, left_out: harmless}",
            "errors: {\"4OO\": {}}\n    params:\n      a: {summary: A text., in: form, type: string, required: true, missing: {mastodon: {status: 400, text: No text}}}",
            "16:14: `4OO` is not a status of an error (errors have a status from 400 to 599; others belong to `success`)",
        ),
        (
            "    params:",
            "    changed: {mastodon: [{in: \"3.0.0\", what: token, from: [], to: [read]}]}\n    params:",
            "17:46: neither `from` nor `to` is a value of `token` (name the fact that changed, or write one of `none`, `optional`, `app`, `client`, `user` for each)",
        ),
        (
            "summary: A text., in: form",
            "summary: A text, and more., in: form",
            "18:28: unknown key `and more.` (put text that holds a comma in quotes)",
        ),
        (
            "type: string, required: false",
            "type Strin, required: false",
            "18:39: unknown key `type Strin` (write a colon between the key and its value)",
        ),
        (
            "type: string, required: false",
            "type: string, required: false, missing: {mastodon: {status: 418, text: No}}",
            "18:80: `accounts.create.a` is never required there, and nothing is refused (mend `required`, or remove the program from `missing`)",
        ),
        (
            "required: false",
            "required: sometimes, required_whenn: {is: a, param: b}",
            "18:74: unknown key `required_whenn` (did you mean `required_when`?)",
        ),
        (
            "returns: A",
            "returns: {mastodon: Bb}",
            "13:25: there is no entity or enumeration `Bb` (introduce it under `entities` or `enums`)",
        ),
    ]);
}

#[test]
fn a_slip_has_the_help_that_mends_it() {
    each_is_told(&[
        (
            "errors: {}",
            "replacement: accounts\n    errors: {}",
            "16:18: there is no item `accounts` (this is a group: name what stands in it, as `accounts.create`)",
        ),
        (
            "errors: {}\n    params:\n      a: {summary: A text., in: form, type: string, required: false, left_out: harmless}",
            "error: {\"422\": {}}\n    params:\n      a: {summary: A text., in: form, type: string, required: true, missing: {mastodon: {status: 422, text: No text}}}",
            "16:5: unknown key `error` (did you mean `errors`?)",
        ),
        (
            "errors: {}",
            "errors: {\"422\": {when: \"\"}}",
            "16:28: `when` is empty (give it a value, or remove the key)",
        ),
        (
            "optional: false}\n",
            "optional: false, quirks: [program: mastodon, sends: \"null\"]}\n",
            "23:123: `quirks` has an element for each key (put braces around what belongs together: `quirks: [{..}]`)",
        ),
        (
            "paging: none",
            "paging: true",
            "15:13: `paging` is `true`, not text (write one of `none`, `link`, `offset`)",
        ),
        (
            "summary: Makes an account.",
            "summary: Makes an account\"",
            "8:14: the text ends with a quote that nothing opens (put the whole text in quotes)",
        ),
        (
            "errors: {}",
            "errors: {\"4222\": {}}",
            "16:14: `4222` is not a status of an error (did you mean `422`?)",
        ),
    ]);
}

#[test]
fn one_mistake_is_told_once_and_at_its_place() {
    each_is_told(&[
        (
            "    params:",
            "    params:\n      notes: [It is long.]",
            "18:7: `notes` stands among the `params`, and is no map of facts (where it is a fact of what is around, indent it less; else write its facts as a map)",
        ),
        (
            "left_out: harmless",
            "left_out: {efect: harmless}",
            "18:81: unknown key `efect` (did you mean `effect`?)",
        ),
        (
            "left_out: harmless",
            "left_out: {effect: fails, soo: it is refused}",
            "18:96: unknown key `soo` (did you mean `so`?)",
        ),
        (
            "errors: {}",
            "errors: 401",
            "16:13: `errors` is `401`, not a map (write a list of statuses, `[401]`, or a map)",
        ),
        (
            "    method",
            "    absent: {mastodon: [\"3.0.0\", \"4.0.0\"]}\n    method",
            "10:24: `mastodon` is a list of words, not of lists (write a list of lists: [[\"3.0.0\", \"4.0.0\"]])",
        ),
        (
            "type: string, required: false",
            "type: \"string|string[]\", required: false",
            "18:45: nobody says how Mastodon takes several values of `accounts.create.a` (write the first releases, as `several: {mastodon: {lines: \"1.0.0\", list: \"2.0.0\"}}`, or `{}` where it takes one value)",
        ),
        (
            "type: string, required: false",
            "type: string, max: 20, default: 2, required: false",
            "18:45: `accounts.create.a` is of another type than its `max` and its `default` (mend its type, or what was said of another)",
        ),
        (
            "optional: false}\n",
            "optional: false, absent_means: {value: [], omited: true}}\n",
            "23:149: unknown key `omited` (did you mean `omitted`?)",
        ),
        (
            "optional: false}\n",
            "optional: false, presence: {mastodon: optional, gotosocial: always}}\n",
            "23:154: GoToSocial never has `A.a`, of which this is said (remove `gotosocial` here, or mend its `since`)",
        ),
        (
            "mastodon: \"2.0.0\", gotosocial: never}\n    method",
            "mastodon: \"2.0.0\", gotosocial: never}\n    removed: {mastodon: \"1.0.0\"}\n    method",
            "10:25: in Mastodon, `accounts.create` is removed in 1.0.0, which is no later than its Since, 2.0.0 (an item is added, then deprecated, then removed)",
        ),
    ]);
}

#[test]
fn the_registry_is_told_of_by_its_keys() {
    let text = OPERATION.replace("ERRORS", "{}").replace("PARAM", PARAM).replace("FIELD", FIELD);
    for (from, to, expected) in [
        (
            "    letter: A",
            "    letter: A\n    held_against: {return: server}",
            "6:20: unknown key `return` (did you mean `returns`?)",
        ),
        (
            "    letter: A",
            "    letter: A\n    held_against: {returns: servre}",
            "6:29: there is no source `servre` (did you mean `server`?)",
        ),
        (
            "    letter: A",
            "    letter: A\n    ways: {server: {homepage: mastodon}}",
            "6:31: `mastodon` is no address (write it whole, with `https://`)",
        ),
        (
            "    letter: A",
            "    letter: A\n    ways: {server: {errors: {pages_by_id: {x.y: \"2.0.0\"}}}}",
            "6:44: there is no operation `x.y` (write its id)",
        ),
        (
            "    letter: A",
            "    letter: A\n    ways: {server: {errors: {pages_by_id: {accounts.create: \"2.5.0\"}}}}",
            "6:44: `accounts.create` has no pages that ids lead to (name an operation with `max_id` or `min_id`, or remove it)\nspec/implementations.yaml:6:61: Mastodon has no registered release 2.5.0 (name a release that is listed below, or list it there)",
        ),
        (
            "    letter: A",
            "    letter: A\n    ways: {limits: {values: {pinned: {\"2.5.0\": 5}}}}",
            "6:39: Mastodon has no registered release 2.5.0 (name a release that is listed below, or list it there)",
        ),
        (
            "    letter: A",
            "    letter: A\n    scopes_since: \"3.5.0\"",
            "6:19: Mastodon has no registered release 3.5.0 (name a release that is listed below, or list it there)",
        ),
        (
            "letter: A",
            "letter: AA",
            "5:13: `AA` is not one capital letter (write the letter that the documents give the program, as `A`)",
        ),
        (
            "nodeinfo: [mastodon]",
            "nodeinfo: [Mastodon]",
            "6:16: node info has no name `Mastodon`, which is not in lower case (write `mastodon`)",
        ),
        (
            "{class: D,",
            "{class: E,",
            "18:18: unknown value `E` of `class` (write one of `A`, `B`, `C`, `D`)",
        ),
        (
            "sources:",
            "defaults: {success: [20]}\nsources:",
            "13:22: `20` is not a status of success (successes have a status from 100 to 399; those from 400 to 599 belong to `errors`)",
        ),
    ] {
        let expected = format!("spec/implementations.yaml:{expected}");
        told(&|registry| registry.replacen(from, to, 1), &text, &expected);
    }
    // A source that nobody has registered is told of once, not of all that it was to prove.
    let head = SUPPLEMENT.replace("mastodon: server", "mastodon: servre");
    let file = format!("{head}groups:\n  accounts: {{summary: Accounts.}}\n{text}");
    Spec::bare(&[("supplement/a.yaml", &file)])
        .says("spec/supplement/a.yaml:3:41: there is no source `servre` (did you mean `server`?)");
}

#[test]
fn values_and_groups_that_cannot_be_are_told() {
    let param = "{summary: A text., in: form, type: Kind, required: false, left_out: harmless}";
    let operation = OPERATION.replace("ERRORS", "{}").replace("PARAM", param);
    let operation = operation.replace("      FIELD\n", "");
    for (values, expected) in [
        (
            "      a: {summary: One., on_older: b}\n      b: {summary: Another., on_older: a}\n",
            "30:40: `a` and `b` stand in for each other (name the one that was there first in the other, alone)",
        ),
        (
            "      a: {summary: One., on_older: b}\n      b: {summary: Another., since: {mastodon: \"3.0.0\"}}\n",
            "29:36: no release that lacks `a` has `b` (name a value that was there before, or write `drop_element`)",
        ),
        (
            "      a: {summary: One., payload: A}\n",
            "29:35: no stream brings the values of `Kind` (remove `payload`, or name the enumeration in what a stream `returns`)",
        ),
        (
            "      a: {summary: One., removed: {mastodon: \"3.0.0\"}, changed: {mastodon: [{in: \"4.5.0\", what: meaning, from: b, to: c}]}}\n",
            "29:46: Mastodon removes `Kind.a` in 3.0.0, before it changes in 4.5.0 (mend one of the two)",
        ),
    ] {
        let kind = "enums:\n  Kind:\n    summary: What something is for.\n    since: {mastodon: \"2.0.0\", gotosocial: never}\n    values:\n";
        says(&format!("{operation}{kind}{values}"), &format!("spec/supplement/a.yaml:{expected}"));
    }
    let kind = "enums:\n  Kind:\n    summary: What something is for.\n    since: {mastodon: \"2.0.0\", gotosocial: never}\n    values:\n      a: {summary: One.}\n";
    let streamed = operation.replace("returns: A\n", "returns: events<Kind>\n");
    says(
        &format!("{streamed}{kind}"),
        "spec/supplement/a.yaml:13:14: no value of `Kind` has a payload: they are no events (name the enumeration of its events)",
    );
    let scopes = operation.replace(
        "type: Kind",
        "type: string, format: space-separated OauthScope, default: read rite",
    );
    let named = kind
        .replace("Kind", "OauthScope")
        .replace("      a:", "      read: {summary: Reading.}\n      write:");
    says(
        &format!("{scopes}{named}"),
        "spec/supplement/a.yaml:18:98: `read rite` is no value of `accounts.create.a` (did you mean `write`?)",
    );
    let safe = scopes.replace(", default: read rite", "");
    let safe = safe.replace(
        "left_out: harmless",
        "left_out: {effect: changes_meaning, so: it is read, safe: read rite}",
    );
    says(
        &format!("{safe}{named}"),
        "spec/supplement/a.yaml:18:164: `read rite` is no value of `accounts.create.a` (did you mean `write`?)",
    );
    let unused = format!("  others: {{summary: Others.}}\n{operation}")
        .replace("type: Kind", "type: string");
    says(
        &unused,
        "spec/supplement/a.yaml:6:3: no operation is of the group `others` (remove the group, or mend the `group` of its operations)",
    );
}

/// A name that is misspelt in a program's folder makes an item that nobody else speaks of.
#[test]
fn what_a_folder_alone_speaks_of_says_what_it_is() {
    let operation = OPERATION.replace("ERRORS", "{}").replace("PARAM", PARAM);
    let registry = format!("reference: mastodon\n{IMPLEMENTATIONS}");
    let mut spec = Spec::new("", "");
    spec.implementations = &registry;
    spec.files = vec![
        (
            "supplement/a.yaml",
            format!(
                "{SUPPLEMENT}groups:\n  accounts: {{summary: Accounts.}}\n{}",
                operation.replace("      FIELD\n", "")
            ),
        ),
        ("api.json", "{\"items\": [{\"id\": \"A.a\"}]}".to_owned()),
        (
            "programs/pleroma/implementations.yaml",
            "programs:\n  pleroma: {name: Pleroma, nodeinfo: [pleroma], releases: {\"1.0.0\": {}}}\nsources:\n  pleroma-source: {class: B, title: Pleroma's source, programs: [pleroma]}\n".to_owned(),
        ),
        (
            "programs/pleroma/a.yaml",
            "area: Pleroma\ndefaults: {unknown: [type, nullable, optional], evidence: {pleroma: pleroma-source, shape: pleroma-source}}\nentities:\n  A:\n    fields:\n      aa: {since: {pleroma: \"1.0.0\"}}\n".to_owned(),
        ),
    ];
    spec.tells(
        "spec/programs/pleroma/a.yaml:6:7: nothing but a program's folder speaks of `A.aa`, and says not what it is (did you mean `A.a`?)",
    );
}
