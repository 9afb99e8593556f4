//! Where the catalogue is: in a folder, or built into the program.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use fedispec_model::{api, resolved};
use fedispec_reader::load;

use crate::failure::Failure;

/// The catalogue's folder in a checkout.
const NAME: &str = "spec";

/// The folder of a catalogue.
pub struct Place {
    /// The path to open.
    pub spec: PathBuf,
    /// The path as displayed.
    pub spec_name: String,
}

/// A catalogue that is built into the program.
#[derive(Clone, Copy)]
pub struct BuiltIn {
    /// Its resolved form, as JSON.
    pub resolved: &'static str,
    /// Its YAML: paths relative to its folder, and texts.
    pub files: &'static [(&'static str, &'static str)],
}

/// The catalogue that a command reads.
pub enum Source {
    /// The catalogue of a folder.
    Folder(Place),
    /// The catalogue that is built into the program.
    BuiltIn(BuiltIn),
}

impl Source {
    /// Loads, checks and resolves the catalogue.
    pub(crate) fn open(&self, layer: api::Layer) -> Result<(load::Catalogue, api::Api), Failure> {
        match self {
            Self::Folder(place) => place.open(layer),
            Self::BuiltIn(built_in) => built_in.open(layer),
        }
    }

    /// The resolved API alone.
    pub(crate) fn api(&self, layer: api::Layer) -> Result<api::Api, Failure> {
        match self {
            Self::BuiltIn(built_in) if layer == api::Layer::Full => {
                resolved::from_json(built_in.resolved).map_err(Failure::other)
            }
            _ => Ok(self.open(layer)?.1),
        }
    }

    /// The catalogue's folder as displayed.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Folder(place) => &place.spec_name,
            Self::BuiltIn(_) => NAME,
        }
    }

    /// The folder, for what is only in a checkout.
    pub(crate) fn place(self) -> Result<Place, Failure> {
        match self {
            Self::Folder(place) => Ok(place),
            Self::BuiltIn(_) => Place::find(None),
        }
    }
}

impl BuiltIn {
    /// Lays the YAML out in a temporary folder, since the reader reads folders, and opens it.
    fn open(&self, layer: api::Layer) -> Result<(load::Catalogue, api::Api), Failure> {
        let failed = |error| {
            Failure::Other(format!("cannot unpack the catalogue that is built in: {error}"))
        };
        let folder = tempfile::tempdir().map_err(failed)?;
        for (path, text) in self.files {
            let path = folder.path().join(path);
            path.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
            fs::write(path, text).map_err(failed)?;
        }
        let (mut catalogue, api) =
            fedispec_reader::open(folder.path(), layer).map_err(Failure::Invalid)?;
        catalogue.sources.call(NAME);
        Ok((catalogue, api))
    }
}

impl Place {
    /// The folder that is named, or that of the checkout around the working directory.
    pub fn find(spec: Option<&Path>) -> Result<Self, Failure> {
        Ok(match spec {
            Some(spec) => Self { spec: spec.to_owned(), spec_name: spec.display().to_string() },
            None => Self { spec: default_spec(&root()?), spec_name: NAME.to_owned() },
        })
    }

    /// Loads, checks and resolves the catalogue.
    pub fn open(&self, layer: api::Layer) -> Result<(load::Catalogue, api::Api), Failure> {
        fedispec_reader::open(&self.spec, layer).map_err(Failure::Invalid)
    }
}

/// The project's root: the nearest folder with `xtask/` above the package that cargo runs, or above the working directory.
pub fn root() -> Result<PathBuf, Failure> {
    let here = env::current_dir()
        .map_err(|error| Failure::Other(format!("cannot find the working directory: {error}")))?;
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let above = package.iter().chain([&here]).flat_map(|folder| folder.ancestors());
    let root = above.into_iter().find(|folder| folder.join("xtask/Cargo.toml").is_file());
    root.map(Path::to_owned).ok_or_else(|| {
        Failure::Other(
            "this is not a checkout of Fedispec; run the command in one, or name a catalogue with --spec DIR".to_owned(),
        )
    })
}

/// The catalogue's folder, relative where possible, since messages display it.
fn default_spec(root: &Path) -> PathBuf {
    match env::current_dir() {
        Ok(here) if here == root => PathBuf::from(NAME),
        _ => root.join(NAME),
    }
}
