//! Storage of an incoming file.
//!
//! tempfile's `SpooledTempFile` has a bound of its own for each file; here the files of all requests share one.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;

use tempfile::NamedTempFile;

use crate::file::{Content, DiskPath, SharedPath};

/// The number of bytes written to disk at a time.
const CHUNK: usize = 256 * 1024;

/// An incoming file, in memory while it fits and otherwise in a temporary file.
#[derive(Default)]
pub(super) struct Spool {
    held: Vec<u8>,
    file: Option<NamedTempFile>,
    length: u64,
}

/// The space for a request's files.
pub(super) struct Storage<'a> {
    /// The memory still available, in bytes.
    pub(super) memory: usize,
    /// The folder for larger files; `None` for the system's temporary folder.
    pub(super) folder: Option<&'a Path>,
}

impl Spool {
    /// The number of bytes received.
    pub(super) fn len(&self) -> u64 {
        self.length
    }

    /// Whether it is in memory.
    pub(super) fn is_held(&self) -> bool {
        self.file.is_none()
    }

    pub(super) async fn push(&mut self, piece: &[u8], storage: &mut Storage<'_>) -> io::Result<()> {
        self.length += piece.len() as u64;
        if self.file.is_none() {
            if let Some(left) = storage.memory.checked_sub(piece.len()) {
                storage.memory = left;
                self.held.extend_from_slice(piece);
                return Ok(());
            }
            storage.memory += self.held.len();
            let folder = storage.folder.map_or_else(std::env::temp_dir, Into::into);
            self.file = Some(blocking(move || temporary(&folder)).await?);
        }
        self.held.extend_from_slice(piece);
        if self.held.len() >= CHUNK {
            self.write().await?;
        }
        Ok(())
    }

    pub(super) async fn finish(mut self) -> io::Result<Content> {
        self.write().await?;
        Ok(match self.file {
            Some(file) => {
                let path = DiskPath::Temporary(file);
                Content::OnDisk(SharedPath(Arc::new(path)), self.length)
            }
            None => Content::Held(Arc::new(self.held)),
        })
    }

    /// Writes the buffer to the temporary file. If the future is dropped meanwhile, the file is removed.
    async fn write(&mut self) -> io::Result<()> {
        let Some(mut file) = self.file.take() else {
            return Ok(());
        };
        let mut held = std::mem::take(&mut self.held);
        let written = blocking(move || {
            file.write_all(&held)?;
            held.clear();
            Ok((file, held))
        });
        let (file, held) = written.await?;
        (self.file, self.held) = (Some(file), held);
        Ok(())
    }
}

/// The prefix of the names of temporary files.
const PREFIX: &str = "fedispec-spool-";

/// Creates a temporary file. It is locked as long as it is open, which tells it from one that a killed server has left.
fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    loop {
        let mut builder = tempfile::Builder::new();
        let file = builder.prefix(PREFIX).tempfile_in(folder)?;
        if claims(file.as_file()) {
            return Ok(file);
        }
        // A sweep took it before it was locked.
    }
}

/// Removes the temporary files that killed servers have left in a folder. What cannot be removed stays.
pub(super) fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|name| name.starts_with(PREFIX));
        // Opening anything else, such as a pipe, might block.
        if !is_ours || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let path = entry.path();
        if fs::File::open(&path).is_ok_and(|file| is_left_over(&file)) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Locks a new file; `false` where it has been swept.
#[cfg(unix)]
fn claims(file: &fs::File) -> bool {
    use std::os::unix::fs::MetadataExt as _;

    lock(file) && file.metadata().is_ok_and(|about| about.nlink() > 0)
}

#[cfg(not(unix))]
fn claims(_: &fs::File) -> bool {
    true
}

#[cfg(unix)]
fn is_left_over(file: &fs::File) -> bool {
    lock(file)
}

/// Without locks nobody can tell.
#[cfg(not(unix))]
fn is_left_over(_: &fs::File) -> bool {
    false
}

#[cfg(unix)]
fn lock(file: &fs::File) -> bool {
    rustix::fs::flock(file, rustix::fs::FlockOperation::NonBlockingLockExclusive).is_ok()
}

/// Runs blocking work on tokio's blocking threads, or directly if there is no runtime.
pub(super) async fn blocking<T: Send + 'static>(
    run: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    match tokio::runtime::Handle::try_current() {
        Ok(runtime) => {
            runtime.spawn_blocking(run).await.unwrap_or_else(|broken| Err(io::Error::other(broken)))
        }
        Err(_) => run(),
    }
}
