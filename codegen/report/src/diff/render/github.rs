//! Annotations of a job on GitHub. It drops whatever comes after the tenth of a kind, silently: the worst come first, and
//! one notice tells of the rest.

use std::fmt::Write as _;

use super::View;
use super::document::moves;
use super::notes::difference;
use super::words::{counted, spans};
use crate::diff::report::{Entry, Report};
use fedispec_diff::releases::{Event, Happened, Releases};
use fedispec_diff::rules::Severity;

/// Annotations of a kind that a step may have.
const MOST: usize = 10;

/// The lines that GitHub reads.
pub fn github(report: &Report, view: &View) -> String {
    let mut text = String::new();
    let mut told = 0;
    let entries: Vec<&Entry> = view.changes(report).filter(|entry| entry.counts()).collect();
    for (severity, command) in [(Severity::Breaking, "error"), (Severity::Risky, "warning")] {
        for entry in entries.iter().filter(|entry| entry.change.severity == severity).take(MOST) {
            annotation(&mut text, entry, command);
            told += 1;
        }
    }
    rest(&mut text, entries.len() - told);
    text
}

/// The changes of a program's release that hit its callers, the worst first; additions are in the job summary.
pub fn releases(releases: &Releases) -> String {
    let mut text = String::new();
    let hit = |event: &&&Event| event.severity >= Severity::Risky;
    let mut events: Vec<&Event> = releases.events.iter().filter(|event| hit(&event)).collect();
    events.sort_by_key(|event| std::cmp::Reverse(event.severity));
    for event in events.iter().take(MOST) {
        let instead =
            event.replacement.as_ref().map(|id| format!("; use {id}")).unwrap_or_default();
        let message = format!("{} {}{instead}", event.item.id, happened(event));
        let title = property(event.rule.rule().id);
        let _ = writeln!(text, "::warning title={title}::{}", data(&message));
    }
    rest(&mut text, releases.events.len() - events.len().min(MOST));
    text
}

/// One notice for all that has no annotation of its own.
fn rest(text: &mut String, more: usize) {
    if more > 0 {
        let more = counted(more, "more change");
        let _ = writeln!(text, "::notice title=xtask diff::{more}; see the job summary");
    }
}

/// `is gone`, or what differs.
fn happened(event: &Event) -> String {
    match event.happened {
        Happened::Added => "is new".to_owned(),
        Happened::Changed => difference(event),
        Happened::Deprecated => "is discouraged".to_owned(),
        Happened::Removed => "is gone".to_owned(),
    }
}

fn annotation(text: &mut String, entry: &Entry, command: &str) {
    let change = &entry.change;
    let _ = write!(text, "::{command} title={}", property(change.rule.rule().id));
    // A removed part is annotated at the item that it belonged to; a removed item has no place.
    if let Some(at) = &change.head_at {
        let _ = write!(text, ",file={},line={}", property(&at.file), at.line);
        if let Some(col) = at.col {
            let _ = write!(text, ",col={col}");
        }
    }
    let mut message = format!("{} {}", change.item.id, change.sentence());
    for (what, releases) in moves(change) {
        let _ = write!(message, "; the gate {what} {}", spans(releases));
    }
    let bump = change.bump.phrase();
    let _ = writeln!(text, "::{}; needs {bump} [{}]", data(&message), entry.fp);
}

/// `bump=major` and counts, for `GITHUB_OUTPUT`.
pub fn outputs(report: &Report) -> String {
    let counts = report.counts;
    format!(
        "bump={}\nbreaking={}\nrisky={}\ncompatible={}\nok={}\n",
        report.bump.needed().name(),
        counts.breaking,
        counts.risky,
        counts.compatible,
        report.bump.ok,
    )
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn nothing_ends_an_annotation_early() {
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25%0A");
        assert_eq!(data("a:b,c%\r"), "a:b,c%25%0D");
    }
}
