//! The folders of the project and of the catalogue.
//!
//! A command that names its catalogue works outside a checkout.

use std::env;
use std::path::{Path, PathBuf};

use fedispec_model::api;
use fedispec_reader::load;

use crate::failure::Failure;

/// The catalogue's folder.
pub(crate) struct Place {
    /// The path to open.
    pub(crate) spec: PathBuf,
    /// The path as displayed.
    pub(crate) spec_name: String,
}

impl Place {
    pub(crate) fn find(spec: Option<&Path>) -> Result<Self, Failure> {
        Ok(match spec {
            Some(spec) => Self { spec: spec.to_owned(), spec_name: spec.display().to_string() },
            None => Self { spec: default_spec(&root()?), spec_name: "spec".to_owned() },
        })
    }

    /// Loads, checks and resolves the catalogue.
    pub(crate) fn open(&self, layer: api::Layer) -> Result<(load::Catalogue, api::Api), Failure> {
        fedispec_reader::open(&self.spec, layer).map_err(Failure::Invalid)
    }
}

/// The project's root: the parent of the folder that cargo sets, or else the nearest ancestor that contains `xtask/`.
pub(crate) fn root() -> Result<PathBuf, Failure> {
    let package = env::var_os("CARGO_MANIFEST_DIR");
    if let Some(root) = package.as_deref().and_then(|package| Path::new(package).parent()) {
        return Ok(root.to_owned());
    }
    let here = env::current_dir()
        .map_err(|error| Failure::Other(format!("cannot find the working directory: {error}")))?;
    let root = here.ancestors().find(|folder| folder.join("xtask/Cargo.toml").is_file());
    root.map(Path::to_owned).ok_or_else(|| {
        Failure::Other(
            "this is not a checkout of Fedispec; run `cargo xtask` in one, or name a catalogue with --spec DIR".to_owned(),
        )
    })
}

/// The catalogue's folder, relative where possible, since messages display it.
fn default_spec(root: &Path) -> PathBuf {
    match env::current_dir() {
        Ok(here) if here == root => PathBuf::from("spec"),
        _ => root.join("spec"),
    }
}
