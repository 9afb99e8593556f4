//! Bindings of a crate's own, from its build script.

use std::env;
use std::path::{Path, PathBuf};

use crate::{emit, write};
use fedispec_model::api::Layer;

mod catalogue;
mod error;
#[cfg(feature = "lock")]
mod lock;
mod messages;
#[cfg(not(feature = "lock"))]
mod no_lock;
mod releases;
mod settings;

use catalogue::Opened;
pub use error::Error;
use messages::Messages;
#[cfg(not(feature = "lock"))]
use no_lock as lock;

/// What a build script wants generated. Without any setting: a client of every operation, for every release of every
/// program, as `fedispec.rs` in `OUT_DIR`.
///
/// A mistake in a setting is told by [`generate`](Self::generate), with what is allowed, and all of them at once.
#[derive(Debug, Clone)]
#[must_use = "nothing is generated before `generate`"]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Config {
    floors: Vec<(String, String)>,
    ceilings: Vec<(String, String)>,
    /// `None` where nothing was said, which is not the same as an empty list.
    groups: Option<Vec<String>>,
    operations: Option<Vec<String>>,
    client: bool,
    server: bool,
    guaranteed_only: bool,
    folders: Vec<PathBuf>,
    layer: Layer,
    out_dir: Option<PathBuf>,
    module: String,
    runtime: String,
    lock: Option<PathBuf>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            floors: Vec::new(),
            ceilings: Vec::new(),
            groups: None,
            operations: None,
            client: false,
            server: false,
            guaranteed_only: false,
            folders: Vec::new(),
            layer: Layer::Full,
            out_dir: None,
            module: "fedispec".into(),
            runtime: "fedispec_runtime".into(),
            lock: None,
        }
    }
}

impl Config {
    /// A client of everything.
    pub fn new() -> Self {
        Self::default()
    }

    /// The oldest release of a program to support: `.floor("mastodon", "4.2.0")`. A field that every supported release
    /// sends is plain; any other is an `Option`.
    ///
    /// As soon as a program is named here or in [`ceiling`](Self::ceiling), only programs that are named count. Where
    /// none is, all programs of the catalogue count from their first release (those that an overlay adds do not).
    pub fn floor(mut self, program: impl Into<String>, version: impl Into<String>) -> Self {
        self.floors.push((program.into(), version.into()));
        self
    }

    /// The newest release of a program to know. What no program that counts has in a release up to its ceiling is left
    /// out.
    pub fn ceiling(mut self, program: impl Into<String>, version: impl Into<String>) -> Self {
        self.ceilings.push((program.into(), version.into()));
        self
    }

    /// Only the operations of these groups (and of [`operations`](Self::operations)), with all that they need.
    pub fn groups<S: Into<String>>(mut self, groups: impl IntoIterator<Item = S>) -> Self {
        let groups = groups.into_iter().map(Into::into);
        self.groups.get_or_insert_default().extend(groups);
        self
    }

    /// Only these operations (and those of [`groups`](Self::groups)), by id: `accounts.lookup`.
    pub fn operations<S: Into<String>>(mut self, operations: impl IntoIterator<Item = S>) -> Self {
        let operations = operations.into_iter().map(Into::into);
        self.operations.get_or_insert_default().extend(operations);
        self
    }

    /// The client's half. It is what is generated where neither half is named.
    pub fn client(mut self) -> Self {
        self.client = true;
        self
    }

    /// The server's half.
    pub fn server(mut self) -> Self {
        self.server = true;
        self
    }

    /// Leaves out what a supported release may lack, so that using it does not compile.
    pub fn guaranteed_only(mut self) -> Self {
        self.guaranteed_only = true;
        self
    }

    /// A folder of YAML. With `implementations.yaml` and a folder `documents` or `supplement` it is a catalogue of its
    /// own and replaces the embedded one; otherwise it is an overlay: operations, fields and programs besides. May be
    /// called repeatedly; a later overlay lies over an earlier one. A relative path starts at the package.
    pub fn catalogue(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folders.push(folder.into());
        self
    }

    /// Which layers count: [`Layer::Documents`] is the two documents alone.
    pub fn layer(mut self, layer: Layer) -> Self {
        self.layer = layer;
        self
    }

    /// Where to write, instead of cargo's `OUT_DIR`.
    pub fn out_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.out_dir = Some(folder.into());
        self
    }

    /// The name of the file, without `.rs`: that of the module which includes it. `fedispec` unless told otherwise.
    pub fn module(mut self, name: impl Into<String>) -> Self {
        self.module = name.into();
        self
    }

    /// The path of the runtime crate in the generated code, for who has renamed or re-exported it.
    pub fn runtime(mut self, path: impl Into<String>) -> Self {
        self.runtime = path.into();
        self
    }

    /// Keeps the facts behind what is generated in a file beside the sources, so that a change of the catalogue shows
    /// when the dependency is updated: the build then warns, with a short report.
    ///
    /// The file is written only by a build with `FEDISPEC_LOCK=update` in its environment. A relative path starts at
    /// the package.
    pub fn lock(mut self, path: impl Into<PathBuf>) -> Self {
        self.lock = Some(path.into());
        self
    }

    /// The text that [`generate`](Self::generate) writes. Nothing is printed or written.
    pub fn text(&self) -> Result<String, Error> {
        Ok(self.make()?.text)
    }

    /// Generates, and tells cargo what it should know. The file is touched only when its text changes.
    pub fn generate(&self) -> Result<(), Error> {
        let mut messages = Messages::default();
        let done = self.write(&mut messages);
        messages.finish(done)
    }

    fn write(&self, messages: &mut Messages) -> Result<(), Error> {
        // Said first: after a mistake the script runs again when what it has read changes.
        lock::watch(self.lock.as_deref(), messages);
        catalogue::watch(&self.folders, self.layer, messages);
        let made = self.make()?;
        for text in &made.warnings {
            messages.warning(text);
        }
        let folder = match &self.out_dir {
            Some(folder) => folder.clone(),
            None => env::var_os("OUT_DIR").map(PathBuf::from).ok_or_else(|| {
                Error::new("OUT_DIR is not set: call this from build.rs, or set `.out_dir(..)`")
            })?,
        };
        save(&folder.join(format!("{}.rs", self.module)), &made.text)?;
        if let (Some(path), Some(facts)) = (&self.lock, &made.facts) {
            let asked = env::var(lock::VARIABLE).unwrap_or_default();
            lock::hold(path, facts, &asked, messages)?;
        }
        Ok(())
    }

    fn make(&self) -> Result<Made, Error> {
        let Opened { api, own_programs } = catalogue::open(&self.folders, self.layer)?;
        let options = settings::options(self, &api, &own_programs)?;
        let projected = emit::projected(&api, &options);
        let warnings = settings::left_out(self, &api, &projected);
        let facts = match &self.lock {
            Some(_) => Some(lock::facts(self, &projected, &options)?),
            None => None,
        };
        Ok(Made {
            text: emit::text(&projected, &options),
            facts,
            warnings,
        })
    }
}

/// What comes of the settings.
struct Made {
    text: String,
    /// What the lock file holds, where one is wanted.
    facts: Option<lock::Facts>,
    warnings: Vec<String>,
}

fn save(path: &Path, text: &str) -> Result<bool, Error> {
    write::file(path, text).map_err(|error| Error::of(&error))
}

#[cfg(test)]
mod tests;
