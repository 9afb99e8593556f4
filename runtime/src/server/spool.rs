//! A file while it comes in.

use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;

use tempfile::NamedTempFile;

use crate::file::{Content, Place, Stored};

/// The bytes that are written at once.
const AT_ONCE: usize = 256 * 1024;

/// A file while it comes in: in memory as long as there is room, and then on disk.
#[derive(Default)]
pub(super) struct Spool {
    held: Vec<u8>,
    file: Option<NamedTempFile>,
    length: u64,
}

/// Where files come in.
pub(super) struct Room<'a> {
    /// The bytes that may still be held in memory.
    pub(super) memory: usize,
    /// The folder of what is not; the system's own for temporary files unless told.
    pub(super) folder: Option<&'a Path>,
}

impl Spool {
    /// Its length so far, in bytes.
    pub(super) fn len(&self) -> u64 {
        self.length
    }

    pub(super) async fn push(&mut self, piece: &[u8], room: &mut Room<'_>) -> io::Result<()> {
        self.length += piece.len() as u64;
        if self.file.is_none() {
            if let Some(left) = room.memory.checked_sub(piece.len()) {
                room.memory = left;
                self.held.extend_from_slice(piece);
                return Ok(());
            }
            room.memory += self.held.len();
            let folder = room.folder.map_or_else(std::env::temp_dir, Into::into);
            self.file = Some(blocking(move || temporary(&folder)).await?);
        }
        self.held.extend_from_slice(piece);
        if self.held.len() >= AT_ONCE {
            self.write().await?;
        }
        Ok(())
    }

    pub(super) async fn finish(mut self) -> io::Result<Content> {
        self.write().await?;
        Ok(match self.file {
            Some(file) => {
                let place = Place::Temporary(file.into_temp_path());
                Content::OnDisk(Stored(Arc::new(place)), self.length)
            }
            None => Content::Held(Arc::new(self.held)),
        })
    }

    /// Writes what is held, where it goes to disk. Whoever does not wait for that loses the file, and it is removed.
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

/// Does what blocks on a thread for that; without a tokio runtime there is none.
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
