//! What could not be read, and what seems to be missing or wrong for that reason alone.

use super::SECTIONS;
use crate::diagnostic::Diagnostic;
use crate::source::tree::YamlNode;
use crate::source::{FileId, Sources};

/// The problems of reading, by which parts of the catalogue are not known.
pub(crate) struct Unread<'c> {
    pub(crate) sources: &'c Sources,
    pub(crate) registry: FileId,
    pub(crate) read: &'c [Diagnostic],
    /// Whether all files could be opened.
    pub(crate) whole: bool,
}

impl Unread<'_> {
    /// Drops the problems of meaning that may only be there because something could not be read.
    pub(crate) fn drop_what_follows(&self, problems: &mut Vec<Diagnostic>) {
        if !self.whole {
            problems.retain(|problem| problem.code != "unknown-group");
        }
        let mut lost = self.read.iter().map(|one| one.file).filter(|file| self.is_lost(*file));
        if self.is_lost(self.registry) {
            // Of no program is anything known.
            problems.clear();
        } else if lost.any(|file| !self.sources.is_of_a_program(file)) {
            problems.retain(|problem| self.is_of_a_known_item(problem));
        }
        // The file that could not be read may register the program or the release.
        let registry = self.read.iter().any(|one| {
            self.registers(one.file) && (self.is_lost(one.file) || one.code == "unknown-key")
        });
        if registry {
            problems.retain(|one| !matches!(one.code, "unknown-program" | "misread-version"));
        }
        let all = || self.read.iter().chain(&*problems);
        if !self.whole
            || registry
            || self.read.iter().any(|one| self.is_beheaded(one) || self.holds_items(one))
            || all().any(|one| self.is_misnamed(one))
        {
            problems.retain(|problem| self.is_misnamed(problem) || !may_follow(problem));
        }
    }

    fn is_lost(&self, file: FileId) -> bool {
        self.sources.root(file).is_none() && self.read.iter().any(|one| one.file == file)
    }

    /// A program's folder may add to an item of the file that could not be read.
    fn is_of_a_known_item(&self, problem: &Diagnostic) -> bool {
        let sources = self.sources;
        let keys = sources.keys_at(problem.file, &problem.span);
        let item = keys.get(..2).filter(|_| sources.is_of_a_program(problem.file));
        let is_supplement = |file: &FileId| sources.path(*file).starts_with("supplement/");
        let mut supplement = sources.files().filter(is_supplement);
        item.is_none_or(|item| supplement.any(|file| sources.node(file, item).is_some()))
    }

    fn registers(&self, file: FileId) -> bool {
        self.sources.path(file).ends_with("implementations.yaml")
    }

    /// The head of a section or of an item has lost what belongs to it.
    fn is_beheaded(&self, problem: &Diagnostic) -> bool {
        let keys = self.sources.keys_at(problem.file, &problem.span);
        keys.len() == 2 && self.sources.node(problem.file, &keys).is_some_and(YamlNode::is_null)
    }

    /// Under another id an item seems to be missing.
    fn is_misnamed(&self, problem: &Diagnostic) -> bool {
        MISNAMED.contains(&problem.code)
            || problem.code == "duplicate-key" && self.hides_others(problem)
            || ["malformed-version", "unknown-program", "unquoted-version"].contains(&problem.code)
                && self.registers(problem.file)
    }

    /// Items in the other one of two lists, or below an empty head, seem to be gone.
    fn hides_others(&self, double: &Diagnostic) -> bool {
        let keys = first_keys(self.sources, double);
        keys.len() < 3
            || keys.last().is_some_and(|key| *key == "members" || SECTIONS.contains(key))
            || self.sources.node(double.file, &keys).is_some_and(YamlNode::is_null)
    }

    /// Whether items stand under a key that nobody reads.
    fn holds_items(&self, problem: &Diagnostic) -> bool {
        let sources = self.sources;
        let keys = sources.keys_at(problem.file, &problem.span);
        let node = sources.node(problem.file, &keys).filter(|_| problem.code == "unknown-key");
        let is_section = |node: &YamlNode| node.children().any(|(_, item)| item.map().is_some());
        // A key beside an empty section has lost its indentation.
        let around = keys.split_last().and_then(|(_, around)| sources.node(problem.file, around));
        let is_moved = || around.is_some_and(|node| node.children().any(|(_, one)| one.is_null()));
        node.is_some_and(|node| {
            keys.len() == 1 || node.map().is_some() && (is_section(node) || is_moved())
        })
    }
}

/// The keys that lead to the first of two, which is read.
pub(super) fn first_keys<'c>(sources: &'c Sources, double: &Diagnostic) -> Vec<&'c str> {
    match double.related.first() {
        Some(first) => sources.keys_at(first.file, &first.span),
        None => sources.keys_at(double.file, &double.span),
    }
}

/// The codes of problems by which an item has another name than it seems to have, or none.
const MISNAMED: [&str; 9] = [
    "error-status",
    "lost-item",
    "malformed-id",
    "malformed-name",
    "missing-parent",
    "duplicate-id",
    "unknown-group",
    "unknown-object",
    "tombstoned-id",
];

/// Whether a problem may only be there because something could not be read.
pub(super) fn may_follow(problem: &Diagnostic) -> bool {
    let missing = [
        "unknown-reference",
        "unknown-program",
        "out-of-order",
        "losing-value",
        "broken-chain",
        "missing-fact",
        "missing-since",
        "unknown-item",
        "missing-evidence",
        "older-than-container",
        "unproven-presence",
        "needless-dispute",
        "stale-dispute",
        "undeclared-contradiction",
        "path-parameter",
        "needless-reason",
        "unknown-release",
        "unknown-value",
        "unreleased-version",
        "answer-never-there",
        "evidence-too-old",
        "paging-without-cursor",
        "empty-body",
        "unused-group",
        "wrong-absent-means",
        "wrong-default",
        "wrong-events",
        "wrong-stub",
        "wrong-place",
        "wrong-type",
        "same-rust-name",
        "stated-twice",
        "wrong-arguments",
    ];
    missing.contains(&problem.code)
}
