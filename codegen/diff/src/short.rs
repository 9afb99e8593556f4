//! The short form, for `gen` and for the warnings of build scripts.

use super::change::Change;
use super::compare::{Comparison, compare};
use super::context::Options;
use super::rules::{Bump, Severity};
use fedispec_model::api::Api;

/// More than that only scrolls by.
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

/// The same with floors of one's own: whether a field is an `Option` hangs on them.
pub fn short_with(old: &Api, new: &Api, options: &Options) -> Vec<String> {
    let found = compare(old, new, options);
    if found.changes.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![summary(&found)];
    let worth = || found.changes.iter().filter(|change| change.severity > Severity::Docs);
    lines.extend(worth().take(LINES).map(line));
    let more = worth().count().saturating_sub(LINES);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    lines
}

fn summary(found: &Comparison) -> String {
    let count = |severity| {
        let all = found.changes.iter();
        all.filter(|change| change.severity == severity).count()
    };
    let severities = [Severity::Breaking, Severity::Risky, Severity::Compatible, Severity::Docs];
    let parts: Vec<_> = severities
        .map(|severity| (count(severity), severity.name()))
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{count} {name}"))
        .collect();
    let bump = match found.implied {
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
