//! A test that lacks a tool says that it skips, on the terminal even where the test runner captures output.

use std::io::Write as _;

/// Names what `.ci/run` tried to install and could not: the only thing that a test may lack in CI.
const WITHOUT: &str = "FEDISPEC_WITHOUT";

/// Says that the test is skipped and why, `missing` being what it needs.
///
/// # Panics
/// In CI, unless the gate has said that the machine cannot have it.
pub fn skipped_without(missing: &str, test: &str, why: &str) {
    if std::env::var(WITHOUT).is_ok_and(|without| without == missing) {
        let _ = writeln!(std::io::stderr(), "skipped {test}: {why}");
    } else {
        skipped(test, why);
    }
}

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
