//! Whether a threshold was hit. The report is printed by then.

use fedispec_diff::rules::{RuleId, Severity};
use fedispec_report::diff::report::Report;

use super::args::FailOn;
use crate::failure::Failure;

pub(super) fn judge(report: &Report, thresholds: &[FailOn]) -> Result<(), Failure> {
    for threshold in thresholds {
        if let Some(why) = hit(report, *threshold)? {
            return Err(Failure::Stale(format!(
                "{why} (--fail-on {})",
                threshold.name()
            )));
        }
    }
    if report.bump.unclaimed.is_empty() {
        return Ok(());
    }
    Err(Failure::Stale(
        "the generated crates differ by more than the rules claim; a rule is missing or claims too little".into(),
    ))
}

fn hit(report: &Report, threshold: FailOn) -> Result<Option<String>, Failure> {
    let worst = report
        .changes
        .iter()
        .filter(|entry| entry.counts())
        .map(|entry| entry.change.severity)
        .max();
    let told = |is: bool, what: &str| is.then(|| what.to_owned());
    Ok(match threshold {
        FailOn::None => None,
        FailOn::Breaking => told(worst >= Some(Severity::Breaking), "something breaks"),
        FailOn::Risky => told(worst >= Some(Severity::Risky), "something is risky"),
        FailOn::Any => told(worst.is_some(), "something differs"),
        FailOn::Unbumped => unbumped(report)?,
        FailOn::Unproven => told(unproven(report), "something is not proven"),
        FailOn::StaleAccepts => told(
            !report.stale_accepts.is_empty(),
            "something accepted is not there any more",
        ),
    })
}

fn unbumped(report: &Report) -> Result<Option<String>, Failure> {
    let Some(declared) = report.bump.declared else {
        return Err(Failure::Other(
            "nobody knows by how much the crate's version was raised: a side has no Cargo.toml with a version beside its \
             catalogue; --fail-on unbumped compares revisions of a checkout"
                .into(),
        ));
    };
    let (needed, declared) = (report.bump.needed().name(), declared.name());
    let short = format!(
        "the bump is too small: needed {needed}, declared {declared}; raise `version` in Cargo.toml"
    );
    Ok((!report.bump.ok).then_some(short))
}

/// Something that is said to have been so all along, or was proven better before.
fn unproven(report: &Report) -> bool {
    let rules = [
        RuleId::ItemAddedBackdatedUnproven,
        RuleId::ProvenanceWeakened,
        RuleId::FrozenFactChanged,
    ];
    let mut entries = report.changes.iter();
    entries.any(|entry| entry.counts() && rules.contains(&entry.change.rule))
}
