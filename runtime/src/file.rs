//! Files to upload.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A file to upload, or one that was uploaded. Cloning it is cheap.
#[derive(Clone, PartialEq, Eq)]
pub struct File {
    name: Option<Box<str>>,
    content_type: Option<Box<str>>,
    content: Arc<Vec<u8>>,
}

impl File {
    /// A file of a name and a content.
    pub fn new(name: impl Into<Box<str>>, content: impl Into<Vec<u8>>) -> Self {
        Self {
            name: Some(name.into()),
            content_type: None,
            content: Arc::new(content.into()),
        }
    }

    /// Reads a file from disk, under its own name.
    pub fn read(path: impl AsRef<Path>) -> std::io::Result<Self> {
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

    /// What it holds.
    pub fn content(&self) -> &[u8] {
        &self.content
    }

    /// What it holds, shared.
    #[cfg(feature = "client")]
    pub(crate) fn shared(&self) -> SharedContent {
        SharedContent(Arc::clone(&self.content))
    }

    /// What it holds, without a copy where nobody else holds it.
    pub fn into_content(self) -> Vec<u8> {
        Arc::unwrap_or_clone(self.content)
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
            .field("bytes", &self.content.len())
            .finish()
    }
}
