//! The effects of leaving a parameter out: each mistake with its place and its correction.

use fedispec_model::api::Param;
use fedispec_since::{Effect, SafeValues, StableVersion};

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
      c: {in: query, type: boolean, required: false, left_out: {effect: changes_meaning, so: all is shown., safe: "no"}}
      d: {in: query, type: integer, required: false, left_out: {effect: fails, so: it fails, safe: 7}}
      e: {in: query, type: integer, required: false, left_out: harmless, unset: keep}
      g: {in: query, type: integer, required: false, left_out: {mastadon: harmless}}
      h: {in: query, type: integer, required: false, left_out: {mastodon: harmless, gotosocial: fails}}
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
   = help: remove `left_out`, or say when it may be left out under `required`
note: whether it is required
  --> spec/documents/a.yaml:15:47
   |
15 |       a: {in: query, type: boolean, required: true, left_out: harmless}
   |                                               ^^^^

error[missing-words]: nobody says what happens without `accounts.lookup.b`
  --> spec/documents/a.yaml:16:54
   |
16 |       b: {in: query, type: boolean, required: false, left_out: {effect: changes_meaning}}
   |                                                      ^^^^^^^^
   |
   = help: say it in a clause: `left_out: {effect: changes_meaning, so: the status is posted at once}`

error[wrong-left-out]: what happens without `accounts.lookup.c` is a clause of a longer sentence
  --> spec/documents/a.yaml:17:54
   |
17 |       c: {in: query, type: boolean, required: false, left_out: {effect: changes_meaning, so: all is shown., safe: "no"}}
   |                                                      ^^^^^^^^
   |
   = help: remove the full stop

error[wrong-left-out]: `no` is no value of `accounts.lookup.c`
  --> spec/documents/a.yaml:17:115
   |
17 |       c: {in: query, type: boolean, required: false, left_out: {effect: changes_meaning, so: all is shown., safe: "no"}}
   |                                                                                                                   ^^^^
   |
   = help: write "true" or "false" in quotes

error[wrong-type]: `safe` is `7`, not a text in quotes, or a list of them
  --> spec/documents/a.yaml:18:100
   |
18 |       d: {in: query, type: integer, required: false, left_out: {effect: fails, so: it fails, safe: 7}}
   |                                                                                                    ^
   |
   = help: write a text in quotes, or a list of them

error[wrong-left-out]: `accounts.lookup.e` belongs to a request that changes nothing
  --> spec/documents/a.yaml:19:74
   |
19 |       e: {in: query, type: integer, required: false, left_out: harmless, unset: keep}
   |                                                                          ^^^^^
   |
   = help: remove `unset`

error[unknown-program]: there is no program `mastadon`
  --> spec/documents/a.yaml:20:65
   |
20 |       g: {in: query, type: integer, required: false, left_out: {mastadon: harmless}}
   |                                                                 ^^^^^^^^
   |
   = help: did you mean `mastodon`?

error[missing-words]: nobody says what happens without `accounts.lookup.h`
  --> spec/documents/a.yaml:21:54
   |
21 |       h: {in: query, type: integer, required: false, left_out: {mastodon: harmless, gotosocial: fails}}
   |                                                      ^^^^^^^^
   |
   = help: say it in a clause: `left_out: {effect: fails, so: the status is posted at once}`

error[wrong-left-out]: what is `refused` of `accounts.lookup.f` ends before it begins
  --> spec/documents/a.yaml:22:98
   |
22 |       f: {in: query, type: integer, required: false, refused: {mastodon: {since: "3.0.0", until: "2.0.0", status: 200}}}
   |                                                                                                  ^^^^^^^
   |
   = help: `until` is the first release that does not answer so

error[wrong-left-out]: 200 refuses nothing
  --> spec/documents/a.yaml:22:115
   |
22 |       f: {in: query, type: integer, required: false, refused: {mastodon: {since: "3.0.0", until: "2.0.0", status: 200}}}
   |                                                                                                                   ^^^
   |
   = help: write the status of an error: 400 to 599

10 problems in 1 file
"#,
    );
}

#[test]
fn each_program_and_release_has_its_own() {
    let api = Spec::new(
        r#"operations:
  accounts.lookup:
    since: {mastodon: "2.0.0", gotosocial: "0.1.0"}
    method: GET
    path: /api/v1/accounts
    params:
      both: {in: query, type: boolean, required: false, left_out: {effect: fails, so: it fails, safe: any}}
      differs:
        in: query
        type: boolean
        required: false
        left_out:
          mastodon: {effect: fails, so: it fails, safe: ["false", "true"]}
          gotosocial: {effect: changes_meaning, so: all is shown, safe: "false"}
        changed:
          mastodon:
            - in: "3.0.0"
              what: left_out
              from: harmless
              to: {effect: fails, so: it fails, safe: ["false", "true"]}
"#,
        "",
    )
    .documents();
    let [both, differs] = api.operations[0].params.as_slice() else { panic!("{api:?}") };
    let told = |param: &Param, program, release| {
        let at = param.at(program, release).left_out.expect("an effect");
        (at.effect, at.safe)
    };
    let only = |values: &[&str]| SafeValues::Only(values.iter().map(|one| (*one).into()).collect());
    for program in [0, 1] {
        assert_eq!(told(both, program, None), (Effect::Fails, SafeValues::Any));
    }
    assert_eq!(told(differs, 0, None), (Effect::Fails, only(&["false", "true"])));
    assert_eq!(told(differs, 0, Some(StableVersion(2, 9, 0))), (Effect::Harmless, only(&[])));
    assert_eq!(told(differs, 1, None), (Effect::ChangesMeaning, only(&["false"])));
    // Over all programs, the effect is the worst, and a value is safe where each program has it as safe.
    let common = differs.left_out.clone().expect("an effect");
    assert_eq!((common.effect, common.safe), (Effect::ChangesMeaning, only(&["false"])));
}
