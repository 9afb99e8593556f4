//! Statements of items besides their facts, and the programs that a source speaks of.

use crate::support::{IMPLEMENTATIONS, SUPPLEMENT, Spec};

/// A catalogue that names its reference program, and is more than a sketch by that.
fn says(supplement: &str, expected: &str) {
    let registry = format!("reference: mastodon\n{IMPLEMENTATIONS}").replace(
        "revision: v4.5.0}",
        "revision: v4.5.0}\n  other: {class: B, title: Another source, programs: [gotosocial]}",
    );
    let mut spec = Spec::new("", "");
    spec.implementations = &registry;
    let groups = "groups:\n  accounts: {summary: Accounts.}\n";
    spec.files = vec![("supplement/a.yaml", format!("{SUPPLEMENT}{groups}{supplement}"))];
    spec.says(expected);
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

const PARAM: &str =
    "{summary: A text., in: form, type: string, required: false, left_out: harmless}";
const FIELD: &str = "b: {summary: One., since: {mastodon: \"2.0.0\", gotosocial: never}, type: string, nullable: true, optional: false}";

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
    let endless = "b: {summary: One., since: {mastodon: \"2.0.0\", gotosocial: never}, type: A, nullable: false, optional: false, evidence: {presence.mastodon: server}}";
    planted(
        "{}",
        PARAM,
        endless,
        "spec/supplement/a.yaml:24:79: `A.b` always holds another `A`, without an end (say where it is absent or null, or make it a list)",
    );
    let foreign = FIELD.replace("optional: false", "optional: false, evidence: {mastodon: other}");
    planted(
        "{}",
        PARAM,
        &foreign,
        "spec/supplement/a.yaml:24:141: `other` speaks of GoToSocial, and proves nothing of Mastodon (name a source that speaks of the program, or add it to `programs` of this one)",
    );
}
