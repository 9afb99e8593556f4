//! Runs `tests/setup`, which installs what the tests need.

use std::path::PathBuf;
use std::process::Command;

use crate::root;

/// Installs it unless it is there already. Returns the path that the script prints, or the reason why it failed.
pub(crate) fn path(what: &str) -> Result<PathBuf, String> {
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
