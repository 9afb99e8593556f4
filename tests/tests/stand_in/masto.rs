//! masto walks through a stand-in of several releases.

use std::path::Path;
use std::time::Duration;

use fedispec::runtime::Item;
use fedispec::server::emulation;
use fedispec_standin::{OWNER_EMAIL, PASSWORD, StandIn};
use fedispec_tests::{commands, node, root};
use serde_json::{Value, json};
use tempfile::NamedTempFile;
use tokio::process::Command;
use tokio::time::timeout;

/// A time limit that only a hanging client exceeds.
const HANGS: Duration = Duration::from_secs(120);

/// The ids of what a release does not have.
fn lacking(release: &str) -> Vec<&'static str> {
    let emulation = emulation(release).expect("a registered release");
    emulation.lacking().map(Item::id).collect()
}

/// Runs the script, and holds what it got against the catalogue.
async fn walk(release: &str) {
    let Some(packages) = node::packages("masto_walks_through_a_stand_in") else {
        return;
    };
    let server = StandIn::new().emulate(release).expect("a release");
    let server = server.start().await.expect("it starts");
    let other = server.account("other").expect("an account");
    let recording = NamedTempFile::new().expect("a file");
    let (program, _) = release.split_once('@').expect("a release");
    let run = Command::new("node")
        .arg(root().join("tests/node/walk.mjs"))
        .args([server.url(), program, OWNER_EMAIL, PASSWORD, &other.token])
        .arg(json!(lacking(release)).to_string())
        .env("FEDISPEC_NODE", packages)
        .env("FEDISPEC_RECORDING", recording.path())
        .env("FEDISPEC_RELEASE", release)
        .kill_on_drop(true)
        .output();
    let ran = timeout(HANGS, run)
        .await
        .expect("it hangs")
        .expect("it starts");
    let told = String::from_utf8_lossy(&ran.stdout);
    let complained = String::from_utf8_lossy(&ran.stderr);
    assert!(
        ran.status.success() && told.contains("all is well"),
        "{release}: {told}\n{complained}"
    );
    println!("{release}: {told}");
    server.stop().await.expect("it stops");
    is_true(release, recording.path());
}

/// What the stand-in has answered decodes, and has no key or value that the catalogue does not list.
fn is_true(release: &str, recording: &Path) {
    let file = recording.display().to_string();
    let ran = commands::run(["verify", "--format", "json", &file]);
    let report: Value = serde_json::from_str(&ran.stdout)
        .unwrap_or_else(|error| panic!("{release}: {error}: {}", ran.stderr));
    for list in ["unknown_fields", "unknown_values"] {
        assert_eq!(report[list], json!([]), "{release}: {list}");
    }
    // GoToSocial has no addresses in `AdminAccount.ips`, and what is left of such an element is an empty object.
    let failed = report["failed"].as_array().expect("a list");
    let failed: Vec<_> = failed
        .iter()
        .filter(|row| row["message"] != "missing field `ip`")
        .collect();
    assert!(failed.is_empty(), "{release}: {failed:?}");
    assert!(
        report["decoded"].as_u64() > Some(100),
        "{release}: {report}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn masto_walks_through_mastodon() {
    walk("mastodon@4.6.4").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn masto_walks_through_an_old_mastodon() {
    walk("mastodon@2.9.1").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn masto_walks_through_gotosocial() {
    walk("gotosocial@0.19.2").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn masto_walks_through_an_old_gotosocial() {
    walk("gotosocial@0.17.4").await;
}
