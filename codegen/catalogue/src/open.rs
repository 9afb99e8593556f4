//! Opening a catalogue: its folder is read, merged, checked and resolved in one call.

use std::path::Path;

use fedispec_model::api::{Api, Layer};

use crate::diagnostic::Diagnostic;
use crate::map::HashMap;
use crate::model::Mistake;
use crate::source::tree::YamlNode;
use crate::source::{FileId, Sources};
use crate::{diagnostic, load, resolve};

/// Loads, checks and resolves the catalogue of a folder; every problem of every kind is reported at once.
pub fn open(folder: &Path, layer: Layer) -> Result<(load::Catalogue, Api), Box<load::Failure>> {
    open_with(folder, &[], layer)
}

/// The same with overlays on top, each lying over those before it.
pub fn open_with(
    folder: &Path,
    overlays: &[&Path],
    layer: Layer,
) -> Result<(load::Catalogue, Api), Box<load::Failure>> {
    let loaded = load::load_all(folder, overlays);
    let resolved = resolve::resolve(&loaded.catalogue, layer);
    settled(loaded, resolved)
}

/// Opens a catalogue that was checked when it was published: only the overlays are checked.
pub fn open_published(
    folder: &Path,
    overlays: &[&Path],
    layer: Layer,
) -> Result<(load::Catalogue, Api), Box<load::Failure>> {
    let loaded = load::load_all(folder, overlays);
    let resolved = resolve::resolve_over(&loaded.catalogue, layer);
    settled(loaded, resolved)
}

/// Opens a catalogue whatever its checks say, for what was valid once: checks get stricter. Nothing where a file cannot be
/// read, because what is missing from it would seem to be gone.
pub fn open_leniently(folder: &Path, layer: Layer) -> Option<(load::Catalogue, Api)> {
    let loaded = load::load_all(folder, &[]);
    let api = resolve::resolve_leniently(&loaded.catalogue, layer);
    (loaded.whole && loaded.diagnostics.is_empty()).then_some((loaded.catalogue, api))
}

/// A catalogue with its resolved API, or every problem with it.
fn settled(
    loaded: load::Loaded,
    resolved: Result<Api, Vec<Diagnostic>>,
) -> Result<(load::Catalogue, Api), Box<load::Failure>> {
    let load::Loaded { catalogue, diagnostics: read, whole } = loaded;
    let mut problems = match resolved {
        Ok(api) if read.is_empty() => return Ok((catalogue, api)),
        resolved => resolved.err().unwrap_or_default(),
    };
    if !whole {
        problems.retain(|problem| problem.code != "unknown-group");
    }
    let sources = &catalogue.sources;
    let is_lost =
        |file: FileId| sources.root(file).is_none() && read.iter().any(|one| one.file == file);
    let of_a_program = |file| sources.program_folder(file).is_some_and(|folder| !folder.is_empty());
    if is_lost(catalogue.implementations_file) {
        // Of no program is anything known.
        problems.clear();
    } else if read.iter().any(|one| is_lost(one.file) && !of_a_program(one.file)) {
        // What the folder of a program says may lie over what could not be read.
        let supplement =
            || sources.files().filter(|file| sources.path(*file).starts_with("supplement/"));
        problems.retain(|problem| {
            let keys = sources.keys_at(problem.file, &problem.span);
            let item = keys.get(..2).filter(|_| of_a_program(problem.file));
            item.is_none_or(|item| supplement().any(|file| sources.node(file, item).is_some()))
        });
    }
    // Under another id an item seems to be missing.
    let is_misnamed = |code| MISNAMED.contains(&code);
    let holds_items = |problem: &Diagnostic| {
        let keys = sources.keys_at(problem.file, &problem.span);
        let node = sources.node(problem.file, &keys).filter(|_| problem.code == "unknown-key");
        let is_section = |node: &YamlNode| node.children().any(|(_, item)| item.map().is_some());
        node.is_some_and(|node| keys.len() == 1 || node.map().is_some() && is_section(node))
    };
    let is_whole = whole && !read.iter().any(holds_items);
    if !is_whole || read.iter().chain(&problems).any(|problem| is_misnamed(problem.code)) {
        problems.retain(|problem| !may_follow(problem));
    }
    let found = diagnostic::Report::new(read.into_iter().chain(problems).collect());
    let report = Causes::new(&catalogue.sources, found.diagnostics()).told();
    Err(Box::new(load::Failure { sources: catalogue.sources, report }))
}

