//! Since: what follows from the container, what `0.0.0` allows, and the order in which items come.

use fedispec_model::api::{Api, Layer, Since};

use crate::support::Spec;

fn version(text: &str) -> Since {
    text.parse().unwrap()
}

/// The effective Since in Mastodon of the items of an entity, by id.
fn effective(api: &Api, id: &str) -> Since {
    let fields = api.entities.iter().flat_map(|entity| &entity.fields);
    let mut items = fields.map(|field| &field.item);
    let item = items.find(|item| item.id == id).unwrap();
    item.life[0].effective
}

#[test]
fn an_item_is_effective_no_earlier_than_what_contains_its_container() {
    let api = Spec::new(
        r#"entities:
  E:
    since: {mastodon: "4.5.0"}
    fields:
      a: {since: {mastodon: "1.0.0"}, older_because: It is shared.}
      a[b]: {since: {mastodon: "1.0.0"}}
      a[c]: {since: {mastodon: "2.0.0"}}
"#,
        r#"entities:
  E: {fields: {a: {type: object}}}
"#,
    )
    .full();
    for id in ["E.a", "E.a.b", "E.a.c"] {
        assert_eq!(effective(&api, id), version("4.5.0"), "{id}");
    }
}

#[test]
fn only_the_first_may_be_made_precise() {
    let lookup = |documents: &str, supplement: &str| {
        Spec::new(
            &format!("operations:\n  accounts.lookup: {{since: {{mastodon: {documents}}}}}\n"),
            &format!("operations:\n  accounts.lookup: {{since: {{mastodon: {supplement}}}}}\n"),
        )
        .resolve(Layer::Full)
        .map(|api| api.operations[0].item.life[0].since)
    };
    assert_eq!(lookup(r#""0.0.0""#, r#""4.5.0""#), Ok(version("4.5.0")));
    for (documents, supplement) in [
        (r#""1.0.0""#, r#""2.0.0""#),
        (r#""2.0.0""#, r#""0.0.0""#),
        (r#""0.0.0""#, "never"),
        ("never", r#""1.0.0""#),
    ] {
        let text = lookup(documents, supplement).unwrap_err();
        assert!(text.contains("error[undeclared-contradiction]"), "{text}");
    }
}

#[test]
fn what_is_there_from_the_first_needs_no_reason_to_be_older() {
    let param = |since: &str| {
        let text = format!(
            "operations:
  accounts.lookup:
    since: {{mastodon: \"2.0.0\"}}
    params: {{acct: {{since: {{mastodon: \"{since}\"}}}}}}
"
        );
        Spec::new(&text, "").resolve(Layer::Full)
    };
    let api = param("0.0.0").unwrap();
    let life = &api.operations[0].params[0].item.life[0];
    assert_eq!(life.since, version("0.0.0"));
    assert_eq!(life.effective, version("2.0.0"));
    let text = param("1.0.0").unwrap_err();
    assert!(text.contains("error[older-than-container]"), "{text}");
}

#[test]
fn entities_enumerations_and_operations_are_sorted_by_id() {
    let api = Spec::new(
        r#"operations:
  accounts.b: {since: {mastodon: "1.0.0"}}
entities:
  Zed: {since: {mastodon: "1.0.0"}, fields: unknown}
  Account: {since: {mastodon: "1.0.0"}, fields: unknown}
enums:
  Visibility: {since: {mastodon: "1.0.0"}, values: unknown}
  Direction: {since: {mastodon: "1.0.0"}, values: unknown}
"#,
        "",
    )
    .and(
        "documents/b.yaml",
        r#"enums:
  Category: {since: {mastodon: "1.0.0"}, values: unknown}
entities:
  Media: {since: {mastodon: "1.0.0"}, fields: unknown}
"#,
    )
    .full();
    let enums: Vec<_> = api.enums.iter().map(|one| one.item.id.as_str()).collect();
    assert_eq!(enums, ["Category", "Direction", "Visibility"]);
    let entities = api.entities.iter();
    let entities: Vec<_> = entities.map(|one| one.item.id.as_str()).collect();
    assert_eq!(entities, ["Account", "Media", "Zed"]);
}
