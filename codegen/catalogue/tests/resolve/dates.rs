//! Since, and what follows.

use fedispec_model::api::Since;
use fedispec_since::StableVersion;

use crate::support::{IMPLEMENTATIONS, Spec};

#[test]
fn older_than_its_operation() {
    Spec::new(r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {since: {mastodon: "1.0.0"}}
"#, "")
        .reads(r#"
error[older-than-container]: `accounts.lookup.acct` is there since 1.0.0, inside something that Mastodon has since 2.0.0 only
  --> spec/documents/a.yaml:13:32
   |
13 |       acct: {since: {mastodon: "1.0.0"}}
   |                                ^^^^^^^
   |
   = help: mend one of the two, or say why under `older_because`
note: it comes here
  --> spec/documents/a.yaml:11:23
   |
11 |     since: {mastodon: "2.0.0"}
   |                       ^^^^^^^

1 problem in 1 file
"#);
}

#[test]
fn older_than_its_parent() {
    Spec::new(r#"entities:
  CredentialAccount:
    fields:
      source: {since: {mastodon: "2.0.0"}}
      source[note]: {since: {mastodon: "1.0.0"}}
"#, "")
        .reads(r#"
error[older-than-container]: `CredentialAccount.source.note` is there since 1.0.0, inside something that Mastodon has since 2.0.0 only
  --> spec/documents/a.yaml:13:40
   |
13 |       source[note]: {since: {mastodon: "1.0.0"}}
   |                                        ^^^^^^^
   |
   = help: mend one of the two, or say why under `older_because`
note: it comes here
  --> spec/documents/a.yaml:12:34
   |
12 |       source: {since: {mastodon: "2.0.0"}}
   |                                  ^^^^^^^

1 problem in 1 file
"#);
}

#[test]
fn inside_what_was_never_there() {
    Spec::new(r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {}
"#, r#"operations:
  accounts.lookup:
    since: {gotosocial: never}
    params:
      acct: {since: {gotosocial: "0.19.0"}}
"#)
        .reads(r#"
error[older-than-container]: `accounts.lookup.acct` is there since 0.19.0, inside something that GoToSocial never has
 --> spec/supplement/a.yaml:8:34
  |
8 |       acct: {since: {gotosocial: "0.19.0"}}
  |                                  ^^^^^^^^
  |
  = help: mend one of the two, or say why under `older_because`
note: it comes here
 --> spec/supplement/a.yaml:6:25
  |
6 |     since: {gotosocial: never}
  |                         ^^^^^

1 problem in 1 file
"#);
}

#[test]
fn a_reason_for_nothing() {
    Spec::new(
        r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {older_because: It is not.}
"#,
        "",
    )
    .reads(
        "
error[needless-reason]: `accounts.lookup.acct` is not older than what contains it
  --> spec/documents/a.yaml:13:14
   |
13 |       acct: {older_because: It is not.}
   |              ^^^^^^^^^^^^^
   |
   = help: remove `older_because`

1 problem in 1 file
",
    );
}

#[test]
fn deprecated_before_it_was_there() {
    Spec::new(
        r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, deprecated: {mastodon: "1.0.0"}}
"#,
        "",
    )
    .reads(
        r#"
error[out-of-order]: in Mastodon, `accounts.lookup` is deprecated in 1.0.0, before its Since, 2.0.0
  --> spec/documents/a.yaml:10:72
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, deprecated: {mastodon: "1.0.0"}}
   |                                                                        ^^^^^^^
   |
   = help: an item is added, then deprecated, then removed
note: its Since
  --> spec/documents/a.yaml:10:39
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, deprecated: {mastodon: "1.0.0"}}
   |                                       ^^^^^^^

1 problem in 1 file
"#,
    );
}

#[test]
fn removed_before_it_was_there() {
    Spec::new(r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, removed: {mastodon: "2.0.0"}}
"#, "")
        .reads(r#"
error[out-of-order]: in Mastodon, `accounts.lookup` is removed in 2.0.0, which is no later than its Since, 2.0.0
  --> spec/documents/a.yaml:10:69
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, removed: {mastodon: "2.0.0"}}
   |                                                                     ^^^^^^^
   |
   = help: an item is added, then deprecated, then removed
note: its Since
  --> spec/documents/a.yaml:10:39
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, removed: {mastodon: "2.0.0"}}
   |                                       ^^^^^^^

1 problem in 1 file
"#);
}

#[test]
fn removed_before_it_was_deprecated() {
    Spec::new(r#"operations:
  accounts.lookup: {since: {mastodon: "1.0.0"}, deprecated: {mastodon: "4.5.0"}, removed: {mastodon: "2.0.0"}}
"#, "")
        .reads(r#"
error[out-of-order]: in Mastodon, `accounts.lookup` is removed in 2.0.0, before it is deprecated in 4.5.0
  --> spec/documents/a.yaml:10:102
   |
10 |   accounts.lookup: {since: {mastodon: "1.0.0"}, deprecated: {mastodon: "4.5.0"}, removed: {mastodon: "2.0.0"}}
   |                                                                                                      ^^^^^^^
   |
   = help: an item is added, then deprecated, then removed

1 problem in 1 file
"#);
}

#[test]
fn absent_backwards() {
    Spec::new(
        r#"operations:
  accounts.lookup: {since: {mastodon: "1.0.0"}, absent: {mastodon: [["4.5.0", "2.0.0"]]}}
"#,
        "",
    )
    .reads(
        r#"
error[out-of-order]: in Mastodon, `accounts.lookup` cannot be absent from 4.5.0 until 2.0.0, which comes before
  --> spec/documents/a.yaml:10:69
   |
10 |   accounts.lookup: {since: {mastodon: "1.0.0"}, absent: {mastodon: [["4.5.0", "2.0.0"]]}}
   |                                                                     ^^^^^^^^^^^^^^^^^^
   |
   = help: mend it, or the Since of the item

1 problem in 1 file
"#,
    );
}

#[test]
fn changed_too_early() {
    Spec::new(r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, changed: {mastodon: [{in: "1.0.0", what: path, from: "/a", to: "/b"}]}}
"#, "")
        .reads(r#"
error[out-of-order]: in Mastodon, `accounts.lookup` changes in 1.0.0, which is no later than its Since, 2.0.0
  --> spec/documents/a.yaml:10:75
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, changed: {mastodon: [{in: "1.0.0", what: path, from: "/a", to: "/b"}]}}
   |                                                                           ^^^^^^^
   |
   = help: mend it, or the Since of the item
note: its Since
  --> spec/documents/a.yaml:10:39
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, changed: {mastodon: [{in: "1.0.0", what: path, from: "/a", to: "/b"}]}}
   |                                       ^^^^^^^

1 problem in 1 file
"#);
}

#[test]
fn works_no_later_than_it_is_there() {
    Spec::new(r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, works_since: {mastodon: "2.0.0"}}
"#, "")
        .reads(r#"
error[out-of-order]: in Mastodon, `accounts.lookup` works since 2.0.0, which is no later than its Since, 2.0.0
  --> spec/documents/a.yaml:10:73
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, works_since: {mastodon: "2.0.0"}}
   |                                                                         ^^^^^^^
   |
   = help: mend it, or the Since of the item
note: its Since
  --> spec/documents/a.yaml:10:39
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, works_since: {mastodon: "2.0.0"}}
   |                                       ^^^^^^^

1 problem in 1 file
"#);
}

#[test]
fn removed_and_never_there() {
    Spec::new(
        r#"operations:
  accounts.lookup: {since: {mastodon: never}, removed: {mastodon: "2.0.0"}}
"#,
        "",
    )
    .reads(
        r#"
error[out-of-order]: in Mastodon, `accounts.lookup` is in no release and cannot have `removed`
  --> spec/documents/a.yaml:10:67
   |
10 |   accounts.lookup: {since: {mastodon: never}, removed: {mastodon: "2.0.0"}}
   |                                                                   ^^^^^^^
   |
   = help: an item is added, then deprecated, then removed
note: its Since
  --> spec/documents/a.yaml:10:39
   |
10 |   accounts.lookup: {since: {mastodon: never}, removed: {mastodon: "2.0.0"}}
   |                                       ^^^^^

1 problem in 1 file
"#,
    );
}

#[test]
fn a_release_that_is_not_out() {
    Spec::new(
        r#"operations:
  accounts.lookup: {since: {mastodon: "9.0.0"}}
"#,
        "",
    )
    .reads(
        r#"
error[unreleased-version]: Mastodon has not released 9.0.0: the newest registered release is 4.5.0
  --> spec/documents/a.yaml:10:39
   |
10 |   accounts.lookup: {since: {mastodon: "9.0.0"}}
   |                                       ^^^^^^^
   |
   = help: register 9.0.0 under `programs.mastodon.releases` in implementations.yaml first

1 problem in 1 file
"#,
    );
}

#[test]
fn a_removal_that_is_not_out() {
    Spec::new(
        r#"operations:
  accounts.lookup: {since: {mastodon: "1.0.0"}, removed: {mastodon: "9.0.0"}}
"#,
        "",
    )
    .reads(
        r#"
error[unreleased-version]: Mastodon has not released 9.0.0: the newest registered release is 4.5.0
  --> spec/documents/a.yaml:10:69
   |
10 |   accounts.lookup: {since: {mastodon: "1.0.0"}, removed: {mastodon: "9.0.0"}}
   |                                                                     ^^^^^^^
   |
   = help: register 9.0.0 under `programs.mastodon.releases` in implementations.yaml first

1 problem in 1 file
"#,
    );
}

#[test]
fn releases_out_of_order() {
    let turned =
        IMPLEMENTATIONS.replace(r#""3.0.0": {}, "4.5.0": {}"#, r#""4.5.0": {}, "3.0.0": {}"#);
    let sound = Spec::new("entities:\n  Account: {fields: unknown}\n", "");
    Spec { implementations: &turned, ..sound }.reads(
        r#"
error[out-of-order]: 3.0.0 of Mastodon does not come after 4.5.0
 --> spec/implementations.yaml:6:55
  |
6 |     releases: {"1.0.0": {}, "2.0.0": {}, "4.5.0": {}, "3.0.0": {}}
  |                                                       ^^^^^^^
  |
  = help: list the releases in the order of their versions

1 problem in 1 file
"#,
    );
}

#[test]
fn a_program_that_nobody_registered() {
    Spec::new(
        r#"operations:
  accounts.lookup: {since: {mastadon: "2.0.0", mastodon: "2.0.0"}}
"#,
        "",
    )
    .reads(
        r#"
error[unknown-program]: there is no program `mastadon`
  --> spec/documents/a.yaml:10:29
   |
10 |   accounts.lookup: {since: {mastadon: "2.0.0", mastodon: "2.0.0"}}
   |                             ^^^^^^^^
   |
   = help: did you mean `mastodon`?

1 problem in 1 file
"#,
    );
}

/// The Since of an entity `E` in GoToSocial.
fn gotosocial(documents: &str) -> Since {
    let api = Spec::new(documents, "").full();
    let entity = api.entities.iter().find(|one| one.item.id == "E").unwrap();
    entity.item.life[1].since
}

#[test]
fn an_unknown_entity_is_not_never_because_a_field_is() {
    let fields = "    fields:
      a: {since: {mastodon: \"1.0.0\", gotosocial: never}}
";
    let unknown = |more: &str| {
        gotosocial(&format!(
            "entities:\n  E:\n    since: {{mastodon: \"1.0.0\", gotosocial: unknown}}\n{fields}{more}"
        ))
    };
    assert_eq!(unknown(""), Since::Unknown);
    assert_eq!(unknown("      b: {}\n"), Since::Unknown);
    assert_eq!(
        unknown("      b: {since: {mastodon: \"1.0.0\", gotosocial: \"0.19.0\"}}\n"),
        Since::Since(StableVersion(0, 19, 0))
    );
}

#[test]
fn an_entity_that_says_nothing_has_the_earliest_of_its_fields() {
    let silent = |more: &str| {
        gotosocial(&format!(
            "entities:\n  E:\n    fields:\n      a: {{since: {{mastodon: \"1.0.0\", gotosocial: never}}}}\n{more}"
        ))
    };
    assert_eq!(silent(""), Since::Never);
    assert_eq!(silent("      b: {since: {mastodon: \"1.0.0\"}}\n"), Since::Unknown);
    assert_eq!(
        silent("      b[c]: {since: {mastodon: \"1.0.0\", gotosocial: \"0.19.0\"}}\n"),
        Since::Since(StableVersion(0, 19, 0))
    );
}
