//! The error of a build script that could not generate.

use std::fmt;

/// Why nothing was generated: every mistake, a line or more each.
pub struct Error {
    text: String,
    told: bool,
}

impl Error {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), told: false }
    }

    /// A setting asks for a feature of this crate that is off.
    #[cfg(not(all(feature = "overlay", feature = "lock")))]
    pub(super) fn needs(setting: &str, feature: &str, what: &str) -> Self {
        Self::new(format!(
            "`{setting}` needs the feature `{feature}` of fedispec-codegen, which {what}: fedispec-codegen = {{ version = \"{}\", \
             features = [\"{feature}\"] }} under [build-dependencies]",
            concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"))
        ))
    }

    /// Of what another part of the crate says.
    pub(super) fn of(cause: &impl fmt::Display) -> Self {
        Self::new(cause.to_string())
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether cargo has the text already.
    pub(super) fn told(self) -> Self {
        Self { told: true, ..self }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The text that `main` prints. Where cargo shows it already it is not repeated.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.told {
            f.write_str("nothing was generated; the errors above say why")
        } else {
            f.write_str(&self.text)
        }
    }
}

impl std::error::Error for Error {}
