//! Third-party clients that log in: masto and Mastodon.py, with several redirect addresses, proof keys and Basic.

use std::path::Path;
use std::time::Duration;

use fedispec_tests::{node, python, root};
use tokio::process::Command;
use tokio::time::timeout;

use crate::login::app::App;

/// A time limit that only a hanging client exceeds.
const HANGS: Duration = Duration::from_secs(240);

async fn logs_in(program: &Path, script: &str, packages: Option<&Path>) {
    let app = App::default();
    let origin = app.serve().await;
    let mut command = Command::new(program);
    command.arg(root().join(script)).arg(origin).kill_on_drop(true);
    command.envs(packages.map(|packages| ("FEDISPEC_NODE", packages)));
    let ran = timeout(HANGS, command.output()).await;
    let ran = ran.expect("it hangs").expect("it starts");
    let told = String::from_utf8_lossy(&ran.stdout);
    let complained = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success() && told.contains("all is well"), "{told}\n{complained}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn masto_logs_in() {
    if let Some(packages) = node::packages("masto_logs_in") {
        logs_in(Path::new("node"), "tests/node/login.mjs", Some(packages)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mastodon_py_logs_in() {
    if let Some(python) = python::python("mastodon_py_logs_in") {
        logs_in(python, "tests/python/login.py", None).await;
    }
}
