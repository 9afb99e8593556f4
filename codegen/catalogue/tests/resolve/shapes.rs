//! Shapes: paths, types, Rust names, alternatives.

use crate::support::Spec;

#[test]
fn a_path_that_is_none() {
    Spec::new(
        r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, method: GET, path: "/api/v1/accounts/{id}"}
"#,
        "",
    )
    .reads(
        r#"
error[malformed-route]: `/api/v1/accounts/{id}` is no path
  --> spec/documents/a.yaml:10:68
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, method: GET, path: "/api/v1/accounts/{id}"}
   |                                                                    ^^^^^^^^^^^^^^^^^^^^^^^
   |
   = help: write a placeholder as `:id`

1 problem in 1 file
"#,
    );
}

#[test]
fn a_placeholder_without_a_parameter() {
    Spec::new(
        r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, method: GET, path: "/api/v1/accounts/:id"}
"#,
        "",
    )
    .reads(
        r#"
error[path-parameter]: no parameter of `accounts.lookup` fills `:id`
  --> spec/documents/a.yaml:10:68
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, method: GET, path: "/api/v1/accounts/:id"}
   |                                                                    ^^^^^^^^^^^^^^^^^^^^^^
   |
   = help: add `id: {in: path, required: true, ..}` to its `params`, or mend the path

1 problem in 1 file
"#,
    );
}

#[test]
fn a_parameter_without_a_placeholder() {
    Spec::new(r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, method: GET, path: "/api/v1/accounts", params: {id: {in: path}}}
"#, "")
        .reads(r#"
error[path-parameter]: `accounts.lookup.id` stands in the path, which has no `:id`
  --> spec/documents/a.yaml:10:106
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, method: GET, path: "/api/v1/accounts", params: {id: {in: path}}}
   |                                                                                                          ^^^^
   |
   = help: mend the path or the parameter's place
note: the path
  --> spec/documents/a.yaml:10:68
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, method: GET, path: "/api/v1/accounts", params: {id: {in: path}}}
   |                                                                    ^^^^^^^^^^^^^^^^^^

1 problem in 1 file
"#);
}

#[test]
fn a_placeholder_filled_from_elsewhere() {
    Spec::new(r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, method: GET, path: "/api/v1/accounts/:id", params: {id: {in: query}}}
"#, "")
        .reads(r#"
error[path-parameter]: `accounts.lookup.id` fills `:id` of the path, but stands elsewhere
  --> spec/documents/a.yaml:10:110
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, method: GET, path: "/api/v1/accounts/:id", params: {id: {in: query}}}
   |                                                                                                              ^^^^^
   |
   = help: write `in: path`, or name one of the two otherwise
note: the path
  --> spec/documents/a.yaml:10:68
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, method: GET, path: "/api/v1/accounts/:id", params: {id: {in: query}}}
   |                                                                    ^^^^^^^^^^^^^^^^^^^^^^

1 problem in 1 file
"#);
}

#[test]
fn a_placeholder_twice() {
    Spec::new(r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, method: GET, path: "/a/:id/b/:id", params: {id: {in: path}}}
"#, "")
        .reads(r#"
error[path-parameter]: `:id` stands in the path twice
  --> spec/documents/a.yaml:10:68
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, method: GET, path: "/a/:id/b/:id", params: {id: {in: path}}}
   |                                                                    ^^^^^^^^^^^^^^
   |
   = help: name the second one otherwise

1 problem in 1 file
"#);
}

#[test]
fn a_path_parameter_that_may_be_left_out() {
    Spec::new(r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, method: GET, path: "/a/:id", params: {id: {in: path, required: false}}}
"#, "")
        .reads(r#"
error[contradictory-required]: `accounts.lookup.id` is part of the path and cannot be left out
  --> spec/documents/a.yaml:10:112
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, method: GET, path: "/a/:id", params: {id: {in: path, required: false}}}
   |                                                                                                                ^^^^^
   |
   = help: write `required: true`

1 problem in 1 file
"#);
}

