//! The short form, for `gen` and for the warnings of build scripts.

use super::report::{Change, Report};
use super::rules::{Bump, Severity};
use super::{Options, compare};
use fedispec_model::api::Api;

/// More than that only scrolls by.
const LINES: usize = 8;

/// What differs, in a few lines: a summary, then the worst of it. Nothing where nothing differs.
///
/// ```text
/// 1 breaking, 1 docs; asks for a major bump
/// breaking    Account.bot has the type string, was boolean (field-type-changed)
/// ```
pub fn short(old: &Api, new: &Api) -> Vec<String> {
    short_with(old, new, &Options::default())
}

/// The same with floors of one's own: whether a field is an `Option` hangs on them.
pub fn short_with(old: &Api, new: &Api, options: &Options) -> Vec<String> {
    let report = compare(old, new, options);
    if report.changes.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![summary(&report)];
    let worth = || {
        report
            .changes
            .iter()
            .filter(|change| change.severity > Severity::Docs)
    };
    lines.extend(worth().take(LINES).map(line));
    let more = worth().count().saturating_sub(LINES);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    lines
}

fn summary(report: &Report) -> String {
    let counts = report.counts;
    let of = [
        (counts.breaking, Severity::Breaking),
        (counts.risky, Severity::Risky),
        (counts.compatible, Severity::Compatible),
        (counts.docs, Severity::Docs),
    ];
    let there = of.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<_> = there
        .map(|(count, severity)| format!("{count} {}", severity.name()))
        .collect();
    let bump = match report.bump.implied {
        Bump::None => "no bump".to_owned(),
        bump => format!("a {} bump", bump.name()),
    };
    format!("{}; asks for {bump}", parts.join(", "))
}

fn line(change: &Change) -> String {
    format!(
        "{:<11} {} {} ({})",
        change.severity.name(),
        change.item.id,
        change.message,
        change.rule.rule().id
    )
}
