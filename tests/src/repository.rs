//! Scratch repositories with a small catalogue.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::catalogue::{tree, write};
use crate::commands::{self, Ran};
use crate::root;

/// A git repository with a small catalogue in `spec/` and a Cargo.toml of version 0.1.0, committed.
#[derive(Debug)]
pub struct Repository {
    folder: TempDir,
    top: PathBuf,
}

impl Repository {
    /// Makes one.
    ///
    /// # Panics
    /// When it cannot be made.
    pub fn new() -> Self {
        let repository = Self::unborn();
        repository.commit("base");
        repository
    }

    /// A repository without a commit. Its path has a space.
    ///
    /// # Panics
    /// When it cannot be made.
    pub fn unborn() -> Self {
        let folder =
            tempfile::tempdir().unwrap_or_else(|error| panic!("no scratch folder: {error}"));
        let top = folder.path().join("a checkout");
        let repository = Self { folder, top };
        for (path, bytes) in tree(&root().join("codegen/report/tests/diff/base")) {
            write(&repository.spec().join(path), &bytes);
        }
        repository.version("0.1.0");
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository
    }

    /// The checkout.
    pub fn path(&self) -> &Path {
        &self.top
    }

    /// The folder around the checkout.
    pub fn around(&self) -> &Path {
        self.folder.path()
    }

    /// The catalogue's folder.
    pub fn spec(&self) -> PathBuf {
        self.top.join("spec")
    }

    /// Sets the crate's version.
    pub fn version(&self, version: &str) {
        let manifest = format!("[workspace.package]\nversion = \"{version}\"\n");
        write(&self.top.join("Cargo.toml"), manifest.as_bytes());
    }

    /// Runs git in the checkout.
    ///
    /// # Panics
    /// When it fails.
    pub fn git(&self, args: &[&str]) {
        let told = commands::finish(git(&self.top).args(args));
        assert_eq!(told.code, Some(0), "git {args:?}: {}", told.stderr);
    }

    /// Commits everything.
    pub fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", message]);
    }

    /// Replaces a text in a file of the catalogue.
    ///
    /// # Panics
    /// When the text is not there: the test would change nothing.
    pub fn edit(&self, file: &str, from: &str, to: &str) {
        let path = self.spec().join(file);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(text.contains(from), "{file} has no `{from}`");
        write(&path, text.replacen(from, to, 1).as_bytes());
    }

    /// `cargo xtask diff` about its catalogue, ready to be started.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = commands::command(["diff", "--spec"]);
        command.arg(self.spec()).args(args).current_dir(&self.top);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("GITHUB_") {
                command.env_remove(name);
            }
        }
        command
    }

    /// Runs `cargo xtask diff` about its catalogue.
    pub fn diff(&self, args: &[&str]) -> Ran {
        commands::finish(&mut self.command(args))
    }
}

impl Default for Repository {
    fn default() -> Self {
        Self::new()
    }
}

/// git in a folder, independent of the user's configuration.
pub fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    command.args([
        "-c",
        "user.name=keeper",
        "-c",
        "user.email=keeper@localhost",
        "-c",
        "protocol.file.allow=always",
    ]);
    command
}
