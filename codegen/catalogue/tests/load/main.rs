//! Every kind of problem that loading finds, with its exact message and place.
//!
//! `spec` stands in the reports for the folder of the test.

#[path = "../cpu_time/mod.rs"]
mod cpu_time;
mod files;
mod layout;
mod model;
mod mutation;
mod overlay;
mod sample;
mod yaml;

use std::fs;
use std::path::Path;

use fedispec_reader::diagnostic::Report;
use fedispec_reader::load::{Loaded, load_all};

/// A registry that says nothing.
const REGISTRY: &str = "programs: {}\nsources: {}\n";

/// A catalogue in a folder of its own, which goes when this goes.
struct Folder(tempfile::TempDir);

impl Folder {
    /// An empty folder.
    fn empty() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    /// A registry and these files.
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self::empty().file("implementations.yaml", REGISTRY);
        files.iter().fold(folder, |folder, (path, text)| folder.file(path, text))
    }

    fn file(self, path: &str, bytes: impl AsRef<[u8]>) -> Self {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, bytes).expect("a file");
        self
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn load(&self) -> Loaded {
        load_all(self.path(), &[])
    }

    /// The report, with `spec` in the place of the folder.
    fn report(&self) -> String {
        render(&self.load()).replace(&self.path().display().to_string(), "spec")
    }
}

fn render(loaded: &Loaded) -> String {
    Report::new(loaded.diagnostics.clone()).render(&loaded.catalogue.sources, false)
}

/// The report on a catalogue with that text as its only file, `documents/a.yaml`.
fn report_of(text: &str) -> String {
    Folder::new(&[("documents/a.yaml", text)]).report()
}
