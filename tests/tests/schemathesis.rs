//! A fuzzer makes requests from the OpenAPI document of a release, fitting and unfitting ones, and holds the stand-in's answers against it.
//!
//! `.ci/pages` runs it, beside the other tests, since each release takes about a minute.

use std::collections::BTreeSet;
use std::fs;

use fedispec::server::Timestamp;
use fedispec_standin::{Login, PASSWORD, StandIn};
use fedispec_tests::{commands, python, root};
use serde_json::{Value, json};

/// Operations at which no request succeeds, in one program alone where it is named, and why.
const NEVER: [(&str, &str); 19] = [
    ("accounts.migrate", "it would move the account of all calls away"),
    ("accounts.subscribe_by_email", "a stand-in sends no mail"),
    ("admin_accounts.approve mastodon", "who signs up is let in at once"),
    ("admin_accounts.reject", "who signs up is let in at once, or is approved by then"),
    ("admin_debug.clear_caches", "only builds for debugging have it"),
    ("admin_debug.fetch", "only builds for debugging have it"),
    ("admin_server.test_email", "a stand-in sends no mail"),
    ("async_refreshes.get", "nothing is refreshed in the background"),
    ("emails.resend_confirmation", "who signs up is confirmed at once"),
    ("instance.terms_of_service", "the server has published none"),
    ("instance.terms_of_service_of", "the server has published none"),
    ("interaction_requests.authorize", "every interaction is let through"),
    ("interaction_requests.get", "every interaction is let through"),
    ("interaction_requests.reject", "every interaction is let through"),
    ("oauth.approve", "the form is on the page that asks for consent"),
    ("oauth.finalize", "nobody signs in through another provider"),
    ("statuses.translate", "the server translates nothing"),
    ("user.disable_two_factor", "it is not enabled"),
    ("user.enable_two_factor", "the code is one of the minute"),
];

async fn driven(test: &'static str, release: &'static str) {
    let Some(python) = python::python(test) else {
        return;
    };
    let server = StandIn::new().emulate(release).expect("a release");
    let server = server.start().await.expect("a server");
    // The time stands still, so that nothing ends between two runs.
    assert!(server.set_time(&Timestamp::from("2026-06-01T12:00:00.000Z")));
    let others: Vec<_> = ["mona", "lena", "kira", "olga"]
        .map(|name| server.account(name).expect("an account"))
        .into();
    let nora = server.remote_account("nora@other.example");
    server.follow(&nora, &others[0].id);
    for text in ["Today.", "Tomorrow.", "Then."] {
        server.announce(text);
    }
    let strangers: Vec<_> = ["rita", "sara", "tina", "uma", "vera", "wilma", "zoe"]
        .map(|name| server.account(name).expect("an account"))
        .into();
    let ids = others.iter().map(|other| &other.id);
    let tokens = |of: &[Login]| of.iter().map(|one| one.token.clone()).collect::<Vec<_>>();
    let told = json!({
        "url": server.url(),
        "token": server.token(),
        "password": PASSWORD,
        "others": tokens(&others),
        "strangers": tokens(&strangers),
        "accounts": ids.chain([&nora]).map(ToString::to_string).collect::<Vec<_>>(),
    });
    let run = move || {
        let folder = tempfile::tempdir().expect("a folder");
        let document = folder.path().join("api.json");
        let args = ["openapi", "--as", release, "--enums", "closed"];
        fs::write(&document, commands::run(args).succeeded().stdout).expect("writable");
        let names = [&document, folder.path()].map(|path| path.display().to_string());
        let args = [names[0].as_str(), names[1].as_str()];
        let script = root().join("tests/python/fuzz.py");
        python::run(python, &script, &args, &told.to_string())
    };
    let ran = tokio::task::spawn_blocking(run).await.expect("no panic");
    let stdout = ran.succeeded().stdout;
    let figures: Value =
        serde_json::from_str(stdout.lines().last().unwrap_or_default()).expect("figures");
    let names = |key: &str| -> BTreeSet<String> {
        serde_json::from_value(figures[key].clone()).expect("names")
    };
    let driven = names("driven");
    let listed = NEVER.iter().filter_map(|(operation, _)| match operation.split_once(' ') {
        Some((operation, program)) => release.starts_with(program).then_some(operation),
        None => Some(*operation),
    });
    let listed = listed.map(str::to_owned).filter(|one| driven.contains(one));
    let listed: BTreeSet<String> = listed.collect();
    // Whether an operation that succeeds has to be taken off the list is told too.
    assert_eq!(names("never"), listed, "never succeeded, and listed as such");
    println!("{release}: {} operations, {} calls", driven.len(), figures["calls"]);
    assert!(figures["calls"].as_u64() > Some(7000), "{figures}");
    server.stop().await.expect("stopped");
}

#[tokio::test(flavor = "multi_thread")]
async fn mastodon_4_6_5_answers_as_documented() {
    let test = "mastodon_4_6_5_answers_as_documented";
    driven(test, "mastodon@4.6.5").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn mastodon_4_2_0_answers_as_documented() {
    let test = "mastodon_4_2_0_answers_as_documented";
    driven(test, "mastodon@4.2.0").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gotosocial_0_19_2_answers_as_documented() {
    let test = "gotosocial_0_19_2_answers_as_documented";
    driven(test, "gotosocial@0.19.2").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gotosocial_0_17_0_answers_as_documented() {
    let test = "gotosocial_0_17_0_answers_as_documented";
    driven(test, "gotosocial@0.17.0").await;
}
