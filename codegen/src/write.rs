//! Atomic writes: a reader finds the old content or the new, never a mixture.
//!
//! The new content is written beside its place and renamed onto it. A file that a killed run left beside it is removed by a later one.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fmt, fs, io, process};

#[cfg(feature = "files")]
mod tree;

#[cfg(feature = "files")]
pub use tree::{Changed, check, files, replace};

/// A file or folder that could not be read or written.
#[derive(Debug)]
pub struct Error {
    doing: &'static str,
    path: PathBuf,
    cause: io::Error,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {} {}: {}", self.doing, self.path.display(), self.cause)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.cause)
    }
}

fn failed(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
    move |cause| Error { doing, path: path.to_owned(), cause }
}

/// Writes one file in one step, and tells whether it was different.
pub fn file(path: &Path, text: &str) -> Result<bool, Error> {
    let (parent, name) = place(path)?;
    fs::create_dir_all(parent).map_err(failed("make", parent))?;
    remove_leftovers(parent, &name);
    if fs::read(path).ok().as_deref() == Some(text.as_bytes()) {
        return Ok(false);
    }
    let beside = Temporary::beside(parent, &name);
    fs::write(&beside.path, text).map_err(failed("write", path))?;
    fs::rename(&beside.path, path).map_err(failed("replace", path))?;
    Ok(true)
}

/// The folder around a path, and its name there.
fn place(path: &Path) -> Result<(&Path, String), Error> {
    let name = path
        .file_name()
        .ok_or_else(|| failed("replace", path)(io::ErrorKind::InvalidInput.into()))?;
    let parent =
        path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok((parent, name.to_string_lossy().into_owned()))
}

/// A file or folder beside its place, which goes when this goes.
struct Temporary {
    path: PathBuf,
}

impl Temporary {
    /// The name holds the id of the process, so that a run that is still going keeps its own folder.
    fn beside(parent: &Path, name: &str) -> Self {
        Self { path: parent.join(format!("{}{}", temporary_prefix(name), process::id())) }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

fn temporary_prefix(name: &str) -> String {
    format!(".{name}.new-")
}

fn remove(path: &Path) {
    // A leftover is removed by the next run, or that one says why it cannot.
    let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}

/// The time after which a run has ended, one way or another.
const RUN: Duration = Duration::from_secs(600);

/// Removes what runs left beside `name` that ended before they could. Linux tells at once which process is gone; elsewhere what is old is left over.
fn remove_leftovers(parent: &Path, name: &str) {
    let prefix = temporary_prefix(name);
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let file_name = entry.file_name();
        let process =
            file_name.to_str().and_then(|name| name.strip_prefix(&prefix)?.parse::<u32>().ok());
        let written = entry.metadata().and_then(|metadata| metadata.modified()).ok();
        let age = written.and_then(|time| time.elapsed().ok()).unwrap_or_default();
        let is_gone = |process: u32| {
            let processes = Path::new("/proc");
            processes.join("self").exists() && !processes.join(process.to_string()).exists()
        };
        if process.is_some_and(|id| id == process::id() || age > RUN || is_gone(id)) {
            remove(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::file;
    use std::fs;

    #[test]
    fn a_file_is_written_only_when_it_differs() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("schema/layer.json");
        assert!(file(&path, "{}").expect("writable"));
        assert!(!file(&path, "{}").expect("writable"));
        assert!(file(&path, "[]").expect("writable"));
        assert_eq!(fs::read_to_string(&path).expect("readable"), "[]");
        assert_eq!(fs::read_dir(folder.path().join("schema")).expect("readable").count(), 1);
    }

    #[test]
    fn an_error_names_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let blocked = folder.path().join("blocked");
        fs::write(&blocked, "a file").expect("writable");
        let error = file(&blocked.join("out.json"), "{}").expect_err("it is no folder").to_string();
        assert!(error.starts_with("cannot make ") && error.contains("blocked"), "{error}");
    }
}
