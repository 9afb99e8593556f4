//! The files of what was accepted and decided, in the catalogue's folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fedispec_report::diff::accept::{Accepts, End, Subject};

use crate::failure::Failure;
use crate::output;

/// The file of accepted changes.
pub const CHANGES: &str = "diff-accept.toml";
/// The file of decided rows.
pub const DECISIONS: &str = "propose-accept.toml";

/// A file with its content.
pub struct File {
    path: PathBuf,
    text: String,
    /// The entries.
    pub accepts: Accepts,
}

impl File {
    /// Reads the file of that name in a catalogue's folder; one that is not there has no entry.
    pub fn read(folder: &Path, name: &str) -> Result<Self, Failure> {
        let path = folder.join(name);
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

    /// Adds what is accepted by this reason, and says so. A new file begins with `head`.
    pub fn add(
        &self,
        head: &str,
        subjects: &[Subject<'_>],
        which: &[String],
        reason: &str,
        end: &End,
    ) -> Result<String, Failure> {
        let (text, accepted) =
            Accepts::add(&self.text, head, subjects, which, reason, end).map_err(Failure::other)?;
        output::file(&self.path, &text)?;
        Ok(format!("accepted {} in {}\n", accepted.join(", "), self.path.display()))
    }
}
