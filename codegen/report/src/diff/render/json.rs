//! The report as JSON, and the schema of that.

use serde::Serialize;

use super::View;
use crate::diff::report::Report;
use fedispec_diff::parity::Parity;
use fedispec_diff::releases::Releases;

/// The JSON output of a comparison of any mode, which its `mode` names.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(title = "fedispec-diff/1"))]
#[serde(untagged)]
pub enum Document<'r> {
    /// Two states.
    State(&'r Report),
    /// Two releases of a program.
    Program(&'r Releases),
    /// Two programs.
    Parity(&'r Parity),
}

impl Document<'_> {
    /// The text.
    pub fn json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// The report as JSON. What only people read is in it whatever the view says.
pub fn json(report: &Report, view: &View) -> serde_json::Result<String> {
    let view = View { docs: true, ..view.clone() };
    let mut report = report.clone();
    report.changes.retain(|entry| view.shows(&entry.change));
    Document::State(&report).json()
}

/// The JSON Schema of all modes, made from the same types.
#[cfg(feature = "schema")]
pub fn schema() -> serde_json::Result<String> {
    let schema = schemars::SchemaGenerator::default().into_root_schema_for::<Document<'_>>();
    Ok(serde_json::to_string_pretty(&schema)? + "\n")
}