#[test]
fn a_route_twice() {
    Spec::new(r#"operations:
  accounts.get: {since: {mastodon: "2.0.0"}, method: GET, path: "/a/:id", params: {id: {}}}
  accounts.lookup: {since: {mastodon: "2.0.0"}, method: GET, path: "/a/:acct", params: {acct: {}}}
"#, "")
        .reads(r#"
error[duplicate-route]: `accounts.lookup` has the route of `accounts.get`, GET /a/:acct
  --> spec/documents/a.yaml:11:68
   |
11 |   accounts.lookup: {since: {mastodon: "2.0.0"}, method: GET, path: "/a/:acct", params: {acct: {}}}
   |                                                                    ^^^^^^^^^^
   |
   = help: a method on a path is one operation; mend one of the two
note: the other one
  --> spec/documents/a.yaml:10:65
   |
10 |   accounts.get: {since: {mastodon: "2.0.0"}, method: GET, path: "/a/:id", params: {id: {}}}
   |                                                                 ^^^^^^^^

1 problem in 1 file
"#);
}

#[test]
fn a_list_by_name_only() {
    Spec::new(
        r#"entities:
  Status:
    fields:
      emojis[]: {since: {mastodon: "1.0.0"}, type: string}
"#,
        "",
    )
    .reads(
        r#"
error[wrong-container]: the name of `Status.emojis` makes it a list, but its type is `string`
  --> spec/documents/a.yaml:12:52
   |
12 |       emojis[]: {since: {mastodon: "1.0.0"}, type: string}
   |                                                    ^^^^^^
   |
   = help: write a list as `T[]` and a map as `map<T>`

1 problem in 1 file
"#,
    );
}

#[test]
fn a_list_here_and_a_map_there() {
    Spec::new(
        r#"entities:
  Status:
    fields:
      details[][a]: {since: {mastodon: "1.0.0"}}
      details[:key][b]: {since: {mastodon: "1.0.0"}}
"#,
        "",
    )
    .reads(
        r#"
error[wrong-container]: `details[:key][b]` and another name disagree on whether `details` is a list, a map or an object
  --> spec/documents/a.yaml:13:7
   |
13 |       details[:key][b]: {since: {mastodon: "1.0.0"}}
   |       ^^^^^^^^^^^^^^^^
   |
   = help: write the key the same way in every name: a list `[]`, a map `[:key]` or an object

1 problem in 1 file
"#,
    );
}

#[test]
fn an_object_without_members() {
    Spec::new(
        r#"entities:
  Status:
    fields:
      card: {since: {mastodon: "1.0.0"}, type: object}
"#,
        "",
    )
    .reads(
        r#"
error[wrong-object]: `Status.card` is an object, but no members are listed
  --> spec/documents/a.yaml:12:48
   |
12 |       card: {since: {mastodon: "1.0.0"}, type: object}
   |                                                ^^^^^^
   |
   = help: list its members, name an entity, or write `json` or `map<T>`

1 problem in 1 file
"#,
    );
}

#[test]
fn members_of_no_object() {
    Spec::new(
        r#"entities:
  Status:
    fields:
      card: {since: {mastodon: "1.0.0"}, type: string}
      card[url]: {since: {mastodon: "1.0.0"}}
"#,
        "",
    )
    .reads(
        r#"
error[wrong-object]: `Status.card` has members listed, but `string` is no object
  --> spec/documents/a.yaml:12:48
   |
12 |       card: {since: {mastodon: "1.0.0"}, type: string}
   |                                                ^^^^^^
   |
   = help: write `object` where the members belong: `object`, `object[]`, `map<object>`

1 problem in 1 file
"#,
    );
}

#[test]
fn an_object_among_the_parameters() {
    Spec::new(
        r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, params: {source: {}, "source[note]": {}}}
"#,
        "",
    )
    .reads(
        r#"
error[wrong-object]: `source` has members listed and is no parameter itself
  --> spec/documents/a.yaml:10:58
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, params: {source: {}, "source[note]": {}}}
   |                                                          ^^^^^^
   |
   = help: leave it out: only its members go over the wire

1 problem in 1 file
"#,
    );
}

