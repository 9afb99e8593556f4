//! The report as text for a terminal.

use std::fmt::Write as _;

use super::View;
use super::document::{Block, Detail, Document, Finding, Value, details, direction, hit};
use super::footer::footer;
use super::paint::Paint;
use super::words::{place, side};
use crate::diff::report::{Entry, Report};
use fedispec_diff::change::{Change, Place};
use fedispec_diff::rules::Severity;

/// The report as text.
pub fn text(report: &Report, view: &View) -> String {
    let paint = Paint(view.color);
    let floors = report.floors.iter();
    let floors: Vec<_> = floors.map(|(program, floor)| format!("{program} {floor}")).collect();
    let mut text = format!(
        "catalogue  {} .. {}    floors {}\n",
        side(&report.base),
        side(&report.head),
        floors.join(", ")
    );
    let document = Document::new(report, view);
    for block in &document.blocks {
        text.push('\n');
        print(&mut text, report, block, paint);
    }
    text.push('\n');
    footer(&mut text, report, view, document.shown);
    text
}

fn print(text: &mut String, report: &Report, block: &Block<'_>, paint: Paint) {
    let Some(first) = block.findings.first().map(|finding| finding.first) else {
        return;
    };
    let room = 58_usize.saturating_sub(block.title.chars().count());
    let _ = writeln!(
        text,
        " {} {}  {}  {}",
        label(first, paint),
        paint.bold(&block.title),
        paint.dim(&format!("{:<room$}", block.subtitle)),
        first.cause.name()
    );
    let mut rust = None;
    for finding in &block.findings {
        sentence(text, finding, paint);
        let Some(entry) = finding.only() else {
            rows(text, report, finding, paint);
            continue;
        };
        for detail in details(&entry.change) {
            self::detail(text, &detail, paint);
        }
        if entry.rust != rust {
            before_and_after(text, entry, paint);
        }
        rust.clone_from(&entry.rust);
        end(text, entry, paint);
    }
}

fn label(change: &Change, paint: Paint) -> String {
    let label = match change.severity {
        Severity::Breaking => "BREAKING",
        Severity::Risky => "RISKY",
        Severity::Compatible => "ok",
        Severity::Docs => "text",
    };
    paint.severity(change.severity, &format!("{label:<9}"))
}

fn sentence(text: &mut String, finding: &Finding<'_>, paint: Paint) {
    let change = finding.first;
    let direction = direction(change).map_or_else(String::new, |way| format!(" ({way})"));
    let rule = paint.bold(change.rule.rule().id);
    let message = finding.message().unwrap_or_default();
    let line = format!("   {rule}{direction}  {message}");
    let _ = writeln!(text, "{}", line.trim_end());
    if let Some(who) = hit(change) {
        let _ = writeln!(text, "     breaks   {who}: {}", change.why());
    }
}

/// A line an item: what is said of each stands in a column, where it is not the same.
fn rows(text: &mut String, report: &Report, finding: &Finding<'_>, paint: Paint) {
    let entries = finding.entries.iter();
    let names = entries.map(|entry| finding.name(entry).chars().count());
    let width = names.max().unwrap_or(0).min(50);
    for entry in &finding.entries {
        let change = &entry.change;
        let said = match finding.message() {
            Some(_) => String::new(),
            None => format!("  {}", change.sentence()),
        };
        let at = change.head_at.as_ref().or(change.base_at.as_ref());
        let at = at.map(place).unwrap_or_default();
        let accepted = match entry.accepted {
            Some(_) => "  accepted",
            None => "",
        };
        let name = format!("{:<width$}", finding.name(entry));
        let (fp, at) = (paint.dim(&entry.fp), paint.dim(&at));
        let _ = writeln!(text, "     {fp}  {name}{said}  {at}{accepted}");
        before_and_after(text, entry, paint);
    }
    let accept = finding.accept(report);
    let mut bump = format!("bump {}", finding.first.bump.name());
    // Fingerprints stand in the column.
    if accept.contains(':') {
        let _ = write!(bump, "   all of it: --accept '{accept}'");
    }
    let _ = writeln!(text, "     {}", paint.dim(&bump));
}

fn detail(text: &mut String, detail: &Detail<'_>, paint: Paint) {
    let value = match &detail.value {
        Value::Text(value) => value.clone(),
        Value::Places(base, head) => paint.dim(&places(*base, *head)),
    };
    let _ = writeln!(text, "     {:<8} {value}", detail.label);
}

fn places(base: Option<&Place>, head: Option<&Place>) -> String {
    match (base, head) {
        (Some(base), Some(head)) if (&base.file, base.line) == (&head.file, head.line) => {
            place(head)
        }
        (Some(base), Some(head)) if base.file == head.file => {
            format!("{}, was line {}", place(head), base.line)
        }
        (Some(base), Some(head)) => format!("{}, was {}", place(head), place(base)),
        (Some(base), None) => format!("was {}", place(base)),
        (None, Some(head)) => place(head),
        (None, None) => String::new(),
    }
}

fn before_and_after(text: &mut String, entry: &Entry, paint: Paint) {
    let mut label = "rust";
    let rust = entry.rust.iter();
    for (sign, line) in rust.flat_map(super::rust_lines) {
        let severity = if sign == '-' { Severity::Breaking } else { Severity::Compatible };
        let _ = writeln!(
            text,
            "     {label:<8} {}",
            paint.severity(severity, &format!("{sign} {line}"))
        );
        label = "";
    }
}

fn end(text: &mut String, entry: &Entry, paint: Paint) {
    if let Some(reason) = &entry.accepted {
        let _ = writeln!(text, "     accepted {reason}");
    }
    let mut line = format!("bump {}", entry.change.bump.name());
    if !entry.fp.is_empty() {
        line = format!("fp {}   {line}", entry.fp);
    }
    let _ = writeln!(text, "     {}", paint.dim(&line));
}
