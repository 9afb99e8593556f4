//! Facts of parameters that hold by program and release.

use crate::{Availability, Effect, Life, Place, StableVersion, Verdict};

/// Whether a release is known to lie between two.
fn is_known_from(since: StableVersion, until: Option<StableVersion>, place: &impl Place) -> bool {
    let life = Life::lived(Availability::Since(since), until, Vec::new());
    life.has(place).verdict == Verdict::Yes
}

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

impl Refused {
    /// The status that a release answers; `None` where it is not known to refuse.
    pub fn at(&self, place: &impl Place) -> Option<u16> {
        is_known_from(self.since, self.until, place).then_some(self.status)
    }
}

/// Releases of a program for which something holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Stretch {
    /// The first one.
    pub since: StableVersion,
    /// The first release for which it no longer does.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub until: Option<StableVersion>,
}

impl Stretch {
    /// Whether a release is known to be one of them.
    pub fn has(&self, place: &impl Place) -> bool {
        is_known_from(self.since, self.until, place)
    }
}

/// An error that a program answers in fixed words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FixedError {
    /// The status.
    pub status: u16,
    /// The text of the error, in English.
    pub text: String,
    /// The first release that answers so, where others before it answer the status in other words.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub since: Option<StableVersion>,
    /// The first release that no longer answers so.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub until: Option<StableVersion>,
}

impl FixedError {
    /// Whether a release answers so.
    pub fn is_of(&self, release: &impl Place) -> bool {
        is_known_from(self.since.unwrap_or(StableVersion::FIRST), self.until, release)
    }
}

/// The text of an error in a program, and since when.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(from = "crate::error_text::Short", into = "crate::error_text::Short")
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorText {
    /// The text, in English.
    pub text: String,
    /// The first release that says it, where others before it answer the status too.
    pub since: Option<StableVersion>,
}

/// The size of a page, from a release on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct PageSize {
    /// The release; absent where it was always so.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub since: Option<StableVersion>,
    /// The number of elements where the request does not say; absent for all.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub default: Option<u32>,
    /// The greatest number; absent where there is none.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub most: Option<u32>,
}

/// A fact of a program from a release on.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Stage<T> {
    /// The release; absent where it was always so.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub since: Option<StableVersion>,
    /// The fact.
    pub is: T,
}

/// The bounds of a parameter's value from above; absent where there is none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct Bounds {
    /// The greatest number of characters.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub max_length: Option<u64>,
    /// The greatest number of elements.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub max_items: Option<u64>,
}

/// The effect of leaving a parameter out, compared with a server that heeds it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(from = "crate::left_out::Short", into = "crate::left_out::Short")
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeftOut {
    /// How much is lost.
    pub effect: Effect,
    /// The effect, as a clause: `the status is posted at once`.
    pub so: Option<String>,
    /// The values that mean the same as none.
    pub safe: SafeValues,
}

impl From<Effect> for LeftOut {
    fn from(effect: Effect) -> Self {
        Self { effect, so: None, safe: SafeValues::default() }
    }
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
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "snake_case", from = "crate::text::OneOrMore<String>")
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum SafeValues {
    /// Every value.
    Any,
    /// These, as they go over the wire.
    #[cfg_attr(feature = "serde", serde(untagged))]
    Only(Vec<String>),
}

impl Default for SafeValues {
    fn default() -> Self {
        Self::Only(Vec::new())
    }
}

impl SafeValues {
    /// Whether a value means the same as none.
    pub fn has(&self, value: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Only(values) => values.iter().any(|one| one == value),
        }
    }

    /// Whether no value does.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Only(values) if values.is_empty())
    }

    /// The listed values.
    pub fn listed(&self) -> &[String] {
        match self {
            Self::Any => &[],
            Self::Only(values) => values,
        }
    }
}