/// The sections of an item whose entries are items of their own.
const SECTIONS: [&str; 5] = ["params", "response", "errors", "fields", "values"];

/// The codes of problems by which an item has another name than it seems to have, or none.
const MISNAMED: [&str; 9] = [
    "lost-item",
    "malformed-id",
    "malformed-name",
    "missing-parent",
    "duplicate-id",
    "duplicate-key",
    "unknown-group",
    "unknown-object",
    "tombstoned-id",
];

/// The codes of problems that follow from one of another code in the same item or one around it, and the key under which that one stands.
const FOLLOWS: [(&str, &str); 20] = [
    ("missing-several", "several"),
    ("wrong-left-out", "changed"),
    ("wrong-absent-means", "changed"),
    ("wrong-arguments", "path"),
    ("path-parameter", "since"),
    ("wrong-stub", "since"),
    ("wrong-stub", "method"),
    ("wrong-stub", "returns"),
    ("contradictory-required", "alternatives"),
    ("contradictory-required", "in"),
    ("wrong-arguments", "alternatives"),
    ("wrong-left-out", "in"),
    ("wrong-left-out", "method"),
    ("out-of-order", "since"),
    ("older-than-container", "since"),
    ("older-than-container", "changed"),
    ("broken-chain", "changed"),
    ("broken-chain", "max"),
    ("wrong-bounds", "type"),
    ("wrong-format", "type"),
];

/// The problems that were found, as causes of each other.
struct Causes<'c> {
    sources: &'c Sources,
    /// In their order, by file and place.
    found: &'c [Diagnostic],
    /// The files and keys that lead to what has an unknown name, or stands where nobody reads it.
    unknown: Vec<(FileId, Vec<&'c str>)>,
}

impl<'c> Causes<'c> {
    fn new(sources: &'c Sources, found: &'c [Diagnostic]) -> Self {
        let unknown = found.iter().filter(|one| is_unknown(one));
        let unknown = unknown.map(|one| (one.file, sources.keys_at(one.file, &one.span))).collect();
        Self { sources, found, unknown }
    }

    /// The problems that no other one is the cause of.
    fn told(&self) -> diagnostic::Report {
        let mut told: Vec<_> =
            self.found.iter().filter(|one| !self.explain(one)).cloned().collect();
        // Where nothing would be told, as problems are each other's cause, all is.
        if told.is_empty() {
            told = self.found.to_vec();
        }
        diagnostic::Report::new(told_once(&told))
    }

