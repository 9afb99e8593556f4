//! Facts that programs may differ in.

use fedispec_model::api::{Api, Layer, Param, State};
use fedispec_model::change::ChangedFact;
use fedispec_since::{Required, StableVersion};
use serde_json::json;

use crate::support::{IMPLEMENTATIONS, Spec};

/// A catalogue with a parameter that says this; the documents' source speaks of Mastodon alone.
fn spec(documents: &'static str, param: &str, held_against: &str) -> Api {
    let implementations = IMPLEMENTATIONS
        .replace("title: The documents", "title: The documents, programs: [mastodon]")
        .replace("    letter: B\n", &format!("    letter: B\n{held_against}"));
    let supplement = format!(
        "operations:\n  accounts.list:\n    since: {{gotosocial: \"0.1.0\"}}\n    params:\n      limit: {{{param}}}\n"
    );
    let documents = format!(
        "operations:\n  accounts.list:\n    since: {{mastodon: \"1.0.0\"}}\n    params:\n      limit: {{{documents}}}\n"
    );
    Spec { implementations: &implementations, ..Spec::new(&documents, &supplement) }.full()
}

fn limit(api: &Api) -> &Param {
    &api.operations[0].params[0]
}

const M: usize = 0;
const G: usize = 1;

#[test]
fn a_value_without_a_program_holds_where_its_source_speaks() {
    let api = spec("required: true, default: 20, max: 40", "in: query", "");
    let one = limit(&api);
    assert_eq!((one.required, one.limits.max), (Required::Always, None));
    assert_eq!(one.state(M, ChangedFact::Max), State::Is(json!(40)));
    for what in [ChangedFact::Required, ChangedFact::Default, ChangedFact::Max] {
        assert_eq!(one.state(G, what), State::Unknown, "{what}");
    }
}

#[test]
fn it_holds_where_all_values_were_held_against_a_program() {
    let held = "    held_against: {required: server, default: server, max: server}\n";
    let api = spec("required: true, default: 20, max: 40", "in: query", held);
    let one = limit(&api);
    assert_eq!((one.required, one.limits.max), (Required::Always, Some(40.0)));
    assert!(one.item.life.iter().all(|life| life.facts.is_empty()));
    let api = spec("required: true, max: 40", "max: {gotosocial: none}", held);
    let one = limit(&api);
    assert_eq!((one.required, one.limits.max), (Required::Always, None));
    assert_eq!(one.state(G, ChangedFact::Max), State::None);
}

#[test]
fn each_program_has_its_own_and_its_history() {
    let api = spec(
        "max: 40",
        "required: {mastodon: false, gotosocial: true}, default: {mastodon: 20, gotosocial: 30}, \
         max: {gotosocial: 80}, changed: {mastodon: [{in: \"2.0.0\", what: max, from: 30, to: 40}]}",
        "",
    );
    let one = limit(&api);
    assert_eq!((one.required, &one.default, one.limits.max), (Required::Never, &None, Some(80.0)));
    assert!(one.is_demanded());
    let at = |program, release| {
        let one = one.at(program, release);
        (one.required, one.default, one.limits.max)
    };
    let old = Some(StableVersion(1, 0, 0));
    assert_eq!(at(M, old), (Required::Never, Some(json!(20)), Some(30.0)));
    assert_eq!(at(M, None), (Required::Never, Some(json!(20)), Some(40.0)));
    assert_eq!(at(G, None), (Required::Always, Some(json!(30)), Some(80.0)));
}

#[test]
fn a_connection_that_is_handed_over_has_no_other_answer() {
    let spec = |success: &str| {
        format!(
            "operations:\n  accounts.lookup:\n    since: {{mastodon: \"2.0.0\"}}\n    success: {success}\n"
        )
    };
    for success in
        ["[101]", "{mastodon: [101], gotosocial: [101]}", "{mastodon: [200], gotosocial: [202]}"]
    {
        assert!(Spec::new(&spec(success), "").resolve(Layer::Full).is_ok(), "{success}");
    }
    for success in ["[101, 299]", "{mastodon: [101], gotosocial: [299]}"] {
        Spec::new(&spec(success), "").says(
            "spec/documents/a.yaml:12:14: `101` hands the connection over, and `299` answers on it (make two operations of them, or strike one of the two)",
        );
    }
}

