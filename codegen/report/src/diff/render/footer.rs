//! The last lines of the text: counts, the bump, stale accepted changes, and what hits a program.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::View;
use super::paint::Paint;
use super::words::{counted, few, summary};
use crate::diff::report::Report;
use fedispec_diff::rules::Severity;

/// Writes the summary below the changes.
pub(super) fn footer(text: &mut String, report: &Report, view: &View, shown: usize) {
    let paint = Paint(view.color);
    if report.changes.is_empty() {
        text.push_str(" no difference\n");
    } else {
        totals(text, report, view, shown);
        verdict(text, report, paint);
    }
    for stale in &report.stale_accepts {
        let _ = writeln!(
            text,
            " accepted, and no change has that fingerprint any more: {stale}; take it out of diff-accept.toml"
        );
    }
    used(text, report);
}

/// `3 items, 4 changes: 1 breaking, 1 risky, 2 compatible; 7 only text, hidden (--show docs); 1 accepted`
fn totals(text: &mut String, report: &Report, view: &View, shown: usize) {
    let items: HashSet<_> = report.changes.iter().map(|entry| &entry.change.item.id).collect();
    let mut line = format!(
        " {}, {}: {}",
        counted(items.len(), "item"),
        counted(report.changes.len(), "change"),
        summary(report)
    );
    if report.counts.docs > 0 {
        let _ = write!(line, "; {} only text", report.counts.docs);
        if !view.docs {
            line.push_str(", hidden (--show docs)");
        }
    }
    if report.counts.accepted > 0 {
        let _ = write!(line, "; {} accepted", report.counts.accepted);
    }
    if !view.only.is_empty() || !view.skip.is_empty() {
        let _ = write!(line, "; {shown} shown by --only and --skip");
    }
    let _ = writeln!(text, "{line}");
}

fn verdict(text: &mut String, report: &Report, paint: Paint) {
    let bump = &report.bump;
    let _ = write!(text, " bump implied {}", bump.implied.name());
    if let Some(measured) = bump.measured {
        let _ = write!(
            text,
            ", measured {} (by the public items of both generated crates)",
            measured.name()
        );
    }
    if let Some(declared) = bump.declared {
        let declared =
            format!("declared {}{}", declared.name(), if bump.ok { "" } else { ": too small" });
        let severity = if bump.ok { Severity::Compatible } else { Severity::Breaking };
        let _ = write!(text, ", {}", paint.severity(severity, &declared));
    }
    text.push('\n');
    for unclaimed in &bump.unclaimed {
        let _ = writeln!(text, " no rule claims: {unclaimed}");
    }
}

fn used(text: &mut String, report: &Report) {
    let Some(used) = &report.used_by else { return };
    let _ = writeln!(
        text,
        " {}: {} with {} of the catalogue, {} of the changes hit them",
        used.folder,
        counted(used.files, "Rust file"),
        counted(used.uses, "item"),
        used.hit.len()
    );
    for (fp, places) in &used.hit {
        let hit = report.changes.iter().find(|entry| entry.fp == *fp);
        let hit = hit.map(|entry| &entry.change);
        let what = hit.map(|change| format!("{} {}", change.rule.rule().id, change.item.id));
        let _ = writeln!(text, "   {fp} {}: {}", what.unwrap_or_default(), few(places, 3));
    }
    for (program, (before, after)) in &used.minimum {
        let moved = if before == after { "as before".to_owned() } else { format!("was {before}") };
        let _ = writeln!(text, "   least {program} that has all it uses: {after}, {moved}");
    }
}
