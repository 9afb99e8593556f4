//! Loading of a [`Catalogue`] from its folder: every problem is reported in one run, nothing panics and nothing is
//! written.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::de::DeserializeOwned;

use crate::diagnostic::{Diagnostic, Report};
use crate::map::HashSet;
use crate::model::{Features, File, Implementations};
use crate::source::tree::YamlNode;
use crate::source::{FileId, Sources};

mod de;
mod decode;
mod explain;
mod files;
mod item;
mod objects;
mod scalar;
mod scan;
mod syntax;
mod text;

use de::Omitted;
#[cfg(test)]
pub(crate) use de::decoded;

/// A catalogue as it was read.
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
    /// The features: the catalogue's own, and those of the folders of programs and of overlays that have any.
    pub features: Vec<FeatureFile>,
    /// The ids that `api.json` has, the catalogue as it was generated last: what an item can have been renamed from. Read
    /// where an item says so.
    pub former: Option<HashSet<String>>,
}

impl Catalogue {
    /// The registry that a program or source stands in, by the file that it names.
    pub fn registry(&self, named: Option<FileId>) -> FileId {
        named.unwrap_or(self.implementations_file)
    }
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
    /// A folder of `programs/`, whose facts are those of one program.
    Program,
    /// A folder of a user's own.
    Overlay,
}

/// A file of a layer.
#[derive(Debug, Clone)]
pub struct LayerFile {
    /// Where it stands.
    pub file: FileId,
    /// Its content.
    pub content: File,
}

/// A file of features.
#[derive(Debug, Clone)]
pub struct FeatureFile {
    /// Where it stands.
    pub file: FileId,
    /// Its content.
    pub content: Features,
}

/// A catalogue that is not sound: its problems, and the texts to show them in.
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

/// A catalogue as far as it could be read, and the problems with the rest.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The readable part. A bad key is left out of its item; the item stays.
    pub catalogue: Catalogue,
    /// The problems.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether everything that has a name was kept. Else a reference to nothing may be only a consequence.
    pub whole: bool,
}

/// Lists the YAML files of a catalogue, relative to its folder and sorted: the registry, the features, those of both layers, and those of the programs'
/// folders. A layer that is not there has none.
pub fn files(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = vec![PathBuf::from(files::REGISTRY)];
    files.extend(Some(PathBuf::from(files::FEATURES)).filter(|path| dir.join(path).is_file()));
    let mut folders = vec![PathBuf::from(files::DOCUMENTS), PathBuf::from(files::SUPPLEMENT)];
    folders.extend(entries(dir, Path::new(files::PROGRAMS))?);
    for folder in folders {
        let inside = entries(dir, &folder)?.into_iter();
        files.extend(inside.filter(|path| path.extension().is_some_and(|end| end == "yaml")));
    }
    files.sort();
    Ok(files)
}

fn entries(dir: &Path, folder: &Path) -> io::Result<Vec<PathBuf>> {
    let path = dir.join(folder);
    if !path.is_dir() {
        return Ok(Vec::new());
    }
    fs::read_dir(path)?.map(|entry| Ok(folder.join(entry?.file_name()))).collect()
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
    let mut loaded = Loaded::new(Sources::new(dir));
    loaded.read(dir);
    for overlay in overlays {
        loaded.overlay(overlay);
    }
    loaded
}

/// Decodes a value again, as another type than the model's. An error says what is wrong with it, and where.
pub(crate) fn value<T: DeserializeOwned>(
    sources: &Sources,
    file: FileId,
    path: &[&str],
) -> Result<T, Box<Diagnostic>> {
    let missing = || Box::new(Diagnostic::at("missing-key", file, 0..0, "there is no value"));
    let root = sources.root(file).ok_or_else(missing)?;
    let node = sources.node(file, path).ok_or_else(missing)?;
    let omitted = Omitted::default();
    T::deserialize(de::Reader::new(node, &omitted)).map_err(|error| {
        let way = root.way_to(error.node.unwrap_or(node.number));
        Box::new(explain::explain(&error.kind, file, sources.text(file), &way))
    })
}

/// The tree of a text, or what makes it no YAML of a catalogue.
pub(crate) fn tree(file: FileId, text: &str) -> Result<YamlNode, Vec<Diagnostic>> {
    let scan::Scan { root, diagnostics, .. } = scan::scan(file, text, "");
    root.filter(|_| diagnostics.is_empty()).ok_or(diagnostics)
}

/// Reads one text as a file of a layer, without a folder.
///
/// The diagnostics refer to the only file of the sources.
pub fn parse(path: &str, text: &str) -> (Sources, Option<File>, Vec<Diagnostic>) {
    files::parse(path, text)
}
