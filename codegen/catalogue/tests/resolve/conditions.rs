//! Conditions: what they may name, and what a keeper reads where they name something else.

use fedispec_model::condition::{Caller, Clause, Condition, EntityLocation};

use crate::support::{SUPPLEMENT, Spec};

const API: &str = r#"operations:
  accounts.get:
    since: {mastodon: "2.0.0", gotosocial: "0.1.0"}
    method: GET
    path: /api/v1/accounts/get
    auth: {token: none}
    success: [200]
    paging: none
    returns: Account
    errors: {}
    params:
      sort: {in: query, type: Kind, required: false}
      "keys[]": {in: query, type: "string[]", required: false}
  accounts.other:
    since: {mastodon: "2.0.0", gotosocial: "0.1.0"}
    method: GET
    path: /api/v1/accounts/other
    auth: {token: none}
    success: [200]
    paging: none
    returns: empty
    errors: {}
    params:
      page: {in: query, type: integer, required: false}
groups:
  accounts: {summary: Accounts.}
enums:
  Kind:
    since: {mastodon: "2.0.0", gotosocial: "0.1.0"}
    values: {bot: {}, person: {}}
entities:
  Account:
    since: {mastodon: "2.0.0", gotosocial: "0.1.0"}
    fields:
      kind: {since: {mastodon: "2.0.0", gotosocial: "0.1.0"}, type: Kind, nullable: false, optional: false}
      level: {since: {mastodon: "2.0.0", gotosocial: "0.1.0"}, type: integer, nullable: false, optional: false}
"#;

fn spec(text: &str) -> Spec<'static> {
    Spec::bare(&[("supplement/a.yaml", &format!("{SUPPLEMENT}{text}"))])
}

fn with(when: &str) -> Spec<'static> {
    let field = format!(
        "      meta: {{since: {{mastodon: \"2.0.0\", gotosocial: \"0.1.0\"}}, type: object, nullable: false, optional: false}}\n      \
         meta[size]:\n        since: {{mastodon: \"2.0.0\", gotosocial: \"0.1.0\"}}\n        type: integer\n        \
         nullable: false\n        optional: true\n        when: {when}\n"
    );
    spec(&format!("{API}{field}"))
}

fn condition(when: &str) -> Condition {
    let api = with(when).full();
    let nested = api.entities.iter().find(|one| one.item.id == "Account.meta");
    nested.unwrap().fields[0].when.clone().unwrap()
}

#[track_caller]
fn refused(when: &str, code: &str, message: &str, help: &str) {
    let text = with(when).resolve(fedispec_model::api::Layer::Full).unwrap_err();
    assert!(text.contains(&format!("error[{code}]: {message}\n")), "{text}");
    assert!(text.contains(&format!("= help: {help}\n")), "{text}");
    assert!(text.contains("--> spec/supplement/a.yaml:46:"), "{text}");
    assert!(text.contains("\n1 problem in 1 file"), "{text}");
}

#[test]
fn names_are_found_and_clauses_get_their_kind() {
    assert_eq!(condition("{if: it rains}"), Condition::words("it rains"));
    let bot = || vec!["bot".to_owned()];
    assert_eq!(
        condition("[{token: owner}, {field: kind, is: bot}]"),
        Condition(vec![
            vec![Clause::Token(Caller::Owner)],
            vec![Clause::Field("Account.kind".into(), bot())],
        ])
    );
    assert_eq!(
        condition("{field: Account.kind, is: [bot]}"),
        Condition(vec![vec![Clause::Field("Account.kind".into(), bot())]])
    );
    assert_eq!(
        condition(
            "{sent: sort, is: bot, in: [accounts.get, accounts], not_in: [Account, Account.meta]}"
        ),
        Condition(vec![vec![
            Clause::Sent("sort".into(), bot()),
            Clause::In(vec![
                EntityLocation::Operation("accounts.get".into()),
                EntityLocation::Group("accounts".into()),
            ]),
            Clause::NotIn(vec![
                EntityLocation::Entity("Account".into()),
                EntityLocation::Field("Account.meta".into()),
            ]),
        ]])
    );
}

