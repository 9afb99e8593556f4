//! Scratch copies of the catalogue, and trees of files to compare.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use fedispec_model::api::Api;
use fedispec_model::resolved;
use tempfile::TempDir;

use crate::root;

/// The files below a folder, by relative path.
pub type Tree = BTreeMap<String, Vec<u8>>;

/// The catalogue, with all programs.
///
/// # Panics
/// When the embedded text is none.
pub fn whole() -> Api {
    let api = resolved::from_json(fedispec_catalogue::API_JSON);
    api.unwrap_or_else(|error| panic!("the catalogue: {error}"))
}

/// The part of the catalogue that the generated types are made from: without the programs that have a folder of their own.
///
/// # Panics
/// When the embedded text is none.
pub fn typed() -> Api {
    whole().typed()
}

/// A copy of the catalogue and a folder for its generated files.
#[derive(Debug)]
pub struct Scratch {
    folder: TempDir,
}

impl Scratch {
    /// A copy of the project's catalogue.
    ///
    /// # Panics
    /// When it cannot be made.
    pub fn new() -> Self {
        Self::of(&root().join("spec"))
    }

    /// The same, with what `gen` made of it: the files of the repository.
    ///
    /// # Panics
    /// When it cannot be made.
    pub fn generated() -> Self {
        let scratch = Self::new();
        for (from, to) in
            [("generated", scratch.out()), ("spec/schema", scratch.spec().join("schema"))]
        {
            for (path, bytes) in tree(&root().join(from)) {
                write(&to.join(path), &bytes);
            }
        }
        write(&scratch.spec().join("api.json"), fedispec_catalogue::API_JSON.as_bytes());
        scratch
    }

    /// A copy of the small catalogue that the generator's snapshots are made from.
    ///
    /// # Panics
    /// When it cannot be made.
    pub fn small() -> Self {
        Self::of(&root().join("codegen/tests/golden/spec"))
    }

    fn of(catalogue: &Path) -> Self {
        let folder =
            tempfile::tempdir().unwrap_or_else(|error| panic!("no scratch folder: {error}"));
        let scratch = Self { folder };
        for (path, bytes) in tree(catalogue) {
            if Path::new(&path).extension().is_some_and(|extension| extension == "yaml") {
                write(&scratch.spec().join(path), &bytes);
            }
        }
        scratch
    }

    /// The catalogue's folder.
    pub fn spec(&self) -> PathBuf {
        self.folder.path().join("spec")
    }

    /// Where the crate goes.
    pub fn out(&self) -> PathBuf {
        self.folder.path().join("generated")
    }

    /// The folder around both.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// `gen` with these folders, and more arguments.
    pub fn gen_args(&self, more: &[&str]) -> Vec<String> {
        let path = |path: PathBuf| path.display().to_string();
        let mut args = vec![
            "gen".to_owned(),
            "--spec".to_owned(),
            path(self.spec()),
            "--out".to_owned(),
            path(self.out()),
        ];
        args.extend(more.iter().map(|arg| (*arg).to_owned()));
        args
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
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

/// Writes a file and the folders above it.
///
/// # Panics
/// When that fails.
pub fn write(path: &Path, bytes: &[u8]) {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, bytes))
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Reads every file below a folder; empty where there is no folder.
///
/// # Panics
/// When one cannot be read.
pub fn tree(folder: &Path) -> Tree {
    let mut files = Tree::new();
    collect(folder, folder, &mut files);
    files
}

fn collect(top: &Path, folder: &Path, files: &mut Tree) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(top, &path, files);
        } else {
            let bytes =
                fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let name = path.strip_prefix(top).unwrap_or(&path).display().to_string();
            files.insert(name, bytes);
        }
    }
}
