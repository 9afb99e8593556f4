//! References to nothing.

use crate::support::Spec;

#[test]
fn evidence_that_is_no_source() {
    Spec::new(
        r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {}
"#,
        "operations:
  accounts.lookup: {method: GET, evidence: {shape: servers}}
",
    )
    .reads(
        "
error[unknown-reference]: there is no source `servers`
 --> spec/supplement/a.yaml:5:52
  |
5 |   accounts.lookup: {method: GET, evidence: {shape: servers}}
  |                                                    ^^^^^^^
  |
  = help: did you mean `server`?

1 problem in 1 file
",
    );
}

#[test]
fn evidence_of_no_program() {
    Spec::new(
        r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {}
"#,
        "operations:
  accounts.lookup: {method: GET, evidence: {mastadon: server}}
",
    )
    .reads(
        "
error[unknown-program]: there is no program `mastadon`
 --> spec/supplement/a.yaml:5:45
  |
5 |   accounts.lookup: {method: GET, evidence: {mastadon: server}}
  |                                             ^^^^^^^^
  |
  = help: did you mean `mastodon`?

1 problem in 1 file
",
    );
}

#[test]
fn an_answer_that_is_nothing() {
    Spec::new(
        r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, returns: "Acount[]"}
entities:
  Account: {fields: unknown}
"#,
        "",
    )
    .reads(
        r#"
error[unknown-reference]: there is no entity or enumeration `Acount`
  --> spec/documents/a.yaml:10:58
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, returns: "Acount[]"}
   |                                                          ^^^^^^^^^^
   |
   = help: did you mean `Account`?

1 problem in 1 file
"#,
    );
}

#[test]
fn an_id_of_nothing() {
    Spec::new(
        r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, params: {id: {type: id<Acount>}}}
entities:
  Account: {fields: unknown}
"#,
        "",
    )
    .reads(
        r#"
error[unknown-reference]: there is no entity or enumeration `Acount`
  --> spec/documents/a.yaml:10:69
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, params: {id: {type: id<Acount>}}}
   |                                                                     ^^^^^^^^^^
   |
   = help: did you mean `Account`?

1 problem in 1 file
"#,
    );
}

#[test]
fn a_type_that_is_none() {
    Spec::new(
        r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, params: {id: {type: strng}}}
"#,
        "",
    )
    .reads(
        r#"
error[malformed-type]: there is no type `strng`
  --> spec/documents/a.yaml:10:69
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, params: {id: {type: strng}}}
   |                                                                     ^^^^^
   |
   = help: did you mean `string`?

1 problem in 1 file
"#,
    );
}

#[test]
fn an_object_that_no_entity_has() {
    let entities = r#"entities:
  Account:
    fields:
      source[note]: {since: {mastodon: "2.0.0"}, type: string}
      a: {since: {mastodon: "2.0.0"}, type: Account.source}
      b: {since: {mastodon: "2.0.0"}, type: Account.sauce}
"#;
    Spec::new(entities, "").reads(
        r#"
error[unknown-reference]: there is no entity or enumeration `Account.sauce`
  --> spec/documents/a.yaml:14:45
   |
14 |       b: {since: {mastodon: "2.0.0"}, type: Account.sauce}
   |                                             ^^^^^^^^^^^^^
   |
   = help: did you mean `Account.source`?

1 problem in 1 file
"#,
    );
}

#[test]
fn a_reference_to_nothing() {
    Spec::new(
        r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, params: {id: {refers_to: Visiblity}}}
enums:
  Visibility: {values: unknown}
"#,
        "",
    )
    .reads(
        r#"
error[unknown-reference]: there is no entity or enumeration `Visiblity`
  --> spec/documents/a.yaml:10:74
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, params: {id: {refers_to: Visiblity}}}
   |                                                                          ^^^^^^^^^
   |
   = help: did you mean `Visibility`?

1 problem in 1 file
"#,
    );
}

