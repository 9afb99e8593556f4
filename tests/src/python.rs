//! Python, with the packages that the tests pin.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;
use tokio::time::timeout;

use crate::commands::Ran;
use crate::root;
use crate::setup::{Made, tool};

/// A time limit that only a hanging script exceeds.
const HANGS: Duration = Duration::from_secs(1_200);

/// The interpreter of the tests' own environment, made on first use. Prints the reason and returns `None` where that fails.
pub fn python(test: &str) -> Option<&'static Path> {
    static PYTHON: Made = Made::new();
    tool(&PYTHON, "python", test)
}

/// Runs a script with arguments and a text on its standard input. Not to be called from asynchronous code.
///
/// # Panics
/// When it does not start, or hangs.
pub fn run(python: &Path, script: &Path, args: &[&str], input: &str) -> Ran {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    runtime.block_on(ran(python, script, args, input))
}

/// Lets Mastodon.py walk through a server of the calling test. `told` is what the script has to know of the server, as JSON.
///
/// # Panics
/// When a call of the script fails, or it hangs.
pub async fn walk(python: &Path, origin: &str, token: &str, told: &serde_json::Value) {
    let script = root().join("tests/python/walk.py");
    let ran = ran(python, &script, &[origin, token], &told.to_string()).await;
    let told = ran.succeeded().stdout;
    assert!(told.contains("all is well"), "{told}");
    println!("{told}");
}

async fn ran(python: &Path, script: &Path, args: &[&str], input: &str) -> Ran {
    let mut child = Command::new(python)
        .arg(script)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap_or_else(|error| panic!("python does not start: {error}"));
    let stdin = child.stdin.take();
    let told = async {
        if let Some(mut stdin) = stdin {
            // A script that ends early closes its input, so a write error here is expected; its output has the reason.
            let _ = stdin.write_all(input.as_bytes()).await;
        }
    };
    let ended = async { tokio::join!(told, child.wait_with_output()).1 };
    let ran = timeout(HANGS, ended).await;
    let ran = ran.unwrap_or_else(|_| panic!("{} hangs", script.display()));
    Ran::of(&ran.unwrap_or_else(|error| panic!("python does not end: {error}")))
}
