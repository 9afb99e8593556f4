//! The short form, for `gen` and for the warnings of build scripts.

use super::change::Change;
use super::compare::compare;
use super::context::Options;
use super::rules::{Bump, Severity};
use fedispec_model::api::Api;

/// How many lines are printed.
const LINES: usize = 8;

/// Describes the differences in a few lines: a summary, then the worst changes. Empty if nothing differs.
///
/// ```text
/// 1 breaking, 1 docs; asks for a major bump
/// breaking    Account.bot has the type string, was boolean (field-type-changed)
/// ```
pub fn short(old: &Api, new: &Api) -> Vec<String> {
    short_with(old, new, &Options::default())
}

/// The same with other floors than the catalogue's, which decide whether a field is an `Option`.
pub fn short_with(old: &Api, new: &Api, options: &Options) -> Vec<String> {
    let found = compare(old, new, options);
    lines(&found.changes.iter().collect::<Vec<_>>(), found.implied)
}

/// The same of changes that are known, which ask for a bump.
pub fn lines(changes: &[&Change], bump: Bump) -> Vec<String> {
    if changes.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![summary(changes, bump)];
    let worth = || changes.iter().filter(|change| change.severity > Severity::Docs);
    lines.extend(worth().take(LINES).map(|change| line(change)));
    let more = worth().count().saturating_sub(LINES);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    lines
}

fn summary(changes: &[&Change], bump: Bump) -> String {
    let count = |severity| changes.iter().filter(|change| change.severity == severity).count();
    let severities = [Severity::Breaking, Severity::Risky, Severity::Compatible, Severity::Docs];
    let parts: Vec<_> = severities
        .map(|severity| (count(severity), severity.name()))
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{count} {name}"))
        .collect();
    format!("{}; asks for {}", parts.join(", "), bump.phrase())
}

fn line(change: &Change) -> String {
    format!(
        "{:<11} {} {} ({})",
        change.severity.name(),
        change.item.id,
        change.sentence(),
        change.rule.rule().id
    )
}
