//! Changes in place: typed values, gaps, and chains that end at the present value.

use fedispec_model::api::Layer;
use fedispec_model::change::{ChangedFact, state_at};

use crate::support::{IMPLEMENTATIONS, Spec};

/// An operation whose changes are the given text; what is said of it stands in lines 5 to 7 of the supplement.
fn changed(text: &str) -> String {
    format!(
        r#"groups: {{accounts: {{summary: Accounts.}}}}
operations:
  accounts.lookup:
    since: {{mastodon: "1.0.0", gotosocial: never}}
    changed: {{mastodon: [{text}]}}
    auth: {{token: user, scopes: ["read:accounts"]}}
    method: GET
    path: /api/v1/accounts/lookup
    returns: json
    success: [200]
    paging: none
    errors: {{"401": {{when: The token is missing.}}}}
    params:
      acct: {{in: query, type: string, required: true}}
"#
    )
}

/// The problems of that operation: what is wrong, the text that is underlined, and the mend.
fn problems(text: &str) -> String {
    let supplement = changed(text);
    let found = Spec::new("", &supplement).resolve(Layer::Full);
    let found = found.err().unwrap_or_default();
    let mut told = Vec::new();
    let mut before = "";
    for line in found.lines() {
        if line.starts_with("error") {
            told.push(line.to_owned());
        } else if let Some(help) = line.trim().strip_prefix("= help: ") {
            told.push(format!("  {help}"));
        } else if let Some(start) = line.find('^') {
            let underlined = line.matches('^').count();
            // The source's line has its number where this one has blanks.
            told.push(format!("  at {}", &before[start..start + underlined]));
        }
        before = line;
    }
    told.push(String::new());
    told.join("\n")
}

