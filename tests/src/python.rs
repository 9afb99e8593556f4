//! Python, with the packages that the tests pin.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::commands::Ran;
use crate::{setup, skip};

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
