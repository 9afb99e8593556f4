//! Third-party clients: Mastodon.py and masto.

use std::path::Path;
use std::process::Output;
use std::time::Duration;

use fedispec::server::RequestLimits;
use fedispec_tests::{node, python, root};
use tokio::process::Command;
use tokio::time::timeout;

use crate::traits::app::Running;

/// A time limit that only a hanging client exceeds.
const HANGS: Duration = Duration::from_secs(120);

async fn run(command: &mut Command) -> Output {
    let ran = timeout(HANGS, command.kill_on_drop(true).output()).await;
    ran.expect("it hangs").expect("it starts")
}

async fn is_content(program: &Path, script: &str, packages: Option<&Path>) {
    // A short heartbeat, because a client that disconnects waits for the next event first.
    let site = Running::start(RequestLimits::default().heartbeat(Duration::from_millis(300))).await;
    let mut command = Command::new(program);
    command.arg(root().join(script)).arg(format!("http://{}", site.address));
    if let Some(packages) = packages {
        command.env("FEDISPEC_NODE", packages);
    }
    let ran = run(&mut command).await;
    let told = String::from_utf8_lossy(&ran.stdout);
    let complained = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success() && told.contains("all is well"), "{told}\n{complained}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mastodon_py_is_content() {
    if let Some(python) = python::python("mastodon_py_is_content") {
        is_content(python, "tests/python/client.py", None).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn masto_is_content() {
    if let Some(packages) = node::packages("masto_is_content") {
        is_content(Path::new("node"), "tests/node/client.mjs", Some(packages)).await;
    }
}
