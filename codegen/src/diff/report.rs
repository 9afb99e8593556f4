//! What a comparison finds, in the form that every output is made of and that the JSON is.

use std::collections::BTreeMap;

use serde::Serialize;

use super::rules::{Audience, Bump, RuleId, Severity};

/// The version of the JSON form.
pub const SCHEMA: &str = "fedispec-diff/1";

/// Why something differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A server changed.
    Evolution,
    /// The catalogue was wrong.
    Correction,
    /// The catalogue did not know.
    Coverage,
    /// Only text, proof or order differ.
    Editorial,
}

impl Cause {
    /// Its name in the outputs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Evolution => "evolution",
            Self::Correction => "correction",
            Self::Coverage => "coverage",
            Self::Editorial => "editorial",
        }
    }
}

/// The way a value goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// To the server.
    Request,
    /// From the server.
    Response,
}

/// What was compared, and what differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: String,
    /// Always `state`.
    #[cfg_attr(feature = "schema", schemars(extend("const" = "state")))]
    pub mode: String,
    /// The older state.
    pub base: Side,
    /// The newer state.
    pub head: Side,
    /// The oldest supported release by program, in the newer state.
    pub floors: BTreeMap<String, String>,
    /// What follows for the crate's version.
    pub bump: Verdict,
    /// How many changes of each severity.
    pub counts: Counts,
    /// Fingerprints of accepted changes that are not there, or whose time is over.
    pub stale_accepts: Vec<String>,
    /// The changes, worst first.
    pub changes: Vec<Change>,
    /// What of all that a program uses, where its folder was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub used_by: Option<UsedBy>,
}

/// A state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Side {
    /// What the user called it.
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

/// What follows for the crate's version.
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
    /// What is declared is enough; also where nothing is declared and nothing needed.
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

/// A change.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Change {
    /// The fingerprint of rule, item, program, old and new.
    pub fp: String,
    /// The rule.
    #[serde(serialize_with = "rule_name")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub rule: RuleId,
    /// How bad it is.
    pub severity: Severity,
    /// Why it differs.
    pub cause: Cause,
    /// The item.
    pub item: ItemRef,
    /// The way the value goes, where that is what matters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// The program, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub implementation: Option<String>,
    /// The releases that are hit: `>=4.3.0`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub versions: Option<String>,
    /// What it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// Whom it hits.
    pub breaks: Vec<Audience>,
    /// What it asks of the crate's version.
    pub bump: Bump,
    /// The operations that it reaches.
    pub reach: Vec<String>,
    /// The releases whose gate opens or closes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
    /// What proves the new state.
    pub evidence: Vec<Proof>,
    /// Where the old state says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_at: Option<Place>,
    /// Where the new state says so, or what it hung on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head_at: Option<Place>,
    /// One line for a person.
    pub message: String,
    /// The Rust before and after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rust: Option<Rust>,
    /// The reason for which it is accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<String>,
    /// How many items went or came with it.
    pub with: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn rule_name<S: serde::Serializer>(rule: &RuleId, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(rule.rule().id)
}

/// An item.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ItemRef {
    /// Its id.
    pub id: String,
    /// `operation`, `param`, `field`, `response`, `entity`, `enum`, `value`, `group`, `program`, `dispute` or `tombstone`.
    pub kind: String,
    /// The method of an operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// The path of an operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The path in generated Rust.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rust: Option<String>,
}

/// The releases whose gate moves.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Gate {
    /// Those it opens on.
    pub opens: Vec<String>,
    /// Those it closes on.
    pub closes: Vec<String>,
}

/// What proves something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Proof {
    /// How much it proves: A to D.
    pub class: String,
    /// Source and place.
    pub r#ref: String,
}

/// A place in the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1: where the key stands, as far as it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub col: Option<u32>,
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

/// What a program uses of what changed.
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
    /// What the crate's version has to be raised by: the more of what is implied and what was measured.
    pub fn needed(&self) -> Bump {
        self.measured
            .map_or(self.implied, |measured| measured.max(self.implied))
    }
}

impl Change {
    /// The changes that count against a threshold.
    pub fn counts(&self) -> bool {
        self.accepted.is_none()
    }
}

impl Report {
    /// Counts again; after changes were accepted.
    pub fn recount(&mut self) {
        self.counts = Counts::default();
        for change in &self.changes {
            let counts = &mut self.counts;
            *match (change.counts(), change.severity) {
                (false, _) => &mut counts.accepted,
                (_, Severity::Breaking) => &mut counts.breaking,
                (_, Severity::Risky) => &mut counts.risky,
                (_, Severity::Compatible) => &mut counts.compatible,
                (_, Severity::Docs) => &mut counts.docs,
            } += 1;
        }
    }

    /// Says what the crate's version was raised by.
    pub fn declare(&mut self, declared: Option<Bump>) {
        self.bump.declared = declared;
        self.judge();
    }

    pub(crate) fn judge(&mut self) {
        let needed = self.bump.needed();
        self.bump.ok = self.bump.unclaimed.is_empty()
            && self.bump.declared.is_none_or(|declared| declared >= needed);
    }
}
