//! The authorization of operations, by program.

use fedispec_model::api::{Api, Auth, Auths};
use fedispec_model::auth::{at, states};
use fedispec_since::{StableVersion, TokenKind};

use crate::support::{IMPLEMENTATIONS, Spec};

const DOCUMENTS: &str = r#"operations:
  accounts.get:
    since: {mastodon: "1.0.0"}
    params:
      id: {}
"#;

fn spec(auth: &str) -> Api {
    let supplement = operation(auth);
    Spec::new(DOCUMENTS, &supplement).full()
}

fn operation(facts: &str) -> String {
    format!("operations:\n  accounts.get:\n    since: {{gotosocial: \"0.1.0\"}}\n{facts}")
}

fn user(scopes: &[&str]) -> Auth {
    Auth {
        scopes: scopes.iter().map(|scope| (*scope).to_owned()).collect(),
        ..Auth::new(TokenKind::User)
    }
}

#[test]
fn one_for_all_programs() {
    let api = spec("    auth: {token: user, scopes: [read], unauthenticated: 403}\n");
    let auth = Auth { unauthenticated: 403, ..user(&["read"]) };
    assert_eq!(api.operations[0].auth, Some(Auths::Same(auth)));
}

#[test]
fn one_for_each_program() {
    let api = spec(
        "    auth:\n      mastodon: {token: optional}\n      gotosocial: {token: user, scopes: [read]}\n",
    );
    let each = vec![Some(Auth::new(TokenKind::Optional)), Some(user(&["read"]))];
    assert_eq!(api.operations[0].auth, Some(Auths::Each(each)));
    let same = spec("    auth:\n      mastodon: {token: user}\n      gotosocial: {token: user}\n");
    assert_eq!(
        same.operations[0].auth,
        Some(Auths::Same(user(&[]))),
        "the same of each is one for all"
    );
    let one = spec("    auth:\n      mastodon: unknown\n      gotosocial: {token: user}\n");
    let each = vec![None, Some(user(&[]))];
    assert_eq!(one.operations[0].auth, Some(Auths::Each(each)));
}

#[test]
fn a_layer_may_add_a_program() {
    let api = Spec::new("", "")
        .and(
            "documents/a.yaml",
            "groups:\n  accounts: {summary: Accounts.}\noperations:\n  accounts.get:\n    since: {mastodon: \"1.0.0\"}\n    auth: {mastodon: {token: user}}\n",
        )
        .and(
            "supplement/a.yaml",
            "operations:\n  accounts.get: {since: {gotosocial: \"0.1.0\"}, auth: {gotosocial: {token: app}}}\n",
        )
        .full();
    let auths = api.operations[0].auth.as_ref().expect("known");
    let token = |program| auths.of(program).map(|auth| auth.token);
    assert_eq!((token(0), token(1)), (Some(TokenKind::User), Some(TokenKind::App)));
}