#[test]
fn two_fields_of_one_rust_name() {
    Spec::new(r#"entities:
  Status:
    fields:
      "posting:default": {since: {mastodon: "1.0.0"}}
      posting_default: {since: {mastodon: "1.0.0"}}
"#, "")
        .reads(r#"
error[same-rust-name]: `Status.posting_default` and `Status.posting:default` have the same Rust name, `posting_default`
  --> spec/documents/a.yaml:13:7
   |
13 |       posting_default: {since: {mastodon: "1.0.0"}}
   |       ^^^^^^^^^^^^^^^
   |
   = help: give one of them another name with `rust`
note: the other one
  --> spec/documents/a.yaml:12:7
   |
12 |       "posting:default": {since: {mastodon: "1.0.0"}}
   |       ^^^^^^^^^^^^^^^^^

1 problem in 1 file
"#);
}

#[test]
fn two_parameters_of_one_rust_name() {
    Spec::new(r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, params: {source_note: {}, "source[note]": {}}}
"#, "")
        .reads(r#"
error[same-rust-name]: `accounts.lookup.source.note` and `accounts.lookup.source_note` have the same Rust name, `source_note`
  --> spec/documents/a.yaml:10:75
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, params: {source_note: {}, "source[note]": {}}}
   |                                                                           ^^^^^^^^^^^^^^
   |
   = help: give one of them another name with `rust`
note: the other one
  --> spec/documents/a.yaml:10:58
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, params: {source_note: {}, "source[note]": {}}}
   |                                                          ^^^^^^^^^^^

1 problem in 1 file
"#);
}

#[test]
fn two_operations_of_one_rust_name() {
    Spec::new(
        r#"operations:
  accounts.get_2: {since: {mastodon: "2.0.0"}}
  accounts.get2: {since: {mastodon: "2.0.0"}}
"#,
        "",
    )
    .reads(
        r#"
error[same-rust-name]: `accounts.get2` and `accounts.get_2` have the same Rust name, `Get2`
  --> spec/documents/a.yaml:11:3
   |
11 |   accounts.get2: {since: {mastodon: "2.0.0"}}
   |   ^^^^^^^^^^^^^
   |
   = help: give one of them another name with `rust`
note: the other one
  --> spec/documents/a.yaml:10:3
   |
10 |   accounts.get_2: {since: {mastodon: "2.0.0"}}
   |   ^^^^^^^^^^^^^^

1 problem in 1 file
"#,
    );
}

#[test]
fn two_values_of_one_rust_name() {
    Spec::new(r#"enums:
  Scope:
    values:
      "read:accounts": {since: {mastodon: "1.0.0"}}
      read.accounts: {since: {mastodon: "1.0.0"}}
"#, "")
        .reads(r#"
error[same-rust-name]: `Scope.read.accounts` and `Scope.read:accounts` have the same Rust name, `ReadAccounts`
  --> spec/documents/a.yaml:13:7
   |
13 |       read.accounts: {since: {mastodon: "1.0.0"}}
   |       ^^^^^^^^^^^^^
   |
   = help: give one of them another name with `rust`
note: the other one
  --> spec/documents/a.yaml:12:7
   |
12 |       "read:accounts": {since: {mastodon: "1.0.0"}}
   |       ^^^^^^^^^^^^^^^

1 problem in 1 file
"#);
}

#[test]
fn two_entities_of_one_rust_name() {
    Spec::new(
        r#"entities:
  InstanceUsage: {fields: unknown}
  Instance:
    fields:
      usage[users]: {since: {mastodon: "1.0.0"}}
"#,
        "",
    )
    .reads(
        "
error[same-rust-name]: `InstanceUsage` and `Instance.usage` have the same Rust name, `InstanceUsage`
  --> spec/documents/a.yaml:10:3
   |
10 |   InstanceUsage: {fields: unknown}
   |   ^^^^^^^^^^^^^
   |
   = help: give one of them another name with `rust`
note: the other one
  --> spec/documents/a.yaml:11:3
   |
11 |   Instance:
   |   ^^^^^^^^

1 problem in 1 file
",
    );
}

#[test]
fn two_entities_in_one_file() {
    Spec::new(
        "entities:
  IPBlock: {fields: unknown}
  IpBlock: {fields: unknown}
",
        "",
    )
    .reads(
        "
error[same-rust-name]: `IpBlock` and `IPBlock` would stand in the same file, `ip_block.rs`
  --> spec/documents/a.yaml:11:3
   |
11 |   IpBlock: {fields: unknown}
   |   ^^^^^^^
   |
   = help: give one of them another name with `rust`
note: the other one
  --> spec/documents/a.yaml:10:3
   |
10 |   IPBlock: {fields: unknown}
   |   ^^^^^^^

1 problem in 1 file
",
    );
}

#[test]
fn two_groups_of_one_rust_name() {
    Spec::new(
        "",
        r#"groups:
  a_1: {summary: C.}
  a1: {summary: D.}
operations:
  a_1.x: {since: {mastodon: "1.0.0", gotosocial: never}}
  a1.x: {since: {mastodon: "1.0.0", gotosocial: never}}
"#,
    )
    .reads(
        "
error[same-rust-name]: `a_1` and `a1` have the same Rust name, `A1`
 --> spec/supplement/a.yaml:5:3
  |
5 |   a_1: {summary: C.}
  |   ^^^
  |
  = help: give one of them another name with `rust`
note: the other one
 --> spec/supplement/a.yaml:6:3
  |
6 |   a1: {summary: D.}
  |   ^^

1 problem in 1 file
",
    );
}

#[test]
fn a_rust_name_that_is_none() {
    Spec::new(
        r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, params: {q: {rust: look-up}}}
"#,
        "",
    )
    .reads(
        r#"
error[rust-name]: `look-up` cannot be a Rust name here: it is not a Rust identifier
  --> spec/documents/a.yaml:10:68
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, params: {q: {rust: look-up}}}
   |                                                                    ^^^^^^^
   |
   = help: leave `rust` out for `q`, or choose another name

1 problem in 1 file
"#,
    );
}

#[test]
fn a_rust_name_that_shadows() {
    Spec::new(
        "entities:
  Choice: {fields: unknown, rust: Option}
",
        "",
    )
    .reads(
        "
error[rust-name]: `Option` cannot be the Rust name of `Choice`: it would shadow a name that generated code uses
  --> spec/documents/a.yaml:10:35
   |
10 |   Choice: {fields: unknown, rust: Option}
   |                                   ^^^^^^
   |
   = help: give it another name with `rust`

1 problem in 1 file
",
    );
}

/// An operation, its method, a parameter, a field and a value: none gets a name with an underscore behind it.
#[test]
fn names_that_would_need_an_underscore() {
    Spec::new(
        r#"operations:
  accounts.unpin: {since: {mastodon: "2.0.0"}, params: {self: {}}}
  accounts.clone: {since: {mastodon: "2.0.0"}}
entities:
  Choice: {since: {mastodon: "2.0.0"}, fields: {non_exhaustive: {}}}
enums:
  Mood: {values: {unrecognized: {since: {mastodon: "1.0.0"}}}}
"#,
        "",
    )
    .reads(
        r#"
error[rust-name]: `Unpin` cannot be the Rust name of `accounts.unpin`: it would shadow a name that generated code uses
  --> spec/documents/a.yaml:10:3
   |
10 |   accounts.unpin: {since: {mastodon: "2.0.0"}, params: {self: {}}}
   |   ^^^^^^^^^^^^^^
   |
   = help: give it another name with `rust`

error[rust-name]: `self` cannot be the Rust name of `accounts.unpin.self`: Rust keeps that word for itself, even as a raw identifier
  --> spec/documents/a.yaml:10:57
   |
10 |   accounts.unpin: {since: {mastodon: "2.0.0"}, params: {self: {}}}
   |                                                         ^^^^
   |
   = help: give it another name with `rust`

error[rust-name]: `Clone` cannot be the Rust name of `accounts.clone`: it would shadow a name that generated code uses
  --> spec/documents/a.yaml:11:3
   |
11 |   accounts.clone: {since: {mastodon: "2.0.0"}}
   |   ^^^^^^^^^^^^^^
   |
   = help: give it another name with `rust`

error[rust-name]: `non_exhaustive` cannot be the Rust name of `Choice.non_exhaustive`: every generated entity has a field of that name
  --> spec/documents/a.yaml:13:49
   |
13 |   Choice: {since: {mastodon: "2.0.0"}, fields: {non_exhaustive: {}}}
   |                                                 ^^^^^^^^^^^^^^
   |
   = help: give it another name with `rust`

error[rust-name]: `Unrecognized` cannot be the Rust name of `Mood.unrecognized`: every generated enumeration has a variant of that name
  --> spec/documents/a.yaml:15:19
   |
15 |   Mood: {values: {unrecognized: {since: {mastodon: "1.0.0"}}}}
   |                   ^^^^^^^^^^^^
   |
   = help: give it another name with `rust`

5 problems in 1 file
"#,
    );
}

#[test]
fn a_name_without_a_letter() {
    Spec::new(
        r#"enums:
  Mood: {values: {"?": {since: {mastodon: "1.0.0"}}}}
"#,
        "",
    )
    .reads(
        r#"
error[rust-name]: no Rust name can be made from `?`
  --> spec/documents/a.yaml:10:19
   |
10 |   Mood: {values: {"?": {since: {mastodon: "1.0.0"}}}}
   |                   ^^^
   |
   = help: give one under `rust`

1 problem in 1 file
"#,
    );
}

#[test]
fn an_alternative_of_no_parameter() {
    Spec::new(
        r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params: {acct: {}}
    alternatives:
      by_address: {requires: [akct]}
"#,
        "",
    )
    .reads(
        "
error[unknown-reference]: `accounts.lookup` has no parameter `akct`
  --> spec/documents/a.yaml:14:31
   |
14 |       by_address: {requires: [akct]}
   |                               ^^^^
   |
   = help: did you mean `acct`?

1 problem in 1 file
",
    );
}

#[test]
fn an_alternative_that_contradicts_itself() {
    Spec::new(r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params: {acct: {required: true}}
    alternatives:
      by_address: {requires: [acct], excludes: [acct]}
"#, "")
        .reads("
error[contradictory-required]: the alternative `by_address` of `accounts.lookup` requires `acct` and excludes it
  --> spec/documents/a.yaml:14:49
   |
14 |       by_address: {requires: [acct], excludes: [acct]}
   |                                                 ^^^^
   |
   = help: name each parameter once, and none that is always required

1 problem in 1 file
");
}

#[test]
fn an_alternative_named_like_a_setter() {
    Spec::new(r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params: {acct: {}}
    alternatives:
      acct: {requires: [acct]}
"#, "")
        .reads("
error[same-rust-name]: the alternative `acct` of `accounts.lookup` and the setter of `accounts.lookup.acct` have the same Rust name
  --> spec/documents/a.yaml:14:7
   |
14 |       acct: {requires: [acct]}
   |       ^^^^
   |
   = help: give the alternative another name

1 problem in 1 file
");
}

#[test]
fn required_sometimes_and_nobody_says_when() {
    Spec::new(
        r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, params: {q: {required: sometimes}}}
"#,
        "",
    )
    .reads(
        r#"
error[missing-condition]: nobody says when `accounts.lookup.q` is required
  --> spec/documents/a.yaml:10:72
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, params: {q: {required: sometimes}}}
   |                                                                        ^^^^^^^^^
   |
   = help: say so under `required_when`, or list the `alternatives` of the operation

1 problem in 1 file
"#,
    );
}

#[test]
fn required_always_and_sometimes() {
    Spec::new(r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, params: {q: {required: true, required_when: {if: it rains}}}}
"#, "")
        .reads(r#"
error[contradictory-required]: `accounts.lookup.q` is not required sometimes, but always or never
  --> spec/documents/a.yaml:10:78
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, params: {q: {required: true, required_when: {if: it rains}}}}
   |                                                                              ^^^^^^^^^^^^^
   |
   = help: write `required: sometimes`, or take `required_when` away

1 problem in 1 file
"#);
}
