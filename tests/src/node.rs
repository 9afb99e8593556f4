//! The packages of npm that the tests pin.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::{setup, skip};

/// The folder of the installed packages, made on first use. Prints the reason and returns `None` where that fails.
pub fn packages(test: &str) -> Option<&'static Path> {
    static FOLDER: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    match FOLDER.get_or_init(|| setup::path("node")) {
        Ok(folder) => Some(folder),
        Err(why) => {
            skip::skipped(test, why);
            None
        }
    }
}
