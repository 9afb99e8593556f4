//! The thresholds of `--fail-on`.

use fedispec_diff::rules::Severity;
use fedispec_report::diff::report::Report;

use super::args::{FailOn, name};
use crate::failure::Failure;

pub(super) fn judge(report: &Report, thresholds: &[FailOn]) -> Result<(), Failure> {
    for threshold in thresholds {
        if let Some(why) = hit(report, *threshold)? {
            return Err(Failure::Stale(format!("{why} (--fail-on {})", name(threshold))));
        }
    }
    if report.bump.unclaimed.is_empty() {
        return Ok(());
    }
    Err(Failure::Stale(
        "the generated crates differ by more than the rules claim: a rule is missing, or its bump is too small".into(),
    ))
}

/// The same of a server's document, by the severity of its worst change.
pub(super) fn document(worst: Option<Severity>, thresholds: &[FailOn]) -> Result<(), Failure> {
    for threshold in thresholds {
        let name = name(threshold);
        match severe(worst, *threshold) {
            Some((true, why)) => return Err(Failure::Stale(format!("{why} (--fail-on {name})"))),
            Some((false, _)) => {}
            None => {
                return Err(Failure::Other(format!(
                    "--fail-on {name} is about a catalogue, and a document is none"
                )));
            }
        }
    }
    Ok(())
}

/// Whether a threshold of severity is reached, and why. None for another threshold.
fn severe(worst: Option<Severity>, threshold: FailOn) -> Option<(bool, &'static str)> {
    Some(match threshold {
        FailOn::None => (false, ""),
        FailOn::Breaking => (worst >= Some(Severity::Breaking), "there is a breaking change"),
        FailOn::Risky => (worst >= Some(Severity::Risky), "there is a risky change"),
        FailOn::Any => (worst.is_some(), "there is a change"),
        _ => return None,
    })
}

fn hit(report: &Report, threshold: FailOn) -> Result<Option<String>, Failure> {
    let worst = report
        .changes
        .iter()
        .filter(|entry| entry.counts())
        .map(|entry| entry.change.severity)
        .max();
    let some_if = |is: bool, what: &str| is.then(|| what.to_owned());
    if let Some((is, what)) = severe(worst, threshold) {
        return Ok(some_if(is, what));
    }
    Ok(match threshold {
        FailOn::Unbumped => unbumped(report)?,
        FailOn::Unproven => {
            some_if(unproven(report), "there is a change without sufficient evidence")
        }
        FailOn::StaleAccepts => {
            some_if(!report.stale_accepts.is_empty(), "an accepted change no longer exists")
        }
        _ => None,
    })
}

fn unbumped(report: &Report) -> Result<Option<String>, Failure> {
    let Some(declared) = report.bump.declared else {
        return Err(Failure::Other(
            "the declared bump is unknown: a side has no Cargo.toml with a version beside its \
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

/// Whether a change asserts something about the past without evidence, or weakens evidence.
fn unproven(report: &Report) -> bool {
    let mut entries = report.changes.iter();
    entries.any(|entry| entry.counts() && entry.change.is_unproven())
}