#[test]
fn a_reference_that_is_not_the_type() {
    Spec::new(
        r#"entities:
  Account: {fields: unknown}
  Status:
    fields:
      account: {since: {mastodon: "1.0.0"}, refers_to: Account}
"#,
        "entities:
  Role: {fields: unknown}
  Status:
    fields:
      account: {type: Role}
",
    )
    .reads(
        r#"
error[undeclared-contradiction]: `Status.account` refers to `Account`, but its type says `Role`
  --> spec/supplement/a.yaml:8:23
   |
 8 |       account: {type: Role}
   |                       ^^^^
   |
   = help: mend the type, or declare it under `disputes`, fact `refers_to`
note: what it refers to
  --> spec/documents/a.yaml:13:56
   |
13 |       account: {since: {mastodon: "1.0.0"}, refers_to: Account}
   |                                                        ^^^^^^^

1 problem in 1 file
"#,
    );
}

#[test]
fn an_entity_that_includes_nothing() {
    Spec::new(
        "entities:
  Account: {fields: unknown}
  MutedAccount: {includes: Acount}
",
        "",
    )
    .reads(
        "
error[unknown-reference]: there is no entity `Acount`
  --> spec/documents/a.yaml:11:28
   |
11 |   MutedAccount: {includes: Acount}
   |                            ^^^^^^
   |
   = help: did you mean `Account`?

1 problem in 1 file
",
    );
}

#[test]
fn an_entity_that_includes_itself() {
    Spec::new(
        "entities:
  A: {includes: B}
  B: {includes: C}
  C: {includes: B}
",
        "",
    )
    .reads(
        "
error[include-cycle]: `C` includes itself, directly or through others
  --> spec/documents/a.yaml:12:17
   |
12 |   C: {includes: B}
   |                 ^
   |
   = help: remove one `includes` of the circle

1 problem in 1 file
",
    );
}

#[test]
fn a_replacement_that_is_not_there() {
    Spec::new(
        r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, replacement: accounts.serach}
  accounts.search: {since: {mastodon: "2.0.0"}}
"#,
        "",
    )
    .reads(
        r#"
error[unknown-reference]: there is no item `accounts.serach`
  --> spec/documents/a.yaml:10:62
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, replacement: accounts.serach}
   |                                                              ^^^^^^^^^^^^^^^
   |
   = help: did you mean `accounts.search`?

1 problem in 1 file
"#,
    );
}

#[test]
fn renamed_from_what_is_still_there() {
    Spec::new(
        r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, renamed_from: accounts.search}
  accounts.search: {since: {mastodon: "2.0.0"}}
"#,
        "",
    )
    .reads(
        r#"
error[live-origin]: `accounts.lookup` cannot have been `accounts.search`, which is still there
  --> spec/documents/a.yaml:10:63
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, renamed_from: accounts.search}
   |                                                               ^^^^^^^^^^^^^^^
   |
   = help: take the old item away, or `renamed_from`
note: it stands here
  --> spec/documents/a.yaml:11:3
   |
11 |   accounts.search: {since: {mastodon: "2.0.0"}}
   |   ^^^^^^^^^^^^^^^

1 problem in 1 file
"#,
    );
}

#[test]
fn a_limit_from_nowhere() {
    Spec::new(
        r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, params: {q: {limit_from: Instance.max}}}
"#,
        "",
    )
    .reads(
        r#"
error[unknown-reference]: there is no item `Instance.max`
  --> spec/documents/a.yaml:10:74
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, params: {q: {limit_from: Instance.max}}}
   |                                                                          ^^^^^^^^^^^^
   |
   = help: write the id as `show` prints it

1 problem in 1 file
"#,
    );
}

#[test]
fn a_value_that_the_enumeration_lacks() {
    Spec::new(r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, params: {q: {type: Visibility, only: [publik]}}}
enums:
  Visibility: {values: {public: {since: {mastodon: "1.0.0"}}}}
"#, "")
        .reads(r#"
error[unknown-reference]: `Visibility` has no value `publik`
  --> spec/documents/a.yaml:10:87
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, params: {q: {type: Visibility, only: [publik]}}}
   |                                                                                       ^^^^^^
   |
   = help: did you mean `public`?

1 problem in 1 file
"#);
}

