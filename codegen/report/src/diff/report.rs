//! A finished report: two states, their differences, and the verdict on the crate's version.

use std::collections::BTreeMap;

use serde::Serialize;

use fedispec_diff::change::Change;
use fedispec_diff::rules::{Bump, Severity};
use fedispec_since::StableVersion;

/// The compared states and their differences.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// [`SCHEMA`](fedispec_diff::change::SCHEMA).
    pub schema: String,
    /// Always `state`.
    #[cfg_attr(feature = "schema", schemars(extend("const" = "state")))]
    pub mode: String,
    /// The older state.
    pub base: Side,
    /// The newer state.
    pub head: Side,
    /// The oldest supported release by program, in the newer state.
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, String>"))]
    pub floors: BTreeMap<String, StableVersion>,
    /// The required step of the crate's version.
    pub bump: Verdict,
    /// How many changes of each severity.
    pub counts: Counts,
    /// Fingerprints of accepted changes that are not there, or whose time is over.
    pub stale_accepts: Vec<String>,
    /// The changes, worst first.
    pub changes: Vec<Entry>,
    /// The part of it that a program uses, where its folder was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub used_by: Option<UsedBy>,
}

/// A state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Side {
    /// The name that the user gave it.
    pub name: String,
    /// The revision, where it is one.
    pub rev: Option<String>,
    /// Files on disk that differ from the revision.
    pub dirty: bool,
    /// The crate's version in it, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The catalogue's folder, with which the places of the changes begin: `spec`.
    pub folder: String,
}

/// The required step of the crate's version, from each source, and whether the declared one is enough.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Verdict {
    /// By the rules.
    pub implied: Bump,
    /// By the public items of the two generated crates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<Bump>,
    /// By the version in the two Cargo.toml.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declared: Option<Bump>,
    /// Whether the declared step is enough. True also where none is declared and none is needed.
    pub ok: bool,
    /// Public items that differ by more than the rules claim.
    pub unclaimed: Vec<String>,
}

/// How many changes of each severity; accepted ones count apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs, reason = "each is the severity of that name")]
pub struct Counts {
    pub breaking: usize,
    pub risky: usize,
    pub compatible: usize,
    pub docs: usize,
    pub accepted: usize,
}

/// A change with what only a report knows of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Entry {
    /// The fingerprint of rule, item, program, old and new.
    pub fp: String,
    /// The change itself.
    #[serde(flatten)]
    pub change: Change,
    /// The public items before and after, where code breaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rust: Option<Rust>,
    /// The reason for which it is accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<String>,
}

/// The Rust before and after.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rust {
    /// Public items of the old crate.
    pub before: Vec<String>,
    /// Public items of the new one.
    pub after: Vec<String>,
}

/// The changes that affect a program which uses the crate.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UsedBy {
    /// Its folder.
    pub folder: String,
    /// How many Rust files were read.
    pub files: usize,
    /// The items it uses.
    pub uses: usize,
    /// Fingerprints of the changes that hit it, with the places.
    pub hit: BTreeMap<String, Vec<String>>,
    /// The least release that has all it uses, before and after, by program.
    pub minimum: BTreeMap<String, (String, String)>,
}

impl Verdict {
    /// Returns the step that the crate's version needs: the larger of the implied and the measured one.
    pub fn needed(&self) -> Bump {
        self.measured.map_or(self.implied, |measured| measured.max(self.implied))
    }
}

impl Entry {
    /// Whether both are about one item.
    pub(super) fn is_about_same(&self, other: &Self) -> bool {
        let item = |entry: &'_ Self| (entry.change.item.kind.clone(), entry.change.item.id.clone());
        item(self) == item(other)
    }

    /// Whether it counts against a threshold: what is accepted does not.
    pub fn counts(&self) -> bool {
        self.accepted.is_none()
    }
}

impl Counts {
    /// Counts the changes of a report.
    pub(super) fn of(entries: &[Entry]) -> Self {
        let mut counts = Self::default();
        for entry in entries {
            *match (entry.counts(), entry.change.severity) {
                (false, _) => &mut counts.accepted,
                (_, Severity::Breaking) => &mut counts.breaking,
                (_, Severity::Risky) => &mut counts.risky,
                (_, Severity::Compatible) => &mut counts.compatible,
                (_, Severity::Docs) => &mut counts.docs,
            } += 1;
        }
        counts
    }
}
