//! Handlers' access to uploaded files.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::Bytes;
use futures_core::Stream;
use futures_util::stream::try_unfold;
use tempfile::NamedTempFile;

use super::spool::blocking;
use crate::File;
use crate::file::{Content, DiskPath, SharedContent, SharedPath};

/// The number of bytes read from a file at a time.
const CHUNK: u64 = 64 * 1024;

/// The number of bytes by which a media type is told; formats in containers need some.
#[cfg(feature = "sniff")]
const SNIFFED: u64 = 8 * 1024;

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

    /// The media type of the content by its first bytes, whatever its sender declares, as the crate [`infer`](https://docs.rs/infer) names it:
    /// `image/png`, `video/mp4`, `audio/m4a`; a page that is sent as a picture is `text/html`. `None` where no format begins so, as with plain
    /// text.
    ///
    /// ```
    /// # use fedispec_runtime::{File, server::{Error, Result, StatusCode}};
    /// use fedispec_runtime::server::OrInternal as _;
    ///
    /// async fn is_picture(file: &File) -> Result<()> {
    ///     match file.sniff().await.or_internal()? {
    ///         Some("image/jpeg" | "image/png" | "image/gif" | "image/webp") => Ok(()),
    ///         _ => Err(Error::unprocessable("File has contents that are not what they are reported to be")),
    ///     }
    /// }
    /// # let _ = is_picture;
    /// ```
    ///
    /// # Errors
    ///
    /// When a file on disk cannot be read.
    #[cfg(feature = "sniff")]
    pub async fn sniff(&self) -> io::Result<Option<&'static str>> {
        let path = match &self.content {
            Content::Held(content) => return Ok(media_type(content)),
            Content::OnDisk(path, _) => path.clone(),
        };
        blocking(move || {
            let mut begins = Vec::new();
            fs::File::open(&*path)?.take(SNIFFED).read_to_end(&mut begins)?;
            Ok(media_type(&begins))
        })
        .await
    }

    /// The content as a stream of chunks; a file on disk is read on a blocking thread.
    pub fn chunks(&self) -> impl Stream<Item = io::Result<Bytes>> + Send + use<> {
        let first = match &self.content {
            Content::Held(content) => {
                Next::Whole(Bytes::from_owner(SharedContent(Arc::clone(content))))
            }
            Content::OnDisk(path, _) => Next::Opens(path.clone()),
        };
        Box::pin(try_unfold(first, Next::chunk))
    }
}

#[cfg(feature = "sniff")]
fn media_type(begins: &[u8]) -> Option<&'static str> {
    let most = usize::try_from(SNIFFED).unwrap_or(usize::MAX);
    let begins = begins.get(..most).unwrap_or(begins);
    infer::get(begins).map(|kind| kind.mime_type())
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

/// The source of the next chunk of a stream.
enum Next {
    Whole(Bytes),
    Opens(SharedPath),
    Reads(fs::File),
    Nothing,
}

impl Next {
    async fn chunk(self) -> io::Result<Option<(Bytes, Self)>> {
        let (file, part) = match self {
            Self::Whole(whole) => return Ok((!whole.is_empty()).then_some((whole, Self::Nothing))),
            Self::Opens(path) => blocking(move || read(fs::File::open(&*path)?)).await?,
            Self::Reads(file) => blocking(move || read(file)).await?,
            Self::Nothing => return Ok(None),
        };
        Ok((!part.is_empty()).then(|| (part.into(), Self::Reads(file))))
    }
}

fn read(file: fs::File) -> io::Result<(fs::File, Vec<u8>)> {
    let mut part = Vec::new();
    (&file).take(CHUNK).read_to_end(&mut part)?;
    Ok((file, part))
}

#[cfg(all(test, feature = "sniff"))]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

    #[tokio::test]
    async fn the_content_tells_its_type() {
        let path = std::env::temp_dir().join(format!("fedispec-sniff-{}", std::process::id()));
        for (content, told) in [
            (PNG, Some("image/png")),
            (b"<!DOCTYPE html><script>", Some("text/html")),
            (b"\0\0\0\x18ftypisom\0\0\0\0isomavc1", Some("video/mp4")),
            (b"just words", None),
            (b"", None),
        ] {
            let held = File::new("a.gif", content).with_content_type("image/gif");
            assert_eq!(held.sniff().await.expect("in memory"), told);
            // More of it changes nothing.
            fs::write(&path, [content, &vec![0; 20_000]].concat()).expect("a file");
            let on_disk = File::from_path(&path).expect("it is there");
            assert_eq!(on_disk.sniff().await.expect("on disk"), told);
        }
        let on_disk = File::from_path(&path).expect("it is there");
        fs::remove_file(&path).expect("it is there");
        assert!(on_disk.sniff().await.is_err());
    }

    proptest! {
        #[test]
        fn no_content_makes_it_panic(
            begins in prop::sample::select(vec![
                PNG, b"RIFF", b"PK\x03\x04", b"\0\0\0\x18ftyp", b"\x1a\x45\xdf\xa3", b"\xff\xd8\xff", b"OggS", b"ID3", b"II*\0",
                b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"<", b"#!", b"",
            ]),
            rest in prop::collection::vec(any::<u8>(), 0..600),
            length in 0..600_usize,
        ) {
            let mut content = [begins, &rest].concat();
            content.truncate(length);
            let told = media_type(&content);
            prop_assert!(told.is_none_or(|told| told.contains('/')));
        }
    }
}
