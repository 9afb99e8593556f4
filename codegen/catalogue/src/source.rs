//! The texts of a catalogue's files, and the positions of their nodes.
//!
//! A position is asked for by path: the keys from the root of the file, elements of a sequence as `0`, `1` ..

use std::ops::Range;
use std::path::Path;

pub(crate) mod folder;
pub(crate) mod tree;

use tree::{NOWHERE, YamlNode};

/// A file of a catalogue: an index into its [`Sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// Where a node stands, in bytes of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Its key; elements of a sequence and the root have none.
    pub key: Option<Range<usize>>,
    /// Its value; empty where nothing is written.
    pub value: Range<usize>,
}

impl Span {
    /// The key where there is one, else the value: what to underline when the node itself is meant.
    pub fn name(&self) -> Range<usize> {
        self.key.clone().unwrap_or_else(|| self.value.clone())
    }

    /// The value where one is written, else the key.
    pub fn content(&self) -> Range<usize> {
        if self.value.is_empty() { self.name() } else { self.value.clone() }
    }
}

/// The files of a catalogue, and the folders and files of it that could not be read.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    root: String,
    files: Vec<SourceFile>,
}

#[derive(Debug, Clone)]
struct SourceFile {
    path: String,
    /// Its path as a person would type it.
    shown: String,
    text: String,
    /// The byte at which each line starts.
    lines: Vec<u32>,
    /// The tree of its nodes; `None` where it could not be read.
    root: Option<YamlNode>,
}

impl SourceFile {
    fn is_outside(&self) -> bool {
        self.shown == self.path
    }
}

impl Sources {
    /// No files yet, of the folder that the user named so.
    pub fn new(root: &Path) -> Self {
        let root = root.to_string_lossy();
        let trimmed = root.trim_end_matches(['/', std::path::MAIN_SEPARATOR]);
        Self {
            root: if trimmed.is_empty() { root.into_owned() } else { trimmed.into() },
            files: Vec::new(),
        }
    }

