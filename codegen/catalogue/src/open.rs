//! Opening a catalogue: its folder is read, merged, checked and resolved in one call.

use std::path::Path;

use fedispec_model::api::{Api, Layer};

use crate::causes::{Causes, Unread};
use crate::diagnostic::{Diagnostic, Report};
use crate::{load, resolve};

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
    let load::Catalogue { sources, implementations_file: registry, .. } = catalogue;
    Unread { sources: &sources, registry, read: &read, whole }.drop_what_follows(&mut problems);
    let found = Report::new(read.into_iter().chain(problems).collect());
    let report = Causes::new(&sources, found.diagnostics()).told();
    Err(Box::new(load::Failure { sources, report }))
}
