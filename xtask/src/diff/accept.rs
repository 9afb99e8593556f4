//! The file of accepted changes, in the catalogue's folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fedispec_codegen::write;
use fedispec_report::diff::accept::Accepts;
use fedispec_report::diff::report::Report;

use crate::failure::Failure;
use crate::output;

const NAME: &str = "diff-accept.toml";

pub(super) struct File {
    path: PathBuf,
    text: String,
    pub(super) accepts: Accepts,
}

impl File {
    /// Reads the file in a catalogue's folder.
    pub(super) fn read(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(NAME);
        // Opening a pipe would block.
        if fs::metadata(&path).is_ok_and(|there| !there.is_file()) {
            return Err(Failure::Other(format!("{} is not a file", path.display())));
        }
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(Failure::file("read", &path, &error)),
        };
        let accepts = Accepts::read(&text);
        let accepts =
            accepts.map_err(|mistake| Failure::Other(format!("{}: {mistake}", path.display())))?;
        Ok(Self { path, text, accepts })
    }

    /// Adds accepted changes.
    pub(super) fn add(
        &self,
        report: &Report,
        which: &[String],
        reason: &str,
    ) -> Result<(), Failure> {
        let (text, accepted) =
            Accepts::add(&self.text, report, which, reason).map_err(Failure::other)?;
        write::file(&self.path, &text).map_err(Failure::other)?;
        output::stdout(&format!("accepted {} in {}\n", accepted.join(", "), self.path.display()))
    }
}
