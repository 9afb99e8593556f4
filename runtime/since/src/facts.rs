//! Facts of parameters that hold by program and release.

use crate::StableVersion;

/// Releases that know a parameter and answer an error where it is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Refused {
    /// The first release that does.
    pub since: StableVersion,
    /// The first release that no longer does.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub until: Option<StableVersion>,
    /// The status that it answers.
    pub status: u16,
}

/// How a program takes several values of a parameter that takes one as well, each form from its first release on. A release without any
/// takes one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Several {
    /// The first release that takes the lines of one text.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub lines: Option<StableVersion>,
    /// The first release that takes a list.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub list: Option<StableVersion>,
}

impl Several {
    /// A program that takes one value.
    pub const fn new() -> Self {
        Self { lines: None, list: None }
    }

    /// Sets the first release that takes the lines of one text.
    #[must_use]
    pub const fn lines(mut self, major: u16, minor: u16, patch: u16) -> Self {
        self.lines = Some(StableVersion(major, minor, patch));
        self
    }

    /// Sets the first release that takes a list.
    #[must_use]
    pub const fn list(mut self, major: u16, minor: u16, patch: u16) -> Self {
        self.list = Some(StableVersion(major, minor, patch));
        self
    }
}

/// Values of a parameter that mean the same as none.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum SafeValues {
    /// Every value.
    Any,
    /// These, as they go over the wire.
    #[cfg_attr(feature = "serde", serde(untagged))]
    Only(Vec<String>),
}
