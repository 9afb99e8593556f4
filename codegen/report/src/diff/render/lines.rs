//! The report as a line a change, which editors and terminals make clickable.

use std::fmt::Write as _;

use super::View;
use super::words::place;
use crate::diff::report::Report;

/// `FILE:LINE RULE SEVERITY ID: what`; a change that stands nowhere has `-`.
pub fn lines(report: &Report, view: &View) -> String {
    let mut text = String::new();
    for entry in view.changes(report) {
        let change = &entry.change;
        let at = change.head_at.as_ref().or(change.base_at.as_ref());
        let at = at.map_or_else(|| "-".to_owned(), place);
        let message = change.sentence();
        let message = message.split_whitespace().collect::<Vec<_>>();
        let _ = writeln!(
            text,
            "{at} {} {} {}: {}",
            change.rule.rule().id,
            change.severity.name(),
            change.item.id,
            message.join(" ")
        );
    }
    text
}
