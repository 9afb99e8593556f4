//! Opening a catalogue: its folder is read, merged, checked and resolved in one call.

use std::path::Path;

use fedispec_model::api::{Api, Layer};

use crate::causes::{Causes, SECTIONS};
use crate::diagnostic::Diagnostic;
use crate::source::FileId;
use crate::source::tree::YamlNode;
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
    if is_lost(catalogue.implementations_file) {
        // Of no program is anything known.
        problems.clear();
    } else if read.iter().any(|one| is_lost(one.file) && !sources.is_of_a_program(one.file)) {
        // A program's folder may add to an item of the file that could not be read.
        let supplement =
            || sources.files().filter(|file| sources.path(*file).starts_with("supplement/"));
        problems.retain(|problem| {
            let keys = sources.keys_at(problem.file, &problem.span);
            let item = keys.get(..2).filter(|_| sources.is_of_a_program(problem.file));
            item.is_none_or(|item| supplement().any(|file| sources.node(file, item).is_some()))
        });
    }
    // The file that could not be read may register the program or the release.
    let registers = |file: FileId| sources.path(file).ends_with("implementations.yaml");
    let read_in_part = |one: &Diagnostic| is_lost(one.file) || one.code == "unknown-key";
    // The head of a section or of an item has lost what belongs to it.
    let is_beheaded = |one: &Diagnostic| {
        let keys = sources.keys_at(one.file, &one.span);
        keys.len() == 2 && sources.node(one.file, &keys).is_some_and(YamlNode::is_null)
    };
    let registry = read.iter().any(|one| registers(one.file) && read_in_part(one));
    let partly = registry || read.iter().any(is_beheaded);
    if registry {
        problems.retain(|one| !matches!(one.code, "unknown-program" | "misread-version"));
    }
    let is_double = |problem: &&Diagnostic| problem.code == "duplicate-key";
    // Of two keys the first one is read.
    let first_keys = |problem: &Diagnostic| match problem.related.first() {
        Some(first) => sources.keys_at(first.file, &first.span),
        None => sources.keys_at(problem.file, &problem.span),
    };
    // Items in the other one of two lists, or below an empty head, seem to be gone.
    let holds_others = |problem: &Diagnostic| {
        let keys = first_keys(problem);
        keys.len() < 3
            || keys.last().is_some_and(|key| *key == "members" || SECTIONS.contains(key))
            || sources.node(problem.file, &keys).is_some_and(YamlNode::is_null)
    };
    // Under another id an item seems to be missing.
    let is_misnamed = |problem: &Diagnostic| {
        MISNAMED.contains(&problem.code)
            || is_double(&problem) && holds_others(problem)
            || ["malformed-version", "unknown-program", "unquoted-version"].contains(&problem.code)
                && sources.path(problem.file).ends_with("implementations.yaml")
    };
    let holds_items = |problem: &Diagnostic| {
        let keys = sources.keys_at(problem.file, &problem.span);
        let node = sources.node(problem.file, &keys).filter(|_| problem.code == "unknown-key");
        let is_section = |node: &YamlNode| node.children().any(|(_, item)| item.map().is_some());
        // A key beside an empty section has lost its indentation.
        let around = keys.split_last().and_then(|(_, around)| sources.node(problem.file, around));
        let is_moved = || around.is_some_and(|node| node.children().any(|(_, one)| one.is_null()));
        node.is_some_and(|node| {
            keys.len() == 1 || node.map().is_some() && (is_section(node) || is_moved())
        })
    };
    let is_whole = whole && !read.iter().any(holds_items);
    if !is_whole || partly || read.iter().chain(&problems).any(is_misnamed) {
        problems.retain(|problem| is_misnamed(problem) || !may_follow(problem));
    }
    // Of a fact that stands twice nobody knows which one holds.
    let item = |keys: Vec<_>| keys.get(..2).map(<[_]>::to_vec);
    let doubled = read.iter().filter(is_double).filter_map(|one| item(first_keys(one)));
    let doubled: Vec<_> = doubled.collect();
    problems.retain(|one| {
        let of_it = item(sources.keys_at(one.file, &one.span));
        !may_follow(one) || of_it.is_none_or(|item| !doubled.contains(&item))
    });
    let found = diagnostic::Report::new(read.into_iter().chain(problems).collect());
    let report = Causes::new(&catalogue.sources, found.diagnostics()).told();
    Err(Box::new(load::Failure { sources: catalogue.sources, report }))
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
fn may_follow(problem: &Diagnostic) -> bool {
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
