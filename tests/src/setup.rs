//! What `tests/setup` makes for the tests.

use std::path::PathBuf;
use std::process::Command;

use crate::root;

/// Makes it where it is not there yet; the path that is printed, or why there is none.
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
