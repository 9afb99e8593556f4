//! Diagnostics: a problem of the catalogue, its place, and how to correct it.

use std::ops::Range;

use crate::map::HashSet;
use crate::source::{FileId, Sources};

mod render;

/// One problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind: `unknown-key`.
    pub code: &'static str,
    /// The file; an empty path stands for the folder.
    pub file: FileId,
    /// The bytes of the file that are underlined.
    pub span: Range<usize>,
    /// The problem, in a sentence without a full stop.
    pub message: String,
    /// The text beside the underline.
    pub label: Option<String>,
    /// The mend.
    pub help: Option<String>,
    /// Other places that belong to it.
    pub related: Vec<Related>,
    /// The keys that an unknown one means, or that are missing in what is underlined.
    pub(crate) meant: Vec<&'static str>,
}

/// Another place that belongs to a [`Diagnostic`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// Its file.
    pub file: FileId,
    /// The bytes that are underlined there.
    pub span: Range<usize>,
    /// How it relates to the problem.
    pub label: String,
}

impl Diagnostic {
    /// A problem at a place.
    pub fn at(
        code: &'static str,
        file: FileId,
        span: Range<usize>,
        message: impl Into<String>,
    ) -> Self {
        let message = message.into();
        Self {
            code,
            file,
            span,
            message,
            label: None,
            help: None,
            related: Vec::new(),
            meant: Vec::new(),
        }
    }

    /// With a word beside the underline.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// With the mend.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// With another place that belongs to it.
    #[must_use]
    pub fn related(mut self, file: FileId, span: Range<usize>, label: impl Into<String>) -> Self {
        self.related.push(Related { file, span, label: label.into() });
        self
    }

    /// The problem in one line: ``spec/documents/oauth.yaml:12:5: unknown key `foo` (remove it)``.
    pub fn short(&self, sources: &Sources) -> String {
        render::short(self, sources)
    }
}

/// The most problems that are drawn.
const SHOWN: usize = 1000;

/// All problems of a catalogue, sorted by file and position, none twice.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    diagnostics: Vec<Diagnostic>,
}

impl Report {
    /// Sorts what was found.
    pub fn new(mut diagnostics: Vec<Diagnostic>) -> Self {
        fn order(one: &Diagnostic) -> impl Ord + use<'_> {
            (one.file, one.span.start, one.span.end, one.code, &one.message)
        }
        diagnostics.sort_by(|a, b| order(a).cmp(&order(b)));
        diagnostics.dedup();
        Self { diagnostics }
    }

    /// The problems in order.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// All of it as text for people, with a count at the end: `12 problems in 3 files`. Beyond a thousand the rest is
    /// only counted.
    ///
    /// Nothing when there is no problem.
    pub fn render(&self, sources: &Sources, color: bool) -> String {
        if self.is_empty() {
            return String::new();
        }
        let mut text = String::new();
        for diagnostic in self.diagnostics.iter().take(SHOWN) {
            text += &render::long(diagnostic, sources, color);
            text += "\n\n";
        }
        if let Some(more) = self.diagnostics.len().checked_sub(SHOWN).filter(|more| *more > 0) {
            text += &more.to_string();
            text += " more are not shown\n\n";
        }
        text += &self.count();
        text.push('\n');
        text
    }

    /// `12 problems in 3 files`
    fn count(&self) -> String {
        let problems = self.diagnostics.len();
        let files = self.diagnostics.iter().map(|one| one.file).collect::<HashSet<_>>().len();
        let plural = |count| if count == 1 { "" } else { "s" };
        format!("{problems} problem{} in {files} file{}", plural(problems), plural(files))
    }
}