    /// Adds a text under its path relative to the folder; an empty path is the folder itself.
    ///
    /// A text has fewer than 4 GiB.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<String>) -> FileId {
        let path = path.into();
        let shown = self.inside(&path);
        self.push(path, shown, text.into())
    }

    fn inside(&self, path: &str) -> String {
        match path {
            "" => self.root.clone(),
            path if self.root.ends_with('/') => format!("{}{path}", self.root),
            path => format!("{}/{path}", self.root),
        }
    }

    /// Shows the folder under another name than where it was read, such as a temporary one. What stands outside keeps its path.
    pub fn call(&mut self, root: &str) {
        root.clone_into(&mut self.root);
        for at in 0..self.files.len() {
            if !self.files[at].is_outside() {
                self.files[at].shown = self.inside(&self.files[at].path);
            }
        }
    }

    /// Adds a text that stands outside the folder, under its whole path.
    pub fn add_outside(&mut self, path: impl Into<String>, text: impl Into<String>) -> FileId {
        let path = path.into();
        self.push(path.clone(), path, text.into())
    }

    fn push(&mut self, path: String, shown: String, text: String) -> FileId {
        let ends = text.match_indices('\n');
        let starts = ends.map(|(at, _)| u32::try_from(at + 1).unwrap_or(u32::MAX));
        let lines = std::iter::once(0).chain(starts).collect();
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(SourceFile { path, shown, text, lines, root: None });
        id
    }

    /// Stores the tree of a file.
    pub(crate) fn set_root(&mut self, file: FileId, root: Option<YamlNode>) {
        if let Some(file) = self.files.get_mut(file.0 as usize) {
            file.root = root;
        }
    }

    /// Returns the tree of a file.
    pub(crate) fn root(&self, file: FileId) -> Option<&YamlNode> {
        self.get(file)?.root.as_ref()
    }

    /// Finds the node under a path.
    pub(crate) fn node(&self, file: FileId, path: &[&str]) -> Option<&YamlNode> {
        path.iter().try_fold(self.root(file)?, |node, key| node.child(key))
    }

    fn get(&self, file: FileId) -> Option<&SourceFile> {
        self.files.get(file.0 as usize)
    }

    /// All files, in the order in which they were read.
    pub fn files(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..u32::try_from(self.files.len()).unwrap_or(u32::MAX)).map(FileId)
    }

    /// Every fact that a file states: the keys that lead to it, the value on one line, and the line from 1. A list is one fact.
    pub fn facts(&self, file: FileId) -> Vec<(Vec<&str>, String, usize)> {
        let mut leaves = Vec::new();
        if let Some(root) = self.root(file) {
            root.leaves(&[], &mut leaves);
        }
        let line = |node: &YamlNode| self.line_col(file, node.span.name().start).0;
        leaves.into_iter().map(|(keys, node)| (keys, node.one_line(), line(node))).collect()
    }

    /// The path relative to the catalogue's folder: `documents/accounts.yaml`.
    pub fn path(&self, file: FileId) -> &str {
        self.get(file).map_or("", |file| &file.path)
    }

    /// The folder of a program that a file stands in, by its name; empty for the catalogue's own layers. `None` where the file stands outside
    /// the catalogue's folder, as overlays do.
    pub(crate) fn program_folder(&self, file: FileId) -> Option<&str> {
        let file = self.get(file).filter(|file| !file.is_outside())?;
        let inside = file.path.strip_prefix("programs/").unwrap_or_default();
        inside.split('/').next()
    }

    /// Whether a file stands in the folder of a program.
    pub(crate) fn is_of_a_program(&self, file: FileId) -> bool {
        self.program_folder(file).is_some_and(|folder| !folder.is_empty())
    }

    /// The path with the folder as the user gave it: `spec/documents/accounts.yaml`.
    pub fn display_path(&self, file: FileId) -> &str {
        self.get(file).map_or("", |file| &file.shown)
    }

    /// The text; empty for what could not be read.
    pub fn text(&self, file: FileId) -> &str {
        self.get(file).map_or("", |file| &file.text)
    }

    /// Where the node with that path stands.
    pub fn span(&self, file: FileId, path: &[&str]) -> Option<Span> {
        self.node(file, path).map(|node| node.span.clone())
    }

    /// The keys that lead to the node that a place names, or to the innermost one around it.
    pub(crate) fn keys_at(&self, file: FileId, place: &Range<usize>) -> Vec<&str> {
        let mut keys = Vec::new();
        let mut around = self.root(file);
        while let Some(node) = around.filter(|node| node.span.name() != *place) {
            let holds = |child: &&(Option<&str>, &YamlNode)| {
                let Span { key, value } = &child.1.span;
                let start = key.as_ref().map_or(value.start, |key| key.start);
                start <= place.start && place.end <= value.end
            };
            let child = node.children().find(|child| holds(&child));
            around = child.map(|(key, child)| {
                keys.push(key.unwrap_or_default());
                child
            });
        }
        keys
    }

    /// Where the node stands, or else the nearest node around it that exists.
    pub fn nearest(&self, file: FileId, path: &[&str]) -> Span {
        let Some(mut node) = self.root(file) else {
            return NOWHERE;
        };
        for key in path {
            match node.child(key) {
                Some(child) => node = child,
                None => break,
            }
        }
        node.span.clone()
    }

    /// Line and column of a byte, both from 1, the column in characters.
    pub fn line_col(&self, file: FileId, byte: usize) -> (usize, usize) {
        let Some(source) = self.get(file) else {
            return (1, 1);
        };
        let byte = floor_char_boundary(&source.text, byte);
        let line = source.lines.partition_point(|start| *start as usize <= byte).max(1);
        let start = source.lines[line - 1] as usize;
        (line, source.text[start..byte].chars().count() + 1)
    }

    /// The bytes of the line that a byte stands in, without its end.
    pub(crate) fn line_around(&self, file: FileId, byte: usize) -> Range<usize> {
        let Some(source) = self.get(file) else {
            return 0..0;
        };
        let line = source.lines.partition_point(|start| *start as usize <= byte).max(1);
        let start = source.lines[line - 1] as usize;
        let end = source.lines.get(line).map_or(source.text.len(), |next| *next as usize);
        let text = source.text[start..end].trim_end_matches(['\n', '\r']);
        start..start + text.len()
    }
}

/// The nearest start of a character at or before a byte.
pub(crate) fn floor_char_boundary(text: &str, byte: usize) -> usize {
    let mut at = byte.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_end_at_crlf() {
        let mut sources = Sources::new(Path::new("spec/"));
        let file = sources.add("documents/a.yaml", "a: b\r\nß日x: \ty\n");
        let at = |needle| sources.line_col(file, sources.text(file).find(needle).unwrap());
        assert_eq!(at("a"), (1, 1));
        assert_eq!(at("日"), (2, 2));
        assert_eq!(at("x"), (2, 3));
        assert_eq!(at("y"), (2, 7));
        assert_eq!(sources.line_col(file, 1000), (3, 1));
        assert_eq!(&sources.text(file)[sources.line_around(file, 2)], "a: b");
        assert_eq!(sources.display_path(file), "spec/documents/a.yaml");
    }

    #[test]
    fn the_folder_is_shown_as_given() {
        let shown = |root: &str, path: &str| {
            let mut sources = Sources::new(Path::new(root));
            let file = sources.add(path, "");
            sources.display_path(file).to_owned()
        };
        assert_eq!(shown("/", "documents"), "/documents");
        assert_eq!(shown(".", "documents"), "./documents");
        assert_eq!(shown("spec//", ""), "spec");
    }
}
