//! The report as a comment on a pull request.

use std::fmt::Write as _;

use super::View;
use super::words::{counted, side, summary};
use crate::diff::report::{Entry, Report};
use fedispec_diff::change::Change;
use fedispec_diff::rules::Severity;

/// GitHub refuses comments of more than 65,536 characters; the rest is for what stands around the tables.
const LONGEST: usize = 60_000;

/// The first line, by which a bot finds its former comment.
pub const MARK: &str = "<!-- xtask-diff -->";

/// The report as markdown.
pub fn markdown(report: &Report, view: &View) -> String {
    let mut text = format!(
        "{MARK}\n### API catalogue: {} — crate bump **{}**{}\n\n{} → {}\n",
        summary(report),
        report.bump.needed().name(),
        declared(report),
        cell(&side(&report.base)),
        cell(&side(&report.head)),
    );
    if report.changes.is_empty() {
        text.push_str("\nNothing differs.\n");
        return text;
    }
    let shown: Vec<&Entry> = view.changes(report).collect();
    let (grave, light): (Vec<&Entry>, Vec<&Entry>) = shown
        .into_iter()
        .partition(|entry| entry.change.severity >= Severity::Risky && entry.counts());
    table(&mut text, view, &grave);
    if !light.is_empty() || report.counts.docs > 0 {
        let _ = writeln!(text, "\n<details><summary>{}</summary>", folded(report));
        table(&mut text, view, &light);
        text.push_str("\n</details>\n");
    }
    for line in &report.bump.unclaimed {
        let _ = writeln!(
            text,
            "\n**No rule claims this:** `{}`",
            line.replace('`', "'")
        );
    }
    if let Some(first) = grave.first().filter(|entry| !entry.fp.is_empty()) {
        let _ = writeln!(
            text,
            "\nAccept one: `cargo xtask diff --accept {} --reason \"…\"`",
            first.fp
        );
    }
    text
}

fn folded(report: &Report) -> String {
    let counts = report.counts;
    let mut parts = vec![format!("{} compatible", counts.compatible)];
    if counts.accepted > 0 {
        parts.push(format!("{} accepted", counts.accepted));
    }
    parts.push(format!("{} docs-only", counts.docs));
    parts.join(", ")
}

fn declared(report: &Report) -> String {
    let declared = report.bump.declared.map(|declared| {
        let sign = if report.bump.ok { "✅" } else { "❌" };
        format!(" (declared {} {sign})", declared.name())
    });
    declared.unwrap_or_default()
}

fn table(text: &mut String, view: &View, entries: &[&Entry]) {
    if entries.is_empty() {
        return;
    }
    text.push_str("\n| | item | change | who | cause | bump | fp |\n|--|--|--|--|--|--|--|\n");
    for (number, entry) in entries.iter().enumerate() {
        let row = row(view, entry);
        if text.len() + row.len() > LONGEST {
            let left = counted(entries.len() - number, "change");
            let whole = view.more.as_ref().map_or_else(
                || "the whole report is among the job's artifacts".to_owned(),
                |more| format!("the whole report is [among the job's artifacts]({more})"),
            );
            let _ = writeln!(text, "\n… and {left} more; {whole}.");
            return;
        }
        text.push_str(&row);
    }
}

fn row(view: &View, entry: &Entry) -> String {
    let change = &entry.change;
    let sign = match (entry.accepted.is_some(), change.severity) {
        (true, _) => "☑️",
        (_, Severity::Breaking) => "🔴",
        (_, Severity::Risky) => "🟡",
        (_, Severity::Compatible) => "🟢",
        (_, Severity::Docs) => "⚪",
    };
    let route = match (&change.item.method, &change.item.path) {
        (Some(method), Some(path)) => format!(" `{}`", code(&format!("{method} {path}"))),
        _ => String::new(),
    };
    let who: Vec<_> = change
        .breaks
        .iter()
        .map(|audience| audience.who())
        .collect();
    format!(
        "| {sign} | `{}`{route} | {}{} | {} | {} | {} | `{}` |\n",
        code(&change.item.id),
        cell(&change.message),
        place(view, change),
        who.join(", "),
        change.cause.name(),
        change.bump.name(),
        entry.fp,
    )
}

/// Text that neither ends a cell nor becomes markup.
pub(super) fn cell(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '\n' | '\r' => safe.push(' '),
            '|' | '*' | '_' | '[' | ']' | '`' | '\\' | '@' => safe.extend(['\\', letter]),
            plain => safe.push(plain),
        }
    }
    safe
}

/// Text between backticks.
fn code(text: &str) -> String {
    text.replace('`', "'")
        .replace('|', "\\|")
        .replace(['\n', '\r'], " ")
}

fn place(view: &View, change: &Change) -> String {
    let Some(at) = &change.head_at else {
        return String::new();
    };
    let file = at.file.rsplit('/').next().unwrap_or(&at.file);
    let short = cell(&format!("{file}:{}", at.line));
    match super::address(view, at) {
        Some(address) => format!(" ([{short}]({address}))"),
        None => format!(" ({short})"),
    }
}

#[cfg(test)]
mod tests {
    use super::{cell, code};

    #[test]
    fn a_cell_stays_a_cell() {
        assert_eq!(cell("a|b\n<c> `x` @all"), "a\\|b &lt;c> \\`x\\` \\@all");
        assert_eq!(code("a|`b`"), "a\\|'b'");
    }
}
