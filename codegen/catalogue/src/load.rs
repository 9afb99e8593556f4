//! From a folder to a [`Catalogue`]: every problem in one run, never a panic, never a write.

use std::path::Path;

use crate::diagnostic::{Diagnostic, Report};
use crate::model::{File, Implementations};
use crate::source::{FileId, Sources};

mod decode;
mod explain;
mod files;
mod item;
mod outline;
mod scan;
mod syntax;
mod text;
mod tree;

use files::Reader;
pub(crate) use outline::Outlines;

/// What was read of a catalogue.
#[derive(Debug, Clone)]
pub struct Catalogue {
    /// The texts and positions.
    pub sources: Sources,
    /// The programs and sources of facts.
    pub implementations: Implementations,
    /// Where they stand.
    pub implementations_file: FileId,
    /// The layers, each lying over those before it.
    pub layers: Vec<Layer>,
}

/// A layer: a folder of files.
#[derive(Debug, Clone)]
pub struct Layer {
    /// Which.
    pub kind: LayerKind,
    /// Its files in the order of their names.
    pub files: Vec<LayerFile>,
}

/// Which layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LayerKind {
    /// `documents/`
    Documents,
    /// `supplement/`
    Supplement,
    /// A folder of a user's own.
    Overlay,
}

/// A file of a layer.
#[derive(Debug, Clone)]
pub struct LayerFile {
    /// Where it stands.
    pub file: FileId,
    /// What it says.
    pub content: File,
}

/// A catalogue that is not sound: what is wrong, and the texts to show it in.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The texts.
    pub sources: Sources,
    /// The problems.
    pub report: Report,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.report.render(&self.sources, false))
    }
}

impl std::error::Error for Failure {}

/// What could be read, and what was wrong with the rest.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// What could be read. A bad key is left out of its item; the item stays.
    pub catalogue: Catalogue,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// Nothing that has a name was lost. Where something was, a reference to nothing may be only a consequence.
    pub whole: bool,
}

/// Reads the catalogue of a folder.
pub fn load(dir: &Path) -> Result<Catalogue, Box<Failure>> {
    load_with(dir, &[])
}

/// Reads the catalogue of a folder, with further layers on top.
///
/// An overlay is a folder of layer files; an `implementations.yaml` in it adds programs and sources.
pub fn load_with(dir: &Path, overlays: &[&Path]) -> Result<Catalogue, Box<Failure>> {
    let loaded = load_all(dir, overlays);
    if loaded.diagnostics.is_empty() {
        Ok(loaded.catalogue)
    } else {
        Err(Box::new(Failure {
            sources: loaded.catalogue.sources,
            report: Report::new(loaded.diagnostics),
        }))
    }
}

/// Reads what can be read, so that later checks can run on it too.
pub fn load_all(dir: &Path, overlays: &[&Path]) -> Loaded {
    load_outlined(dir, overlays, Outlines::default())
}

/// The text of `spec/outline.txt`: where everything stands in the files of a sound catalogue, so that who has that need
/// not parse them.
pub fn outline(catalogue: &Catalogue) -> String {
    outline::write(catalogue)
}

/// The same as [`load_all`]; what has an outline is not parsed.
pub(crate) fn load_outlined(dir: &Path, overlays: &[&Path], outlines: Outlines<'_>) -> Loaded {
    let mut reader = Reader::new(dir, outlines);
    let (implementations_file, mut implementations, mut layers) = reader.catalogue(dir);
    for overlay in overlays {
        layers.push(reader.overlay(overlay, &mut implementations));
    }
    reader.finish(implementations_file, implementations, layers)
}

/// Reads one text as a file of a layer, without a folder.
///
/// The diagnostics refer to the only file of the sources.
pub fn parse(path: &str, text: &str) -> (Sources, Option<File>, Vec<Diagnostic>) {
    files::parse(path, text)
}
