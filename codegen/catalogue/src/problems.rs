//! The problems found while a catalogue is merged, resolved and checked, and the nodes that they are about.

use std::borrow::Cow;
use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Sources};
use fedispec_model::suggest::did_you_mean;

/// The path of a YAML node: its file, and the keys that lead to it from the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NodePath<'a> {
    /// The file.
    pub(crate) file: FileId,
    /// The keys.
    pub(crate) path: Vec<Cow<'a, str>>,
}

impl<'a> NodePath<'a> {
    /// Returns the root of a file.
    pub(crate) fn root(file: FileId) -> Self {
        Self { file, path: Vec::new() }
    }

    /// Returns the node under a key.
    pub(crate) fn then(&self, key: impl Into<Cow<'a, str>>) -> Self {
        let mut path = Vec::with_capacity(self.path.len() + 1);
        path.extend_from_slice(&self.path);
        path.push(key.into());
        Self { file: self.file, path }
    }

    /// Returns the node under several keys.
    pub(crate) fn under(&self, keys: &[&'a str]) -> Self {
        let mut path = self.path.clone();
        path.extend(keys.iter().map(|key| Cow::Borrowed(*key)));
        Self { file: self.file, path }
    }
}

impl NodePath<'_> {
    /// The keys.
    pub(crate) fn keys(&self) -> Vec<&str> {
        self.path.iter().map(AsRef::as_ref).collect()
    }
}

/// A problem with a key, or with a value.
pub(crate) type Report<'c> = for<'p> fn(
    &'p mut Problems<'c>,
    &'static str,
    &NodePath<'_>,
    String,
    String,
) -> &'p mut Problems<'c>;

/// The problems found so far, with the texts that they are about.
#[derive(Debug)]
pub(crate) struct Problems<'c> {
    sources: &'c Sources,
    found: Vec<Diagnostic>,
}

impl<'c> Problems<'c> {
    /// Starts without problems.
    pub(crate) fn new(sources: &'c Sources) -> Self {
        Self { sources, found: Vec::new() }
    }

    /// The texts.
    pub(crate) fn sources(&self) -> &'c Sources {
        self.sources
    }

    /// Adds a problem that was described elsewhere.
    pub(crate) fn push(&mut self, problem: Diagnostic) -> &mut Self {
        self.found.push(problem);
        self
    }

    /// Counts the problems found so far.
    pub(crate) fn count(&self) -> usize {
        self.found.len()
    }

    /// Takes away the problems found since so many of them.
    pub(crate) fn split_off(&mut self, count: usize) -> Vec<Diagnostic> {
        self.found.split_off(count)
    }

    /// Whether a problem with that message has been found.
    pub(crate) fn says(&self, message: &str) -> bool {
        self.found.iter().any(|one| one.message == message)
    }

    /// Returns all problems.
    pub(crate) fn into_found(self) -> Vec<Diagnostic> {
        self.found
    }

    /// Reports a problem with a node as such, whose key is underlined, and how to mend it.
    pub(crate) fn key(
        &mut self,
        code: &'static str,
        place: &NodePath<'_>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> &mut Self {
        let span = self.key_span(place);
        self.push(Diagnostic::at(code, place.file, span, message).help(help))
    }

    /// Reports a problem with the value of a node, which is underlined, and how to mend it.
    pub(crate) fn value(
        &mut self,
        code: &'static str,
        place: &NodePath<'_>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> &mut Self {
        let span = self.value_span(place);
        self.push(Diagnostic::at(code, place.file, span, message).help(help))
    }

    /// Reports a problem with a word under a key inside a node, which is underlined, or else the node, and how to mend it.
    pub(crate) fn word(
        &mut self,
        code: &'static str,
        place: &NodePath<'_>,
        (under, word): (&str, &str),
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> &mut Self {
        let node = self.sources.node(place.file, &place.keys());
        let span = node.and_then(|node| node.find(under, word));
        let span = span.unwrap_or_else(|| self.value_span(place));
        self.push(Diagnostic::at(code, place.file, span, message).help(help))
    }

    /// Reports a name that no program has.
    pub(crate) fn no_program<'k>(
        &mut self,
        named: &str,
        place: &NodePath<'_>,
        known: impl Iterator<Item = &'k str>,
    ) {
        let help = did_you_mean(named, known, "name a program that is registered");
        self.value("unknown-program", place, format!("there is no program `{named}`"), help);
    }

    /// Adds another node to the problem reported last; its key is underlined.
    pub(crate) fn with_key(&mut self, place: &NodePath<'_>, label: &str) {
        let span = self.key_span(place);
        self.extend_last(|last| last.related(place.file, span, label));
    }

    /// Adds another node to the problem reported last; its value is underlined.
    pub(crate) fn with_value(&mut self, place: &NodePath<'_>, label: &str) {
        let span = self.value_span(place);
        self.extend_last(|last| last.related(place.file, span, label));
    }

    /// Adds another place, in bytes of a file, to the problem reported last.
    pub(crate) fn with_span(&mut self, file: FileId, span: Range<usize>, label: &str) {
        self.extend_last(|last| last.related(file, span, label));
    }

    /// Adds a word beside the underline of the problem reported last.
    pub(crate) fn with_label(&mut self, label: &str) {
        self.extend_last(|last| last.label(label));
    }

    /// Adds the keys that are missing to the problem reported last.
    pub(crate) fn without(&mut self, missing: Vec<&'static str>) {
        self.extend_last(|last| Diagnostic { meant: missing, ..last });
    }

    fn extend_last(&mut self, add: impl FnOnce(Diagnostic) -> Diagnostic) {
        let last = self.found.pop();
        self.found.extend(last.map(add));
    }

    /// Whether a problem with that code has been found at the node's key or value.
    pub(crate) fn has(&self, code: &str, place: &NodePath<'_>) -> bool {
        let of_it = |one: &&Diagnostic| one.code == code && one.file == place.file;
        self.found
            .iter()
            .filter(of_it)
            .any(|one| one.span == self.key_span(place) || one.span == self.value_span(place))
    }

    /// Finds the bytes of a node's key.
    pub(crate) fn key_span(&self, place: &NodePath<'_>) -> Range<usize> {
        self.sources.nearest(place.file, &place.keys()).name()
    }

    /// Finds the bytes of a node's value.
    pub(crate) fn value_span(&self, place: &NodePath<'_>) -> Range<usize> {
        self.sources.nearest(place.file, &place.keys()).value
    }

    /// Whether the node exists.
    pub(crate) fn stands(&self, place: &NodePath<'_>) -> bool {
        self.sources.span(place.file, &place.keys()).is_some()
    }

    /// Whether a statement describes an item, as its first one does.
    pub(crate) fn describes(&self, place: &NodePath<'_>) -> bool {
        ["summary", "type", "method"].iter().any(|key| self.stands(&place.under(&[key])))
    }

    /// Finds the line of a node's key, from 1.
    pub(crate) fn line(&self, place: &NodePath<'_>) -> u32 {
        let (line, _) = self.sources.line_col(place.file, self.key_span(place).start);
        u32::try_from(line).unwrap_or(u32::MAX)
    }
}
