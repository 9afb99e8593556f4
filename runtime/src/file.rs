//! Files to upload.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// A file to upload, or one that was uploaded. Cloning it is cheap.
#[derive(Clone, PartialEq, Eq)]
pub struct File {
    name: Option<Box<str>>,
    content_type: Option<Box<str>>,
    content: Content,
}

#[derive(Clone, PartialEq, Eq)]
enum Content {
    Held(Arc<Vec<u8>>),
    OnDisk(Arc<Path>, u64),
}

impl File {
    /// A file of a name and a content.
    pub fn new(name: impl Into<Box<str>>, content: impl Into<Vec<u8>>) -> Self {
        Self {
            name: Some(name.into()),
            content_type: None,
            content: Content::Held(Arc::new(content.into())),
        }
    }

    /// A file that stays on disk, under its own name: it is opened when it is sent, and read piece by piece. It may be sent as often as it is
    /// there; what is sent is as long as the file is now.
    ///
    /// ```no_run
    /// let film = fedispec_runtime::File::from_path("holiday.mp4")?.with_content_type("video/mp4");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is no such file.
    pub fn from_path(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        let about = std::fs::metadata(path)?;
        if !about.is_file() {
            let what = format!("{} is no file", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        let name = path.file_name().unwrap_or(path.as_os_str());
        Ok(Self {
            name: Some(name.to_string_lossy().into()),
            content_type: None,
            content: Content::OnDisk(path.into(), about.len()),
        })
    }

    /// Reads a file from disk, under its own name, at once and whole.
    pub fn read(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        let name = path.file_name().unwrap_or(path.as_os_str());
        Ok(Self::new(name.to_string_lossy(), std::fs::read(path)?))
    }

    /// Says what the content is: `image/png`.
    #[must_use]
    pub fn with_content_type(mut self, content_type: impl Into<Box<str>>) -> Self {
        self.content_type = Some(content_type.into());
        self
    }

    /// Without a name.
    #[must_use]
    pub fn without_name(mut self) -> Self {
        self.name = None;
        self
    }

    /// The name that its sender gives it. It is not to be trusted as a path.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// What its sender says it is.
    pub fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    /// What it holds; nothing for one that stays on disk, at its [`path`](Self::path).
    pub fn content(&self) -> &[u8] {
        match &self.content {
            Content::Held(content) => content,
            Content::OnDisk(..) => &[],
        }
    }

    /// Where it is, if it stays on disk.
    pub fn path(&self) -> Option<&Path> {
        match &self.content {
            Content::Held(_) => None,
            Content::OnDisk(path, _) => Some(path),
        }
    }

    /// Its length in bytes.
    pub fn len(&self) -> u64 {
        match &self.content {
            Content::Held(content) => content.len() as u64,
            Content::OnDisk(_, bytes) => *bytes,
        }
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What it holds, shared, or where it is.
    #[cfg(feature = "client")]
    pub(crate) fn shared(&self) -> Result<SharedContent, (Arc<Path>, u64)> {
        match &self.content {
            Content::Held(content) => Ok(SharedContent(Arc::clone(content))),
            Content::OnDisk(path, bytes) => Err((Arc::clone(path), *bytes)),
        }
    }

    /// What it holds, without a copy where nobody else holds it; nothing for one that stays on disk.
    pub fn into_content(self) -> Vec<u8> {
        match self.content {
            Content::Held(content) => Arc::unwrap_or_clone(content),
            Content::OnDisk(..) => Vec::new(),
        }
    }
}

/// The content of a [`File`], for an upload that copies nothing.
#[cfg(feature = "client")]
pub(crate) struct SharedContent(Arc<Vec<u8>>);

#[cfg(feature = "client")]
impl AsRef<[u8]> for SharedContent {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("File")
            .field("name", &self.name)
            .field("content_type", &self.content_type)
            .field("bytes", &self.len())
            .finish_non_exhaustive()
    }
}
