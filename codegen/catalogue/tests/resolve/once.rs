//! A mistake that many places follow from is told once, where it was made or at the first of them.

use crate::support::{IMPLEMENTATIONS, SUPPLEMENT, Spec};

/// Operations of that many numbers, each with the same text.
fn operations(count: u32, each: &str) -> String {
    let one = |number| {
        format!(
            "  accounts.o{number}: {{since: {{mastodon: \"2.0.0\", gotosocial: never}}, method: GET, path: /a/{number}, auth: {{token: none}}{each}}}\n"
        )
    };
    (0..count).map(one).fold("operations:\n".into(), |all: String, one| all + &one)
}

/// A supplement of these operations, whose file leaves no fact open.
fn supplement(operations: &str) -> String {
    let head = SUPPLEMENT.lines().next().unwrap();
    format!(
        "{head}\ndefaults: {{evidence: {{mastodon: server, gotosocial: server, shape: server}}, unknown: [returns, success]}}\ngroups: {{accounts: {{summary: Accounts.}}}}\n{operations}"
    )
}

fn tells(implementations: &str, supplement: &str, expected: &str) {
    let mut spec =
        Spec::bare(&[("documents/a.yaml", "area: test\n"), ("supplement/a.yaml", supplement)]);
    spec.implementations = implementations;
    spec.tells(expected);
}

#[test]
fn a_source_that_many_name() {
    let named = ", paging: none, evidence: {mastodon: servr}";
    let told = "spec/supplement/a.yaml:5:145: there is no source `servr` (did you mean `server`?)";
    let more = told.replace(" (did", " (and 3 more places like it) (did");
    tells(IMPLEMENTATIONS, &supplement(&operations(1, named)), told);
    tells(IMPLEMENTATIONS, &supplement(&operations(4, named)), &more);
}

#[test]
fn what_the_catalogue_no_longer_says_of_all_items() {
    let told = "spec/supplement/a.yaml:5:3: `accounts.o0` neither states `paging` nor says that it is unknown (and 40 more places like it) \
        (state it, write `unknown`, or list it under `unknown` in the file's `defaults` if its source never shows it)";
    tells(IMPLEMENTATIONS, &supplement(&operations(41, "")), told);
}

#[test]
fn a_value_for_all_items_that_is_refused() {
    let registry = format!("{IMPLEMENTATIONS}defaults: {{paging: non}}\n");
    let told =
        "spec/implementations.yaml:17:20: unknown value `non` of `paging` (did you mean `none`?)";
    tells(&registry, &supplement(&operations(2, "")), told);
}

#[test]
fn a_floor_that_is_refused() {
    let limited = ", paging: none, params: {a: {in: query, type: integer, left_out: harmless, since: {mastodon: \"2.0.0\", gotosocial: never},
        required: {mastodon: true, gotosocial: false}}}";
    let limited = limited.replace("gotosocial: never", "gotosocial: \"0.1.0\"");
    let supplement = supplement(&operations(1, &limited).replace("never", "\"0.1.0\""));
    let floor = |mastodon: &str| {
        let registry =
            IMPLEMENTATIONS.replace("letter: A", &format!("floor: {mastodon}\n    letter: A"));
        registry.replace("letter: B", "floor: \"0.1.0\"\n    letter: B")
    };
    Spec {
        implementations: &floor("\"1.0.0\""),
        ..Spec::bare(&[("documents/a.yaml", "area: test\n"), ("supplement/a.yaml", &supplement)])
    }
    .full();
    // Without it, the parameter would be never required.
    let told = "spec/implementations.yaml:4:12: the version 4.10 is not quoted (write \"4.10.0\")";
    tells(&floor("4.10"), &supplement, told);
}

#[test]
fn strings_of_a_fork_that_names_no_base() {
    let registry = r#"reference: base
programs:
  base: {name: Base, nodeinfo: [base], releases: {}, versions: {telling: ["{both}{rest}"]}}
  fork: {name: Fork, nodeinfo: [fork], releases: {}, versions: {telling: ["{both}+fork"]}, strings: [STRINGS]}
identified:
  other: {based_on: fork, versions: {telling: ["{both}+other"]}, strings: [{text: "1.0.0+other", both: "1.0.0", software: base}]}
sources: {}
"#;
    let strings = (0..4)
        .map(|one| format!("{{text: \"1.{one}.0+fork\", both: \"1.{one}.0\", software: base}}"));
    let registry = registry.replace("STRINGS", &strings.collect::<Vec<_>>().join(", "));
    let told = "spec/implementations.yaml:4:102: `1.0.0+fork` is read as base 1.0.0, claiming 1.0.0, and not as fork 1.0.0, claiming 1.0.0 (and 3 more places like it) \
        (mend the string, or narrow the patterns of `base`, which takes it; those of a fork, with `based_on: base`, go before)";
    tells(&registry, "area: test\n", told);
}

#[test]
fn a_change_whose_release_is_wrong() {
    let scopes = "enums:\n  OauthScope: {since: {mastodon: \"2.0.0\", gotosocial: never}, values: {read: {since: {mastodon: \"2.0.0\", gotosocial: never}}, \"read:lists\": {since: {mastodon: \"3.0.0\", gotosocial: never}}}}\n";
    let changed = ", paging: none, changed: {mastodon: [{in: \"1.0.0\", what: scopes, from: [read], to: [\"read:lists\"]}]}";
    let text = supplement(&(operations(1, changed) + scopes));
    let text = text.replace("token: none", "token: user, scopes: [\"read:lists\"]");
    tells(
        IMPLEMENTATIONS,
        &text,
        "spec/supplement/a.yaml:5:174: in Mastodon, `accounts.o0` changes in 1.0.0, which is no later than its Since, 2.0.0 (mend it, or the Since of the item)",
    );
}

#[test]
fn a_value_that_is_shown_before_it_is_there() {
    let values = "enums:\n  Kind:\n    since: {mastodon: \"2.0.0\", gotosocial: never}\n    values:\n      hide: {}\n      warn: {since: {mastodon: \"1.0.0\"}, on_older: hide}\n";
    tells(
        IMPLEMENTATIONS,
        &supplement(values),
        "spec/supplement/a.yaml:9:32: `Kind.warn` is there since 1.0.0, inside something that Mastodon has since 2.0.0 only (mend one of the two, or say why under `older_because`)",
    );
}
