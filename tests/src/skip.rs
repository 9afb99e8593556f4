//! Tests that need something that is not here say so, past the capture of the test runner.

use std::io::Write as _;

/// Says that the test is skipped and why.
///
/// # Panics
/// In CI, where nothing may skip.
pub fn skipped(test: &str, why: &str) {
    assert!(
        std::env::var_os("CI").is_none(),
        "{test} cannot run, and in CI nothing is skipped: {why}"
    );
    let _ = writeln!(std::io::stderr(), "skipped {test}: {why}");
}
