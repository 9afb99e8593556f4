//! Files of uploads, on both sides.

use std::borrow::Cow;
use std::fs;
use std::io::{self, Cursor, Read, Seek};
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

/// A file to upload, or an uploaded file. Clones are cheap.
///
/// A server keeps a small upload in memory and writes a larger one to a temporary file, which is removed with the last clone unless it is
/// moved with `persist`. [`open`](Self::open) and [`content`](Self::content) read either kind.
#[derive(Clone, PartialEq, Eq)]
pub struct File {
    name: Option<Box<str>>,
    content_type: Option<Box<str>>,
    pub(crate) content: Content,
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Content {
    Held(Arc<Vec<u8>>),
    OnDisk(SharedPath, u64),
}

/// The path of a file. A temporary file is removed when the last clone of its path is dropped.
#[derive(Clone)]
pub(crate) struct SharedPath(pub(crate) Arc<DiskPath>);

pub(crate) enum DiskPath {
    Permanent(Box<Path>),
    #[cfg(feature = "server")]
    Temporary(tempfile::NamedTempFile),
}

impl Deref for SharedPath {
    type Target = Path;

    fn deref(&self) -> &Path {
        match &*self.0 {
            DiskPath::Permanent(path) => path,
            #[cfg(feature = "server")]
            DiskPath::Temporary(file) => file.path(),
        }
    }
}

impl From<&Path> for SharedPath {
    fn from(path: &Path) -> Self {
        Self(Arc::new(DiskPath::Permanent(path.into())))
    }
}

impl PartialEq for SharedPath {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for SharedPath {}

impl File {
    /// Creates a file from a name and its content.
    pub fn new(name: impl Into<Box<str>>, content: impl Into<Vec<u8>>) -> Self {
        Self::of(name, Content::Held(Arc::new(content.into())))
    }

    pub(crate) fn of(name: impl Into<Box<str>>, content: Content) -> Self {
        Self { name: Some(name.into()), content_type: None, content }
    }

    /// Creates a file that stays on disk, under its own name. It is opened each time it is sent, and read in chunks. The length is that of the
    /// file now; bytes added later are not sent.
    ///
    /// ```no_run
    /// let film = fedispec_runtime::File::from_path("holiday.mp4")?.with_content_type("video/mp4");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the path is not a file, or its metadata cannot be read.
    pub fn from_path(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        let about = fs::metadata(path)?;
        if !about.is_file() {
            let what = format!("{} is not a file", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        let name = path.file_name().unwrap_or(path.as_os_str());
        let content = Content::OnDisk(path.into(), about.len());
        Ok(Self::of(name.to_string_lossy(), content))
    }

    /// Reads a whole file from disk into memory, under its own name.
    pub fn read(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        let name = path.file_name().unwrap_or(path.as_os_str());
        Ok(Self::new(name.to_string_lossy(), fs::read(path)?))
    }

    /// Sets the media type: `image/png`.
    #[must_use]
    pub fn with_content_type(mut self, content_type: impl Into<Box<str>>) -> Self {
        self.content_type = Some(content_type.into());
        self
    }

    /// Removes the name.
    #[must_use]
    pub fn without_name(mut self) -> Self {
        self.name = None;
        self
    }

    /// The name given by the sender. It must not be trusted as a path.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The media type given by the sender, who may lie. On a server, `sniff` (feature `sniff`) looks at the content.
    pub fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    /// The whole content; a file on disk is read into memory. Use [`open`](Self::open) for large files.
    ///
    /// # Errors
    ///
    /// When a file on disk cannot be read.
    pub fn content(&self) -> io::Result<Cow<'_, [u8]>> {
        match &self.content {
            Content::Held(content) => Ok(Cow::Borrowed(content)),
            Content::OnDisk(path, _) => fs::read(&**path).map(Cow::Owned),
        }
    }

    /// The whole content, without a copy where this is the only clone in memory.
    ///
    /// # Errors
    ///
    /// When a file on disk cannot be read.
    pub fn into_content(self) -> io::Result<Vec<u8>> {
        match self.content {
            Content::Held(content) => Ok(Arc::unwrap_or_clone(content)),
            Content::OnDisk(path, _) => fs::read(&*path),
        }
    }

    /// A reader from the start of the content. Reading from disk blocks: in a server's handler use a blocking thread, or `chunks` (feature
    /// `server`), which does.
    ///
    /// # Errors
    ///
    /// When a file on disk cannot be opened.
    pub fn open(&self) -> io::Result<impl Read + Seek + Send + Sync + use<>> {
        Ok(match &self.content {
            Content::Held(content) => {
                Box::new(Cursor::new(SharedContent(Arc::clone(content)))) as Box<dyn Opened>
            }
            Content::OnDisk(path, _) => Box::new(fs::File::open(&**path)?),
        })
    }

    /// The path, where the file is on disk. A file that a server has written there is temporary, and removed with the last clone.
    pub fn path(&self) -> Option<&Path> {
        match &self.content {
            Content::Held(_) => None,
            Content::OnDisk(path, _) => Some(path),
        }
    }

    /// The length in bytes.
    pub fn len(&self) -> u64 {
        match &self.content {
            Content::Held(content) => content.len() as u64,
            Content::OnDisk(_, bytes) => *bytes,
        }
    }

    /// Whether the file is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The content where it is in memory, otherwise the path and length.
    #[cfg(feature = "client")]
    pub(crate) fn shared(&self) -> Result<SharedContent, (SharedPath, u64)> {
        match &self.content {
            Content::Held(content) => Ok(SharedContent(Arc::clone(content))),
            Content::OnDisk(path, bytes) => Err((path.clone(), *bytes)),
        }
    }
}

/// The content of a [`File`] in memory, to be sent without a copy.
pub(crate) struct SharedContent(pub(crate) Arc<Vec<u8>>);

impl AsRef<[u8]> for SharedContent {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

trait Opened: Read + Seek + Send + Sync {}

impl<T: Read + Seek + Send + Sync> Opened for T {}

shown!(File, own => name, content_type, bytes = own.len());

#[cfg(test)]
mod tests {
    use std::io::SeekFrom;

    use super::*;

    #[test]
    fn a_file_is_read_wherever_it_is() {
        let path = std::env::temp_dir().join(format!("fedispec-file-{}", std::process::id()));
        fs::write(&path, b"0123456789").expect("a file");
        let on_disk = File::from_path(&path).expect("it is there");
        let held = File::new("a", b"0123456789".as_slice());
        for file in [&on_disk, &held] {
            assert_eq!(file.len(), 10);
            assert_eq!(&*file.content().expect("content"), b"0123456789");
            let mut opened = file.open().expect("it opens");
            opened.seek(SeekFrom::Start(7)).expect("it is long enough");
            let mut end = String::new();
            opened.read_to_string(&mut end).expect("content");
            assert_eq!(end, "789");
            assert_eq!(file.clone().into_content().expect("content").len(), 10);
        }
        assert_eq!((on_disk.path(), held.path()), (Some(&*path), None));
        fs::remove_file(&path).expect("it is there");
        let gone = on_disk.content().expect_err("it is gone");
        assert_eq!(gone.kind(), io::ErrorKind::NotFound);
    }
}
