//! masto walks through a stand-in of several releases.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use fedispec_standin::{OWNER_EMAIL, PASSWORD, Running, StandIn};
use fedispec_tests::{commands, node, root};
use serde_json::{Value, json};
use tempfile::NamedTempFile;
use tokio::process::Command;
use tokio::time::timeout;

use crate::stand_in::caller::Caller;
use crate::stand_in::other_calls::{self, People};
use crate::stand_in::{lacking, recorded};

/// A time limit that only a hanging client exceeds.
const HANGS: Duration = Duration::from_secs(120);

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
    let ran = timeout(HANGS, run).await.expect("it hangs").expect("it starts");
    let told = String::from_utf8_lossy(&ran.stdout);
    let complained = String::from_utf8_lossy(&ran.stderr);
    assert!(
        ran.status.success() && told.contains("all is well"),
        "{release}: {told}\n{complained}"
    );
    println!("{release}: {told}");
    let gets = the_rest(&server, release, recording.path()).await;
    server.stop().await.expect("it stops");
    is_true(release, recording.path());
    recorded::compare(release, &[recording.path(), gets.path()]);
}

/// Calls what the script does not, and records what GETs find; the answers of calls are added to the recording.
async fn the_rest(server: &Running, release: &str, recording: &Path) -> NamedTempFile {
    let gets = NamedTempFile::new().expect("a file");
    let login = |name: &str| server.account(name).expect("an account").token;
    let people = People {
        owner: server.token().to_owned(),
        carol: login("carol"),
        dave: login("dave"),
        frank: login("frank"),
    };
    let (url, release) = (server.url().to_owned(), release.to_owned());
    let (recording, out) = (recording.to_owned(), gets.path().display().to_string());
    let done = tokio::task::spawn_blocking(move || {
        let mut caller = Caller::new(&url, &release, &recording);
        other_calls::before(&mut caller, &people);
        let mut record = commands::command(["record", &url, "--out", &out, "--pause", "0"]);
        record.env("FEDISPEC_TOKEN", &people.owner);
        commands::finish(&mut record).succeeded();
        other_calls::after(&mut caller, &people);
        pictures(&caller, &url, &[&recording, Path::new(&out)]);
    });
    done.await.expect("it goes well");
    gets
}

/// Every picture that an answer names is there.
fn pictures(caller: &Caller, url: &str, recordings: &[&Path]) {
    const NAMED: [&str; 8] = [
        "avatar",
        "avatar_static",
        "header",
        "header_static",
        "preview_url",
        "static_url",
        "thumbnail",
        "image",
    ];
    fn find(value: &Value, found: &mut BTreeSet<String>) {
        for (key, value) in value.as_object().into_iter().flatten() {
            let named = value.as_str().filter(|_| NAMED.contains(&key.as_str()));
            found.extend(named.map(str::to_owned));
            find(value, found);
        }
        for value in value.as_array().into_iter().flatten() {
            find(value, found);
        }
    }
    let mut found = BTreeSet::new();
    for recording in recordings {
        let text = std::fs::read_to_string(recording).expect("a recording");
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).expect("JSON");
            find(&line["body"], &mut found);
        }
    }
    found.retain(|named| named.starts_with(url));
    assert!(found.len() >= 4, "{found:?}");
    for named in found {
        let (status, kind) = caller.fetch(&named);
        let is_media = ["image/", "audio/", "video/"].iter().any(|one| kind.starts_with(one));
        assert!(status == 200 && is_media, "{named}: {status} {kind}");
    }
}

/// The stand-in's answers decode, and have no key or value that the catalogue does not list.
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
    let failed: Vec<_> =
        failed.iter().filter(|row| row["message"] != "missing field `ip`").collect();
    assert!(failed.is_empty(), "{release}: {failed:?}");
    assert!(report["decoded"].as_u64() > Some(100), "{release}: {report}");
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
