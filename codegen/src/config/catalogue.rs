//! The catalogue that a build script generates from.

use std::path::{Path, PathBuf};

use super::Error;
use super::messages::Messages;
use fedispec_model::api::{Api, Layer};
use fedispec_model::resolved;

#[cfg(feature = "overlay")]
mod layers;

/// The parts of a whole catalogue.
const PARTS: [&str; 5] =
    ["implementations.yaml", "features.yaml", "documents", "supplement", "programs"];

/// A catalogue, and the programs in it that no overlay has added.
pub(super) struct Opened {
    pub(super) api: Api,
    pub(super) own_programs: Vec<String>,
    /// It knows programs otherwise than the embedded catalogue, which the runtime was made of.
    pub(super) teaches: bool,
}

/// The embedded catalogue, or that of folders. The embedded JSON is read in a fraction of the time that the layers take, so
/// that these are read only where something is laid over them.
pub(super) fn open(folders: &[PathBuf], layer: Layer) -> Result<Opened, Error> {
    if folders.is_empty() && layer == Layer::Full {
        let api = resolved::from_json(fedispec_catalogue::API_JSON)
            .map_err(|error| Error::new(format!("the embedded catalogue: {error}")))?;
        let own_programs = api.programs.iter().map(|p| p.key.clone()).collect();
        return Ok(Opened { api, own_programs, teaches: false });
    }
    layers::open(folders, layer)
}

/// Without the reader of YAML.
#[cfg(not(feature = "overlay"))]
mod layers {
    use std::path::PathBuf;

    use fedispec_model::api::Layer;

    use super::{Error, Opened};

    pub(super) fn open(folders: &[PathBuf], _: Layer) -> Result<Opened, Error> {
        let setting =
            if folders.is_empty() { ".layer(Layer::Documents)" } else { ".catalogue(..)" };
        Err(Error::needs(setting, "overlay", "reads YAML"))
    }
}

fn is_whole(folder: &Path) -> bool {
    folder.join("implementations.yaml").is_file()
        && ["documents", "supplement"].iter().any(|layer| folder.join(layer).is_dir())
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
