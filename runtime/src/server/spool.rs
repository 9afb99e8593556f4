//! Storage of an incoming file.

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
                let path = DiskPath::Temporary(file.into_temp_path());
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

fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("fedispec-upload-").tempfile_in(folder)
}

/// Runs blocking work on tokio's blocking threads, or directly if there is no runtime.
pub(super) async fn blocking<T: Send + 'static>(
    run: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    match tokio::runtime::Handle::try_current() {
        Ok(runtime) => runtime
            .spawn_blocking(run)
            .await
            .unwrap_or_else(|broken| Err(io::Error::other(broken))),
        Err(_) => run(),
    }
}
