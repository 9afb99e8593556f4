//! Which catalogue.

use std::path::{Path, PathBuf};

use super::Error;
use super::messages::Messages;
use fedispec_model::api::{Api, Layer};
use fedispec_model::resolved;
use fedispec_reader::{open_published, open_with};

/// The parts of a whole catalogue.
const PARTS: [&str; 3] = ["implementations.yaml", "documents", "supplement"];

/// A catalogue, and the programs in it that no overlay has added.
pub(super) struct Opened {
    pub(super) api: Api,
    pub(super) own_programs: Vec<String>,
}

/// The embedded catalogue, or that of folders. The embedded JSON is read in a fraction of the time that the layers take, so
/// that these are read only where something is laid over them.
pub(super) fn open(folders: &[PathBuf], layer: Layer) -> Result<Opened, Error> {
    if folders.is_empty() && layer == Layer::Full {
        let api = resolved::from_json(fedispec_catalogue::API_JSON)
            .map_err(|error| Error::new(format!("the embedded catalogue: {error}")))?;
        let own_programs = api.programs.iter().map(|p| p.key.clone()).collect();
        return Ok(Opened { api, own_programs });
    }
    let (whole, overlays) = divide(folders)?;
    let opened = match whole {
        Some(folder) => open_with(folder, &overlays, layer),
        None => open_published(embedded()?, fedispec_catalogue::OUTLINE, &overlays, layer),
    };
    let (catalogue, api) = opened.map_err(|failure| Error::of(&failure))?;
    let programs = catalogue.implementations.programs.into_iter();
    let own = programs.filter(|(_, program)| !program.from_overlay);
    Ok(Opened {
        api,
        own_programs: own.map(|(key, _)| key).collect(),
    })
}

/// The whole catalogue, unless it is the embedded one, and what lies over it.
fn divide(folders: &[PathBuf]) -> Result<(Option<&Path>, Vec<&Path>), Error> {
    let folders = folders.iter().map(PathBuf::as_path);
    let (whole, overlays): (Vec<&Path>, Vec<&Path>) = folders.partition(|folder| is_whole(folder));
    match whole.as_slice() {
        [] => Ok((None, overlays)),
        [one] => Ok((Some(one), overlays)),
        [one, two, ..] => Err(Error::new(format!(
            "both `{}` and `{}` are whole catalogues: keep one; an overlay has its files beside each other, and no \
             folder `documents` or `supplement`",
            one.display(),
            two.display()
        ))),
    }
}

fn embedded() -> Result<&'static Path, Error> {
    let folder = Path::new(fedispec_catalogue::FOLDER);
    if is_whole(folder) {
        return Ok(folder);
    }
    Err(Error::new(format!(
        "the sources of the crate fedispec-catalogue are not in {} any more: run `cargo clean -p fedispec-catalogue`, \
         or name a whole catalogue with `.catalogue(..)`",
        folder.display()
    )))
}

fn is_whole(folder: &Path) -> bool {
    folder.join("implementations.yaml").is_file()
        && ["documents", "supplement"]
            .iter()
            .any(|layer| folder.join(layer).is_dir())
}

/// Exactly what is read: a folder's list of files and the files themselves.
pub(super) fn watch(folders: &[PathBuf], layer: Layer, messages: &mut Messages) {
    let (whole, overlays): (Vec<&PathBuf>, Vec<&PathBuf>) =
        folders.iter().partition(|folder| is_whole(folder));
    let whole = whole.into_iter().map(PathBuf::as_path);
    let reads_embedded = (!overlays.is_empty() || layer != Layer::Full) && whole.len() == 0;
    let embedded = reads_embedded.then(|| Path::new(fedispec_catalogue::FOLDER));
    for folder in whole.chain(embedded) {
        for part in PARTS.map(|part| folder.join(part)) {
            if part.exists() {
                messages.rerun_if_changed(&part);
            }
        }
    }
    for overlay in overlays {
        messages.rerun_if_changed(overlay);
    }
}
