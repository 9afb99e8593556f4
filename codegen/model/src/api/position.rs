//! Positions in the files of the catalogue.

use std::hash::{Hash, Hasher};
use std::ops::Deref;

/// A position: an index into [`Api::files`](super::Api::files) and a line, from 1 on; line 0 is no position.
///
/// Positions always compare equal, as spans do in [syn](https://docs.rs/syn/latest/syn/#spans), so that two values of the API
/// are equal when they state the same facts. The JSON form has none: a line that is added to a file moves all that follow.
#[derive(Debug, Clone, Copy, Default)]
pub struct At(pub u32, pub u32);

impl PartialEq for At {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for At {}

impl Hash for At {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// The files that positions refer to. As positions do, they always compare equal.
#[derive(Debug, Clone, Default)]
pub struct Files(pub Vec<String>);

impl PartialEq for Files {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Deref for Files {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.0
    }
}

impl FromIterator<String> for Files {
    fn from_iter<I: IntoIterator<Item = String>>(files: I) -> Self {
        Self(files.into_iter().collect())
    }
}
