//! Messages to cargo: warnings, errors, and the files to watch.

use std::path::Path;

use super::Error;

/// Lines for cargo, printed at the end and only where cargo listens.
#[derive(Debug, Default)]
pub(super) struct Messages(Vec<String>);

impl Messages {
    pub(super) fn rerun_if_changed(&mut self, path: &Path) {
        self.0.push(format!("cargo::rerun-if-changed={}", path.display()));
    }

    #[cfg(feature = "lock")]
    pub(super) fn rerun_if_env_changed(&mut self, name: &str) {
        self.0.push(format!("cargo::rerun-if-env-changed={name}"));
    }

    pub(super) fn warning(&mut self, text: &str) {
        self.lines("warning", text);
    }

    /// cargo takes one line at a time.
    fn lines(&mut self, kind: &str, text: &str) {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        self.0.extend(lines.map(|line| format!("cargo::{kind}={line}")));
    }

    /// Prints everything, an error as the last.
    pub(super) fn finish(mut self, done: Result<(), Error>) -> Result<(), Error> {
        if std::env::var_os("OUT_DIR").is_none() {
            return done;
        }
        if let Err(error) = &done {
            self.lines("error", error.text());
        }
        for line in &self.0 {
            println!("{line}");
        }
        done.map_err(Error::told)
    }

    /// The lines, without a place that differs from run to run.
    #[cfg(test)]
    pub(super) fn lines_without(&self, place: &str) -> Vec<String> {
        self.0.iter().map(|line| line.replace(place, "")).collect()
    }
}
