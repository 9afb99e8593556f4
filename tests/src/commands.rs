//! The keeper's commands as a test runs them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use crate::root;

/// The output and the exit code of a command.
#[derive(Debug)]
pub struct Ran {
    /// The exit code; none after a signal.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Ran {
    /// Takes the output of a finished process.
    pub fn of(output: &Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Fails the test unless the command succeeded.
    ///
    /// # Panics
    /// Where it failed; the message holds all of its output.
    #[allow(clippy::return_self_not_must_use, reason = "often success is all that matters")]
    pub fn succeeded(self) -> Self {
        assert_eq!(self.code, Some(0), "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }
}

/// The commands that link the generated crate: `cargo xtask` starts the binary `fedispec` for them.
pub const LIVE: [&str; 6] = ["has", "identify", "probe", "record", "serve", "verify"];

/// The program under test: `fedispec` in the tests of its crate, elsewhere the one behind `cargo xtask`.
///
/// cargo names it to the tests of the crate that has it. Building it from another crate's tests would compile the
/// generator once more, with the features that it has alone.
///
/// # Panics
/// When it does not build.
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let ours = ["CARGO_BIN_EXE_xtask", "CARGO_BIN_EXE_fedispec"];
        if let Some(program) = ours.into_iter().find_map(std::env::var_os) {
            return program.into();
        }
        let built = cargo()
            .args(["build", "--quiet", "--package", "xtask", "--message-format=json"])
            .output()
            .unwrap_or_else(|error| panic!("cargo does not start: {error}"));
        assert!(
            built.status.success(),
            "xtask does not build: {}",
            String::from_utf8_lossy(&built.stderr)
        );
        String::from_utf8_lossy(&built.stdout)
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
            .find_map(|message| message["executable"].as_str().map(PathBuf::from))
            .unwrap_or_else(|| panic!("cargo names no program"))
    })
}

/// cargo, in the project's root.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // The variables that the test runner sets for this crate would make cargo rebuild everything.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("CARGO_PKG_") {
            command.env_remove(name);
        }
    }
    command.env_remove("CARGO_MANIFEST_DIR").env_remove("CARGO_MANIFEST_PATH").current_dir(root());
    command
}

/// The program under test with those arguments, in the project's root, ready to be started.
pub fn command<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(program());
    command.current_dir(root()).env("CARGO_MANIFEST_DIR", root().join("xtask")).args(args);
    command
}

/// Runs the program under test with those arguments.
///
/// # Panics
/// When it does not start.
pub fn run<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Ran {
    finish(&mut command(args))
}

/// Runs a command to its end.
///
/// # Panics
/// When it does not start.
pub fn finish(command: &mut Command) -> Ran {
    Ran::of(&command.output().unwrap_or_else(|error| panic!("{command:?} does not start: {error}")))
}