#[test]
fn a_contradiction_is_about_the_program() {
    Spec::new("", "")
        .and(
            "documents/a.yaml",
            "groups:\n  accounts: {summary: Accounts.}\noperations:\n  accounts.get:\n    since: {mastodon: \"1.0.0\"}\n    auth: {token: user}\n",
        )
        .and(
            "supplement/a.yaml",
            "operations:\n  accounts.get:\n    since: {gotosocial: \"0.1.0\"}\n    auth: {gotosocial: {token: app}}\n",
        )
        .reads(r#"
error[undeclared-contradiction]: `auth.gotosocial` of `accounts.get` contradicts the layer below
  --> spec/supplement/a.yaml:7:24
   |
 7 |     auth: {gotosocial: {token: app}}
   |                        ^^^^^^^^^^^^
   |
   = help: declare it under `disputes`, with both values, the evidence and a verdict, and leave it out here
note: the layer below says this
  --> spec/documents/a.yaml:12:11
   |
12 |     auth: {token: user}
   |           ^^^^^^^^^^^^^

1 problem in 1 file
"#);
}

/// A dispute is about one program, or about all of them.
#[test]
fn a_dispute_settles_it() {
    for (fact, tokens) in [
        ("auth.gotosocial", [TokenKind::User, TokenKind::App]),
        ("auth", [TokenKind::App, TokenKind::App]),
    ] {
        let dispute = format!(
            "disputes:\n  - {{item: accounts.get, fact: {fact}, documents: {{token: user}}, supplement: {{token: app}}, verdict: supplement, evidence: server}}\n"
        );
        let api = Spec::new("", "")
            .and(
                "documents/a.yaml",
                "groups:\n  accounts: {summary: Accounts.}\noperations:\n  accounts.get:\n    since: {mastodon: \"1.0.0\"}\n    auth: {token: user}\n",
            )
            .and(
                "supplement/a.yaml",
                &format!("operations:\n  accounts.get: {{since: {{gotosocial: \"0.1.0\"}}}}\n{dispute}"),
            )
            .full();
        let auths = api.operations[0].auth.as_ref().expect("known");
        let found = [0, 1].map(|program| auths.of(program).expect("known").token);
        assert_eq!(found, tokens, "{fact}");
    }
}

#[test]
fn a_program_that_is_not_registered() {
    let supplement = operation("    auth: {gotosocal: {token: user}}\n");
    Spec::new(DOCUMENTS, &supplement).reads(
        r#"
error[unknown-program]: there is no program `gotosocal`
 --> spec/supplement/a.yaml:7:12
  |
7 |     auth: {gotosocal: {token: user}}
  |            ^^^^^^^^^
  |
  = help: did you mean `gotosocial`?

1 problem in 1 file
"#,
    );
}

#[test]
fn a_status_that_refuses_nothing() {
    let supplement = operation(
        "    auth:\n      mastodon: {token: user, unauthenticated: 200}\n      gotosocial: {token: user}\n",
    );
    Spec::new(DOCUMENTS, &supplement).reads(
        r#"
error[refusal-status]: `200` does not refuse a request without a token
 --> spec/supplement/a.yaml:8:48
  |
8 |       mastodon: {token: user, unauthenticated: 200}
  |                                                ^^^
  |
  = help: write a status from 400 to 599, or leave it out for 401

1 problem in 1 file
"#,
    );
}

#[test]
fn evidence_of_a_program_that_is_not_registered() {
    let supplement = operation("    auth: {token: user}\n    evidence: {auth.gotosocal: server}\n");
    Spec::new(DOCUMENTS, &supplement).reads(
        r#"
error[unknown-program]: there is no program `gotosocal`
 --> spec/supplement/a.yaml:8:16
  |
8 |     evidence: {auth.gotosocal: server}
  |                ^^^^^^^^^^^^^^
  |
  = help: did you mean `auth.gotosocial`?

1 problem in 1 file
"#,
    );
}

/// The last change of a fact ends at what its program asks for now.
#[test]
fn a_chain_ends_at_the_program_s_own_state() {
    let facts =
        "    changed: {gotosocial: [{in: \"0.19.0\", what: token, from: app, to: optional}]}
    auth:\n      mastodon: {token: optional}\n      gotosocial: {token: user}\n";
    Spec::new(DOCUMENTS, &operation(facts)).reads(
        r#"
error[broken-chain]: the last change of `token`, in 0.19.0, ends at `optional`, but the present value is `user`
  --> spec/supplement/a.yaml:7:71
   |
 7 |     changed: {gotosocial: [{in: "0.19.0", what: token, from: app, to: optional}]}
   |                                                                       ^^^^^^^^
   |
   = help: mend one of the two, or add the change that came after
note: the present value
  --> spec/supplement/a.yaml:10:19
   |
10 |       gotosocial: {token: user}
   |                   ^^^^^^^^^^^^^

1 problem in 1 file
"#,
    );
}

const fn release(minor: u16) -> StableVersion {
    StableVersion(0, minor, 0)
}

/// Before a program looks at scopes, any will do; operations that came later never knew that time.
#[test]
fn a_program_may_have_looked_at_no_scope() {
    let implementations = IMPLEMENTATIONS.replace(
        "    nodeinfo: [gotosocial]\n",
        "    nodeinfo: [gotosocial]\n    scopes_since: \"0.19.0\"\n",
    );
    let supplement = r#"operations:
  accounts.get:
    since: {gotosocial: "0.1.0"}
    changed: {gotosocial: [{in: "0.19.0", what: token, from: app, to: user}]}
    auth: {mastodon: {token: user, scopes: [read]}, gotosocial: {token: user, scopes: [read]}}
  accounts.later:
    since: {mastodon: never, gotosocial: "0.19.0"}
    auth: {token: user, scopes: [read]}
    evidence: {shape: server}
  accounts.open:
    since: {mastodon: never, gotosocial: "0.1.0"}
    auth: {token: user}
"#;
    let earlier = supplement.replace(
        "what: token, from: app, to: user}",
        "what: token, from: app, to: user}, {in: \"0.5.0\", what: scopes, from: [write], to: [read]}",
    );
    let mut spec = Spec::new(DOCUMENTS, &earlier);
    let registered = implementations.replace("\"0.1.0\": {}", "\"0.1.0\": {}, \"0.5.0\": {}");
    spec.implementations = &registered;
    spec.tells("spec/supplement/a.yaml:7:83: GoToSocial looks at scopes since 0.19.0, so that none were needed before (mend the release, or remove the change; `scopes_since` of the program says the former)");
    let mut spec = Spec::new(DOCUMENTS, supplement);
    spec.implementations = &implementations;
    let api = spec.full();
    let found = |id: &str| {
        let operation = api.operations.iter().find(|one| one.item.id == id);
        let states = states(operation.expect(id), 1).into_iter();
        let told = states.map(|state| (state.since, state.auth.token, state.auth.scopes));
        told.collect::<Vec<_>>()
    };
    let read = vec!["read".to_owned()];
    assert_eq!(
        found("accounts.get"),
        [(None, TokenKind::App, Vec::new()), (Some(release(19)), TokenKind::User, read.clone())]
    );
    assert_eq!(found("accounts.later"), [(None, TokenKind::User, read)]);
    assert_eq!(found("accounts.open"), [(None, TokenKind::User, Vec::new())]);
    let get = &api.operations[0];
    let before = at(get, 1, release(1)).expect("known");
    assert_eq!(before.token, TokenKind::App);
    assert_eq!(states(get, 0).len(), 1, "Mastodon has looked at them all along");
}

/// A change that went to an older line of releases too is undone in between.
#[test]
fn a_backport_has_a_gap() {
    let facts = "    changed: {mastodon: [{in: \"2.0.0\", absent: [[\"3.0.0\", \"4.5.0\"]], what: scopes, from: [], to: [read]}]}
    auth: {token: user, scopes: [read]}\n";
    let supplement = operation(facts);
    let api = Spec::new(DOCUMENTS, &supplement).full();
    let scopes = |major, minor| {
        let asked = at(&api.operations[0], 0, StableVersion(major, minor, 0));
        asked.expect("known").scopes.len()
    };
    let found = [(1, 0), (2, 0), (2, 9), (3, 0), (4, 4), (4, 5)].map(|(a, b)| scopes(a, b));
    assert_eq!(found, [0, 1, 1, 0, 0, 1]);
}

/// Only who may call and what is there differ by program.
#[test]
fn evidence_by_program_of_what_has_one_for_all() {
    let supplement =
        operation("    auth: {token: user}\n    evidence: {shape.gotosocial: server}\n");
    Spec::new(DOCUMENTS, &supplement).reads(
        r#"
error[unknown-program]: there is no program `shape.gotosocial`
 --> spec/supplement/a.yaml:8:16
  |
8 |     evidence: {shape.gotosocial: server}
  |                ^^^^^^^^^^^^^^^^
  |
  = help: did you mean `auth.gotosocial`?

1 problem in 1 file
"#,
    );
}
