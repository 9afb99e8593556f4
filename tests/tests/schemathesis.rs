//! A fuzzer makes requests from the OpenAPI document of a release, fitting and unfitting ones, and holds the stand-in's answers against it.
//!
//! `.ci/pages` runs it, beside the other tests, since each release takes about a minute.

use std::fs;

use fedispec::server::Timestamp;
use fedispec_standin::StandIn;
use fedispec_tests::{commands, python, root};
use serde_json::{Value, json};

/// What no made-up request succeeds at: it wants a picture, a form of a page, a sign-up that waits, or something that the stand-in never has.
const NEVER: [&str; 56] = [
    "accounts.create",
    "accounts.migrate",
    "admin_accounts.approve",
    "admin_accounts.reject",
    "admin_accounts.unsuspend",
    "admin_custom_emojis.create",
    "admin_custom_emojis.update",
    "admin_debug.clear_caches",
    "admin_debug.fetch",
    "admin_domain_permission_drafts.create",
    "admin_domain_permission_subscriptions.create",
    "admin_domain_permission_subscriptions.preview",
    "admin_server.test_email",
    "admin_tags.get",
    "admin_tags.update",
    "admin_trends.approve_publisher",
    "admin_trends.approve_status",
    "admin_trends.reject_publisher",
    "announcements.remove_reaction",
    "annual_reports.generate",
    "annual_reports.get",
    "annual_reports.mark_read",
    "async_refreshes.get",
    "collections.add_item",
    "collections.delete",
    "collections.get",
    "collections.remove_item",
    "collections.revoke_item",
    "collections.update",
    "emails.resend_confirmation",
    "filters.delete_keyword",
    "grouped_notifications.get",
    "imports.create",
    "instance.terms_of_service",
    "instance.terms_of_service_of",
    "interaction_requests.authorize",
    "interaction_requests.get",
    "interaction_requests.reject",
    "lists.add_accounts",
    "media.get_v2",
    "media.update_v2",
    "media.upload",
    "media.upload_v1",
    "notification_requests.accept_many",
    "notification_requests.dismiss_many",
    "notifications.dismiss",
    "notifications.get",
    "oauth.approve",
    "oauth.authorize",
    "oembed.get",
    "polls.get_v2",
    "polls.vote_v2",
    "reports.get",
    "statuses.revoke_quote",
    "statuses.translate",
    "statuses.update",
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
    let ids = others.iter().map(|other| &other.id);
    let told = json!({
        "url": server.url(),
        "token": server.token(),
        "others": others.iter().map(|other| &other.token).collect::<Vec<_>>(),
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
    let never = figures["never"].as_array().expect("a list");
    let is_known = |one: &Value| one.as_str().is_some_and(|one| NEVER.contains(&one));
    let odd: Vec<_> = never.iter().filter(|one| !is_known(one)).collect();
    assert!(odd.is_empty(), "never succeeded: {odd:?}");
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
