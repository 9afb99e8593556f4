//! Layers: contradictions, evidence, tombstones.

use crate::support::Spec;

#[test]
fn an_undeclared_contradiction() {
    Spec::new(r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {}
"#, r#"operations:
  accounts.lookup: {since: {mastodon: "4.5.0"}}
"#)
        .reads(r#"
error[undeclared-contradiction]: `since.mastodon` of `accounts.lookup` contradicts the layer below
  --> spec/supplement/a.yaml:5:39
   |
 5 |   accounts.lookup: {since: {mastodon: "4.5.0"}}
   |                                       ^^^^^^^
   |
   = help: declare it under `disputes`, with both values, the evidence and a verdict, and leave it out here
note: the layer below says this
  --> spec/documents/a.yaml:11:23
   |
11 |     since: {mastodon: "2.0.0"}
   |                       ^^^^^^^

1 problem in 1 file
"#);
}

#[test]
fn an_undeclared_contradiction_of_what_is_inherited() {
    Spec::new(r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {}
"#, r#"operations:
  accounts.lookup:
    params:
      acct: {since: {mastodon: "4.5.0"}}
"#)
        .reads(r#"
error[undeclared-contradiction]: `since.mastodon` of `accounts.lookup.acct` contradicts the layer below
 --> spec/supplement/a.yaml:7:32
  |
7 |       acct: {since: {mastodon: "4.5.0"}}
  |                                ^^^^^^^ the layer below inherits another value
  |
  = help: declare it under `disputes`, with both values, the evidence and a verdict, and leave it out here

1 problem in 1 file
"#);
}

#[test]
fn an_undeclared_spelling() {
    Spec::new(r#"entities:
  Status:
    fields:
      reblogged: {documented_as: rebogged, since: {mastodon: "1.0.0"}}
"#, "")
        .reads(r#"
error[undeclared-contradiction]: the documents spell `rebogged`, which is `reblogged` on the wire
  --> spec/documents/a.yaml:12:34
   |
12 |       reblogged: {documented_as: rebogged, since: {mastodon: "1.0.0"}}
   |                                  ^^^^^^^^
   |
   = help: declare it under `disputes` of the supplement: item `Status.reblogged`, fact `wire`, both spellings, evidence and verdict

1 problem in 1 file
"#);
}

#[test]
fn what_is_known_cannot_be_unsaid() {
    Spec::new(r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, method: GET}
"#, "operations:
  accounts.lookup: {method: unknown}
")
        .reads(r#"
error[undeclared-contradiction]: `method` of `accounts.lookup` is known already; `unknown` cannot replace it
  --> spec/supplement/a.yaml:5:29
   |
 5 |   accounts.lookup: {method: unknown}
   |                             ^^^^^^^
   |
   = help: leave it out; if the value below is wrong, declare it under `disputes`
note: the layer below says this
  --> spec/documents/a.yaml:10:57
   |
10 |   accounts.lookup: {since: {mastodon: "2.0.0"}, method: GET}
   |                                                         ^^^

1 problem in 1 file
"#);
}

#[test]
fn a_stale_dispute() {
    Spec::new(r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {}
"#, r#"disputes:
  - {item: accounts.lookup, fact: since.mastodon, documents: "1.0.0", supplement: "4.5.0", verdict: supplement, evidence: server}
"#)
        .reads(r#"
error[stale-dispute]: the layer below no longer has this value of `since.mastodon` of `accounts.lookup`
  --> spec/supplement/a.yaml:5:62
   |
 5 |   - {item: accounts.lookup, fact: since.mastodon, documents: "1.0.0", supplement: "4.5.0", verdict: supplement, evidence: server}
   |                                                              ^^^^^^^
   |
   = help: look at the dispute again: correct it or remove it
note: the layer below says this
  --> spec/documents/a.yaml:11:23
   |
11 |     since: {mastodon: "2.0.0"}
   |                       ^^^^^^^

1 problem in 1 file
"#);
}

#[test]
fn a_dispute_in_which_both_agree() {
    Spec::new(r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {}
"#, r#"disputes:
  - {item: accounts.lookup, fact: since.mastodon, documents: "2.0.0", supplement: "2.0.0", verdict: supplement, evidence: server}
"#)
        .reads(r#"
error[needless-dispute]: both sides of the dispute have the same value
 --> spec/supplement/a.yaml:5:5
  |
5 |   - {item: accounts.lookup, fact: since.mastodon, documents: "2.0.0", supplement: "2.0.0", verdict: supplement, evidence: server}
  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
  = help: mend the side that was miswritten, or remove the dispute

1 problem in 1 file
"#);
}

#[test]
fn a_dispute_about_what_nobody_said() {
    Spec::new(r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {}
"#, "disputes:
  - {item: accounts.lookup, fact: method, documents: GET, supplement: POST, verdict: supplement, evidence: server}
")
        .reads("
error[needless-dispute]: no layer below states `method` of `accounts.lookup`, so there is nothing to dispute
 --> spec/supplement/a.yaml:5:5
  |
5 |   - {item: accounts.lookup, fact: method, documents: GET, supplement: POST, verdict: supplement, evidence: server}
  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
  = help: mend `item` or `fact`; where they are right, state the fact in the item and remove the dispute

1 problem in 1 file
");
}

#[test]
fn a_dispute_twice() {
    Spec::new(r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {}
"#, r#"disputes:
  - {item: accounts.lookup, fact: since.mastodon, documents: "2.0.0", supplement: "4.5.0", verdict: supplement, evidence: server}
  - {item: accounts.lookup, fact: since.mastodon, documents: "2.0.0", supplement: "4.5.0", verdict: supplement, evidence: server}
"#)
        .reads(r#"
error[duplicate-id]: `since.mastodon` of `accounts.lookup` is disputed twice
 --> spec/supplement/a.yaml:6:5
  |
6 |   - {item: accounts.lookup, fact: since.mastodon, documents: "2.0.0", supplement: "4.5.0", verdict: supplement, evidence: server}
  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
  = help: keep one of the two, or mend its `item`
note: it stands here first
 --> spec/supplement/a.yaml:5:5
  |
5 |   - {item: accounts.lookup, fact: since.mastodon, documents: "2.0.0", supplement: "4.5.0", verdict: supplement, evidence: server}
  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

1 problem in 1 file
"#);
}

#[test]
fn a_dispute_about_no_item() {
    Spec::new(r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {}
"#, r#"disputes:
  - {item: accounts.lokup, fact: since.mastodon, documents: "2.0.0", supplement: "4.5.0", verdict: supplement, evidence: server}
"#)
        .reads(r#"
error[unknown-reference]: there is no item `accounts.lokup` to dispute
 --> spec/supplement/a.yaml:5:12
  |
5 |   - {item: accounts.lokup, fact: since.mastodon, documents: "2.0.0", supplement: "4.5.0", verdict: supplement, evidence: server}
  |            ^^^^^^^^^^^^^^
  |
  = help: did you mean `accounts.lookup`?

1 problem in 1 file
"#);
}

#[test]
fn a_dispute_about_no_fact() {
    Spec::new(r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {}
"#, r#"disputes:
  - {item: accounts.lookup, fact: since.mastadon, documents: "2.0.0", supplement: "4.5.0", verdict: supplement, evidence: server}
"#)
        .reads(r#"
error[unknown-reference]: `accounts.lookup` has no fact `since.mastadon` that could be disputed
 --> spec/supplement/a.yaml:5:35
  |
5 |   - {item: accounts.lookup, fact: since.mastadon, documents: "2.0.0", supplement: "4.5.0", verdict: supplement, evidence: server}
  |                                   ^^^^^^^^^^^^^^
  |
  = help: did you mean `since.mastodon`?

1 problem in 1 file
"#);
}

#[test]
fn a_dispute_with_a_malformed_value() {
    Spec::new(r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {}
"#, r#"disputes:
  - {item: accounts.lookup, fact: since.mastodon, documents: "2.0.0", supplement: "4.5", verdict: supplement, evidence: server}
"#)
        .reads(r#"
error[malformed-version]: `4.5` is not a version
 --> spec/supplement/a.yaml:5:83
  |
5 |   - {item: accounts.lookup, fact: since.mastodon, documents: "2.0.0", supplement: "4.5", verdict: supplement, evidence: server}
  |                                                                                   ^^^^^
  |
  = help: write "4.5.0"

1 problem in 1 file
"#);
}

#[test]
fn a_losing_value_restated() {
    Spec::new(r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {}
"#, r#"operations:
  accounts.lookup: {since: {mastodon: "4.5.0"}}
disputes:
  - {item: accounts.lookup, fact: since.mastodon, documents: "2.0.0", supplement: "4.5.0", verdict: documents, evidence: guess}
"#)
        .reads(r#"
error[losing-value]: this value of `since.mastodon` lost a dispute
 --> spec/supplement/a.yaml:5:39
  |
5 |   accounts.lookup: {since: {mastodon: "4.5.0"}}
  |                                       ^^^^^^^
  |
  = help: leave it out: the dispute carries the value
note: decided here
 --> spec/supplement/a.yaml:7:5
  |
7 |   - {item: accounts.lookup, fact: since.mastodon, documents: "2.0.0", supplement: "4.5.0", verdict: documents, evidence: guess}
  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

1 problem in 1 file
"#);
}

#[test]
fn a_documented_since_yields_to_no_documentation() {
    Spec::new(r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {}
"#, r#"disputes:
  - {item: accounts.lookup, fact: since.mastodon, documents: "2.0.0", supplement: "4.5.0", verdict: supplement, evidence: documents}
"#)
        .reads(r#"
error[weak-evidence]: evidence of class C cannot overrule `since.mastodon` of `accounts.lookup`
 --> spec/supplement/a.yaml:5:123
  |
5 |   - {item: accounts.lookup, fact: since.mastodon, documents: "2.0.0", supplement: "4.5.0", verdict: supplement, evidence: documents}
  |                                                                                                                           ^^^^^^^^^
  |
  = help: bring evidence of class B or better, or let the verdict be `documents`

1 problem in 1 file
"#);
}

#[test]
fn a_guess_overrules_nothing() {
    Spec::new(r#"operations:
  accounts.lookup: {since: {mastodon: "2.0.0"}, method: GET}
"#, "disputes:
  - {item: accounts.lookup, fact: method, documents: GET, supplement: POST, verdict: supplement, evidence: guess}
")
        .reads("
error[weak-evidence]: evidence of class D cannot overrule `method` of `accounts.lookup`
 --> spec/supplement/a.yaml:5:108
  |
5 |   - {item: accounts.lookup, fact: method, documents: GET, supplement: POST, verdict: supplement, evidence: guess}
  |                                                                                                            ^^^^^
  |
  = help: bring evidence of class C or better, or let the verdict be `documents`

1 problem in 1 file
");
}

#[test]
fn a_class_better_than_its_source() {
    Spec::new(
        r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {}
"#,
        "operations:
  accounts.lookup: {method: GET, evidence: {shape: {source: guess, class: A}}}
",
    )
    .reads(
        "
error[weak-evidence]: `guess` is a source of class D, and its evidence can be no better
 --> spec/supplement/a.yaml:5:75
  |
5 |   accounts.lookup: {method: GET, evidence: {shape: {source: guess, class: A}}}
  |                                                                           ^
  |
  = help: leave `class` out, or write one of D instead of A

1 problem in 1 file
",
    );
}

#[test]
fn a_tombstoned_id_used_again() {
    Spec::new(
        r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    params:
      acct: {}
"#,
        r#"tombstones:
  accounts.search: {why: It never was.}
operations:
  accounts.search: {since: {mastodon: "2.0.0", gotosocial: never}}
"#,
    )
    .reads(
        r#"
error[tombstoned-id]: `accounts.search` is used again, but has a tombstone
 --> spec/supplement/a.yaml:7:3
  |
7 |   accounts.search: {since: {mastodon: "2.0.0", gotosocial: never}}
  |   ^^^^^^^^^^^^^^^
  |
  = help: choose another id, or remove the tombstone
note: the tombstone
 --> spec/supplement/a.yaml:5:3
  |
5 |   accounts.search: {why: It never was.}
  |   ^^^^^^^^^^^^^^^

1 problem in 1 file
"#,
    );
}

#[test]
fn a_since_without_evidence() {
    Spec::bare(&[("supplement/a.yaml", r#"area: test
defaults: {unknown: [method, path, auth, returns, success, errors, paging]}
groups:
  accounts: {summary: Accounts.}
operations:
  accounts.lookup: {since: {mastodon: "2.0.0", gotosocial: never}}
"#)])
        .reads(r#"
error[missing-evidence]: nothing proves `since.mastodon` of `accounts.lookup`
 --> spec/supplement/a.yaml:6:39
  |
6 |   accounts.lookup: {since: {mastodon: "2.0.0", gotosocial: never}}
  |                                       ^^^^^^^
  |
  = help: name a source under `evidence.mastodon` of the item, of what contains it, or of the file's `defaults`

error[missing-evidence]: nothing proves `since.gotosocial` of `accounts.lookup`
 --> spec/supplement/a.yaml:6:60
  |
6 |   accounts.lookup: {since: {mastodon: "2.0.0", gotosocial: never}}
  |                                                            ^^^^^
  |
  = help: name a source under `evidence.gotosocial` of the item, of what contains it, or of the file's `defaults`

2 problems in 1 file
"#);
}

#[test]
fn a_fact_without_evidence() {
    Spec::bare(&[("supplement/a.yaml", "area: test
defaults: {unknown: [method, path, auth, returns, success, errors, paging]}
groups:
  accounts: {summary: Accounts.}
operations:
  accounts.lookup: {since: {mastodon: unknown, gotosocial: unknown}, method: GET}
")])
        .reads("
error[missing-evidence]: `accounts.lookup` has facts without evidence
 --> spec/supplement/a.yaml:6:3
  |
6 |   accounts.lookup: {since: {mastodon: unknown, gotosocial: unknown}, method: GET}
  |   ^^^^^^^^^^^^^^^
  |
  = help: name a source under `evidence.shape` of the item, of what contains it, or of the file's `defaults`

1 problem in 1 file
");
}

#[test]
fn a_class_as_good_as_its_source_or_worse() {
    for class in ["B", "C"] {
        let supplement = format!(
            "operations:\n  accounts.lookup: {{method: GET, evidence: {{shape: {{source: server, class: {class}}}}}}}\n"
        );
        let api = Spec::new(
            "operations:\n  accounts.lookup: {since: {mastodon: \"2.0.0\"}}\n",
            &supplement,
        )
        .full();
        let shape = api.operations[0].item.evidence.as_ref().unwrap();
        assert_eq!(format!("{:?}", shape.class), class);
    }
}

/// The same value with evidence of the same class is the higher layer's; with worse evidence it stays the lower one's.
#[test]
fn evidence_as_good_goes_to_the_higher_layer() {
    let since =
        |id: &str| format!("  {id}: {{since: {{mastodon: \"2.0.0\"}}, evidence: {{mastodon: ");
    let documents = format!(
        "operations:\n{}documents}}}}\n{}documents}}}}\n",
        since("accounts.lookup"),
        since("accounts.search")
    );
    let supplement = format!(
        "operations:\n{}{{source: server, class: C}}}}}}\n{}guess}}}}\n",
        since("accounts.lookup"),
        since("accounts.search")
    );
    let api = Spec::new(&documents, &supplement).full();
    let source = |at: usize| {
        let life = &api.operations[at].item.life[0];
        life.evidence.as_ref().map(|evidence| evidence.source.as_str())
    };
    assert_eq!(source(0), Some("The server's source (v4.5.0)"));
    assert_eq!(source(1), Some("The documents"));
}

/// Evidence of an item's own counts in a comparison; what its file says of all items does not.
#[test]
fn evidence_is_an_items_own_or_its_files() {
    let supplement = "operations:
  accounts.lookup: {method: GET}
  accounts.search: {method: GET, evidence: {shape: server}}
";
    let documents = "operations:
  accounts.lookup: {since: {mastodon: \"2.0.0\"}}
  accounts.search: {since: {mastodon: \"2.0.0\"}}
";
    let api = Spec::new(documents, supplement).full();
    let own = |at: usize| api.operations[at].item.evidence.as_ref().unwrap().own.0;
    assert_eq!([own(0), own(1)], [false, true]);
}
