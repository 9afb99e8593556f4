//! Where the project and the catalogue are.
//!
//! Only what stands in a checkout needs one: a catalogue that is named is found anywhere.

use std::env;
use std::path::{Path, PathBuf};

use fedispec_model::api;
use fedispec_reader::load;

use crate::failure::Failure;

/// The catalogue's folder.
pub(crate) struct Place {
    /// As it is opened.
    pub(crate) spec: PathBuf,
    /// As it is shown.
    pub(crate) spec_name: String,
}

impl Place {
    pub(crate) fn find(spec: Option<&Path>) -> Result<Self, Failure> {
        Ok(match spec {
            Some(spec) => Self {
                spec: spec.to_owned(),
                spec_name: spec.display().to_string(),
            },
            None => Self {
                spec: default_spec(&root()?),
                spec_name: "spec".to_owned(),
            },
        })
    }

    /// Loads, checks and resolves the catalogue.
    pub(crate) fn open(&self, layer: api::Layer) -> Result<(load::Catalogue, api::Api), Failure> {
        fedispec_reader::open(&self.spec, layer).map_err(Failure::Invalid)
    }
}

/// The project's root: cargo names this package's folder; without cargo, the nearest folder above that holds one.
pub(crate) fn root() -> Result<PathBuf, Failure> {
    let package = env::var_os("CARGO_MANIFEST_DIR");
    if let Some(root) = package
        .as_deref()
        .and_then(|package| Path::new(package).parent())
    {
        return Ok(root.to_owned());
    }
    let here = env::current_dir()
        .map_err(|error| Failure::Other(format!("cannot tell the working directory: {error}")))?;
    let root = here
        .ancestors()
        .find(|folder| folder.join("xtask/Cargo.toml").is_file());
    root.map(Path::to_owned).ok_or_else(|| {
        Failure::Other(
            "this is not a checkout of Fedispec; run it there as `cargo xtask`".to_owned(),
        )
    })
}

/// A short name where that leads to the same folder: it is what messages show.
fn default_spec(root: &Path) -> PathBuf {
    match env::current_dir() {
        Ok(here) if here == root => PathBuf::from("spec"),
        _ => root.join("spec"),
    }
}
