//! The problems that are found while a catalogue is merged, checked and resolved, and where.

use std::borrow::Cow;
use std::ops::Range;

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Sources};

/// A node of a file: the keys that lead to it from the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place<'a> {
    /// The file.
    pub(crate) file: FileId,
    /// The keys.
    pub(crate) path: Vec<Cow<'a, str>>,
}

impl<'a> Place<'a> {
    /// The root of a file.
    pub(crate) fn root(file: FileId) -> Self {
        Self {
            file,
            path: Vec::new(),
        }
    }

    /// The node under that key.
    pub(crate) fn then(&self, key: impl Into<Cow<'a, str>>) -> Self {
        let mut path = Vec::with_capacity(self.path.len() + 1);
        path.extend_from_slice(&self.path);
        path.push(key.into());
        Self {
            file: self.file,
            path,
        }
    }

    /// The node under those keys.
    pub(crate) fn under(&self, keys: &[&'a str]) -> Self {
        let mut path = self.path.clone();
        path.extend(keys.iter().map(|key| Cow::Borrowed(*key)));
        Self {
            file: self.file,
            path,
        }
    }
}

impl Place<'_> {
    /// The keys.
    pub(crate) fn keys(&self) -> Vec<&str> {
        self.path.iter().map(AsRef::as_ref).collect()
    }
}

/// What has been found so far.
#[derive(Debug)]
pub(crate) struct Problems<'c> {
    sources: &'c Sources,
    found: Vec<Diagnostic>,
}

impl<'c> Problems<'c> {
    /// Nothing yet.
    pub(crate) fn new(sources: &'c Sources) -> Self {
        Self {
            sources,
            found: Vec::new(),
        }
    }

    /// The texts.
    pub(crate) fn sources(&self) -> &'c Sources {
        self.sources
    }

    /// Adds a problem.
    pub(crate) fn push(&mut self, problem: Diagnostic) {
        self.found.push(problem);
    }

    /// All of them.
    pub(crate) fn into_found(self) -> Vec<Diagnostic> {
        self.found
    }

    /// A problem with a node as such: its key is underlined.
    pub(crate) fn key(
        &self,
        code: &'static str,
        place: &Place<'_>,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::at(code, place.file, self.key_span(place), message)
    }

    /// A problem with what a node says: its value is underlined.
    pub(crate) fn value(
        &self,
        code: &'static str,
        place: &Place<'_>,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::at(code, place.file, self.value_span(place), message)
    }

    /// Whether a node as such has that problem already.
    pub(crate) fn has(&self, code: &str, place: &Place<'_>) -> bool {
        self.found.iter().any(|one| {
            one.code == code && one.file == Some(place.file) && one.span == self.key_span(place)
        })
    }

    /// Where the key of a node stands.
    pub(crate) fn key_span(&self, place: &Place<'_>) -> Range<usize> {
        self.sources.nearest(place.file, &place.keys()).name()
    }

    /// Where the value of a node stands.
    pub(crate) fn value_span(&self, place: &Place<'_>) -> Range<usize> {
        self.sources.nearest(place.file, &place.keys()).value
    }

    /// Whether there is such a node.
    pub(crate) fn stands(&self, place: &Place<'_>) -> bool {
        self.sources.span(place.file, &place.keys()).is_some()
    }

    /// The line of a node's key, from 1.
    pub(crate) fn line(&self, place: &Place<'_>) -> u32 {
        let (line, _) = self
            .sources
            .line_col(place.file, self.key_span(place).start);
        u32::try_from(line).unwrap_or(u32::MAX)
    }
}