#[test]
fn what_a_condition_names_is_there() {
    refused(
        "{field: kid, is: bot}",
        "unknown-reference",
        "`Account` has no field `kid`",
        "did you mean `kind`?",
    );
    refused(
        "{field: kind, is: robot}",
        "unknown-value",
        "`Account.kind` has no value `robot`",
        "write one of `bot`, `person`",
    );
    refused(
        "{field: level, is: high}",
        "unknown-value",
        "`Account.level` has no value `high`",
        "write a whole number in quotes",
    );
    refused(
        "{sent: sorts}",
        "unknown-reference",
        "`accounts.get` has no parameter `sorts`",
        "did you mean `sort`?",
    );
    refused(
        "{not_sent: page}",
        "unknown-reference",
        "`accounts.get` has no parameter `page`",
        "write its name on the wire, with brackets",
    );
    refused(
        "{sent: sort, is: bots}",
        "unknown-value",
        "`accounts.get.sort` has no value `bots`",
        "did you mean `bot`?",
    );
    refused(
        "{in: accounts.gets}",
        "unknown-reference",
        "no operation, group, entity or field is called `accounts.gets`",
        "did you mean `accounts.get`?",
    );
    refused(
        "{in: accounts.get.sort}",
        "unknown-reference",
        "no operation, group, entity or field is called `accounts.get.sort`",
        "did you mean `accounts.get`?",
    );
    refused(
        "{in: accounts.other}",
        "wrong-condition",
        "`Account.meta` is never answered in `accounts.other`",
        "name an operation that answers it, or what stands around it",
    );
    refused(
        "{not_in: Account.kind}",
        "wrong-condition",
        "`Account.meta` is never answered in `Account.kind`",
        "name an operation that answers it, or what stands around it",
    );
}

#[test]
fn a_condition_is_whole() {
    refused(
        "{}",
        "wrong-condition",
        "the condition says nothing",
        "say when under `if`, `token`, `sent`, `not_sent`, `field`, `in` or `not_in`",
    );
    refused("[]", "wrong-condition", "the list of conditions is empty", "leave it out");
    refused("{if: \" \"}", "wrong-condition", "the condition is empty", "complete \"when ..\"");
    refused(
        "{field: kind}",
        "wrong-condition",
        "no value of the field is named",
        "list the values under `is`",
    );
    refused(
        "{if: it rains, is: bot}",
        "wrong-condition",
        "nothing has this value",
        "name the `field` or the parameter (`sent`) that has it",
    );
    refused(
        "{field: kind, sent: sort, is: bot}",
        "wrong-condition",
        "`is` cannot belong to `field` and `sent` at once",
        "name one of them here, and the other under `if`",
    );
    refused(
        "{token: robot}",
        "unknown-value",
        "unknown value `robot` of `token`",
        "write one of `user`, `owner`",
    );
    refused("{iff: it rains}", "unknown-key", "unknown key `iff`", "did you mean `if`?");
    refused(
        "it rains",
        "wrong-type",
        "`when` is text, not a condition, as `{if: the account is suspended}`",
        "write a condition, as `{if: the account is suspended}`",
    );
}

#[test]
fn a_parameter_is_required_by_the_request_alone() {
    let required = |when: &str| {
        let sometimes = format!("required: sometimes, required_when: {when}");
        let text =
            API.replacen("type: Kind, required: false", &format!("type: Kind, {sometimes}"), 1);
        spec(&text)
    };
    let api = required("{sent: \"keys[]\", is: a}").full();
    assert_eq!(
        api.operations[0].params[0].required_when,
        Some(Condition(vec![vec![Clause::Sent("keys[]".into(), vec!["a".into()])]]))
    );
    let text = required("{token: user}").resolve(fedispec_model::api::Layer::Full).unwrap_err();
    assert!(
        text.contains(
            "error[wrong-condition]: whether a parameter is required depends on the request alone"
        ),
        "{text}"
    );
    assert!(text.contains("help: use `if`, `sent` or `not_sent`"), "{text}");
    let text = required("{not_sent: key}").resolve(fedispec_model::api::Layer::Full).unwrap_err();
    assert!(
        text.contains("error[unknown-reference]: `accounts.get` has no parameter `key`"),
        "{text}"
    );
}
