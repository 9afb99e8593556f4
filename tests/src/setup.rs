//! Runs `tests/setup`, which installs what the tests need.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::{root, skip};

/// A value that was made, or why it could not be made.
pub(crate) type Made = OnceLock<Result<PathBuf, String>>;

/// The path of something that is made on first use. Prints the reason and returns `None` where that fails.
pub(crate) fn tool(made: &'static Made, what: &str, test: &str) -> Option<&'static Path> {
    match made.get_or_init(|| path(what)) {
        Ok(path) => Some(path),
        Err(why) => {
            skip::skipped(test, why);
            None
        }
    }
}

/// Installs it unless it is there already. Returns the path that the script prints, or the reason why it failed.
fn path(what: &str) -> Result<PathBuf, String> {
    let made = Command::new("bash")
        .arg(root().join("tests/setup"))
        .arg(what)
        .output()
        .map_err(|error| format!("bash does not start: {error}"))?;
    if made.status.success() {
        Ok(PathBuf::from(String::from_utf8_lossy(&made.stdout).trim()))
    } else {
        let why = String::from_utf8_lossy(&made.stderr);
        Err(format!("tests/setup {what} failed: {}", why.trim()))
    }
}
