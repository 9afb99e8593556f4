//! A catalogue read from YAML: whole folders, and overlays on the embedded one.

use std::path::{Path, PathBuf};

use fedispec_model::api::Layer;
use fedispec_reader::model::Origin;
use fedispec_reader::{open_published, open_with};
use fedispec_since::profile::Profiles;

use super::{Error, Opened, is_whole};

/// Reads the folders; where none of them is a whole catalogue, they lie over the embedded one.
pub(super) fn open(folders: &[PathBuf], layer: Layer) -> Result<Opened, Error> {
    let (whole, overlays) = divide(folders)?;
    let opened = match whole {
        Some(folder) => open_with(folder, &overlays, layer),
        None => open_published(embedded()?, &overlays, layer),
    };
    let (catalogue, api) = opened.map_err(|failure| Error::of(&failure))?;
    let programs = catalogue.implementations.programs.into_iter();
    let own = programs.filter(|(_, program)| program.origin != Origin::Overlay);
    let own_programs = own.map(|(key, _)| key).collect();
    let embedded = serde_json::from_str::<Recognized>(fedispec_catalogue::API_JSON);
    let teaches = embedded.is_ok_and(|embedded| embedded.profiles != api.profiles);
    Ok(Opened { api, own_programs, teaches })
}

/// How the embedded catalogue recognizes programs.
#[derive(serde::Deserialize)]
struct Recognized {
    profiles: Profiles,
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