#[test]
fn a_place_that_is_none() {
    Spec::new(
        r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, params: {q: {in: body}}}
"#,
        "",
    )
    .reads(
        r#"
error[unknown-location]: there is no place `body` for a parameter
  --> spec/documents/a.yaml:10:66
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, params: {q: {in: body}}}
   |                                                                  ^^^^
   |
   = help: did you mean `form`?

1 problem in 1 file
"#,
    );
}

#[test]
fn a_method_that_is_none() {
    Spec::new(
        r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, method: get, path: /a}
"#,
        "",
    )
    .reads(
        r#"
error[malformed-route]: `get` is not a method of HTTP
  --> spec/documents/a.yaml:10:57
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, method: get, path: /a}
   |                                                         ^^^
   |
   = help: did you mean `GET`?

1 problem in 1 file
"#,
    );
}

#[test]
fn an_older_value_that_is_none() {
    Spec::new(
        "",
        r#"enums:
  Visibility:
    values:
      public: {since: {mastodon: "1.0.0", gotosocial: never}}
      unlisted: {since: {mastodon: "2.0.0", gotosocial: never}, on_older: publik}
"#,
    )
    .reads(
        r#"
error[unknown-reference]: `Visibility` cannot show `publik` instead of `unlisted`
 --> spec/supplement/a.yaml:8:75
  |
8 |       unlisted: {since: {mastodon: "2.0.0", gotosocial: never}, on_older: publik}
  |                                                                           ^^^^^^
  |
  = help: did you mean `public`?

1 problem in 1 file
"#,
    );
}

#[test]
fn stand_ins_of_nothing() {
    Spec::new(
        r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {}
  accounts.find:
    since: {mastodon: "3.0.0"}
    params:
      name: {}
"#,
        "operations:
  accounts.lookup: {replacement: accounts.find, stands_in: {akt: name, acct: namee}}
  accounts.find: {stands_in: {name: acct}}
",
    )
    .reads(
        "
error[unknown-reference]: `akt` is not a parameter of `accounts.lookup`
 --> spec/supplement/a.yaml:5:61
  |
5 |   accounts.lookup: {replacement: accounts.find, stands_in: {akt: name, acct: namee}}
  |                                                             ^^^
  |
  = help: name a parameter of `accounts.lookup`

error[unknown-reference]: `namee` is not a parameter of `accounts.find`
 --> spec/supplement/a.yaml:5:78
  |
5 |   accounts.lookup: {replacement: accounts.find, stands_in: {akt: name, acct: namee}}
  |                                                                              ^^^^^
  |
  = help: did you mean `name`?

error[unknown-reference]: `accounts.find` stands in for nothing
 --> spec/supplement/a.yaml:6:19
  |
6 |   accounts.find: {stands_in: {name: acct}}
  |                   ^^^^^^^^^
  |
  = help: name the operation that came after it as its `replacement`

3 problems in 1 file
",
    );
}

#[test]
fn events_that_are_none() {
    Spec::new(
        r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {}
"#,
        "operations:
  accounts.lookup: {returns: events<Account>, params: {acct: {type: events<Account>}}}
",
    )
    .reads(
        "
error[unknown-reference]: there is no entity or enumeration `Account`
 --> spec/supplement/a.yaml:5:30
  |
5 |   accounts.lookup: {returns: events<Account>, params: {acct: {type: events<Account>}}}
  |                              ^^^^^^^^^^^^^^^
  |
  = help: introduce it under `entities` or `enums`

error[wrong-events]: `accounts.lookup.acct` cannot be a stream of events
 --> spec/supplement/a.yaml:5:69
  |
5 |   accounts.lookup: {returns: events<Account>, params: {acct: {type: events<Account>}}}
  |                                                                     ^^^^^^^^^^^^^^^
  |
  = help: only the answer of an operation can

2 problems in 1 file
",
    );
}