    /// Whether another problem is the cause of one: it is about a part of the same text, the same word is told of already, what is missing
    /// has a name that is unknown, or a version is misread in a file that could not be read or where a fork has no base.
    fn explain(&self, problem: &Diagnostic) -> bool {
        let start = self.found.partition_point(|one| one.file < problem.file);
        let mut others = self.found[start..].iter().take_while(|one| one.file == problem.file);
        if problem.code == "misread-version" {
            let bases = ["unknown-program", "circular-base"];
            return others.any(|one| one.code != problem.code)
                || self.found.iter().any(|one| bases.contains(&one.code));
        }
        let keys = self.sources.keys_at(problem.file, &problem.span);
        let follows = FOLLOWS.iter().filter(|(code, _)| *code == problem.code);
        let causes: Vec<_> = follows.map(|(_, key)| *key).collect();
        // An item stands under a section and its id.
        let items = (2..=keys.len()).step_by(2).map(|depth| &keys[..depth]);
        let is_around = |one: &Diagnostic| {
            let there = self.sources.keys_at(one.file, &one.span);
            let mut inside = items.clone().filter_map(|item| there.strip_prefix(item)?.first());
            inside.any(|key| causes.contains(key))
        };
        let mut rest = others.clone().filter(|one| one.code != problem.code);
        if !causes.is_empty() && rest.any(is_around) {
            return true;
        }
        // One mend is enough for what is told at each place that it follows from.
        if matches!(problem.code, "unknown-group" | "wrong-stub" | "wrong-bounds") {
            let mut before = self.found.iter().take_while(|one| !std::ptr::eq(*one, problem));
            return before.any(|one| one.message == problem.message);
        }
        // A dispute that decides nothing makes no value lose.
        let decides = |one: &Diagnostic| one.code.ends_with("-dispute");
        if problem.code == "losing-value"
            && problem.related.iter().any(|now| {
                let dispute = self.sources.keys_at(now.file, &now.span);
                let mut of_file =
                    self.found.iter().filter(|one| one.file == now.file && decides(one));
                of_file.any(|one| self.sources.keys_at(one.file, &one.span).starts_with(&dispute))
            })
        {
            return true;
        }
        // What a mistake has made of the other place says nothing of this one.
        if matches!(problem.code, "broken-chain" | "path-parameter") && !problem.related.is_empty()
        {
            let mut now = problem.related.iter();
            if now.any(|now| {
                let mut there = self.found.iter().filter(|one| one.file == now.file);
                there.any(|one| now.span.contains(&one.span.start))
            }) {
                return true;
            }
        }
        let mut unknown = self.unknown.iter().filter(|(file, _)| *file == problem.file);
        let is_itself = is_unknown(problem);
        if unknown.any(|(_, one)| keys.starts_with(one) && (!is_itself || keys.len() > one.len())) {
            return true;
        }
        if problem.code == "wrong-condition"
            && let Some((_, around)) = keys.split_last()
            && self
                .unknown
                .iter()
                .any(|(file, one)| *file == problem.file && one.starts_with(around))
        {
            return true;
        }
        if problem.code.starts_with("missing-") || problem.code == "feature-without-items" {
            if keys.is_empty() {
                return false;
            }
            let is_cause = |(file, one): &(FileId, Vec<&str>)| {
                let inside = one.strip_prefix(keys.as_slice()).map(<[_]>::first);
                inside.is_some_and(|key| key.is_none_or(|key| !SECTIONS.contains(key)))
                    || *file == problem.file && one.first() == Some(&"defaults")
            };
            return self.unknown.iter().any(is_cause);
        }
        let (span, text) = (&problem.span, self.sources.text(problem.file));
        let is_word = text.get(span.clone()).is_some_and(|text| !text.starts_with(['[', '{']));
        let mut is_before = true;
        others.any(|one| {
            is_before &= !std::ptr::eq(one, problem);
            let is_same = one.span == *span;
            let is_inside = span.start <= one.span.start && one.span.end <= span.end && !is_same;
            let is_first = |one: &Diagnostic| one.code == Mistake::TYPE;
            let is_cause = is_first(one) && !is_first(problem)
                || is_before && is_first(one) == is_first(problem);
            is_inside || is_same && is_word && is_cause
        })
    }
}

/// The most places at which the same words are told, and the same mend: what is wrong at more of them has one cause, or is mended at all of
/// them at once.
const MOST_ALIKE: [usize; 2] = [3, 40];

/// Leaves the first of the problems that many places share, which says how many more there are. They are in their order.
fn told_once(told: &[Diagnostic]) -> Vec<Diagnostic> {
    type Words = fn(&Diagnostic) -> Option<&str>;
    // The mend of a version string that is misread names the program that takes it.
    let same: Words = |one| match one.code {
        "misread-version" => one.help.as_deref(),
        _ => Some(&one.message),
    };
    let words: [Words; 2] = [same, |one| one.help.as_deref()];
    let mut alike = words.map(|words| (words, HashMap::<_, usize>::default()));
    for one in told {
        for (words, counts) in &mut alike {
            *counts.entry((one.code, words(one))).or_default() += 1;
        }
    }
    let mut kept = Vec::new();
    for one in told {
        let mut counted = alike.iter_mut().zip(MOST_ALIKE);
        let count = counted.find_map(|((words, counts), most)| {
            let count = counts.get_mut(&(one.code, words(one)))?;
            (*count > most || *count == 0).then_some(count)
        });
        let mut one = one.clone();
        match count.map(std::mem::take) {
            Some(0) => continue,
            Some(all) => {
                one.message = format!("{} (and {} more places like it)", one.message, all - 1);
            }
            None => {}
        }
        kept.push(one);
    }
    kept
}

/// Whether nothing inside of it is read.
fn is_unknown(problem: &Diagnostic) -> bool {
    let codes = [
        "unknown-key",
        "unknown-object",
        "unknown-program",
        "wrong-folder",
        "malformed-id",
        Mistake::TYPE,
    ];
    codes.contains(&problem.code)
}

/// Whether a problem may only be there because something could not be read.
fn may_follow(problem: &Diagnostic) -> bool {
    let missing = [
        "unknown-reference",
        "unknown-program",
        "out-of-order",
        "losing-value",
        "missing-fact",
        "missing-evidence",
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
        "wrong-stub",
        "same-rust-name",
    ];
    missing.contains(&problem.code)
}