#[test]
fn a_backport_is_said_with_its_gap() {
    let text = changed(
        r#"{in: "2.0.0", absent: [["4.0.0", "4.5.0"]], what: scopes, from: [], to: ["read:accounts"]}"#,
    );
    let implementations = IMPLEMENTATIONS.replace(r#""4.5.0": {}"#, r#""4.0.0": {}, "4.5.0": {}"#);
    let mut spec = Spec::new("", &text);
    spec.implementations = &implementations;
    let api = spec.full();
    let changes = &api.operations[0].item.life[0].changed;
    for (text, scopes) in [
        ("1.0.0", "none"),
        ("2.0.0", "read:accounts"),
        ("4.0.0", "none"),
        ("4.5.0", "read:accounts"),
    ] {
        let at = text.parse().expect(text);
        let state = state_at(changes, ChangedFact::Scopes, at);
        let state = state.map(|value| ChangedFact::Scopes.text(value));
        assert_eq!(state.as_deref(), Some(scopes), "{text}");
    }
}

#[test]
fn a_chain_ends_at_the_present_value() {
    let sound = r#"{in: "2.0.0", what: scopes, from: [], to: [read]},
      {in: "4.5.0", what: scopes, from: [read], to: ["read:accounts"]}"#;
    assert_eq!(problems(sound), "");
    assert_eq!(
        problems(r#"{in: "2.0.0", what: scopes, from: [], to: [read]}"#),
        "\
error[broken-chain]: the last change of `scopes`, in 2.0.0, ends at `read`, but the present value is `read:accounts`
  at [read]
  mend one of the two, or add the change that came after
  at {token: user, scopes: [\"read:accounts\"]}
"
    );
    assert_eq!(
        problems(
            r#"{in: "2.0.0", what: token, from: app, to: optional}, {in: "4.5.0", what: token, from: none, to: user}"#
        ),
        "\
error[broken-chain]: `token` was `none` before 4.5.0, but the change in 2.0.0 ends at `optional`
  at none
  mend one of the two, or add the change between them
"
    );
    assert_eq!(
        problems(r#"{in: "2.0.0", what: returns, from: empty, to: string}"#).lines().next(),
        Some(
            "error[broken-chain]: the last change of `returns`, in 2.0.0, ends at `string`, but the present value is `json`"
        )
    );
    assert_eq!(
        problems(r#"{in: "2.0.0", what: unauthenticated, from: 401, to: 403}"#).lines().next(),
        Some(
            "error[broken-chain]: the last change of `unauthenticated`, in 2.0.0, ends at `403`, but the present value is `401`"
        )
    );
}

#[test]
fn values_are_typed_by_the_fact() {
    assert_eq!(
        problems(r#"{in: "2.0.0", what: scopes, from: none, to: ["read:accounts"]}"#),
        "\
error[wrong-change]: `none` is no value of `scopes`
  at none
  write a list of names, `[]` for none
"
    );
    assert_eq!(
        problems(r#"{in: "2.0.0", what: token, from: optional user, to: user}"#).lines().last(),
        Some("  write one of `none`, `optional`, `app`, `client`, `user`")
    );
    assert_eq!(
        problems(r#"{in: "2.0.0", what: max_length, from: 1, to: 2}"#),
        "\
error[wrong-change]: an operation has no `max_length`
  at max_length
  write one of token, scopes, permissions, method, path, body, returns, media_type, success, paging, unauthenticated, meaning
"
    );
    assert_eq!(
        problems(r#"{in: "2.0.0", what: scops, from: [], to: ["read:accounts"]}"#),
        "\
error[unknown-value]: unknown value `scops` of `what`
  at scops
  did you mean `scopes`?
"
    );
    assert_eq!(
        problems(r#"{in: "2.0.0", what: returns, from: strng, to: json}"#),
        "\
error[malformed-type]: there is no type `strng`
  at strng
  did you mean `string`?
"
    );
    assert_eq!(
        problems(r#"{in: "2.0.0", what: token, to: user}"#).lines().next(),
        Some("error[wrong-change]: the change says no `from`")
    );
    let neither = problems(r#"{in: "2.0.0", what: token}"#);
    let told: Vec<_> = neither.lines().filter(|line| line.starts_with("error")).collect();
    assert_eq!(told, ["error[wrong-change]: the change says no `from` and no `to`"]);
}

#[test]
fn values_are_ones_that_the_fact_can_have() {
    for (change, help) in [
        ("what: method, from: FETCH, to: GET", "a method is one of GET, POST, PUT, PATCH, DELETE"),
        ("what: path, from: api/v1/lookup, to: /api/v1/accounts/lookup", "a path begins with `/`"),
        ("what: success, from: [500], to: [200]", "500 is none of 100 to 399"),
        ("what: unauthenticated, from: 200, to: 401", "200 is none of 400 to 599"),
        (
            "what: returns, from: \"Accounts[]\", to: json",
            "name an entity or enumeration of the catalogue",
        ),
    ] {
        let told = problems(&format!("{{in: \"2.0.0\", {change}}}"));
        assert_eq!(told.lines().last().map(str::trim), Some(help), "{told}");
    }
}

#[test]
fn both_ends_of_a_gap_are_releases() {
    let first = |gap: &str| {
        let change = format!(
            r#"{{in: "2.0.0", absent: [{gap}], what: scopes, from: [], to: ["read:accounts"]}}"#
        );
        let told = problems(&change);
        told.lines().take(2).map(ToOwned::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(first(r#"["3.0.0", "4.5.0"]"#), [] as [String; 0]);
    assert_eq!(
        first(r#"["3.0.0", "4.4.0"]"#),
        ["error[unknown-release]: Mastodon has no registered release 4.4.0", "  at \"4.4.0\""]
    );
    assert_eq!(
        first(r#"["3.1.0", "4.5.0"]"#),
        ["error[unknown-release]: Mastodon has no registered release 3.1.0", "  at \"3.1.0\""]
    );
}

#[test]
fn changes_and_their_gaps_are_in_order() {
    assert_eq!(
        problems(
            r#"{in: "4.5.0", what: scopes, from: [], to: [read]}, {in: "2.0.0", what: scopes, from: [read], to: ["read:accounts"]}"#
        ),
        r#"error[out-of-order]: 2.0.0 does not come after 4.5.0
  at "2.0.0"
  list the changes of a fact in the order of their releases
"#
    );
    assert_eq!(
        problems(
            r#"{in: "2.0.0", absent: [["2.0.0", "4.5.0"]], what: scopes, from: [], to: ["read:accounts"]}"#
        ),
        "\
error[out-of-order]: the change cannot be absent from 2.0.0 until 4.5.0
  at [\"2.0.0\", \"4.5.0\"]
  a gap lies after 2.0.0, and ends after it begins: `[first release without it, first with it again]`
"
    );
    assert_eq!(
        problems(r#"{in: "9.0.0", what: scopes, from: [], to: ["read:accounts"]}"#).lines().next(),
        Some(
            "error[unreleased-version]: Mastodon has not released 9.0.0: the newest registered release is 4.5.0"
        )
    );
}
