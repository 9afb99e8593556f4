//! Python, with the packages that the tests pin.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::time::timeout;

use crate::commands::Ran;
use crate::{root, setup, skip};

/// A time limit that only a hanging client exceeds.
const HANGS: Duration = Duration::from_secs(240);

/// The interpreter of the tests' own environment, made on first use. Prints the reason and returns `None` where that fails.
pub fn python(test: &str) -> Option<&'static Path> {
    static PYTHON: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    match PYTHON.get_or_init(|| setup::path("python")) {
        Ok(python) => Some(python),
        Err(why) => {
            skip::skipped(test, why);
            None
        }
    }
}

/// Runs a script with arguments and a text on its standard input.
///
/// # Panics
/// When it does not start.
pub fn run(python: &Path, script: &Path, args: &[&str], input: &str) -> Ran {
    let mut child = Command::new(python)
        .arg(script)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("python does not start: {error}"));
    if let Some(mut stdin) = child.stdin.take() {
        // A script that ends early closes its input, so a write error here is expected; its output has the reason.
        let _ = stdin.write_all(input.as_bytes());
    }
    Ran::of(
        &child
            .wait_with_output()
            .unwrap_or_else(|error| panic!("python does not end: {error}")),
    )
}

/// Lets Mastodon.py walk through a server of the calling test. `told` is what the script has to know of the server, as JSON.
///
/// # Panics
/// When a call of the script fails, or it hangs.
pub async fn walk(python: &Path, origin: &str, token: &str, told: &serde_json::Value) {
    let mut child = tokio::process::Command::new(python)
        .arg(root().join("tests/python/walk.py"))
        .args([origin, token])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("python starts");
    let mut input = child.stdin.take().expect("its input");
    input
        .write_all(told.to_string().as_bytes())
        .await
        .expect("read");
    drop(input);
    let ran = timeout(HANGS, child.wait_with_output()).await;
    let ran = ran.expect("it hangs").expect("it ends");
    let told = String::from_utf8_lossy(&ran.stdout);
    assert!(
        ran.status.success() && told.contains("all is well"),
        "{told}\n{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    println!("{told}");
}
