//! Safe reading of a folder: no file outside it, none that is huge, and none that blocks, such as a pipe.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The most bytes of one file.
pub(crate) const FILE_LIMIT: u64 = 4 << 20;
/// The most bytes of all files together.
pub(crate) const TOTAL_LIMIT: u64 = 64 << 20;

/// Why something could not be read.
#[derive(Debug)]
pub(crate) enum Refusal {
    Missing,
    Unreadable(io::Error),
    /// A link that leads to nothing.
    Dangling,
    /// A link that leaves the folder.
    Outside,
    /// A folder where a file is expected, a socket, a pipe ..
    NotAFile,
    NotAFolder,
    Huge,
    /// All files together are too much.
    TooMuch,
    /// The first byte that is not UTF-8, and the text with marks in the place of such bytes.
    NotUtf8(usize, String),
}

/// A name in a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name {
    pub(crate) text: String,
    /// The name is UTF-8; else `text` has marks in the place of what is not.
    pub(crate) readable: bool,
    pub(crate) is_folder: bool,
}

/// A folder from which files are read.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// Where it really is: what no link may leave.
    real: PathBuf,
    left: u64,
}

impl Folder {
    pub(crate) fn open(path: &Path) -> Result<Self, Refusal> {
        let real = path.canonicalize().map_err(refusal)?;
        if !real.is_dir() {
            return Err(Refusal::NotAFolder);
        }
        Ok(Self { path: path.to_owned(), real, left: TOTAL_LIMIT })
    }

    /// Lists its files and those of a folder in it, ordered by the bytes of the names; `""` is the folder itself.
    pub(crate) fn names(&self, folder: &str) -> Result<Vec<Name>, Refusal> {
        let path = if folder.is_empty() { self.path.clone() } else { self.inside(folder)? };
        if !path.is_dir() {
            return Err(Refusal::NotAFolder);
        }
        let mut names = Vec::new();
        for entry in fs::read_dir(&path).map_err(Refusal::Unreadable)? {
            let entry = entry.map_err(Refusal::Unreadable)?;
            let is_folder = fs::metadata(entry.path()).is_ok_and(|meta| meta.is_dir());
            names.push(name(entry.file_name(), is_folder));
        }
        names.sort();
        Ok(names)
    }

    /// The text of a file.
    pub(crate) fn read(&mut self, file: &str) -> Result<String, Refusal> {
        let text = self.read_up_to(file, FILE_LIMIT)?;
        self.left = self.left.checked_sub(text.len() as u64).ok_or(Refusal::TooMuch)?;
        Ok(text)
    }

    /// Reads a file that no person writes, and that may be as large as all others together.
    pub(crate) fn read_generated(&self, file: &str) -> Result<String, Refusal> {
        self.read_up_to(file, TOTAL_LIMIT)
    }

    fn read_up_to(&self, file: &str, limit: u64) -> Result<String, Refusal> {
        let path = self.inside(file)?;
        if !fs::metadata(&path).map_err(refusal)?.is_file() {
            return Err(Refusal::NotAFile);
        }
        let mut bytes = Vec::new();
        let file = File::open(&path).map_err(refusal)?;
        file.take(limit + 1).read_to_end(&mut bytes).map_err(Refusal::Unreadable)?;
        if bytes.len() as u64 > limit {
            return Err(Refusal::Huge);
        }
        String::from_utf8(bytes).map_err(|error| {
            let lossy = String::from_utf8_lossy(error.as_bytes()).into_owned();
            Refusal::NotUtf8(error.utf8_error().valid_up_to(), lossy)
        })
    }

    fn inside(&self, name: &str) -> Result<PathBuf, Refusal> {
        let path = self.path.join(name);
        let real = path.canonicalize().map_err(|error| {
            if error.kind() == io::ErrorKind::NotFound && path.is_symlink() {
                Refusal::Dangling
            } else {
                refusal(error)
            }
        })?;
        if real.starts_with(&self.real) { Ok(real) } else { Err(Refusal::Outside) }
    }
}

fn name(name: OsString, is_folder: bool) -> Name {
    match name.into_string() {
        Ok(text) => Name { text, readable: true, is_folder },
        Err(name) => Name { text: name.to_string_lossy().into_owned(), readable: false, is_folder },
    }
}

fn refusal(error: io::Error) -> Refusal {
    match error.kind() {
        io::ErrorKind::NotFound => Refusal::Missing,
        io::ErrorKind::NotADirectory => Refusal::NotAFolder,
        _ => Refusal::Unreadable(error),
    }
}
