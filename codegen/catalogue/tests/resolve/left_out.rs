//! What leaving a parameter out does: each mistake with its place and its mend.

use crate::support::Spec;

#[test]
fn statements_that_do_not_fit() {
    Spec::new(
        r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0"}
    method: GET
    path: /api/v1/accounts
    params:
      a: {in: query, type: boolean, required: true, left_out: harmless}
      b: {in: query, type: boolean, required: false, left_out: {effect: changes_meaning}}
      c: {in: query, type: boolean, required: false, left_out: {effect: changes_meaning, so: all is shown., safe: {all: "no"}}}
      d: {in: query, type: integer, required: false, left_out: {effect: fails, so: it fails, safe: {mastadon: "1"}}}
      e: {in: query, type: integer, required: false, left_out: harmless, unset: keep}
      f: {in: query, type: integer, required: false, refused: {mastodon: {since: "3.0.0", until: "2.0.0", status: 200}}}
"#,
        "",
    )
    .reads(
        r#"
error[wrong-left-out]: `accounts.lookup.a` is always required and is never left out
  --> spec/documents/a.yaml:15:53
   |
15 |       a: {in: query, type: boolean, required: true, left_out: harmless}
   |                                                     ^^^^^^^^
   |
   = help: remove `left_out`

error[wrong-left-out]: nobody says what happens without `accounts.lookup.b`
  --> spec/documents/a.yaml:16:54
   |
16 |       b: {in: query, type: boolean, required: false, left_out: {effect: changes_meaning}}
   |                                                      ^^^^^^^^
   |
   = help: say it in a clause: `left_out: {effect: changes_meaning, so: the status is posted at once}`

error[wrong-left-out]: `no` is no value of `accounts.lookup.c`
  --> spec/documents/a.yaml:17:54
   |
17 |       c: {in: query, type: boolean, required: false, left_out: {effect: changes_meaning, so: all is shown., safe: {all: "no"}}}
   |                                                      ^^^^^^^^
   |
   = help: a switch has the values "true" and "false"

error[wrong-left-out]: what happens without `accounts.lookup.c` is a clause of a longer sentence
  --> spec/documents/a.yaml:17:54
   |
17 |       c: {in: query, type: boolean, required: false, left_out: {effect: changes_meaning, so: all is shown., safe: {all: "no"}}}
   |                                                      ^^^^^^^^
   |
   = help: remove the full stop

error[unknown-program]: there is no program `mastadon`
  --> spec/documents/a.yaml:18:101
   |
18 |       d: {in: query, type: integer, required: false, left_out: {effect: fails, so: it fails, safe: {mastadon: "1"}}}
   |                                                                                                     ^^^^^^^^
   |
   = help: did you mean `mastodon`?

error[wrong-left-out]: `accounts.lookup.e` belongs to a request that changes nothing
  --> spec/documents/a.yaml:19:74
   |
19 |       e: {in: query, type: integer, required: false, left_out: harmless, unset: keep}
   |                                                                          ^^^^^
   |
   = help: remove `unset`

error[wrong-left-out]: 200 refuses nothing of `accounts.lookup.f`
  --> spec/documents/a.yaml:20:54
   |
20 |       f: {in: query, type: integer, required: false, refused: {mastodon: {since: "3.0.0", until: "2.0.0", status: 200}}}
   |                                                      ^^^^^^^
   |
   = help: write the status of an error: 400 to 599

error[wrong-left-out]: the refusal of `accounts.lookup.f` ends before it begins
  --> spec/documents/a.yaml:20:54
   |
20 |       f: {in: query, type: integer, required: false, refused: {mastodon: {since: "3.0.0", until: "2.0.0", status: 200}}}
   |                                                      ^^^^^^^
   |
   = help: `until` is the first release that takes it again

8 problems in 1 file
"#,
    );
}