#[test]
fn mistakes_have_their_place() {
    Spec::new(
        r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    method: GET
    path: /api/v1/accounts
    success: {mastodon: [200], gotosocial: [99]}
    params:
      a: {in: query, type: integer, required: false, default: {mastodon: 20, gotosocial: 90}, max: {mastodon: 40, gotosocial: 80}}
      b: {in: query, type: integer, required: {mastadon: true}}
      c: {in: query, type: integer, required: false, max: {mastodon: many}}
      d: {in: query, type: integer, required: false, missing: {mastodon: {status: 200, text: It is missing}}}
      e: {in: query, type: integer, required: true, missing: {mastodon: [{status: 422, text: a}, {status: 422, text: b}]}}
"#,
        "",
    )
    .reads(
        r#"
error[success-status]: `99` is not a status of success
  --> spec/documents/a.yaml:14:45
   |
14 |     success: {mastodon: [200], gotosocial: [99]}
   |                                             ^^
   |
   = help: successes have a status from 100 to 399; those from 400 to 599 belong to `errors`

error[wrong-default]: `90` is outside the bounds of `accounts.lookup.a`
  --> spec/documents/a.yaml:16:90
   |
16 |       a: {in: query, type: integer, required: false, default: {mastodon: 20, gotosocial: 90}, max: {mastodon: 40, gotosocial: 80}}
   |                                                                                          ^^
   |
   = help: mend it, or the bound: `max` is 80

error[unknown-program]: there is no program `mastadon`
  --> spec/documents/a.yaml:17:48
   |
17 |       b: {in: query, type: integer, required: {mastadon: true}}
   |                                                ^^^^^^^^
   |
   = help: did you mean `mastodon`?

error[wrong-type]: `mastodon` is text, not a number, or `none`
  --> spec/documents/a.yaml:18:70
   |
18 |       c: {in: query, type: integer, required: false, max: {mastodon: many}}
   |                                                                      ^^^^
   |
   = help: write a number, or `none`

error[wrong-left-out]: `accounts.lookup.d` is never required there, and nothing is refused
  --> spec/documents/a.yaml:19:64
   |
19 |       d: {in: query, type: integer, required: false, missing: {mastodon: {status: 200, text: It is missing}}}
   |                                                                ^^^^^^^^
   |
   = help: mend `required`, or remove the program from `missing`
note: whether it is required
  --> spec/documents/a.yaml:19:47
   |
19 |       d: {in: query, type: integer, required: false, missing: {mastodon: {status: 200, text: It is missing}}}
   |                                               ^^^^^

error[wrong-left-out]: several answers to a request without `accounts.lookup.e` hold in one release
  --> spec/documents/a.yaml:20:74
   |
20 |       e: {in: query, type: integer, required: true, missing: {mastodon: [{status: 422, text: a}, {status: 422, text: b}]}}
   |                                                                          ^^^^^^^^^^^^^^^^^^^^^^
   |
   = help: order them by release, each with `until` at the `since` of the next

6 problems in 1 file
"#,
    );
}

/// The errors of an operation of both programs, and for each program whether its release gives them.
fn errors(documents: &str, supplement: &str) -> Vec<fedispec_model::api::ErrorAnswer> {
    let implementations = IMPLEMENTATIONS
        .replace("title: The documents", "title: The documents, programs: [mastodon]");
    let operation = |since: &str, errors: &str| {
        format!("operations:\n  accounts.list:\n    since: {{{since}}}\n    errors: {errors}\n")
    };
    let documents = operation("mastodon: \"1.0.0\"", documents);
    let supplement = operation("gotosocial: \"0.1.0\"", supplement);
    let spec = Spec { implementations: &implementations, ..Spec::new(&documents, &supplement) };
    spec.full().operations.remove(0).errors
}

#[test]
fn an_error_holds_where_its_source_speaks_or_something_proves_it() {
    let all = errors(
        "[404, 410, 422]",
        "{\"410\": {since: {gotosocial: \"0.19.0\"}}, \"422\": {evidence: {gotosocial: server}}}",
    );
    let since = |place: usize| -> Vec<_> {
        let life = all.iter().map(|one| one.life.get(place).map(|life| life.since.to_string()));
        life.map(Option::unwrap_or_default).collect()
    };
    assert_eq!(since(M), ["1.0.0", "1.0.0", ""]);
    assert_eq!(since(G), ["unknown", "0.19.0", ""], "a life that is not dated is the operation's");
}

#[test]
fn the_words_of_an_error_are_one_or_one_for_each() {
    let all = errors(
        "[404]",
        "{\"404\": {when: {mastodon: It is gone., gotosocial: It is hidden.}, text: {gotosocial: \"Not Found\"}}}",
    );
    let one = &all[0];
    assert_eq!(one.when, None);
    assert_eq!(
        [M, G].map(|place| one.when_in(place)),
        [Some("It is gone."), Some("It is hidden.")]
    );
    let texts: Vec<_> = one.text.iter().flatten().map(|one| one.text.as_str()).collect();
    assert_eq!((one.text.len(), texts), (2, vec!["Not Found"]));
    let reasons: Vec<_> = one.reasons().collect();
    assert_eq!(reasons, [(Some(M), "It is gone."), (Some(G), "It is hidden.")]);
}
