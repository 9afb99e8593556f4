//! Handlers' access to uploaded files.

use std::fs;
use std::future::Future;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::Bytes;
use futures_core::Stream;
use tempfile::NamedTempFile;

use super::spool::blocking;
use crate::File;
use crate::file::{Content, DiskPath, SharedContent, SharedPath};

/// The number of bytes read from a file at a time.
const CHUNK: u64 = 64 * 1024;

/// Methods for servers.
impl File {
    /// Moves the file to a path and replaces what is there. An upload on disk is renamed, if the path is on the same file system and no other
    /// clone exists; otherwise the content is copied. The replacement is atomic. On Unix the file is readable by its owner only.
    ///
    /// See [`Routes::uploads_in`](crate::codegen::Routes::uploads_in) for the folder of uploads.
    ///
    /// ```no_run
    /// # async fn keep(file: fedispec_runtime::File) -> std::io::Result<()> {
    /// file.persist("/srv/media/109.png").await
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// When the path cannot be written.
    pub async fn persist(self, to: impl Into<PathBuf>) -> io::Result<()> {
        let to = to.into();
        blocking(move || persist(self.content, &to)).await
    }

    /// The content as a stream of chunks; a file on disk is read on a blocking thread.
    pub fn chunks(&self) -> impl Stream<Item = io::Result<Bytes>> + Send + use<> {
        Chunks(match &self.content {
            Content::Held(content) => {
                Next::Whole(Bytes::from_owner(SharedContent(Arc::clone(content))))
            }
            Content::OnDisk(path, _) => Next::Opens(path.clone()),
        })
    }
}

fn persist(content: Content, to: &Path) -> io::Result<()> {
    let path = match content {
        Content::Held(content) => return copy(&mut content.as_slice(), to),
        Content::OnDisk(SharedPath(path), _) => path,
    };
    match Arc::try_unwrap(path) {
        Ok(DiskPath::Temporary(file)) => match file.persist(to) {
            Ok(_) => Ok(()),
            // Usually another file system; other errors will occur in the copy as well.
            Err(refused) => copy(&mut fs::File::open(refused.file.path())?, to),
        },
        Ok(DiskPath::Permanent(path)) => copy(&mut fs::File::open(path)?, to),
        Err(shared) => copy(&mut fs::File::open(&*SharedPath(shared))?, to),
    }
}

fn copy(from: &mut impl io::Read, to: &Path) -> io::Result<()> {
    let folder = to.parent().filter(|folder| *folder != Path::new(""));
    let mut file = NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
    io::copy(from, &mut file)?;
    file.flush()?;
    file.persist(to)?;
    Ok(())
}

struct Chunks(Next);

type Job = Pin<Box<dyn Future<Output = io::Result<(fs::File, Vec<u8>)>> + Send>>;

/// The state of the stream.
enum Next {
    Whole(Bytes),
    Opens(SharedPath),
    Reads(fs::File),
    Waits(Job),
    Nothing,
}

impl Stream for Chunks {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut job: Job = match std::mem::replace(&mut self.0, Next::Nothing) {
            Next::Nothing => return Poll::Ready(None),
            Next::Whole(whole) => {
                return Poll::Ready((!whole.is_empty()).then_some(Ok(whole)));
            }
            Next::Opens(path) => Box::pin(blocking(move || read(fs::File::open(&*path)?))),
            Next::Reads(file) => Box::pin(blocking(move || read(file))),
            Next::Waits(job) => job,
        };
        match job.as_mut().poll(context) {
            Poll::Pending => {
                self.0 = Next::Waits(job);
                Poll::Pending
            }
            Poll::Ready(Ok((_, part))) if part.is_empty() => Poll::Ready(None),
            Poll::Ready(Ok((file, part))) => {
                self.0 = Next::Reads(file);
                Poll::Ready(Some(Ok(part.into())))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Some(Err(error))),
        }
    }
}

fn read(file: fs::File) -> io::Result<(fs::File, Vec<u8>)> {
    let mut part = Vec::new();
    (&file).take(CHUNK).read_to_end(&mut part)?;
    Ok((file, part))
}
