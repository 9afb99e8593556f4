//! Opening a catalogue: its folder is read, merged, checked and resolved in one call.

use std::path::Path;

use fedispec_model::api::{Api, Layer};

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
    resolved: Result<Api, Vec<diagnostic::Diagnostic>>,
) -> Result<(load::Catalogue, Api), Box<load::Failure>> {
    let load::Loaded { catalogue, mut diagnostics, whole } = loaded;
    match resolved {
        Ok(api) if diagnostics.is_empty() => return Ok((catalogue, api)),
        Ok(_) => {}
        Err(problems) => {
            // Under another id an item seems to be missing.
            let is_misnamed = |code| matches!(code, "malformed-id" | "duplicate-id");
            let all = diagnostics.iter().chain(&problems);
            let whole = whole && !all.into_iter().any(|problem| is_misnamed(problem.code));
            diagnostics
                .extend(problems.into_iter().filter(|problem| whole || !may_follow(problem)));
        }
    }
    Err(Box::new(load::Failure {
        sources: catalogue.sources,
        report: diagnostic::Report::new(diagnostics),
    }))
}

/// Whether a problem may only be there because something could not be read.
fn may_follow(problem: &diagnostic::Diagnostic) -> bool {
    let missing = [
        "unknown-reference",
        "unknown-program",
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
        "wrong-stub",
    ];
    missing.contains(&problem.code)
}
